import type { Knex } from 'knex';
import { lerDinheiro } from '../../brazil/dinheiro/dinheiro.ts';
import { fromDatabaseTime } from '../../platform/mysql/database.ts';
import { groupBy } from '../../platform/group-by.ts';
import type { Relogio } from '../../platform/timing/relogio.ts';
import type { Trail } from '../../platform/cache/trail.ts';
import type { TenantDb } from '../../platform/mysql/tenant.ts';
import { paraEndereco } from '../enderecos/enderecos.types.ts';
import { estadoDaConexao, fimDaEspera, intervaloDoRegistro } from '../conexoes/estado.regras.ts';
import type { Aviso } from '../rede/avisos/avisos.types.ts';
import type { AvisosDosContratosService } from '../rede/avisos/cobertos.service.ts';
import { contratoTag } from '../tags.ts';
import { createContratosQueries } from './contratos.queries.ts';
import type { ColunasDeCliente, Contrato, ContratoRow } from './contratos.types.ts';

export type ContratosService = ReturnType<typeof createContratosService>;

export interface ContratosDeps {
  readonly tenant: TenantDb;
  readonly relogio: Relogio;
  readonly trail: Trail;
  readonly intervaloPadraoSegundos: number;
  readonly avisos: Pick<AvisosDosContratosService, 'queCobrem'>;
}

export function createContratosService(deps: ContratosDeps) {
  const { tenant, relogio, trail, intervaloPadraoSegundos, avisos } = deps;
  const queries = createContratosQueries(tenant);

  function paraContrato(
    { contratos: row, planos: plano, conexoes: sessao, '': calculado }: ContratoRow,
    agora: Date,
    cobrem: readonly Aviso[],
  ): Contrato {
    const ouvidaEm = instante(sessao.ouvida_em);
    const desbloqueadoAte = instante(calculado.desbloqueado_ate);
    const conexao = estadoDaConexao({
      login: row.login,
      temRegistro: sessao.contrato_id !== null,
      ouvidaEm,
      intervaloSegundos: sessao.intervalo_segundos,
      intervaloPadraoSegundos,
      agora,
    });
    if (conexao === 'online' && ouvidaEm !== null) {
      const intervalo = intervaloDoRegistro(sessao.intervalo_segundos, intervaloPadraoSegundos);
      trail.changesAt(fimDaEspera(ouvidaEm, intervalo));
    }
    if (desbloqueadoAte !== null) trail.changesAt(new Date(desbloqueadoAte.getTime() + 1));
    return {
      id: row.id,
      clienteId: row.cliente_id,
      situacao: row.situacao,
      conexao,
      tipoConexao: row.tipo_conexao,
      login: row.login,
      mac: row.mac,
      ip: row.ip,
      tipoCobranca: row.tipo_cobranca,
      diaVencimento: row.dia_vencimento,
      valor: lerDinheiro(row.valor),
      ativadoEm: row.ativado_em,
      bloqueadoEm: instante(row.bloqueado_em),
      desbloqueadoAte,
      plano: {
        id: row.plano_id,
        nome: plano.nome,
        downloadMbps: plano.download_mbps,
        uploadMbps: plano.upload_mbps,
      },
      enderecoInstalacao: paraEndereco(row),
      avisos: cobrem,
    };
  }

  /** Contracts in the order of their rows. One more statement, where the provider has open notices. */
  async function paraContratos(rows: readonly ContratoRow[], agora: Date): Promise<Contrato[]> {
    const ids = rows.some((row) => row[''].ha_avisos === 1) ? rows.map((row) => row.contratos.id) : [];
    const cobrem = await avisos.queCobrem(ids);
    return rows.map((row) => paraContrato(row, agora, cobrem.get(row.contratos.id) ?? []));
  }

  return {
    /** The contract, or null when this tenant has none of that id. */
    async buscarPorId(id: number): Promise<Contrato | null> {
      trail.dependsOn(contratoTag(id));
      const agora = relogio.agora();
      const row = await queries.buscarPorId(id, agora);
      const [contrato = null] = row === undefined ? [] : await paraContratos([row], agora);
      return contrato;
    },

    /**
     * Contracts of several clients, in one statement: client id → its contracts by id. The caller has named the clients' tags,
     * which cover what is theirs.
     */
    async listarPorClientes(clienteIds: readonly number[]): Promise<Map<number, Contrato[]>> {
      const agora = relogio.agora();
      const rows = clienteIds.length === 0 ? [] : await queries.listarPorClientes(clienteIds, agora);
      return groupBy(await paraContratos(rows, agora), (contrato) => contrato.clienteId);
    },

    /**
     * Clients, by a statement that finds them, each with its contracts, both by id: one statement costs less than two, and to
     * sort a person's few rows here less than a third of what it costs MySQL. Null when there are more than `maximo` rows.
     */
    async juntarA<Proprio extends { id: number }, Calculado extends object>(
      clientes: Knex.QueryBuilder,
      colunas: ColunasDeCliente<Proprio, Calculado>,
      maximo = Infinity,
    ): Promise<{ cliente: Proprio & Calculado; contratos: Contrato[] }[] | null> {
      const agora = relogio.agora();
      if (maximo !== Infinity) void clientes.limit(maximo + 1);
      const rows = await queries.juntar(clientes, colunas, agora);
      if (rows.length > maximo) return null;
      rows.sort((a, b) => a.clientes.id - b.clientes.id || (a.contratos.id ?? 0) - (b.contratos.id ?? 0));
      const todos = groupBy(
        await paraContratos(
          rows.flatMap((row) => (temContrato(row) ? [row] : [])),
          agora,
        ),
        (contrato) => contrato.clienteId,
      );
      return [...groupBy(rows, (row) => row.clientes.id)].flatMap(([clienteId, doCliente]) => {
        const contratos = todos.get(clienteId) ?? [];
        return doCliente.slice(0, 1).map((row) => ({ cliente: { ...row.clientes, ...row[''] }, contratos }));
      });
    },
  };
}

const temContrato = (row: Pick<ContratoRow, 'contratos'> | { contratos: { id: null } }): row is ContratoRow =>
  row.contratos.id !== null;

function instante(texto: string | null): Date | null {
  return texto === null ? null : fromDatabaseTime(texto);
}

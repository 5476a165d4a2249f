import { lerDinheiro } from '../../brazil/dinheiro.ts';
import { fromDatabaseTime } from '../../platform/database.ts';
import { groupBy } from '../../platform/group-by.ts';
import type { Relogio } from '../../platform/relogio.ts';
import type { Trail } from '../../platform/response-cache/trail.ts';
import type { TenantDb } from '../../platform/tenant.ts';
import { paraEndereco } from '../enderecos/enderecos.types.ts';
import { estadoDaConexao, fimDaEspera } from '../conexoes/estado.regras.ts';
import { contratoTag } from '../tags.ts';
import { createContratosQueries } from './contratos.queries.ts';
import type { Contrato, ContratoRow } from './contratos.types.ts';

export type ContratosService = ReturnType<typeof createContratosService>;

export interface ContratosDeps {
  readonly tenant: TenantDb;
  readonly relogio: Relogio;
  readonly trail: Trail;
  readonly intervaloPadraoSegundos: number;
}

export function createContratosService({ tenant, relogio, trail, intervaloPadraoSegundos }: ContratosDeps) {
  const queries = createContratosQueries(tenant);

  function paraContrato(row: ContratoRow, agora: Date): Contrato {
    const ouvidaEm = instante(row.ouvida_em);
    const desbloqueadoAte = instante(row.desbloqueado_ate);
    const conexao = estadoDaConexao({
      login: row.login,
      temRegistro: row.conexao_contrato_id !== null,
      ouvidaEm,
      intervaloSegundos: row.intervalo_segundos,
      intervaloPadraoSegundos,
      agora,
    });
    if (conexao === 'online' && ouvidaEm !== null) {
      trail.changesAt(fimDaEspera(ouvidaEm, row.intervalo_segundos ?? intervaloPadraoSegundos));
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
        nome: row.plano_nome,
        downloadMbps: row.download_mbps,
        uploadMbps: row.upload_mbps,
      },
      enderecoInstalacao: paraEndereco(row),
    };
  }

  return {
    /** The contract, or null when this tenant has none of that id. */
    async buscarPorId(id: number): Promise<Contrato | null> {
      await trail.dependsOn(contratoTag(id));
      const agora = relogio.agora();
      const row = await queries.buscarPorId(id, agora);
      return row === undefined ? null : paraContrato(row, agora);
    },

    /**
     * Contracts of several clients, in one statement: client id → its contracts by id. The caller has named the clients' tags,
     * which cover what is theirs.
     */
    async listarPorClientes(clienteIds: readonly number[]): Promise<Map<number, Contrato[]>> {
      const agora = relogio.agora();
      const rows = clienteIds.length === 0 ? [] : await queries.listarPorClientes(clienteIds, agora);
      return groupBy(
        rows.map((row) => paraContrato(row, agora)),
        (contrato) => contrato.clienteId,
      );
    },
  };
}

function instante(texto: string | null): Date | null {
  return texto === null ? null : fromDatabaseTime(texto);
}

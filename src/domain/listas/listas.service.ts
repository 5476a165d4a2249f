import { hojeEm } from '../../brazil/calendario/datas.ts';
import { groupBy } from '../../platform/group-by.ts';
import { fromDatabaseTime } from '../../platform/mysql/database.ts';
import type { TenantDb } from '../../platform/mysql/tenant.ts';
import type { Relogio } from '../../platform/timing/relogio.ts';
import { estadoDaConexao } from '../conexoes/estado.regras.ts';
import type { Memoria } from '../indicadores/memoria.service.ts';
import type { Provedor } from '../provedores/provedores.types.ts';
import { createClientesDaListaQueries } from './clientes.queries.ts';
import { createContratosDaListaQueries } from './contratos.queries.ts';
import { lerCidades, lerEscolhas } from './escolhas.queries.ts';
import type { Instante } from './filtros.queries.ts';
import type {
  ClienteDaLista,
  ContratoDaLista,
  EscolhasDasListas,
  FiltroDeClientes,
  FiltroDeContratos,
  OrdemDeClientes,
  OrdemDeContratos,
  PaginaDaLista,
  PedidoDePagina,
  TotalDaLista,
} from './listas.types.ts';
import { lerCursor, recortar } from './paginacao.regras.ts';
import type { OrdemDaLista } from './paginacao.regras.ts';

export type ListasService = ReturnType<typeof createListasService>;

export interface ListasDeps {
  readonly tenant: TenantDb;
  readonly provedor: Pick<Provedor, 'id' | 'fusoHorario'>;
  readonly relogio: Relogio;
  readonly memoria: Memoria;
  readonly intervaloPadraoSegundos: number;
}

const ORDENS: Readonly<Record<OrdemDeClientes, OrdemDaLista>> = {
  nome: { colunas: ['nome', 'id'], desce: false },
  id: { colunas: ['id'], desce: false },
  recentes: { colunas: ['id'], desce: true },
};

/** What the statement for each city takes, in rows of an index. */
const CUSTO_DA_CIDADE = 1000;

/** How many there are, where the one page has them all. */
const totalDaPagina = (itens: readonly unknown[], ...outras: readonly (string | null)[]): TotalDaLista | null =>
  outras.every((outra) => outra === null) ? { quantos: itens.length, exato: true } : null;

/** Clients that are read at once where all are gone through. */
const POR_LOTE = 500;

/** The lists of staff: pages of fifty by where the one before ended, so that none costs more for standing far down. */
export function createListasService({ tenant, provedor, relogio, memoria, intervaloPadraoSegundos }: ListasDeps) {
  const dosClientes = createClientesDaListaQueries(tenant);
  const dosContratos = createContratosDaListaQueries(tenant);
  const instante = (): Instante => ({ agora: relogio.agora(), padraoSegundos: intervaloPadraoSegundos });

  /** Clients of these ids, in their order. */
  async function completarClientes(ids: readonly number[]): Promise<ClienteDaLista[]> {
    if (ids.length === 0) return [];
    const rows = new Map((await dosClientes.linhas(ids)).map((row) => [row.id, row]));
    const contratos = groupBy(await dosClientes.contratos(ids), ({ cliente_id: id }) => id);
    const vencidas = await dosClientes.comVencida(ids, hojeEm(provedor.fusoHorario, relogio.agora()));
    return ids.flatMap((id): ClienteDaLista[] => {
      const row = rows.get(id);
      if (row === undefined) return [];
      const [primeiro] = contratos.get(id) ?? [];
      return [
        {
          id,
          nome: row.nome,
          nomeFantasia: row.nome_fantasia,
          cpfCnpj: row.cpf_cnpj,
          email: row.email,
          situacao: row.situacao,
          cidade: row.cidade,
          uf: row.uf,
          telefones: row.telefones?.split(',') ?? [],
          contratos: contratos.get(id)?.length ?? 0,
          plano: primeiro === undefined ? null : { id: primeiro.plano_id, nome: primeiro.plano_nome },
          vencida: vencidas.has(id),
        },
      ];
    });
  }

  async function completarContratos(ids: readonly number[]): Promise<ContratoDaLista[]> {
    if (ids.length === 0) return [];
    const rows = new Map((await dosContratos.linhas(ids)).map((row) => [row.id, row]));
    const agora = relogio.agora();
    return ids.flatMap((id): ContratoDaLista[] => {
      const row = rows.get(id);
      if (row === undefined) return [];
      const conexao = estadoDaConexao({
        login: row.login,
        temRegistro: row.tem_registro === 1,
        ouvidaEm: row.ouvida_em === null ? null : fromDatabaseTime(row.ouvida_em),
        intervaloSegundos: row.intervalo_segundos,
        intervaloPadraoSegundos,
        agora,
      });
      return [
        {
          id,
          clienteId: row.cliente_id,
          clienteNome: row.nome,
          plano: { id: row.plano_id, nome: row.plano_nome },
          situacao: row.situacao,
          conexao,
          login: row.login,
          cidade: row.cidade,
          diaVencimento: row.dia_vencimento,
          valor: row.valor,
        },
      ];
    });
  }

  /** Up to `limite` clients after one, by id: for what goes through all of them, a piece at a time. */
  async function clientesDepoisDe(
    filtro: FiltroDeClientes,
    id: number,
    limite = POR_LOTE,
  ): Promise<readonly ClienteDaLista[]> {
    return completarClientes(await dosClientes.depoisDe(filtro, id, limite, instante()));
  }

  return {
    async clientes(
      filtro: FiltroDeClientes,
      { cursor, ordem: porQual = 'nome' }: PedidoDePagina & { readonly ordem?: OrdemDeClientes | undefined } = {},
    ): Promise<PaginaDaLista<ClienteDaLista>> {
      const ordem = ORDENS[porQual];
      const lugar = lerCursor(cursor, ordem);
      const agora = instante();
      const { linhas, proxima, anterior } = recortar(
        await dosClientes.chaves(filtro, ordem, lugar, agora),
        ordem,
        lugar,
      );
      const itens = await completarClientes(linhas.map(({ id }) => id));
      const total = totalDaPagina(itens, proxima, anterior) ?? (await dosClientes.total(filtro, agora));
      return { itens, proxima, anterior, total };
    },

    async contratos(
      filtro: FiltroDeContratos,
      { cursor, ordem: porQual = 'recentes' }: PedidoDePagina & { readonly ordem?: OrdemDeContratos | undefined } = {},
    ): Promise<PaginaDaLista<ContratoDaLista>> {
      const ordem = ORDENS[porQual];
      const lugar = lerCursor(cursor, ordem);
      const agora = instante();
      const { linhas, proxima, anterior } = recortar(
        await dosContratos.chaves(filtro, ordem, lugar, agora),
        ordem,
        lugar,
      );
      const itens = await completarContratos(linhas.map(({ id }) => id));
      const total = totalDaPagina(itens, proxima, anterior) ?? (await dosContratos.total(filtro, agora));
      return { itens, proxima, anterior, total };
    },

    clientesDepoisDe,

    /** All clients that a filter finds, by id; no more than a piece of them is held. */
    async *todosOsClientes(filtro: FiltroDeClientes): AsyncGenerator<ClienteDaLista> {
      for (let depois = 0; ;) {
        const lote = await clientesDepoisDe(filtro, depois);
        yield* lote;
        const ultimo = lote.at(-1);
        if (ultimo === undefined) return;
        depois = ultimo.id;
      }
    },

    /** What the filters offer; where there are many cities, those of a moment ago. */
    async escolhas(): Promise<EscolhasDasListas> {
      const [{ valor: cidades }, resto] = await Promise.all([
        memoria.lembrar(provedor.id, 'cidades', async () => {
          const valor = await lerCidades(tenant);
          return { valor, linhas: CUSTO_DA_CIDADE * (valor[0].length + valor[1].length) };
        }),
        lerEscolhas(tenant),
      ]);
      return { cidadesDosClientes: cidades[0], cidadesDosContratos: cidades[1], ...resto };
    },
  };
}

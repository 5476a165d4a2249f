import type { Knex } from 'knex';
import { expressions, rowsOfSql } from '../../platform/mysql/columns.ts';
import type { TenantDb } from '../../platform/mysql/tenant.ts';
import { condicoesDaLinha } from '../conexoes/viva.regras.ts';
import type { TotalDaLista } from './listas.types.ts';

/** What is told apart by each table's rows. */
const CHAVES = { clientes: 'clientes.id', contratos: 'contratos.id', 'conexoes as x': 'x.contrato_id' } as const;

/** One condition of a list, with the index that finds its rows. */
export interface Filtro {
  readonly tabela: keyof typeof CHAVES;
  readonly indice: string;
  /** Narrows rows of its own table. */
  readonly proprio: (query: Knex.QueryBuilder) => void;
  /** The index does not hold the order of the ids: of a common one, another that does is gone through. */
  readonly semOrdem?: true;
}

/** A filter of no more rows than this is where a page is looked for; of a more common one a page is soon full. */
const RARO = 5000;
/** Lists are counted up to here. A page of a list is told at once; who wants to know more of a million narrows it. */
const TETO = 10_000;
/** Who is online has to be looked up one by one. */
const TETO_DA_CONEXAO = 1000;

/** The moment by which a list says who is online. */
export interface Instante {
  readonly agora: Date;
  readonly padraoSegundos: number;
}

/** The condition that finds the fewest rows. */
interface MaisRaro {
  readonly filtro: Filtro;
  /** It finds more than `RARO`. */
  readonly comum: boolean;
}

/** The filter of the fewest rows: counted up to `RARO` and one, all in one statement; of those that are all more common, as the server estimates. */
export async function maisRaro(tenant: TenantDb, filtros: readonly Filtro[]): Promise<MaisRaro | null> {
  const [primeiro] = filtros;
  if (primeiro === undefined) return null;
  const linhasDe = ({ tabela, indice, proprio }: Filtro) =>
    tenant.from(tabela, indice).modify(proprio).select(CHAVES[tabela]);
  const partes = filtros.map((filtro) =>
    tenant.db
      .from(
        linhasDe(filtro)
          .limit(RARO + 1)
          .as('t'),
      )
      .count('*'),
  );
  const colunas = expressions<{ n: string }>({ n: `CONCAT_WS(',', ${partes.map(() => '?').join(', ')})` });
  const [linha] = await rowsOfSql(tenant.db, colunas, (lista) => `SELECT ${lista}`, partes);
  const contagens = linha?.n.split(',').map(Number) ?? [];
  const comum = filtros.every((_, n) => (contagens[n] ?? 0) > RARO);
  if (comum && filtros.length === 1) return { filtro: primeiro, comum };
  const quantas = comum ? await Promise.all(filtros.map(async (um) => estimar(tenant, linhasDe(um)))) : contagens;
  const menor = Math.min(...quantas);
  return { filtro: filtros[quantas.indexOf(menor)] ?? primeiro, comum };
}

/** How many rows the server expects of a query of one table: it looks into the index, and reads none. */
async function estimar(tenant: TenantDb, query: Knex.QueryBuilder): Promise<number> {
  const { sql, bindings } = query.toSQL().toNative();
  // What EXPLAIN answers is no row of ours.
  const [plano] = (await tenant.db.raw(`EXPLAIN ${sql}`, bindings)) as [readonly { readonly rows: unknown }[]];
  return Number(plano[0]?.rows ?? 0);
}

const TOTAL = expressions<{ n: number }>({ n: 'COUNT(DISTINCT t.chave)' });

/** How many rows a query has, up to a bound. `chave` is what tells one from another. */
export async function totalDe(
  tenant: TenantDb,
  query: Knex.QueryBuilder,
  chave: string,
  porConexao: boolean,
): Promise<TotalDaLista> {
  const teto = porConexao ? TETO_DA_CONEXAO : TETO;
  const linhas = query.limit(teto + 1).select({ chave });
  const [linha] = await rowsOfSql(tenant.db, TOTAL, (lista) => `SELECT ${lista} FROM ? AS t`, [
    tenant.db.raw('(?)', [linhas]),
  ]);
  const quantos = linha?.n ?? 0;
  return quantos > teto ? { quantos: teto, exato: false } : { quantos, exato: true };
}

/** Records of connections in a state, as `estadoDaConexao` judges those that have a login. */
export function daConexao(estado: 'online' | 'offline', { agora, padraoSegundos }: Instante): Filtro {
  const [sql, valores] = condicoesDaLinha(agora, padraoSegundos)[estado];
  const proprio = (query: Knex.QueryBuilder): void => void query.whereRaw(sql, valores);
  return { tabela: 'conexoes as x', indice: 'conexoes_vivas', proprio, semOrdem: true };
}

/** Joins `contratos` to the records of `conexoes as x` that are gone through. */
export function juntarContratos(query: Knex.QueryBuilder): void {
  query.joinRaw('STRAIGHT_JOIN contratos ON contratos.provedor_id = x.provedor_id AND contratos.id = x.contrato_id');
}

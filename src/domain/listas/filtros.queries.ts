import type { Knex } from 'knex';
import { expressions, rowsOfSql } from '../../platform/mysql/columns.ts';
import { toDatabaseTime } from '../../platform/mysql/database.ts';
import type { TenantDb } from '../../platform/mysql/tenant.ts';
import { maiorIntervalo } from '../conexoes/estado.regras.ts';
import type { TotalDaLista } from './listas.types.ts';

/** What is told apart by each table's rows. */
const CHAVES = { clientes: 'clientes.id', contratos: 'contratos.id', 'conexoes as x': 'x.contrato_id' } as const;

/** One condition of a list, with the index that finds its rows. */
export interface Filtro {
  readonly tabela: keyof typeof CHAVES;
  readonly indice: string;
  /** Narrows rows of its own table. */
  readonly proprio: (query: Knex.QueryBuilder) => void;
}

/** A filter of no more rows than this is where a page is looked for; of a more common one a page is soon full. */
export const RARO = 5000;
/** Lists are counted up to here. A page of a list is told at once; who wants to know more of a million narrows it. */
const TETO = 10_000;
/** What is online stands in no index: who is counted has to be looked up one by one. */
const TETO_DA_CONEXAO = 1000;

/** The filter of the fewest rows, and how many those are, up to `RARO` and one; all in one statement. */
export async function maisRaro(
  tenant: TenantDb,
  filtros: readonly Filtro[],
): Promise<{ filtro: Filtro; linhas: number } | null> {
  const [primeiro] = filtros;
  if (primeiro === undefined) return null;
  const partes = filtros.map(({ tabela, indice, proprio }) => {
    const linhas = tenant
      .from(tabela, indice)
      .modify(proprio)
      .limit(RARO + 1);
    return tenant.db.from(linhas.select(CHAVES[tabela]).as('t')).count('*');
  });
  const colunas = expressions<{ n: string }>({ n: `CONCAT_WS(',', ${partes.map(() => '?').join(', ')})` });
  const [linha] = await rowsOfSql(tenant.db, colunas, (lista) => `SELECT ${lista}`, partes);
  const contagens = linha?.n.split(',').map(Number) ?? [];
  return filtros
    .map((filtro, n) => ({ filtro, linhas: contagens[n] ?? 0 }))
    .reduce((raro, outro) => (outro.linhas < raro.linhas ? outro : raro));
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

/** Narrows contracts joined to `conexoes` to those in a state, as `estadoDaConexao` judges it. */
export function comEstado(
  query: Knex.QueryBuilder,
  contratos: string,
  estado: 'online' | 'offline',
  padraoSegundos: number,
  agora: Date,
): void {
  const viva = 'x.ouvida_em + INTERVAL 2 * LEAST(COALESCE(x.intervalo_segundos, ?), ?) SECOND >= ?';
  const valores = [padraoSegundos, maiorIntervalo(padraoSegundos), toDatabaseTime(agora)];
  query.where(`${contratos}.login`, '<>', '');
  if (estado === 'online') query.whereRaw(viva, valores);
  else query.whereRaw(`COALESCE(${viva}, FALSE) = FALSE`, valores);
}

import type { Data } from '../../../brazil/calendario/datas.ts';
import { lerDinheiro } from '../../../brazil/dinheiro/dinheiro.ts';
import { columns, expressions, rowsOf } from '../../../platform/mysql/columns.ts';
import { fromDatabaseTime } from '../../../platform/mysql/database.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import type { OrigemDaVez, VezFeita } from '../faturamento.types.ts';

const VEZES_MOSTRADAS = 60;

interface VezRow {
  id: number;
  dia: Data;
  origem: OrigemDaVez;
  cobrancas: number;
  faturas: number;
  total: string;
  autor: string | null;
  iniciado_em: string;
  desfazendo: number | null;
  desfeito_em: string | null;
  desfeito_por: string | null;
}

const DA_VEZ = columns<VezRow>('faturamentos', {
  id: true,
  dia: true,
  origem: true,
  cobrancas: true,
  faturas: true,
  total: true,
  autor: true,
  iniciado_em: true,
  desfazendo: true,
  desfeito_em: true,
  desfeito_por: true,
});

const DO_CARNE = expressions<{ faturamento_id: number; contrato_id: number }>({
  faturamento_id: 'faturamento_id',
  contrato_id: 'MIN(contrato_id)',
});

/** Whose booklets those among some runs are. */
async function contratosDosCarnes(tenant: TenantDb, rows: readonly VezRow[]): Promise<ReadonlyMap<number, number>> {
  const ids = rows.filter(({ origem }) => origem === 'carne').map(({ id }) => id);
  if (ids.length === 0) return new Map();
  const deles = tenant.from('faturamento_cobrancas').whereIn('faturamento_id', ids).groupBy('faturamento_id');
  return new Map((await rowsOf(deles, DO_CARNE)).map((row) => [row.faturamento_id, row.contrato_id]));
}

export interface QuaisVezes {
  /** Only those before this one. */
  readonly antesDe?: number | undefined;
  /** Without booklets, of which there may be many a day. */
  readonly semCarnes?: boolean | undefined;
}

export interface VezesFeitas {
  readonly itens: readonly VezFeita[];
  /** The run before which the next page goes on; null where there is none. */
  readonly proxima: number | null;
}

/** A page of the runs, the newest first. */
export async function ultimasVezes(tenant: TenantDb, { antesDe, semCarnes }: QuaisVezes): Promise<VezesFeitas> {
  const delas = tenant.from('faturamentos').orderBy('id', 'desc');
  if (antesDe !== undefined) void delas.where('id', '<', antesDe);
  if (semCarnes === true) void delas.whereNot('origem', 'carne');
  const rows = await rowsOf(delas.limit(VEZES_MOSTRADAS + 1), DA_VEZ);
  const destas = rows.slice(0, VEZES_MOSTRADAS);
  const contratos = await contratosDosCarnes(tenant, destas);
  const itens = destas.map((row) => paraVez(row, contratos));
  return { itens, proxima: rows.length > VEZES_MOSTRADAS ? (itens.at(-1)?.id ?? null) : null };
}

/** A run; null where the provider has none of that id. */
export async function buscarVez(tenant: TenantDb, id: number): Promise<VezFeita | null> {
  const [row] = await rowsOf(tenant.from('faturamentos').where({ id }), DA_VEZ);
  return row === undefined ? null : paraVez(row, await contratosDosCarnes(tenant, [row]));
}

const paraVez = (
  { total, iniciado_em, desfazendo, desfeito_em, desfeito_por, ...vez }: VezRow,
  contratos: ReadonlyMap<number, number>,
): VezFeita => ({
  ...vez,
  contratoId: contratos.get(vez.id) ?? null,
  desfazendo: desfazendo === 1,
  total: lerDinheiro(total),
  iniciadoEm: fromDatabaseTime(iniciado_em),
  desfeitoEm: desfeito_em === null ? null : fromDatabaseTime(desfeito_em),
  desfeitoPor: desfeito_por,
});

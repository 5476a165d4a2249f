import type { Data } from '../../../brazil/calendario/datas.ts';
import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import type { Write } from '../../escrita.ts';
import type { OrigemDaVez } from '../execucao/vez.queries.ts';

/** A run as its undoing knows it. */
export interface VezRow {
  id: number;
  dia: Data;
  origem: OrigemDaVez;
  desfeito_em: string | null;
  desfeito_por: string | null;
  desfazendo: number | null;
}

const DA_VEZ = columns<VezRow>('faturamentos', {
  id: true,
  dia: true,
  origem: true,
  desfeito_em: true,
  desfeito_por: true,
  desfazendo: true,
});

/** A run, held until the transaction ends; undefined where the provider has none of that id. */
export async function travarVez(w: Write, id: number): Promise<VezRow | undefined> {
  const [vez] = await rowsOf(w.from('faturamentos').where({ id }).forUpdate(), DA_VEZ);
  return vez;
}

import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import { jsonColumn } from '../../../platform/mysql/database.ts';
import type { Db } from '../../../platform/mysql/database.ts';
import type { Write } from '../../escrita.ts';

interface DoAppRow {
  app_origens: string | string[] | null;
}

const DO_APP = columns<DoAppRow>('provedores', { app_origens: true });

const origensDe = ([row]: readonly DoAppRow[]): readonly string[] =>
  row === undefined || row.app_origens === null ? [] : jsonColumn<string[]>(row.app_origens);

/** Of the provider whose id or host this is; none when there is no such provider. */
export async function lerOrigens(
  db: Db,
  qual: { readonly id: number } | { readonly panel_host: string },
): Promise<readonly string[]> {
  return origensDe(await rowsOf(db('provedores').where(qual), DO_APP));
}

/** Writes the origins of the provider that is written. @returns whether that is a change */
export async function gravarOrigens(w: Write, origens: readonly string[]): Promise<boolean> {
  const deste = () => w.tenant.db('provedores').where('id', w.provedorId);
  const antes = origensDe(await rowsOf(deste().forUpdate(), DO_APP));
  if (antes.join('\n') === origens.join('\n')) return false;
  await deste().update({ app_origens: JSON.stringify(origens) });
  return true;
}

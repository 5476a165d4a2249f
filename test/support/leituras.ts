import type { Db } from '../../src/platform/mysql/database.ts';

/** Rows and entries of indexes that the reads of a session pass; `db` is a pool of one connection. */
export async function lidas(db: Db, ler: () => Promise<unknown>): Promise<number> {
  const total = async (): Promise<number> => {
    const [linhas] = await db.raw<{ Value: string }[][]>("SHOW SESSION STATUS LIKE 'Handler_read%'");
    return (linhas ?? []).reduce((soma, { Value }) => soma + Number(Value), 0);
  };
  const antes = await total();
  await ler();
  return (await total()) - antes;
}

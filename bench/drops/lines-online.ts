import type { Db } from '../../src/platform/mysql/database.ts';

/** The last session of each line that is over, and those after it, as `radacct` has them. */
export const LAST = 'bench_ultimas';
/** The same while `radacct` is changed: a run that was cut off then left it so. */
const CHANGED = 'bench_ultimas_mudadas';
/** Changes that the Stops of these sessions write. */
export const STOPS = 'bench_paradas';
/** What the aggregation knew before. */
const KNOWN = ['conexoes', 'quedas_diarias', 'rede_horas'] as const;
const known = (table: string): string => `bench_antes_${table}`;

/**
 * Keeps what is known of lines that are online, whose sessions then end: of each line the last session that is over goes on still, and none
 * after it has begun. `radacct` is as it was when this resolves.
 *
 * @param aggregate aggregates all sessions, with nothing known before
 */
export async function keepLinesOnline(db: Db, now: Date, aggregate: () => Promise<void>): Promise<void> {
  if (await db.schema.hasTable(CHANGED)) await giveBack(db);
  if (await db.schema.hasTable(LAST)) return;
  for (const table of [STOPS, ...KNOWN.map(known)]) await db.schema.dropTableIfExists(table);
  await db.raw(
    `CREATE TABLE ?? (PRIMARY KEY (radacctid)) AS
     SELECT r.radacctid, r.username, r.nasipaddress, r.acctupdatetime, r.acctstoptime
       FROM radacct r
       JOIN (SELECT username, nasipaddress, MAX(acctstoptime) AS fim FROM radacct
              WHERE acctstoptime IS NOT NULL GROUP BY username, nasipaddress) AS ultima
         ON ultima.username = r.username AND ultima.nasipaddress = r.nasipaddress
      WHERE r.acctstoptime IS NULL OR r.acctstoptime = ultima.fim`,
    [CHANGED],
  );
  const heard = new Date(now.getTime() - 60_000).toISOString().slice(0, 19).replace('T', ' ');
  await withoutRadacctTriggers(db, async () => {
    await db.raw(
      `UPDATE radacct r JOIN ?? u ON u.radacctid = r.radacctid
          SET r.username = IF(u.acctstoptime IS NULL, CONCAT('-', u.username), u.username),
              r.acctupdatetime = IF(u.acctstoptime IS NULL, u.acctupdatetime, ?), r.acctstoptime = NULL`,
      [CHANGED, heard],
    );
  });
  await aggregate();
  for (const table of KNOWN) {
    await db.raw('CREATE TABLE ?? AS SELECT ?? FROM ??', [known(table), await columnsOf(db, table), table]);
  }
  await db.raw('CREATE TABLE ?? LIKE radacct_mudancas', [STOPS]);
  await db.raw(
    `INSERT INTO ?? (username, nasipaddress)
     SELECT username, nasipaddress FROM ?? WHERE acctstoptime IS NOT NULL
      GROUP BY username, nasipaddress ORDER BY MIN(radacctid)`,
    [STOPS, CHANGED],
  );
  await giveBack(db);
}

/** Puts back what was known, into tables that are empty. */
export async function restoreLinesOnline(db: Db): Promise<void> {
  for (const table of KNOWN) {
    const columns = await columnsOf(db, table);
    await db.raw('INSERT INTO ?? (??) SELECT ?? FROM ??', [table, columns, columns, known(table)]);
    // The server plans by how many rows it takes there to be: it was just emptied.
    await db.raw('ANALYZE TABLE ??', [table]);
  }
}

async function giveBack(db: Db): Promise<void> {
  await withoutRadacctTriggers(db, async () => {
    await db.raw(
      `UPDATE radacct r JOIN ?? u ON u.radacctid = r.radacctid
          SET r.username = u.username, r.acctupdatetime = u.acctupdatetime, r.acctstoptime = u.acctstoptime`,
      [CHANGED],
    );
  });
  // Where what was known is not whole, this begins anew.
  if (await db.schema.hasTable(STOPS)) await db.schema.renameTable(CHANGED, LAST);
  else await db.schema.dropTable(CHANGED);
}

/** Columns that are written, and not computed by the server. */
async function columnsOf(db: Db, table: string): Promise<string[]> {
  const [rows = []] = await db.raw<{ name: string }[][]>(
    `SELECT column_name AS name FROM information_schema.columns
      WHERE table_schema = DATABASE() AND table_name = ? AND COALESCE(generation_expression, '') = ''
      ORDER BY ordinal_position`,
    [table],
  );
  return rows.map(({ name }) => name);
}

/** What is done to `radacct` here no server told: nobody writes it down as a change, or as a sign of life. */
async function withoutRadacctTriggers(db: Db, change: () => Promise<void>): Promise<void> {
  const [triggers = []] = await db.raw<{ Trigger: string }[][]>("SHOW TRIGGERS LIKE 'radacct'");
  const definitions: string[] = [];
  for (const { Trigger: name } of triggers) {
    const [[made] = []] = await db.raw<Record<string, string>[][]>('SHOW CREATE TRIGGER ??', [name]);
    definitions.push(made?.['SQL Original Statement'] ?? '');
  }
  for (const { Trigger: name } of triggers) await db.raw('DROP TRIGGER ??', [name]);
  try {
    await change();
  } finally {
    for (const definition of definitions) await db.raw(definition);
  }
}

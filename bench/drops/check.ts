import type { Db } from '../../src/platform/mysql/database.ts';

/** Causes that are drops. */
export const CAUSES: ReadonlySet<string> = new Set([
  'Lost-Carrier',
  'Lost-Service',
  'Port-Error',
  'NAS-Error',
  'NAS-Reboot',
  'Service-Unavailable',
]);
/** Local days that are kept, today included. */
const DAYS = 31;
const DAY = 86_400;

interface Session {
  readonly provedor_id: number;
  readonly contrato_id: number;
  readonly zone: number;
  readonly start: number;
  readonly update: number | null;
  readonly stop: number | null;
  readonly cause: string;
}

/**
 * Holds `quedas_diarias` and `conexoes` against a computation of its own over every row of `radacct`, by the rules as they are
 * written down and with nothing of the service's code. Of the generated sessions it relies on: zones of a fixed distance to UTC, an
 * interim interval in every row, no Start after the stop.
 *
 * @throws Error with the number of rows that differ and one of them.
 */
export async function checkResults(db: Db, now: Date, intervalSeconds: number): Promise<void> {
  const at = now.getTime() / 1000;
  const [sessions = []] = await db.raw<Session[][]>(
    `SELECT STRAIGHT_JOIN n.provedor_id, c.id AS contrato_id, IF(p.fuso_horario = 'America/Manaus', -14400, -10800) AS zone,
            UNIX_TIMESTAMP(r.acctstarttime) AS start, UNIX_TIMESTAMP(r.acctupdatetime) AS \`update\`,
            UNIX_TIMESTAMP(r.acctstoptime) AS stop, r.acctterminatecause AS cause
       FROM radacct r
       JOIN provedores_nas n ON n.nasipaddress = r.nasipaddress
       JOIN provedores p ON p.id = n.provedor_id
       JOIN contratos c ON c.provedor_id = n.provedor_id AND c.login = r.username`,
  );
  const drops = new Map<string, { zone: number; moments: number[] }>();
  const heard = new Map<string, number>();
  for (const { provedor_id, contrato_id, zone, start, update, stop, cause } of sessions) {
    const contract = `${provedor_id}/${contrato_id}`;
    const last = Math.max(start, update ?? start);
    const open = stop === null && at - last <= 2 * intervalSeconds;
    if (open || !heard.has(contract)) heard.set(contract, Math.max(open ? last : 0, heard.get(contract) ?? 0));
    const moment = stop === null ? last : stop;
    if (open || (stop !== null && !CAUSES.has(cause))) continue;
    const known = drops.get(contract) ?? { zone, moments: [] };
    drops.set(contract, known);
    known.moments.push(moment);
  }

  const expected = new Map<string, number>();
  for (const [contract, { zone, moments }] of drops) {
    const first = Math.floor((at + zone) / DAY) - DAYS + 1;
    let counted = Number.NEGATIVE_INFINITY;
    for (const moment of moments.toSorted((a, b) => a - b)) {
      if (moment - counted <= 60) continue;
      counted = moment;
      const day = Math.floor((moment + zone) / DAY);
      if (day < first) continue;
      const key = `${contract}/${new Date(day * DAY * 1000).toISOString().slice(0, 10)}`;
      expected.set(key, (expected.get(key) ?? 0) + 1);
    }
  }
  const [days = []] = await db.raw<{ name: string; n: number }[][]>(
    "SELECT CONCAT_WS('/', provedor_id, contrato_id, dia) AS name, quedas AS n FROM quedas_diarias",
  );
  const [states = []] = await db.raw<{ name: string; n: number }[][]>(
    `SELECT CONCAT_WS('/', provedor_id, contrato_id) AS name, CAST(COALESCE(UNIX_TIMESTAMP(ouvida_em), 0) AS SIGNED) AS n FROM conexoes
      WHERE COALESCE(intervalo_segundos, ?) = ?`,
    [intervalSeconds, intervalSeconds],
  );
  compare('quedas_diarias', days, expected);
  compare('conexoes', states, heard);
}

/** @throws Error where rows are not as they are expected. */
export function compare(
  table: string,
  rows: readonly { readonly name: string; readonly n: number }[],
  expected: ReadonlyMap<string, number>,
): void {
  const wrong = rows.filter(({ name, n }) => expected.get(name) !== n);
  const missing = expected.size - (rows.length - wrong.length);
  const [example] = wrong;
  if (wrong.length + missing === 0) return;
  throw new Error(
    `${table}: ${wrong.length} rows differ, ${missing} are missing, as ${JSON.stringify(example)}, which is to be ${expected.get(example?.name ?? '')}`,
  );
}

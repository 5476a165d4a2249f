import type { Db } from '../../src/platform/mysql/database.ts';
import { CAUSES, compare } from './check.ts';
import { LAST } from './lines-online.ts';

interface Ended {
  readonly contract: string;
  readonly place: string;
  readonly start: number;
  readonly stop: number | null;
  readonly sign: number;
  readonly cause: string;
  /** Whether it is the line's last session that is over, or began after it. */
  readonly last: number;
}

/** A moment at which a line dropped, if it did. */
interface Drop {
  readonly at: number;
  readonly before: boolean;
  /** It only fell silent: that belongs to no minute. */
  readonly stale: boolean;
}

/** A line, with when its session began that was known to be open, and the one that is open now. */
interface Line {
  readonly place: string;
  readonly drops: Map<number, Drop>;
  known: number | null;
  open: number | null;
}

/**
 * Holds `rede_quedas` against a computation of its own, after the sessions of lines that were online ended: each drop that is new since then,
 * and one that came within a minute of another and ended the session that was known, by the minute of its server.
 *
 * @throws Error with the number of rows that differ and one of them.
 */
export async function checkMinutes(db: Db, now: Date, intervalSeconds: number): Promise<void> {
  const at = now.getTime() / 1000;
  const [sessions = []] = await db.raw<Ended[][]>(
    `SELECT STRAIGHT_JOIN CONCAT_WS('/', n.provedor_id, c.id) AS contract, CONCAT_WS('/', n.provedor_id, n.nasipaddress) AS place,
            UNIX_TIMESTAMP(r.acctstarttime) AS start, UNIX_TIMESTAMP(r.acctstoptime) AS stop,
            UNIX_TIMESTAMP(GREATEST(r.acctstarttime, COALESCE(r.acctupdatetime, r.acctstarttime))) AS sign,
            r.acctterminatecause AS cause, u.radacctid IS NOT NULL AS last
       FROM radacct r
       JOIN provedores_nas n ON n.nasipaddress = r.nasipaddress
       JOIN contratos c ON c.provedor_id = n.provedor_id AND c.login = r.username
       LEFT JOIN ?? u ON u.radacctid = r.radacctid`,
    [LAST],
  );
  const lines = new Map<string, Line>();
  for (const { contract, place, start, stop, sign, cause, last } of sessions) {
    const line: Line = lines.get(contract) ?? { place, drops: new Map(), known: null, open: null };
    lines.set(contract, line);
    if (stop !== null && last === 1) line.known = start;
    if (stop === null && at - sign <= 2 * intervalSeconds) line.open = start;
    else if (stop === null || CAUSES.has(cause)) {
      const moment = stop ?? sign;
      // Of two that ended in the same second, the one that began later says how: silent is none but the last.
      const stale = stop === null || line.drops.get(moment)?.stale === true;
      line.drops.set(moment, { at: moment, before: last === 0, stale });
    }
  }
  const expected = new Map<string, number>();
  for (const { place, drops, known, open } of lines.values()) {
    if (known === null || known === open) continue;
    for (const { at: moment } of newDrops([...drops.values()], known)) {
      const minute = new Date(moment * 1000 - ((moment * 1000) % 60_000)).toISOString().slice(0, 19).replace('T', ' ');
      const key = `${place}/${minute}`;
      expected.set(key, (expected.get(key) ?? 0) + 1);
    }
  }
  const [minutes = []] = await db.raw<{ name: string; n: number }[][]>(
    "SELECT CONCAT_WS('/', provedor_id, nas, DATE_FORMAT(minuto, '%Y-%m-%d %H:%i:%s')) AS name, quedas AS n FROM rede_quedas",
  );
  compare('rede_quedas', minutes, expected);
}

/** Drops of a line that are added to minutes; its session was known to be open since `known`. */
function newDrops(drops: readonly Drop[], known: number): Drop[] {
  const inOrder = drops.toSorted((a, b) => a.at - b.at);
  const counted: Drop[] = [];
  for (const drop of inOrder) if (drop.at - (counted.at(-1)?.at ?? -Infinity) > 60) counted.push(drop);
  const added = counted.filter(({ before }) => !before);
  const last = inOrder.at(-1);
  if (last !== undefined && last.at >= known && last.at !== counted.at(-1)?.at) added.push(last);
  return added.filter(({ stale }) => !stale);
}

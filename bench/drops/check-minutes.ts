import type { Db } from '../../src/platform/mysql/database.ts';
import { quedasPorMinuto } from '../../test/support/quedas-por-minuto.ts';
import type { SessaoDaLinha } from '../../test/support/quedas-por-minuto.ts';
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
       LEFT JOIN ?? u ON u.radacctid = r.radacctid
      ORDER BY r.radacctid`,
    [LAST],
  );
  const lines = new Map<string, { readonly place: string; readonly sessions: SessaoDaLinha[] }>();
  for (const { contract, place, start, stop, sign, cause, last } of sessions) {
    const line = lines.get(contract) ?? { place, sessions: [] };
    lines.set(contract, line);
    line.sessions.push({ inicio: start, fim: stop, sinal: sign, caiu: CAUSES.has(cause), nova: last === 1 });
  }
  const expected = new Map<string, number>();
  for (const { place, sessions: its } of lines.values()) {
    for (const moment of quedasPorMinuto(its, at, 2 * intervalSeconds)) {
      const minute = new Date((moment - (moment % 60)) * 1000).toISOString().slice(0, 19).replace('T', ' ');
      const key = `${place}/${minute}`;
      expected.set(key, (expected.get(key) ?? 0) + 1);
    }
  }
  const [minutes = []] = await db.raw<{ name: string; n: number }[][]>(
    "SELECT CONCAT_WS('/', provedor_id, nas, DATE_FORMAT(minuto, '%Y-%m-%d %H:%i:%s')) AS name, quedas AS n FROM rede_quedas",
  );
  compare('rede_quedas', minutes, expected);
}

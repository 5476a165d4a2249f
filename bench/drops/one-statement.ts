import type { Db } from '../../src/platform/database.ts';

/**
 * Drops of each contract and local day by one statement, into a table like `quedas_diarias`.
 *
 * It reads `radacct` once from end to end, whose rows here are those that changed: the quickest way there is, and one that a backlog in
 * an older table would not have. Days are those of a fixed distance to UTC, as both zones have it. It counts every drop: not once
 * those within 60 s of one another, and none of sessions that went stale. It keeps no connection states, deletes nothing that is no
 * longer true, leaves the changes in their table, and tells nobody.
 */
export async function countInOneStatement(db: Db, table: string): Promise<void> {
  await db.raw(
    `INSERT INTO ?? (provedor_id, contrato_id, dia, quedas)
     SELECT STRAIGHT_JOIN n.provedor_id, c.id,
            DATE(r.acctstoptime + INTERVAL (CASE p.fuso_horario WHEN 'America/Manaus' THEN -4 ELSE -3 END) HOUR) AS dia,
            COUNT(*)
       FROM radacct r
       JOIN provedores_nas n ON n.nasipaddress = r.nasipaddress
       JOIN provedores p ON p.id = n.provedor_id
       JOIN contratos c ON c.provedor_id = n.provedor_id AND c.login = r.username
      WHERE r.acctterminatecause IN
            ('Lost-Carrier', 'Lost-Service', 'Port-Error', 'NAS-Error', 'NAS-Reboot', 'Service-Unavailable')
        AND r.acctstoptime IS NOT NULL
      GROUP BY n.provedor_id, c.id, dia`,
    [table],
  );
}

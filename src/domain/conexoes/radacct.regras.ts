import { CAUSAS_SEM_QUEDA } from './sessoes.ts';

/** SQL: the session of `radacct as r` is open, or was reopened by a repeated Start, which leaves the old stop behind. */
export const ABERTA = '(r.acctstoptime IS NULL OR r.acctstarttime > r.acctstoptime)';

/**
 * SQL for the last moment at which a row of `radacct as r` was active: its stop, or when the open session was last
 * heard of. It is what `interpretarSessao` calls `fim`, save for a session that is open now.
 */
export const ULTIMO_SINAL = `IF(${ABERTA}, GREATEST(COALESCE(r.acctupdatetime, r.acctstarttime), COALESCE(r.acctstarttime, r.acctupdatetime)), r.acctstoptime)`;

const SEM_QUEDA = CAUSAS_SEM_QUEDA.map(() => '?').join(', ');

/**
 * SQL for the sessions of contracts' logins on their provider's NASes, in one statement: those that are open or may have dropped, with a
 * sign of life since some time. Of a row of `radacct` that became another session's, also what it was before
 * (`sessoes_encerradas`): mostly there is none, and a login costs one look into an index.
 *
 * @param chaves SQL for a table `chaves` of contracts' keys, with one value.
 * @returns SQL that takes twice: that value, `CAUSAS_SEM_QUEDA`, the time.
 */
export function sqlDasSessoes(chaves: string): string {
  const de = (origem: string, reaberta: string): string =>
    `SELECT c.id, TO_SECONDS(r.acctstarttime), TO_SECONDS(r.acctupdatetime), TO_SECONDS(r.acctstoptime),
            r.acctinterval, r.acctterminatecause, ${reaberta}
       FROM ${chaves}
       STRAIGHT_JOIN contratos c ON c.provedor_id = chaves.provedor_id AND c.id = chaves.contrato_id
       ${origem}
      WHERE c.login <> '' AND (${ABERTA} OR r.acctterminatecause NOT IN (${SEM_QUEDA}))
        AND ${ULTIMO_SINAL} >= CAST(? AS DATETIME)`;
  const atuais = de(
    `STRAIGHT_JOIN radacct r FORCE INDEX (username) ON r.username = c.login
       STRAIGHT_JOIN provedores_nas n ON n.provedor_id = c.provedor_id AND n.nasipaddress = r.nasipaddress`,
    'NULL',
  );
  // Of rows that are still there, and still the login's: after a TRUNCATE, which no trigger hears, ids begin anew.
  const encerradas = de(
    `STRAIGHT_JOIN sessoes_encerradas r FORCE INDEX (sessoes_encerradas_login) ON r.username = c.login
       STRAIGHT_JOIN radacct a FORCE INDEX (PRIMARY) ON a.radacctid = r.radacctid AND a.username = c.login
       STRAIGHT_JOIN provedores_nas n ON n.provedor_id = c.provedor_id AND n.nasipaddress = a.nasipaddress`,
    'TO_SECONDS(r.reaberta_em)',
  );
  return `${atuais} UNION ALL ${encerradas}`;
}

import type { Knex } from 'knex';
import { toDatabaseTime } from '../../platform/mysql/database.ts';
import { READ_TIMEOUT_MS } from '../../platform/mysql/tenant.ts';
import type { TenantDb } from '../../platform/mysql/tenant.ts';
import { CAUSAS_SEM_QUEDA } from './sessoes.regras.ts';

/** Causes of an end that is no drop, as `radacct` has them. */
export const NAO_FORAM_QUEDA: readonly string[] = CAUSAS_SEM_QUEDA;

/** SQL: the session of `radacct`, by its alias, is open, or was reopened by a repeated Start, which leaves the old stop behind. */
export const abertaEm = (alias: string): string =>
  `(${alias}.acctstoptime IS NULL OR ${alias}.acctstarttime > ${alias}.acctstoptime)`;

/** The same of `radacct as r`. */
export const ABERTA = abertaEm('r');

/**
 * SQL: joins what is known of when an open session of `radacct as r` was heard of, as `o`; of one that ended, nothing. By the key also where
 * the table is so small that MySQL would read it whole.
 */
export const JUNTAR_OUVIDAS = `LEFT JOIN sessoes_ouvidas o FORCE INDEX (PRIMARY) ON o.radacctid = IF(${ABERTA}, r.radacctid, NULL)`;

const DITA = 'GREATEST(COALESCE(r.acctupdatetime, r.acctstarttime), COALESCE(r.acctstarttime, r.acctupdatetime))';

/** SQL for the last moment at which a session was active: its stop, or, of an open one, its last sign by either clock. */
const ultimoSinal = (ouvida: string): string =>
  `IF(${ABERTA}, GREATEST(${DITA}, COALESCE(${ouvida}, ${DITA})), r.acctstoptime)`;

/** The same of a row of `radacct as r` with {@link JUNTAR_OUVIDAS}. */
export const ULTIMO_SINAL = ultimoSinal('o.ouvida_em');

/**
 * Sessions of a login on the tenant's NASes that were active since `desde`, newest start first.
 *
 * The index is forced because a NAS holds far more sessions than a login: an optimizer that has not seen enough rows yet starts from the
 * NASes.
 */
export const sessoesDoLogin = (tenant: TenantDb, login: string, desde: Date, limite: number): Knex.QueryBuilder =>
  tenant
    .db(tenant.db.raw('radacct AS r FORCE INDEX (username)'))
    .joinRaw(JUNTAR_OUVIDAS)
    .where('r.username', login)
    .whereIn('r.nasipaddress', tenant.from('provedores_nas').select('nasipaddress'))
    .whereRaw(`${ULTIMO_SINAL} >= CAST(? AS DATETIME)`, [toDatabaseTime(desde)])
    .orderByRaw('r.acctstarttime IS NULL, r.acctstarttime DESC, r.radacctid DESC')
    .limit(limite)
    .timeout(READ_TIMEOUT_MS);

/**
 * SQL: how people call the server `nas`; null where nobody named it. FreeRADIUS wants a name of each, so a nameless one has its address there,
 * which is nobody's business but the staff's.
 */
export const NOME_DO_SERVIDOR = "NULLIF(NULLIF(nas.shortname, ''), nas.nasname)";

/** SQL: the port of the server `n` at which the session of `radacct as r` is, where it is said how its name ends; see provedores_nas.porta_ate. */
const PORTA = `IF(n.porta_ate IS NULL, NULL, IF(n.porta_ate = '*', r.nasportid, SUBSTRING_INDEX(r.nasportid, n.porta_ate, 1)))`;

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
  const de = (origem: string, ouvida: string, anterior: string, reaberta: string, porta: string): string =>
    `SELECT c.id, TO_SECONDS(r.acctstarttime), TO_SECONDS(r.acctupdatetime), TO_SECONDS(r.acctstoptime),
            r.acctinterval, r.acctterminatecause, TO_SECONDS(${ouvida}), ${anterior}, ${reaberta},
            n.nasipaddress, ${porta}
       FROM ${chaves}
       STRAIGHT_JOIN contratos c ON c.provedor_id = chaves.provedor_id AND c.id = chaves.contrato_id
       ${origem}
      WHERE c.login <> '' AND (${ABERTA} OR r.acctterminatecause NOT IN (${SEM_QUEDA}))
        AND ${ultimoSinal(ouvida)} >= CAST(? AS DATETIME)`;
  const atuais = de(
    `STRAIGHT_JOIN radacct r FORCE INDEX (username) ON r.username = c.login
       STRAIGHT_JOIN provedores_nas n ON n.provedor_id = c.provedor_id AND n.nasipaddress = r.nasipaddress
       ${JUNTAR_OUVIDAS}`,
    'o.ouvida_em',
    'o.intervalo_anterior',
    'NULL',
    PORTA,
  );
  // Of rows that are still there, and still the login's: after a TRUNCATE, which no trigger hears, ids begin anew.
  const encerradas = de(
    `STRAIGHT_JOIN sessoes_encerradas r FORCE INDEX (sessoes_encerradas_login) ON r.username = c.login
       STRAIGHT_JOIN radacct a FORCE INDEX (PRIMARY) ON a.radacctid = r.radacctid AND a.username = c.login
       STRAIGHT_JOIN provedores_nas n ON n.provedor_id = c.provedor_id AND n.nasipaddress = a.nasipaddress`,
    'NULL',
    'NULL',
    'TO_SECONDS(r.reaberta_em)',
    'NULL',
  );
  return `${atuais} UNION ALL ${encerradas}`;
}

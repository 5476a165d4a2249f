import type { Knex } from 'knex';
import { toDatabaseTime } from '../../platform/database.ts';
import type { Db } from '../../platform/database.ts';
import type { RadacctRow } from './conexoes.types.ts';
import { ULTIMO_SINAL } from './radacct.regras.ts';

/** A contract to recompute, of any tenant. */
export interface ContratoAfetadoRow {
  provedor_id: number;
  contrato_id: number;
  cliente_id: number;
  fuso_horario: string;
}

export interface SessaoDeContratoRow extends RadacctRow {
  contrato_id: number;
}

export interface QuedasDoDiaRow {
  provedor_id: number;
  contrato_id: number;
  /** `YYYY-MM-DD`, local to the provider. */
  dia: string;
  quedas: number;
}

export interface ConexaoRow {
  provedor_id: number;
  contrato_id: number;
  ouvida_em: string | null;
  intervalo_segundos: number | null;
}

/**
 * A list of ids as a table. A join from it reaches each row by its key, whatever the optimizer thinks of the size of
 * the table: a scan would wait for rows that another aggregation holds.
 */
const IDS = "JSON_TABLE(?, '$[*]' COLUMNS (id BIGINT UNSIGNED PATH '$')) AS ids";

/**
 * SQL of the aggregation: the one place of the domain that crosses tenants, because FreeRADIUS's tables have none.
 * A contract is found by NAS and login together; a login alone never decides whose a session is.
 *
 * Made for transactions in READ COMMITTED: each statement sees what was committed before it, and the scan of
 * `radacct_mudancas` leaves no gap locks, for which FreeRADIUS's own inserts would have to wait.
 */
export function createAgregacaoQueries(trx: Db) {
  async function ler<Row>(sql: string, valores: readonly Knex.RawBinding[]): Promise<Row[]> {
    const [rows = []] = await trx.raw<Row[][]>(sql, valores);
    return rows;
  }

  return {
    /** Takes the oldest changes that nobody else holds. */
    async tomarMudancas(limite: number): Promise<number[]> {
      const rows = await ler<{ id: number }>(
        'SELECT id FROM radacct_mudancas ORDER BY id LIMIT ? FOR UPDATE SKIP LOCKED',
        [limite],
      );
      return rows.map(({ id }) => id);
    },

    async apagarMudancas(ids: readonly number[]): Promise<void> {
      await trx.raw(`DELETE m FROM ${IDS} STRAIGHT_JOIN radacct_mudancas m ON m.id = ids.id`, [JSON.stringify(ids)]);
    },

    /** The contracts whose sessions changed; changes of NASes and logins that nobody owns have none. */
    async contratosDasMudancas(ids: readonly number[]): Promise<ContratoAfetadoRow[]> {
      return ler(
        `SELECT DISTINCT c.provedor_id, c.id AS contrato_id, c.cliente_id, p.fuso_horario
           FROM ${IDS}
           STRAIGHT_JOIN radacct_mudancas m ON m.id = ids.id
           STRAIGHT_JOIN provedores_nas n ON n.nasipaddress = m.nasipaddress
           STRAIGHT_JOIN contratos c ON c.provedor_id = n.provedor_id AND c.login = m.username
           STRAIGHT_JOIN provedores p ON p.id = n.provedor_id
          WHERE m.username <> ''`,
        [JSON.stringify(ids)],
      );
    },

    /** Contracts of a provider that have a session or a record, by id. */
    async contratosDoProvedor(provedorId: number, depoisDe: number, limite: number): Promise<ContratoAfetadoRow[]> {
      return ler(
        `SELECT c.provedor_id, c.id AS contrato_id, c.cliente_id, p.fuso_horario
           FROM contratos c
           JOIN provedores p ON p.id = c.provedor_id
           LEFT JOIN conexoes x ON x.provedor_id = c.provedor_id AND x.contrato_id = c.id
          WHERE c.provedor_id = ? AND c.id > ? AND c.login <> ''
            AND (x.contrato_id IS NOT NULL OR EXISTS (
                  SELECT 1 FROM radacct r FORCE INDEX (username)
                    JOIN provedores_nas n ON n.provedor_id = c.provedor_id AND n.nasipaddress = r.nasipaddress
                   WHERE r.username = c.login))
          ORDER BY c.id LIMIT ?`,
        [provedorId, depoisDe, limite],
      );
    },

    /** Contracts whose record still says open, but was last heard of more than two intervals ago. */
    async contratosParados(agora: Date, limite: number): Promise<ContratoAfetadoRow[]> {
      return ler(
        `SELECT c.provedor_id, c.id AS contrato_id, c.cliente_id, p.fuso_horario
           FROM conexoes x
           STRAIGHT_JOIN contratos c ON c.provedor_id = x.provedor_id AND c.id = x.contrato_id
           STRAIGHT_JOIN provedores p ON p.id = x.provedor_id
          WHERE x.parada_em < ?
          LIMIT ?`,
        [toDatabaseTime(agora), limite],
      );
    },

    /**
     * Locks the contracts' records until the transaction ends, making those that are missing. Two aggregations of one
     * contract then follow one another, and the later reads the sessions after the earlier has written.
     */
    async reservar(contratos: readonly Pick<ConexaoRow, 'provedor_id' | 'contrato_id'>[]): Promise<void> {
      await trx('conexoes')
        .insert(contratos.map(({ provedor_id, contrato_id }) => ({ provedor_id, contrato_id })))
        .onConflict()
        .merge(['contrato_id']);
    },

    /** Sessions of the contracts' logins on their provider's NASes with a sign of life since `desde`. */
    async sessoes(contratoIds: readonly number[], desde: Date): Promise<SessaoDeContratoRow[]> {
      return ler(
        `SELECT c.id AS contrato_id, r.acctstarttime, r.acctupdatetime, r.acctstoptime, r.acctinterval,
                r.acctsessiontime, r.acctterminatecause
           FROM ${IDS}
           STRAIGHT_JOIN contratos c ON c.id = ids.id
           STRAIGHT_JOIN radacct r FORCE INDEX (username) ON r.username = c.login
           STRAIGHT_JOIN provedores_nas n ON n.provedor_id = c.provedor_id AND n.nasipaddress = r.nasipaddress
          WHERE c.login <> '' AND ${ULTIMO_SINAL} >= CAST(? AS DATETIME)`,
        [JSON.stringify(contratoIds), toDatabaseTime(desde)],
      );
    },

    async quedasGravadas(contratoIds: readonly number[], desde: string): Promise<QuedasDoDiaRow[]> {
      return ler(
        `SELECT q.provedor_id, q.contrato_id, q.dia, q.quedas
           FROM ${IDS}
           STRAIGHT_JOIN contratos c ON c.id = ids.id
           STRAIGHT_JOIN quedas_diarias q ON q.provedor_id = c.provedor_id AND q.contrato_id = c.id
          WHERE q.dia >= ?`,
        [JSON.stringify(contratoIds), desde],
      );
    },

    async gravarQuedas(rows: readonly QuedasDoDiaRow[]): Promise<void> {
      if (rows.length > 0) await trx('quedas_diarias').insert(rows).onConflict().merge(['quedas']);
    },

    async apagarQuedas(rows: readonly QuedasDoDiaRow[]): Promise<void> {
      if (rows.length === 0) return;
      await trx.raw(
        `DELETE q
           FROM JSON_TABLE(?, '$[*]' COLUMNS (
                  provedor_id BIGINT UNSIGNED PATH '$[0]', contrato_id BIGINT UNSIGNED PATH '$[1]', dia DATE PATH '$[2]'
                )) AS chaves
           STRAIGHT_JOIN quedas_diarias q
             ON q.provedor_id = chaves.provedor_id AND q.contrato_id = chaves.contrato_id AND q.dia = chaves.dia`,
        [JSON.stringify(rows.map(({ provedor_id, contrato_id, dia }) => [provedor_id, contrato_id, dia]))],
      );
    },

    async gravarConexoes(rows: readonly ConexaoRow[]): Promise<void> {
      await trx('conexoes').insert(rows).onConflict().merge(['ouvida_em', 'intervalo_segundos']);
    },
  };
}

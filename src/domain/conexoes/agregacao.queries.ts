import type { Knex } from 'knex';
import { rowsOfSql } from '../../platform/mysql/columns.ts';
import { toDatabaseTime } from '../../platform/mysql/database.ts';
import type { Db } from '../../platform/mysql/database.ts';
import {
  CHAVE_DE_CONEXAO,
  CHAVE_DE_CONTRATO,
  CHAVE_DE_PENDENTE,
  COLUNAS_DAS_QUEDAS_DO_DIA,
  COLUNAS_DO_AFETADO,
  DAS_TOMADAS,
} from './agregacao.types.ts';
import type { ChaveDeContrato, ContratoAfetadoRow, QuedasDoDiaRow } from './agregacao.types.ts';
import { valueLists } from '../../platform/mysql/bulk/value-lists.ts';
import { sqlDasSessoes } from './radacct.regras.ts';
import { CAUSAS_SEM_QUEDA } from './sessoes.regras.ts';
import type { SessaoDoContrato } from './sessoes.regras.ts';

type SessaoLista = readonly [
  contrato: number,
  inicio: number | null,
  atualizada: number | null,
  encerrada: number | null,
  intervalo: number | null,
  causa: string,
  ouvida: number | null,
  intervaloAnterior: number | null,
  reaberta: number | null,
  nas: string,
  porta: string | null,
];

/** Changes that a transaction holds: all ids from the first to the last, or those of a list. */
export type MudancasTomadas = { readonly total: number } & (
  { readonly de: number; readonly ate: number } | { readonly ids: readonly number[] }
);

/** Bytes. */
const MAIOR_TEMPORARIA = 2 ** 27;

/** `TO_SECONDS('1970-01-01')`. */
const SEGUNDOS_ATE_1970 = 62_167_219_200;

/**
 * A list of ids as a table. A join from it reaches each row by its key, whatever the optimizer thinks of the size of
 * the table: a scan would wait for rows that another aggregation holds.
 */
const IDS = "JSON_TABLE(?, '$[*]' COLUMNS (id BIGINT UNSIGNED PATH '$')) AS ids";
/** The same of contracts' keys. */
const CHAVES = `JSON_TABLE(?, '$[*]' COLUMNS (
    provedor_id BIGINT UNSIGNED PATH '$[0]', contrato_id BIGINT UNSIGNED PATH '$[1]'
  )) AS chaves`;

/**
 * SQL of the aggregation: the one place of the domain that crosses tenants, because FreeRADIUS's tables have none.
 * A contract is found by NAS and login together; a login alone never decides whose a session is.
 *
 * Made for transactions in READ COMMITTED: each statement sees what was committed before it, and the scan of
 * `radacct_mudancas` leaves no gap locks, for which FreeRADIUS's own inserts would have to wait. Rows of
 * `conexoes_pendentes` are locked in the order of their key by all.
 */
export function createAgregacaoQueries(trx: Db) {
  /** Rows as arrays: a third of the time that objects take. */
  async function lerListas<Lista extends readonly unknown[]>(
    sql: string,
    valores: readonly Knex.RawBinding[],
  ): Promise<Lista[]> {
    const [rows] = (await trx.raw(sql, valores).options({ rowsAsArray: true })) as [Lista[]];
    return rows;
  }

  return {
    /** Takes the oldest changes that nobody else holds. */
    async tomarMudancas(limite: number): Promise<MudancasTomadas> {
      const [tomadas] = await rowsOfSql(
        trx,
        DAS_TOMADAS,
        (colunas) =>
          `SELECT ${colunas}
             FROM (SELECT id FROM radacct_mudancas ORDER BY id LIMIT ? FOR UPDATE SKIP LOCKED) AS tomadas`,
        [limite],
      );
      const { total = 0, de = null, ate = null } = tomadas ?? {};
      if (de === null || ate === null || ate - de + 1 === total) return { total, de: de ?? 0, ate: ate ?? 0 };
      // Between these ids there are rows that others hold, or that are not committed yet: those must stay.
      const ids = await lerListas<[number]>(
        'SELECT id FROM radacct_mudancas WHERE id BETWEEN ? AND ? ORDER BY id LIMIT ? FOR UPDATE SKIP LOCKED',
        [de, ate, total],
      );
      return { total: ids.length, ids: ids.map(([id]) => id) };
    },

    /** Marks the contracts whose sessions changed; NASes and logins that nobody owns have none. */
    async marcarDasMudancas(tomadas: MudancasTomadas): Promise<void> {
      const [origem, onde, valores] = origemDe(tomadas);
      // MariaDB's tables in memory have room for the widest login: by default, for some 50,000, and then it writes a file.
      await trx.raw('SET SESSION tmp_table_size = ?, max_heap_table_size = ?', [MAIOR_TEMPORARIA, MAIOR_TEMPORARIA]);
      try {
        await trx.raw(
          `INSERT IGNORE INTO conexoes_pendentes (provedor_id, contrato_id)
           SELECT DISTINCT c.provedor_id, c.id
             FROM (SELECT DISTINCT m.username, m.nasipaddress FROM ${origem} WHERE ${onde} AND m.username <> '') AS m
             STRAIGHT_JOIN provedores_nas n ON n.nasipaddress = m.nasipaddress
             STRAIGHT_JOIN contratos c ON c.provedor_id = n.provedor_id AND c.login = m.username
            ORDER BY 1, 2`,
          valores,
        );
      } finally {
        // Also when it failed, because the connection goes back to the pool; and that failure is the one to be heard of.
        await trx.raw('SET SESSION tmp_table_size = DEFAULT, max_heap_table_size = DEFAULT').catch(() => undefined);
      }
    },

    async apagarMudancas(tomadas: MudancasTomadas): Promise<void> {
      const [origem, onde, valores] = origemDe(tomadas);
      await trx.raw(`DELETE m FROM ${origem} WHERE ${onde}`, valores);
    },

    /** Contracts of a provider that have a session or a record, by id. */
    async contratosDoProvedor(provedorId: number, depoisDe: number, limite: number): Promise<ChaveDeContrato[]> {
      return rowsOfSql(
        trx,
        CHAVE_DE_CONTRATO,
        (colunas) =>
          `SELECT ${colunas}
             FROM contratos c
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
    async contratosParados(agora: Date, limite: number): Promise<ChaveDeContrato[]> {
      return rowsOfSql(
        trx,
        CHAVE_DE_CONEXAO,
        (colunas) => `SELECT ${colunas} FROM conexoes WHERE parada_em < ? LIMIT ?`,
        [toDatabaseTime(agora), limite],
      );
    },

    /** Marks contracts; waits for who recomputes them now, so that they are recomputed anew. */
    async marcar(contratos: readonly ChaveDeContrato[]): Promise<void> {
      await trx.raw(
        `INSERT IGNORE INTO conexoes_pendentes (provedor_id, contrato_id)
         SELECT provedor_id, contrato_id FROM ${CHAVES} ORDER BY 1, 2`,
        [emJson(contratos)],
      );
    },

    /**
     * Takes marked contracts, by key: those that nobody else holds, or (`esperar`) one provider's, whoever holds them.
     */
    async tomarPendentes(limite: number, esperar?: { readonly provedorId: number }): Promise<ChaveDeContrato[]> {
      const [onde, valores] = esperar === undefined ? ['', []] : ['WHERE provedor_id = ?', [esperar.provedorId]];
      return rowsOfSql(
        trx,
        CHAVE_DE_PENDENTE,
        (colunas) =>
          `SELECT ${colunas} FROM conexoes_pendentes ${onde}
            ORDER BY provedor_id, contrato_id LIMIT ? FOR UPDATE ${esperar === undefined ? 'SKIP LOCKED' : ''}`,
        [...valores, limite],
      );
    },

    async apagarPendentes(contratos: readonly ChaveDeContrato[]): Promise<void> {
      await trx.raw(
        `DELETE e FROM ${CHAVES} STRAIGHT_JOIN conexoes_pendentes e
             ON e.provedor_id = chaves.provedor_id AND e.contrato_id = chaves.contrato_id`,
        [emJson(contratos)],
      );
    },

    /** Contracts with their records; those that are gone since they were marked are left out. */
    async contratos(chaves: readonly ChaveDeContrato[]): Promise<ContratoAfetadoRow[]> {
      return rowsOfSql(
        trx,
        COLUNAS_DO_AFETADO,
        (colunas) =>
          `SELECT ${colunas}
             FROM ${CHAVES}
             STRAIGHT_JOIN contratos c ON c.provedor_id = chaves.provedor_id AND c.id = chaves.contrato_id
             STRAIGHT_JOIN provedores p ON p.id = c.provedor_id
             LEFT JOIN conexoes x ON x.provedor_id = c.provedor_id AND x.contrato_id = c.id`,
        [emJson(chaves)],
      );
    },

    /**
     * Of the contracts' logins on their provider's NASes, the sessions with a sign of life since `desde` that are open or may
     * have dropped, by contract; with those whose row of `radacct` became another session's.
     */
    async sessoes(chaves: readonly ChaveDeContrato[], desde: Date): Promise<Map<number, SessaoDoContrato[]>> {
      const valores = [emJson(chaves), ...CAUSAS_SEM_QUEDA, toDatabaseTime(desde)];
      const rows = await lerListas<SessaoLista>(SESSOES, [...valores, ...valores]);
      const porContrato = new Map<number, SessaoDoContrato[]>();
      for (const row of rows) {
        const [contrato, inicio, atualizada, encerrada, intervalo, causa, ouvida, anterior, reaberta, nas, porta] = row;
        const tempos = {
          inicio: instante(inicio),
          atualizada: instante(atualizada),
          encerrada: instante(encerrada),
          intervalo,
          causa,
          ouvida: instante(ouvida),
          intervaloAnterior: anterior,
          reaberta: instante(reaberta),
          nas,
          porta,
        };
        const lista = porContrato.get(contrato);
        if (lista === undefined) porContrato.set(contrato, [tempos]);
        else lista.push(tempos);
      }
      return porContrato;
    },

    async quedasGravadas(chaves: readonly ChaveDeContrato[], desde: string): Promise<QuedasDoDiaRow[]> {
      return rowsOfSql(
        trx,
        COLUNAS_DAS_QUEDAS_DO_DIA,
        (colunas) =>
          `SELECT ${colunas}
             FROM ${CHAVES}
             STRAIGHT_JOIN quedas_diarias q FORCE INDEX (PRIMARY)
               ON q.provedor_id = chaves.provedor_id AND q.contrato_id = chaves.contrato_id
            WHERE q.dia >= ?`,
        [emJson(chaves), desde],
      );
    },

    async gravarQuedas(rows: readonly QuedasDoDiaRow[]): Promise<void> {
      if (rows.length === 0) return;
      // As values, not as JSON: there are some of each contract, and it takes a third less time.
      await trx.raw(
        `INSERT INTO quedas_diarias (provedor_id, contrato_id, dia, quedas) VALUES ?
         ON DUPLICATE KEY UPDATE quedas = VALUES(quedas)`,
        [valueLists(rows.map(({ provedor_id, contrato_id, dia, quedas }) => [provedor_id, contrato_id, dia, quedas]))],
      );
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
  };
}

const SESSOES = sqlDasSessoes(CHAVES);

/** The taken rows of `radacct_mudancas as m`, as what follows FROM and WHERE. */
function origemDe(tomadas: MudancasTomadas): [from: string, where: string, valores: Knex.RawBinding[]] {
  return 'ids' in tomadas
    ? [`${IDS} STRAIGHT_JOIN radacct_mudancas m ON m.id = ids.id`, 'TRUE', [JSON.stringify(tomadas.ids)]]
    : ['radacct_mudancas m', 'm.id BETWEEN ? AND ?', [tomadas.de, tomadas.ate]];
}

function emJson(chaves: readonly ChaveDeContrato[]): string {
  return JSON.stringify(chaves.map(({ provedor_id, contrato_id }) => [provedor_id, contrato_id]));
}

/** `TO_SECONDS` as ms since 1970; it has none for `0000-00-00 00:00:00`. */
function instante(segundos: number | null): number | null {
  return segundos === null ? null : (segundos - SEGUNDOS_ATE_1970) * 1000;
}

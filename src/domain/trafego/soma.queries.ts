import { columns, rowsOfSql } from '../../platform/mysql/columns.ts';
import type { Db } from '../../platform/mysql/database.ts';
import { valueLists } from '../../platform/mysql/bulk/value-lists.ts';

/** Bytes of a login at a server, told within one quarter of an hour. */
interface MudancaRow {
  readonly provedor_id: number;
  readonly fuso_horario: string;
  readonly nas: string;
  /** Null of a login that no contract has. */
  readonly contrato_id: number | null;
  /** `TO_SECONDS` of the quarter's beginning, in UTC. */
  readonly quarto: number;
  readonly download_bytes: number;
  readonly upload_bytes: number;
}

const DA_MUDANCA = columns<MudancaRow>('m', {
  provedor_id: 'n.provedor_id',
  fuso_horario: 'p.fuso_horario',
  nas: 'n.nasipaddress',
  contrato_id: 'c.id',
  quarto: true,
  download_bytes: true,
  upload_bytes: true,
});
const ID = columns<{ id: number }>('trafego_mudancas', { id: true });

interface Bytes {
  readonly download_bytes: number;
  readonly upload_bytes: number;
}

export interface DoDia extends Bytes {
  readonly provedor_id: number;
  readonly contrato_id: number;
  readonly dia: string;
}

export interface DaHora extends Bytes {
  readonly provedor_id: number;
  /** Its beginning, in UTC. */
  readonly hora: string;
  readonly nas: string;
}

const IDS = "JSON_TABLE(?, '$[*]' COLUMNS (id BIGINT UNSIGNED PATH '$')) AS ids";

/** No line carries as much between two updates, a petabyte: who tells of more has a broken counter, or would stop the sums of all. */
const MAIOR_MUDANCA = 2 ** 50;

/** More than any sum comes to. It stops there: what is too large for its column would be tried again for ever. */
export const MAIOR_SOMA = Number.MAX_SAFE_INTEGER;

const crivel = (contador: string): string =>
  `CAST(LEAST(SUM(IF(t.${contador} < ${MAIOR_MUDANCA}, t.${contador}, 0)), ${MAIOR_SOMA}) AS UNSIGNED)`;

const mais = (coluna: string): string =>
  `${coluna} = LEAST(LEAST(${coluna}, ${MAIOR_SOMA}) + VALUES(${coluna}), ${MAIOR_SOMA})`;

/** Adds to what is there, by the key, so that who waits for another waits in the same order. */
const SOMAR = `ON DUPLICATE KEY UPDATE ${mais('download_bytes')}, ${mais('upload_bytes')}`;

/** SQL of what was told of bytes, of all providers: FreeRADIUS's rows have none. For transactions in READ COMMITTED. */
export function createSomaQueries(trx: Db) {
  return {
    /** Takes the oldest that nobody else holds. */
    async tomar(limite: number): Promise<number[]> {
      const rows = await rowsOfSql(
        trx,
        ID,
        (colunas) => `SELECT ${colunas} FROM trafego_mudancas ORDER BY id LIMIT ? FOR UPDATE SKIP LOCKED`,
        [limite],
      );
      return rows.map(({ id }) => id);
    },

    /** What they tell, of servers that a provider has. */
    async ler(ids: readonly number[]): Promise<MudancaRow[]> {
      return rowsOfSql(
        trx,
        DA_MUDANCA,
        (colunas) =>
          `SELECT ${colunas}
             FROM (SELECT t.username, t.nasipaddress, TO_SECONDS(t.em) - MOD(TO_SECONDS(t.em), 900) AS quarto,
                          ${crivel('saida')} AS download_bytes, ${crivel('entrada')} AS upload_bytes
                     FROM ${IDS} STRAIGHT_JOIN trafego_mudancas t ON t.id = ids.id
                    GROUP BY t.username, t.nasipaddress, quarto
                   HAVING download_bytes > 0 OR upload_bytes > 0) AS m
             STRAIGHT_JOIN provedores_nas n ON n.nasipaddress = m.nasipaddress
             STRAIGHT_JOIN provedores p ON p.id = n.provedor_id
             LEFT JOIN contratos c ON c.provedor_id = n.provedor_id AND c.login = m.username AND m.username <> ''`,
        [JSON.stringify(ids)],
      );
    },

    async somarDias(rows: readonly DoDia[]): Promise<void> {
      if (rows.length === 0) return;
      await trx.raw(
        `INSERT INTO trafego_diario (provedor_id, contrato_id, dia, download_bytes, upload_bytes) VALUES ? ${SOMAR}`,
        [valueLists(rows.map((r) => [r.provedor_id, r.contrato_id, r.dia, r.download_bytes, r.upload_bytes]))],
      );
    },

    async somarHoras(rows: readonly DaHora[]): Promise<void> {
      if (rows.length === 0) return;
      await trx.raw(
        `INSERT INTO trafego_horario (provedor_id, hora, nas, download_bytes, upload_bytes) VALUES ? ${SOMAR}`,
        [valueLists(rows.map((r) => [r.provedor_id, r.hora, r.nas, r.download_bytes, r.upload_bytes]))],
      );
    },

    async apagar(ids: readonly number[]): Promise<void> {
      await trx.raw(`DELETE t FROM ${IDS} STRAIGHT_JOIN trafego_mudancas t ON t.id = ids.id`, [JSON.stringify(ids)]);
    },
  };
}

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

/** Adds to what is there, by the key, so that who waits for another waits in the same order. */
const SOMAR = `ON DUPLICATE KEY UPDATE download_bytes = download_bytes + VALUES(download_bytes),
                                        upload_bytes = upload_bytes + VALUES(upload_bytes)`;

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
                          CAST(SUM(t.saida) AS UNSIGNED) AS download_bytes, CAST(SUM(t.entrada) AS UNSIGNED) AS upload_bytes
                     FROM ${IDS} STRAIGHT_JOIN trafego_mudancas t ON t.id = ids.id
                    GROUP BY t.username, t.nasipaddress, quarto) AS m
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

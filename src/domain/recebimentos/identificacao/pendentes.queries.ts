import { columns, rowsOfSql } from '../../../platform/mysql/columns.ts';
import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Db } from '../../../platform/mysql/database.ts';

const ESPERA_MS = 90 * 86_400_000;

/**
 * Which rows of `pix_recebidos` wait for an invoice. What has waited for 90 days is for a person to put to its invoice: a PSP that also
 * takes what is not ours leaves more of them each day. One that was given back whole waits like any other: with it, its invoice is
 * `estornada`.
 */
export const ESPERAM = 'pix_recebidos.fatura_id IS NULL AND pix_recebidos.criado_em > ?';

/** What {@link ESPERAM} asks for. */
export const esperamDesde = (agora: Date): string => toDatabaseTime(new Date(agora.getTime() - ESPERA_MS));

const DE_QUEM = columns<{ provedor_id: number }>('pix_recebidos', { provedor_id: true });

/** Providers, of all, that have a PIX waiting whose txid an invoice has by now. */
export async function provedoresComIdentificaveis(db: Db, agora: Date): Promise<number[]> {
  const rows = await rowsOfSql(
    db,
    DE_QUEM,
    (colunas) =>
      `SELECT DISTINCT ${colunas}
         FROM pix_recebidos FORCE INDEX (pix_recebidos_sem_fatura)
         STRAIGHT_JOIN faturas FORCE INDEX (faturas_txid)
           ON faturas.provedor_id = pix_recebidos.provedor_id AND faturas.pix_txid = pix_recebidos.txid
        WHERE ${ESPERAM} AND pix_recebidos.txid IS NOT NULL`,
    [esperamDesde(agora)],
  );
  return rows.map(({ provedor_id }) => provedor_id);
}

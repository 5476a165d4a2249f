import type { Db } from '../../platform/database.ts';

/**
 * Providers, of all, that have a PIX without an invoice whose txid an invoice has by now. One that was given back whole, or is older than 90
 * days, is for a person to put to its invoice: a PSP that also takes what is not ours leaves more of them each day.
 */
export async function provedoresComIdentificaveis(db: Db): Promise<number[]> {
  const [rows = []] = await db.raw<{ provedor_id: number }[][]>(
    `SELECT DISTINCT r.provedor_id
       FROM pix_recebidos r FORCE INDEX (pix_recebidos_sem_fatura)
       STRAIGHT_JOIN faturas f FORCE INDEX (faturas_txid) ON f.provedor_id = r.provedor_id AND f.pix_txid = r.txid
      WHERE r.fatura_id IS NULL AND r.txid IS NOT NULL
        AND r.valor > r.devolvido AND r.criado_em > UTC_TIMESTAMP() - INTERVAL 90 DAY`,
  );
  return rows.map(({ provedor_id }) => provedor_id);
}

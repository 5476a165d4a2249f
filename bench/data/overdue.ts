import { somarDias } from '../../src/brazil/calendario/datas.ts';
import type { Data } from '../../src/brazil/calendario/datas.ts';
import { PROVIDER_ID } from './dataset.ts';
import type { Dataset } from './dataset.ts';

const ROWS_A_STATEMENT = 2000;
/** The day before the first that is computed: every invoice is overdue by then. */
export const BEFORE = '2026-11-20' as Data;
const FIRST_ISSUED = Date.UTC(2025, 0, 1);
/** One of so many was paid in part. */
const PAID_IN_PART = 100;

/** `count` overdue invoices with PIX, made on the first run and kept for the next ones. */
export async function ensureOverdue(dataset: Dataset, clients: number, count: number): Promise<void> {
  const db = dataset.open(1);
  try {
    // Days that an earlier run has done are to be done again.
    await db('tarefas_diarias').delete();
    const [found] = await db('faturas').count<{ total: number }[]>('* as total');
    if (found?.total === count) return;
    await db('provedores')
      .where('id', PROVIDER_ID)
      .update({ pix_chave: '123e4567-e12b-12d3-a456-426655440000', pix_nome: 'BANCADA', pix_cidade: 'VARGINHA' });
    await db.raw('DELETE FROM pix_recebidos');
    await db.raw('DELETE FROM faturas');
    await db.transaction(async (trx) => {
      await trx.raw('SET SESSION unique_checks = 0, foreign_key_checks = 0');
      for (let first = 1; first <= count; first += ROWS_A_STATEMENT) {
        const ids = Array.from({ length: Math.min(ROWS_A_STATEMENT, count + 1 - first) }, (_, n) => first + n);
        await trx.raw(invoices(ids, clients));
        const parts = ids.filter((id) => id % PAID_IN_PART === 0);
        if (parts.length > 0) await trx.raw(payments(parts));
      }
      await trx.raw('SET SESSION unique_checks = 1, foreign_key_checks = 1');
    });
    await db.raw('ANALYZE TABLE faturas');
  } finally {
    await db.destroy();
  }
}

/** Written out by hand, as the rest of the data: nothing of it needs escaping. */
function invoices(ids: readonly number[], clients: number): string {
  const rows = ids.map((id) => {
    const client = 1 + (id % clients);
    const value = `${50 + (id % 400)}.${String(id % 100).padStart(2, '0')}`;
    const due = somarDias(BEFORE, -1 - ((id * 7919) % 360));
    const issued = new Date(FIRST_ISSUED + id * 20_000).toISOString().slice(0, 23).replace('T', ' ');
    const token = String(id).padStart(11, '0').padEnd(22, 'x');
    const paid = id % PAID_IN_PART === 0 ? '20.00' : '0.00';
    return `(${PROVIDER_ID},${id},${client},${client},'vencida','pix',${value},${paid},'${due}','${issued}','${token}','BANCADA${id}')`;
  });
  const columns =
    'provedor_id,id,cliente_id,contrato_id,situacao,tipo,valor,valor_pago,vencimento,emitida_em,token,pix_txid';
  return `INSERT INTO faturas (${columns}) VALUES ${rows.join(',')}`;
}

function payments(ids: readonly number[]): string {
  const rows = ids.map((id) => {
    const endToEnd = `E${String(id).padStart(31, '0')}`;
    return `(${PROVIDER_ID},${id},'${endToEnd}',20.00,'2026-11-10 12:00:00','2026-11-10 12:00:00')`;
  });
  return `INSERT INTO pix_recebidos (provedor_id,fatura_id,end_to_end_id,valor,pago_em,criado_em) VALUES ${rows.join(',')}`;
}

import type { BenchContext } from '../support/bench.ts';
import { PROVIDER_ID } from './dataset.ts';
import type { Dataset } from './dataset.ts';
import { openProviderAmongMany } from './provider-among-many.ts';

/** A provider of so many clients, each with two open invoices of twelve, and an open ticket of every third. */
export async function openCalls(context: BenchContext, clients: number): Promise<Dataset> {
  const dataset = await openProviderAmongMany(context, clients);
  const db = dataset.open(1);
  try {
    const [rows] = await db.raw<unknown[][]>("SHOW TABLES LIKE 'bench_chamados'");
    if (rows?.length === 0) {
      await db.raw(
        `INSERT INTO chamados (provedor_id, cliente_id, contrato_id, situacao, assunto, descricao, aberto_em)
         SELECT provedor_id, cliente_id, id, 'aberto', 'Sem conexão', 'Caiu de manhã.', '2026-11-01 12:00:00'
           FROM contratos WHERE provedor_id = ? AND id % 3 = 0`,
        [PROVIDER_ID],
      );
      await db.raw('ANALYZE TABLE chamados');
      await db.raw('CREATE TABLE bench_chamados (pronto TINYINT)');
    }
  } finally {
    await db.destroy();
  }
  return dataset;
}

import { somarDias } from '../../src/brazil/calendario/datas.ts';
import type { Data } from '../../src/brazil/calendario/datas.ts';
import type { Db } from '../../src/platform/mysql/database.ts';
import type { BenchContext } from '../support/bench.ts';
import { keepInMemory, load } from '../support/memory.ts';
import { openDataset, PROVIDER_ID, withoutTriggers } from './dataset.ts';
import type { Dataset } from './dataset.ts';

const OTHERS = 49;
const CLIENTS_OF_OTHERS = 1000;
/** The large one and the others; their ids begin with `PROVIDER_ID`. */
export const PROVIDERS = OTHERS + 1;
/** All of it: a million clients and their invoices are 5 GB. */
const BUFFER_POOL_BYTES = 8 * 2 ** 30;
/** One a month. */
export const INVOICES_A_CLIENT = 12;

/**
 * A provider of so many clients, with an invoice of each of the last twelve months, among 49 of a thousand clients each. The last two
 * months are open, the older ones paid.
 */
export async function openProviderAmongMany(context: BenchContext, clients: number): Promise<Dataset> {
  const dataset = await openDataset(context, clients);
  const db = dataset.open(1);
  try {
    const [rows] = await db.raw<unknown[][]>("SHOW TABLES LIKE 'bench_faturas'");
    if (rows?.length === 0) {
      const begun = performance.now();
      await withoutTriggers(db, async () => {
        await insertInvoices(db);
        await insertOthers(db);
      });
      await db.raw('ANALYZE TABLE faturas, clientes, contratos, clientes_alteracoes');
      await db.raw('CREATE TABLE bench_faturas (pronto TINYINT)');
      context.log(`faturas geradas em ${((performance.now() - begun) / 1000).toFixed(0)} s`);
    }
  } finally {
    await db.destroy();
  }
  return dataset;
}

/** Reads what pages and extracts read, so that nothing of it is on the disk while another part is in memory. */
export async function loadProviderAmongMany(db: Db): Promise<void> {
  await keepInMemory(db, BUFFER_POOL_BYTES);
  await load(db, {
    clientes: ['PRIMARY', 'clientes_cpf_cnpj'],
    clientes_alteracoes: ['PRIMARY'],
    clientes_telefones: ['clientes_telefones_cliente'],
    contratos: ['PRIMARY'],
    faturas: ['PRIMARY', 'faturas_emissao'],
  });
}

/** One statement into an empty table, so that MariaDB sorts and builds its indexes whole. */
async function insertInvoices(db: Db): Promise<void> {
  const today = new Date().toISOString().slice(0, 10) as Data;
  const months = Array.from({ length: INVOICES_A_CLIENT }, (_, month) => {
    const due = somarDias(today, -30 * month + 5);
    return `SELECT ${month} AS mes, DATE '${due}' AS vencimento, TIMESTAMP '${somarDias(due, -20)} 12:00:00' AS emitida`;
  });
  await db.raw('DELETE FROM faturas');
  await db.transaction(async (trx) => {
    await trx.raw('SET SESSION unique_checks = 0, foreign_key_checks = 0');
    await trx.raw(
      `INSERT INTO faturas (provedor_id, id, cliente_id, contrato_id, descricao, situacao, tipo, valor, valor_pago, vencimento,
                            emitida_em, pago_em, token, pix_txid, atualizado_em)
       SELECT c.provedor_id, (${INVOICES_A_CLIENT - 1} - m.mes) * (SELECT MAX(id) FROM contratos) + c.id, c.cliente_id, c.id, 'Mensalidade',
              IF(m.mes < 2, 'pendente', 'paga'), 'pix', c.valor, IF(m.mes < 2, 0, c.valor), m.vencimento,
              -- Issued by thousands, as billing runs do.
              m.emitida + INTERVAL (c.id DIV 1000) SECOND, IF(m.mes < 2, NULL, m.vencimento), 
              CONCAT(LPAD(c.id, 11, '0'), LPAD(m.mes, 11, 'x')), CONCAT('B', m.mes, 'N', c.id), m.emitida
         FROM contratos c CROSS JOIN (${months.join(' UNION ALL ')}) m
        WHERE c.provedor_id = ?
        ORDER BY m.mes DESC, c.id`,
      [PROVIDER_ID],
    );
    await trx.raw('SET SESSION unique_checks = 1, foreign_key_checks = 1');
  });
}

async function insertOthers(db: Db): Promise<void> {
  for (let n = 1; n <= OTHERS; n += 1) {
    const id = PROVIDER_ID + n;
    await db.raw('INSERT INTO provedores (id, nome, panel_host) VALUES (?, ?, ?)', [
      id,
      `Outro ${n}`,
      `outro${n}.malha.test`,
    ]);
    await db.raw('INSERT INTO regras_cobranca (provedor_id) VALUES (?)', [id]);
    await db.raw(
      `INSERT INTO clientes (provedor_id, nome, tipo, cpf_cnpj, situacao)
       SELECT ?, nome, tipo, cpf_cnpj, situacao FROM clientes WHERE provedor_id = ? AND id <= ?`,
      [id, PROVIDER_ID, CLIENTS_OF_OTHERS],
    );
  }
  await db.raw(
    'INSERT IGNORE INTO clientes_alteracoes SELECT provedor_id, id, criado_em FROM clientes WHERE provedor_id > ?',
    [PROVIDER_ID],
  );
}

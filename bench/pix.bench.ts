import { createConnection } from 'mysql2/promise';
import type { Connection, ResultSetHeader } from 'mysql2/promise';
import { somarDias } from '../src/brazil/calendario/datas.ts';
import type { Data } from '../src/brazil/calendario/datas.ts';
import { createContainer } from '../src/app/compose/container.ts';
import type { Container } from '../src/app/compose/container.ts';
import { loadConfig } from '../src/platform/config.ts';
import { AUTOR } from '../test/support/autor.ts';
import { PROVIDER_ID, openDataset } from './data/dataset.ts';
import { BEFORE, ensureOverdue } from './data/overdue.ts';
import type { BenchContext } from './support/bench.ts';
import { keepInMemory, settle } from './support/memory.ts';
import { median, medianRatio, round } from './support/stats.ts';
import { printTable } from './support/table.ts';

const CLIENTS = 100_000;
const INVOICES = Number(process.env['MALHA_BENCH_INVOICES'] ?? 1_000_000);
const ROUNDS = 3;
/** As long as a real one. */
const CODE =
  '00020126580014br.gov.bcb.pix0136123e4567-e12b-12d3-a456-426655440000520400005303986540599.905802BR5907BANCADA6008VARGINHA62180514BANCADA10000006304';

/**
 * One provider's overdue invoices recomputed for a day, beside one bare UPDATE of the same rows with constants. Each changes every row at
 * every turn, for it is another day. An UPDATE as anyone would write it moves `atualizado_em` with its index, which the job leaves alone;
 * one that leaves it alone too is beside it.
 */
export async function run(context: BenchContext): Promise<Record<string, number>> {
  const { log, redisUrl } = context;
  const dataset = await openDataset(context, CLIENTS);
  log(`${INVOICES} faturas vencidas…`);
  await ensureOverdue(dataset, CLIENTS, INVOICES);
  let today = BEFORE;
  const relogio = { agora: () => new Date(`${today}T15:00:00Z`) };
  const config = loadConfig({ NODE_ENV: 'production', MALHA_LOG: 'error', MALHA_DEMO: 'nao' });
  const container = createContainer({ config, databaseUrl: dataset.url, redisUrl, relogio });
  const bare = await createConnection({ uri: dataset.url });
  const ours: number[] = [];
  const theirs: number[] = [];
  const keeping: number[] = [];
  try {
    await container.redisReady();
    await keepInMemory(container.db);
    for (let turn = 0; turn <= ROUNDS; turn += 1) {
      log(turn === 0 ? 'Aquecendo…' : `Rodada ${turn} de ${ROUNDS}…`);
      const turnOf = async (work: () => Promise<number>): Promise<number> => {
        today = somarDias(today, 1);
        await settle(container.db);
        return perSecond(work);
      };
      const recomputed = await turnOf(async () => recompute(container, today));
      const updated = await turnOf(async () => update(bare, today));
      const kept = await turnOf(async () => update(bare, today, ', atualizado_em = atualizado_em'));
      if (turn === 0) continue;
      ours.push(recomputed);
      theirs.push(updated);
      keeping.push(kept);
    }
  } finally {
    await bare.end();
    await container.close();
  }
  printTable(
    ['linhas por segundo', 'mediana', 'cada rodada'],
    [
      ['pix.recalcular', Math.round(median(ours)), ours.map(Math.round).join(' ')],
      ['UPDATE com constantes', Math.round(median(theirs)), theirs.map(Math.round).join(' ')],
      ['o mesmo, sem mover atualizado_em', Math.round(median(keeping)), keeping.map(Math.round).join(' ')],
    ],
  );
  return {
    ratio: medianRatio(ours, theirs),
    ratio_keeping: medianRatio(ours, keeping),
    rows_per_second: round(median(ours)),
  };
}

async function perSecond(work: () => Promise<number>): Promise<number> {
  const begun = performance.now();
  const rows = await work();
  if (rows !== INVOICES) throw new Error(`${rows} of ${INVOICES} rows changed`);
  return (rows * 1000) / (performance.now() - begun);
}

async function recompute({ tarefas }: Container, dia: Data): Promise<number> {
  const execucao = { signal: new AbortController().signal, aoAvancar: () => {} };
  return (await tarefas.executar(AUTOR, { tarefa: 'pix.recalcular', provedorId: PROVIDER_ID, dia }, execucao)).linhas;
}

async function update(bare: Connection, day: Data, besides = ''): Promise<number> {
  const [{ affectedRows }] = await bare.query<ResultSetHeader>(
    `UPDATE faturas SET valor_atualizado = ?, pix_copia_cola = ?, apurada_em = ?${besides}
      WHERE provedor_id = ? AND grupo = 'aberta' AND vencimento < ?`,
    [`${day.slice(8)}.10`, CODE + day.slice(-4), day, PROVIDER_ID, day],
  );
  return affectedRows;
}

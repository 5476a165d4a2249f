import { Redis } from 'ioredis';
import { hojeEm } from '../src/brazil/calendario/datas.ts';
import { diaDaTarefa } from '../src/domain/tarefas/dia.regras.ts';
import { TAREFAS_DIARIAS } from '../src/domain/tarefas/tarefas.types.ts';
import type { Db } from '../src/platform/mysql/database.ts';
import { createQueue } from '../src/platform/queues/queue.ts';
import { createRedis } from '../src/platform/redis/redis.ts';
import { PROVIDER_ID, openDataset } from './data/dataset.ts';
import { createKeys } from './data/keys.ts';
import { ensureOverdue } from './data/overdue.ts';
import { cpfOf } from './data/rows.ts';
import type { Run, RunResult, Script } from './generators/load.ts';
import type { BenchContext } from './support/bench.ts';
import type { Helper } from './support/children.ts';
import { lookupTarget, requestText } from './support/service.ts';
import { keepInMemory } from './support/memory.ts';
import { median, medianRatio, round } from './support/stats.ts';
import { printTable } from './support/table.ts';
import { jobDefinitions } from '../workers/jobs/catalogue.ts';
import type { JobQueue } from '../workers/jobs/catalogue.ts';

const CLIENTS = 100_000;
const INVOICES = Number(process.env['MALHA_BENCH_INVOICES'] ?? 1_000_000);
const ZONE = 'America/Sao_Paulo';
const KEYS = 500;
const ROUNDS = 5;
const NAP_MS = 0.2;
const CONNECTIONS = 16;
/** Clients that are asked for again and again. */
const WARM_CLIENTS = 2000;
const WARM = { rate: 2000, count: 12_000 };
/** Clients that nobody has asked for before. */
const COLD = { rate: 300, count: 1800 };

/**
 * Look-ups at a steady rate, of clients that the cache holds and of clients that it does not, by turns alone and while the same process
 * recomputes a million overdue invoices.
 */
export async function run(context: BenchContext): Promise<Record<string, number>> {
  const { children, redisUrl, log } = context;
  const dataset = await openDataset(context, CLIENTS);
  log(`${INVOICES} faturas vencidas…`);
  await ensureOverdue(dataset, CLIENTS, INVOICES);
  const keys = await createKeys(dataset, KEYS);
  const redis = new Redis(redisUrl);
  await redis.flushdb();
  redis.disconnect();
  const db = dataset.open(1);
  const connection = createRedis(redisUrl, 'worker', () => {});
  const queue = createQueue({ connection, definitions: jobDefinitions, onError: () => {} });
  const request = (client: number, n: number): string => requestText(lookupTarget(cpfOf(client)), keys[n % KEYS] ?? '');
  const warm = children.helper(new URL('generators/load.js', import.meta.url));
  const cold = children.helper(new URL('generators/load.js', import.meta.url));
  try {
    await finish(db);
    await keepInMemory(db);
    const { port } = await children.start({ DATABASE_URL: dataset.url, REDIS_URL: redisUrl, MALHA_METRICS_PORT: '0' });
    const requests = Array.from({ length: WARM_CLIENTS }, (_, n) => request(n + 1, n));
    await warm.ask({ kind: 'script', requests, bodies: null } satisfies Script);
    const never = Array.from({ length: COLD.count * 2 * (1 + ROUNDS) }, (_, n) => request(WARM_CLIENTS + 1 + n, n));
    await cold.ask({ kind: 'script', requests: never, bodies: null } satisfies Script);
    const look = async (): Promise<[RunResult, RunResult]> => [
      await ask(warm, { port, ...WARM }),
      await ask(cold, { port, ...COLD }),
    ];

    log('Aquecendo…');
    await look();
    const calm: [RunResult, RunResult][] = [];
    const loud: [RunResult, RunResult][] = [];
    const rows: number[] = [];
    for (let turn = 0; turn < ROUNDS; turn += 1) {
      log(`Rodada ${turn + 1} de ${ROUNDS}…`);
      calm.push(await look());
      await begin(db, queue);
      const begun = performance.now();
      loud.push(await look());
      rows.push(((await finish(db)) * 1000) / (performance.now() - begun));
      await queue.queues.noite.obliterate({ force: true });
    }
    const figures = ([0, 1] as const).map((kind) => medianRatio(p99s(loud, kind), p99s(calm, kind)));
    printTable(
      ['p99 ms', 'sozinhas', 'com pix.recalcular', 'razão'],
      [`em cache, ${WARM.rate}/s`, `frias, ${COLD.rate}/s`].map((name, kind) => [
        name,
        round(median(p99s(calm, kind))),
        round(median(p99s(loud, kind))),
        figures[kind] ?? Number.NaN,
      ]),
    );
    const [cached = Number.NaN, uncached = Number.NaN] = figures;
    return {
      p99_ratio: Math.max(cached, uncached),
      cached_ratio: cached,
      cold_ratio: uncached,
      rows_per_second: Math.round(median(rows)),
    };
  } finally {
    await queue.close();
    connection.disconnect();
    await db.destroy();
  }
}

const p99s = (rounds: readonly (readonly RunResult[])[], kind: number): number[] =>
  rounds.map((each) => each[kind]?.p99 ?? Number.NaN);

async function ask(generator: Helper, what: Pick<Run, 'port' | 'rate' | 'count'>): Promise<RunResult> {
  const order: Run = { kind: 'run', connections: CONNECTIONS, napMs: NAP_MS, ...what };
  const result = await generator.ask<RunResult>(order);
  if (result.wrong > 0) throw new Error(`${result.wrong} wrong answers, as\n${result.sample}`);
  return result;
}

/** Has the day done anew, and resolves once the first chunk is. */
async function begin(db: Db, queue: JobQueue): Promise<void> {
  await db('tarefas_diarias').delete();
  await queue.add('pix.recalcular', { provedorId: PROVIDER_ID, dia: diaDaTarefa(ZONE, new Date()) }, { again: true });
  while ((await done(db)) === 0) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** Ends the day's work where it is, as if done; resolves to how many invoices it came to. */
async function finish(db: Db): Promise<number> {
  const rows = await done(db);
  for (const tarefa of TAREFAS_DIARIAS) {
    await db('tarefas_diarias')
      .insert({
        provedor_id: PROVIDER_ID,
        tarefa,
        dia: hojeEm(ZONE, new Date()),
        iniciada_em: '2026-01-01 00:00:00',
        concluida_em: '2026-01-01 00:00:00',
      })
      .onConflict()
      .merge({ lotes: db.raw('lotes + 1'), concluida_em: '2026-01-01 00:00:00' });
  }
  return rows;
}

async function done(db: Db): Promise<number> {
  const [row] = await db('tarefas_diarias').where({ tarefa: 'pix.recalcular' }).select<{ linhas: number }[]>('linhas');
  return row?.linhas ?? 0;
}

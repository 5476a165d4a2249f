import { existsSync, rmSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { diaDaTarefa } from '../src/domain/tarefas/dia.regras.ts';
import { TAREFAS_DIARIAS } from '../src/domain/tarefas/tarefas.types.ts';
import type { Db } from '../src/platform/mysql/database.ts';
import { createQueue } from '../src/platform/queues/queue.ts';
import { createRedis } from '../src/platform/redis/redis.ts';
import { PROVIDER_ID } from './data/dataset.ts';
import { createKeys } from './data/keys.ts';
import { loadProviderAmongMany, openProviderAmongMany, PROVIDERS } from './data/provider-among-many.ts';
import { cpfOf } from './data/rows.ts';
import type { Run, RunResult, Script } from './generators/load.ts';
import type { BenchContext } from './support/bench.ts';
import { peakMemoryMb } from './support/peak.ts';
import { lookupTarget, requestText } from './support/service.ts';
import { median, round } from './support/stats.ts';
import { countStolen } from './support/stolen.ts';
import { printTable } from './support/table.ts';
import { jobDefinitions } from '../workers/jobs/catalogue.ts';

const CLIENTS = Number(process.env['BENCH_CLIENTES'] ?? 1_000_000);
const ZONE = 'America/Sao_Paulo';
const KEYS = 500;
/** Of both processors, next to nothing is to go to who asks. */
const NAP_MS = 1;
const CONNECTIONS = 16;
/** Clients that are asked for again and again. */
const WARM_CLIENTS = 2000;
const WARM = { rate: 1000, count: 3000 };
/** Clients that nobody has asked for before. */
const COLD = { rate: 100, count: 300 };
const WARM_UP_ROUNDS = 4;
/** More rounds than any extract takes. */
const MOST_ROUNDS = 150;

type Round = readonly [warm: RunResult, cold: RunResult, stolenPercent: number];

/**
 * The whole extract of a provider with twelve invoices a client, by `malha worker`, while look-ups at a steady rate go on in `malha serve` on the same machine: how
 * long it takes, its clients and contracts first, and the look-ups' p99, of clients that the cache holds and of clients that it does not. The worker is held (SIGSTOP) in
 * every other round, which does not count as its time: what else goes on at the machine changes from one minute to the next. What the host kept from it is told too.
 */
export async function run(context: BenchContext): Promise<Record<string, number>> {
  const { children, redisUrl, log, scratchDir } = context;
  const dataset = await openProviderAmongMany(context, CLIENTS);
  const keys = await createKeys(dataset, KEYS);
  const redis = new Redis(redisUrl);
  await redis.flushdb();
  redis.disconnect();
  const extracts = path.join(scratchDir, 'extratos');
  rmSync(extracts, { recursive: true, force: true });
  const db = dataset.open(1);
  const connection = createRedis(redisUrl, 'worker', () => {});
  const queue = createQueue({ connection, definitions: jobDefinitions, onError: () => {} });
  const request = (client: number, n: number): string => requestText(lookupTarget(cpfOf(client)), keys[n % KEYS] ?? '');
  const warm = children.helper(new URL('generators/load.js', import.meta.url));
  const cold = children.helper(new URL('generators/load.js', import.meta.url));
  try {
    await endTheDay(db);
    log('Carregando…');
    await loadProviderAmongMany(db);
    const env = { DATABASE_URL: dataset.url, REDIS_URL: redisUrl, MALHA_METRICS_PORT: '0', MALHA_EXTRATOS: extracts };
    const { port } = await children.serve(env);
    const { pid, ended: workerEnded } = children.worker(env);
    const requests = Array.from({ length: WARM_CLIENTS }, (_, n) => request(n + 1, n));
    await warm.ask({ kind: 'script', requests, bodies: null } satisfies Script);
    const never = COLD.count * (WARM_UP_ROUNDS + 2 * MOST_ROUNDS);
    const others = Array.from({ length: never }, (_, n) => request(1 + ((WARM_CLIENTS + n) % CLIENTS), n));
    await cold.ask({ kind: 'script', requests: others, bodies: null } satisfies Script);
    const ask = async (generator: typeof warm, what: Pick<Run, 'rate' | 'count'>): Promise<RunResult> => {
      const order: Run = { kind: 'run', port, connections: CONNECTIONS, napMs: NAP_MS, ...what };
      const result = await generator.ask<RunResult>(order);
      if (result.wrong > 0) throw new Error(`${result.wrong} wrong answers, as\n${result.sample}`);
      return result;
    };
    const look = async (): Promise<Round> => {
      const stolen = countStolen();
      const [each, other] = await Promise.all([ask(warm, WARM), ask(cold, COLD)]);
      return [each, other, stolen()];
    };

    log('Aquecendo…');
    for (let n = 0; n < WARM_UP_ROUNDS; n += 1) await look();

    log('Extrato…');
    const dia = diaDaTarefa(ZONE, new Date());
    await db('tarefas_diarias').where({ provedor_id: PROVIDER_ID, tarefa: 'extratos.gerar' }).delete();
    const begun = performance.now();
    await queue.add('extratos.gerar', { provedorId: PROVIDER_ID, dia }, { again: true });
    let heldSince: number | undefined;
    let heldMs = 0;
    const since = (): number => round(((heldSince ?? performance.now()) - begun - heldMs) / 1000);
    const over = new AbortController();
    const written = follow(db, extracts, since).finally(() => over.abort());
    written.catch(() => {});
    const loud: Round[] = [];
    const calm: Round[] = [];
    while (!over.signal.aborted && loud.length < MOST_ROUNDS) {
      loud.push(await look());
      heldSince = performance.now();
      process.kill(pid, 'SIGSTOP');
      try {
        calm.push(await look());
      } finally {
        process.kill(pid, 'SIGCONT');
      }
      heldMs += performance.now() - heldSince;
      heldSince = undefined;
    }
    const took = await Promise.race([written, workerEnded]);
    const [row] = await db('extratos').select<{ bytes: number }[]>('bytes');
    const p99s = (rounds: readonly Round[], kind: 0 | 1): number => median(rounds.map((each) => each[kind].p99));
    const stolen = (rounds: readonly Round[]): number => round(median(rounds.map((each) => each[2])));
    const ratios = ([0, 1] as const).map((kind) => round(p99s(loud, kind) / p99s(calm, kind)));
    printTable(
      ['p99 ms', 'sozinhas', 'com o extrato', 'razão'],
      [`em cache, ${WARM.rate}/s`, `frias, ${COLD.rate}/s`].map((name, kind) => [
        name,
        round(p99s(calm, kind as 0 | 1)),
        round(p99s(loud, kind as 0 | 1)),
        ratios[kind] ?? Number.NaN,
      ]),
    );
    const [cached = Number.NaN, uncached = Number.NaN] = ratios;
    return {
      ...took,
      rss_mb: peakMemoryMb(pid),
      p99_ratio: Math.max(cached, uncached),
      cached_ratio: cached,
      cold_ratio: uncached,
      stolen_percent_alone: stolen(calm),
      stolen_percent: stolen(loud),
      clients: CLIENTS,
      megabytes: Math.round((row?.bytes ?? 0) / 2 ** 20),
    };
  } finally {
    await queue.close();
    connection.disconnect();
    await db.destroy();
  }
}

/** Nothing is left to do of the day, and no extract is there. */
async function endTheDay(db: Db): Promise<void> {
  await db('extratos').delete();
  const feita = { iniciada_em: '2026-01-01 00:00:00', concluida_em: '2026-01-01 00:00:00' };
  const dia = diaDaTarefa(ZONE, new Date());
  const dias = Array.from({ length: PROVIDERS }, (_, n) =>
    TAREFAS_DIARIAS.map((tarefa) => ({ provedor_id: PROVIDER_ID + n, tarefa, dia, ...feita })),
  );
  await db('tarefas_diarias').insert(dias.flat()).onConflict().merge(feita);
}

/** When the clients and their contracts, which come first, are written, and when all is. */
async function follow(db: Db, folder: string, since: () => number) {
  const last = /(^|\/)contratos\.(parquet|ndjson\.gz)$/;
  for (let seconds = Number.NaN; ;) {
    const names = existsSync(folder) ? await readdir(folder, { recursive: true }) : [];
    if (Number.isNaN(seconds) && names.filter((name) => last.test(name)).length === 2) seconds = since();
    const [row] = await db('extratos').select<{ situacao: string }[]>('situacao');
    if (row?.situacao === 'pronto') return { seconds, whole_seconds: since() };
    if (row?.situacao === 'falhou') throw new Error('the extract failed');
    await sleep(50);
  }
}

import { Redis } from 'ioredis';
import { openDataset } from './data/dataset.ts';
import { createInvoices } from './data/invoices.ts';
import { createKeys } from './data/keys.ts';
import { cpfOf } from './data/rows.ts';
import type { Documents, Start, Stop } from './generators/documents.ts';
import type { Run, RunResult, Script } from './generators/load.ts';
import type { BenchContext } from './support/bench.ts';
import { peakMemoryMb } from './support/peak.ts';
import { lookupTarget, requestText } from './support/service.ts';
import { median, medianRatio, round } from './support/stats.ts';
import { printTable } from './support/table.ts';

const CLIENTS = 2000;
const KEYS = 200;
const CONNECTIONS = 16;
const RATE = 2000;
const ROUNDS = 5;
const LOOKUPS_A_ROUND = 12_000;
/** Boletos under way at any time of a loud round, none of which is kept from before. */
const AT_ONCE = 500;
/** More than any machine makes in a round. */
const DOCUMENTS_A_ROUND = 4000;

/** Look-ups of cached clients at a steady rate, by turns alone and while 500 boletos at a time are made in the same process. */
export async function run(context: BenchContext): Promise<Record<string, number>> {
  const { children, redisUrl, log } = context;
  const dataset = await openDataset(context, CLIENTS);
  const keys = await createKeys(dataset, KEYS);
  const tokens = await createInvoices(dataset, CLIENTS, DOCUMENTS_A_ROUND * (1 + ROUNDS));
  const redis = new Redis(redisUrl);
  await redis.flushdb();
  redis.disconnect();

  // Pages are counted by the network that asks, and these are asked for as if by many.
  const service = await children.serve({ DATABASE_URL: dataset.url, REDIS_URL: redisUrl, MALHA_PROXIES: '1' });
  const lookups = children.helper(new URL('generators/load.js', import.meta.url));
  const documents = children.helper(new URL('generators/documents.js', import.meta.url));
  const requests = Array.from({ length: CLIENTS }, (_, i) =>
    requestText(lookupTarget(cpfOf(i + 1)), keys[i % KEYS] ?? ''),
  );
  await lookups.ask({ kind: 'script', requests, bodies: null } satisfies Script);

  async function look(): Promise<RunResult> {
    const order: Run = {
      kind: 'run',
      port: service.port,
      connections: CONNECTIONS,
      rate: RATE,
      // A generator that hardly sleeps takes a core, which on two cores is half of what there is.
      napMs: 0.2,
      count: LOOKUPS_A_ROUND,
    };
    const result = await lookups.ask<RunResult>(order);
    if (result.wrong > 0) throw new Error(`${result.wrong} wrong answers, as\n${result.sample}`);
    return result;
  }

  async function makeDocuments<T>(work: () => Promise<T>): Promise<[T, Documents]> {
    const targets = tokens.splice(0, DOCUMENTS_A_ROUND).map((token) => `/boleto/${token}`);
    await documents.ask({ kind: 'start', port: service.port, atOnce: AT_ONCE, targets } satisfies Start);
    const result = await work();
    const done = await documents.ask<Documents>({ kind: 'stop' } satisfies Stop);
    if (done.wrong > 0) throw new Error(`${done.wrong} of ${done.count} documents were not made`);
    if (done.ranOut) throw new Error('there were fewer documents to ask for than a round makes');
    return [result, done];
  }

  log('Aquecendo…');
  await makeDocuments(look);
  const calm: RunResult[] = [];
  const loud: RunResult[] = [];
  const made: Documents[] = [];
  for (let turn = 0; turn < ROUNDS; turn += 1) {
    log(`Rodada ${turn + 1} de ${ROUNDS}…`);
    calm.push(await look());
    const [result, done] = await makeDocuments(look);
    loud.push(result);
    made.push(done);
  }

  const [p50, p99] = [(r: RunResult) => r.p50, (r: RunResult) => r.p99];
  printTable(
    [`${RATE} consultas por segundo`, 'p50 ms', 'p99 ms', 'boletos/s'],
    [
      ['sozinhas', round(median(calm.map(p50))), round(median(calm.map(p99))), 0],
      [
        `com ${AT_ONCE} boletos por vez`,
        round(median(loud.map(p50))),
        round(median(loud.map(p99))),
        Math.round(median(made.map(({ perSecond }) => perSecond))),
      ],
    ],
  );
  return {
    p99_ratio: medianRatio(loud.map(p99), calm.map(p99)),
    documents: made.reduce((sum, { count }) => sum + count, 0),
    rss_mb: peakMemoryMb(service.pid),
  };
}

import { isDeepStrictEqual } from 'node:util';
import { Redis } from 'ioredis';
import type { HandSqlOptions } from './contenders/hand-sql.ts';
import { openDataset, PROVIDER_ID } from './data/dataset.ts';
import { createKeys } from './data/keys.ts';
import { cpfOf } from './data/rows.ts';
import type { Run, RunResult, Script } from './generators/load.ts';
import type { BenchContext } from './support/bench.ts';
import type { Helper } from './support/children.ts';
import { get, lookupTarget, requestText } from './support/service.ts';
import { median, medianRatio, round } from './support/stats.ts';
import { printTable } from './support/table.ts';

const CLIENTS = 1_000_000;
/** Enough for 1,200 requests a minute each never to be reached. */
const KEYS = 200;
const CONNECTIONS = 4;
const ROUNDS = 7;
const REQUESTS_A_ROUND = 3000;
/** Of each contender's connections to the database. */
const POOL = 10;

interface Contender {
  readonly name: string;
  readonly port: number;
  readonly generator: Helper;
  readonly results: RunResult[];
}

/** Clients nobody asked for before, out of a million, beside the same statements written by hand. */
export async function run(context: BenchContext): Promise<Record<string, number>> {
  const { children, redisUrl, log } = context;
  const dataset = await openDataset(context, CLIENTS);
  const keys = await createKeys(dataset, KEYS);
  const redis = new Redis(redisUrl);
  await redis.flushdb();
  redis.disconnect();

  const service = await children.serve({ DATABASE_URL: dataset.url, REDIS_URL: redisUrl, MALHA_POOL: String(POOL) });
  const options: HandSqlOptions = { databaseUrl: dataset.url, provedorId: PROVIDER_ID, pool: POOL };
  const byHand = await children
    .helper(new URL('contenders/hand-sql.js', import.meta.url))
    .ask<{ port: number }>(options);

  // Every client once in the whole run, whichever contender it falls to, in an order with no locality.
  let taken = 0;
  const nextCpf = (): string => cpfOf(1 + ((taken++ * 617_249) % CLIENTS));
  const contender = async (name: string, port: number): Promise<Contender> => {
    const generator = children.helper(new URL('generators/load.js', import.meta.url));
    const asked = (1 + ROUNDS) * REQUESTS_A_ROUND;
    const requests = Array.from({ length: asked }, (_, i) =>
      requestText(lookupTarget(nextCpf()), keys[i % KEYS] ?? ''),
    );
    await generator.ask({ kind: 'script', requests, bodies: null } satisfies Script);
    return { name, port, generator, results: [] };
  };
  for (const key of keys) await checkSame(service.port, byHand.port, nextCpf(), key);
  const ours = await contender('malha serve', service.port);
  const theirs = await contender('SQL à mão (mysql2)', byHand.port);

  for (let turn = 0; turn <= ROUNDS; turn += 1) {
    log(turn === 0 ? 'Aquecendo…' : `Rodada ${turn} de ${ROUNDS}…`);
    for (const each of [ours, theirs]) {
      const result = await ask(each);
      if (turn > 0) each.results.push(result);
    }
  }

  printTable(
    [`clientes nunca pedidos, de ${CLIENTS}`, 'req/s', 'p50 ms', 'p99 ms'],
    [ours, theirs].map(({ name, results }) => [
      name,
      Math.round(median(results.map(({ perSecond }) => perSecond))),
      round(median(results.map(({ p50 }) => p50))),
      round(median(results.map(({ p99 }) => p99))),
    ]),
  );
  const p50 = ({ results }: Contender): number[] => results.map((result) => result.p50);
  return { p50_ratio: medianRatio(p50(ours), p50(theirs)) };
}

async function ask({ name, port, generator }: Contender): Promise<RunResult> {
  const order: Run = { kind: 'run', port, connections: CONNECTIONS, rate: null, count: REQUESTS_A_ROUND };
  const result = await generator.ask<RunResult>(order);
  if (result.wrong > 0) throw new Error(`${name}: ${result.wrong} wrong answers, as\n${result.sample}`);
  return result;
}

/** Both answer one client with equal JSON, and it is that client. */
async function checkSame(ours: number, theirs: number, cpf: string, key: string): Promise<void> {
  const [a, b] = await Promise.all([get(ours, lookupTarget(cpf), key), get(theirs, lookupTarget(cpf))]);
  const same = a.status === 200 && a.body.includes(cpf) && isDeepStrictEqual(JSON.parse(a.body), JSON.parse(b.body));
  if (!same) throw new Error(`the contenders disagree:\n${a.body}\n${b.body}`);
}

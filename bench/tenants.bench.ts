import { Redis } from 'ioredis';
import { createKeysOf } from './data/keys.ts';
import { hostOf, openTenants, PROVIDER_ID } from './data/tenants.ts';
import { cpfOf } from './data/rows.ts';
import type { Run, RunResult, Script } from './generators/load.ts';
import type { BenchContext } from './support/bench.ts';
import type { Helper } from './support/children.ts';
import { peakMemoryMb } from './support/peak.ts';
import { getAs, lookupTarget, requestTextAs } from './support/service.ts';
import { median, medianRatio, round } from './support/stats.ts';
import { printTable } from './support/table.ts';

const TENANTS = 10_000;
const CONNECTIONS = 64;
const ROUNDS = 5;
const SECONDS_A_ROUND = 5;
const RATE = 1500;
const WARM_UP_AT_ONCE = 32;

const GENERATOR = new URL('generators/load.js', import.meta.url);

interface Side {
  readonly name: string;
  readonly port: number;
  readonly pid: number;
  readonly generator: Helper;
  readonly p50: number[];
  readonly p99: number[];
}

/**
 * Kept look-ups over ten thousand providers, each with its own key, host and client, beside as many keys and clients of one provider: each
 * side has a process of its own, and both are asked at one rate.
 */
export async function run(context: BenchContext): Promise<Record<string, number>> {
  const { children, redisUrl, log } = context;
  const dataset = await openTenants(context, TENANTS);
  const redis = new Redis(redisUrl);
  await redis.flushdb();
  redis.disconnect();
  const numbers = Array.from({ length: TENANTS }, (_, n) => n + 1);
  const keysOfOne = await createKeysOf(
    dataset,
    numbers.map(() => PROVIDER_ID),
  );
  const keysOfMany = await createKeysOf(
    dataset,
    numbers.map((n) => PROVIDER_ID + n),
  );

  const side = async (name: string, keys: readonly string[], host: (n: number) => string): Promise<Side> => {
    log(`Aquecendo ${name}…`);
    const { port, pid } = await children.serve({ DATABASE_URL: dataset.url, REDIS_URL: redisUrl });
    const asked = numbers.map((n, i) => ({
      target: lookupTarget(cpfOf(n)),
      headers: { 'X-API-Key': keys[i] ?? '' },
      host: host(n),
    }));
    const list: string[] = [];
    for (let begin = 0; begin < asked.length; begin += WARM_UP_AT_ONCE) {
      const some = asked.slice(begin, begin + WARM_UP_AT_ONCE);
      const found = await Promise.all(some.map(async (one) => getAs(port, one.target, one.headers, one.host)));
      for (const { status, body } of found) {
        if (status !== 200 || !body.includes('"cpf_cnpj"')) throw new Error(`${status} ${body}`);
        list.push(body);
      }
    }
    const generator = children.helper(GENERATOR);
    await generator.ask({
      kind: 'script',
      requests: asked.map((one) => requestTextAs(one.target, one.headers, one.host)),
      bodies: { list, bodyOf: list.map((_, i) => i) },
    } satisfies Script);
    return { name, port, pid, generator, p50: [], p99: [] };
  };
  const one = await side('um provedor', keysOfOne, () => hostOf(PROVIDER_ID));
  const many = await side(`${TENANTS} provedores`, keysOfMany, (n) => hostOf(PROVIDER_ID + n));

  for (let turn = 0; turn <= ROUNDS; turn += 1) {
    log(turn === 0 ? 'Aquecendo…' : `Rodada ${turn} de ${ROUNDS}…`);
    for (const each of [one, many]) {
      const { p50, p99 } = await ask(each);
      if (turn === 0) continue;
      each.p50.push(p50);
      each.p99.push(p99);
    }
  }
  printTable(
    [`em cache, ${RATE}/s`, 'p50 ms', 'p99 ms', 'memória MB'],
    [one, many].map(({ name, p50, p99, pid }) => [name, round(median(p50)), round(median(p99)), peakMemoryMb(pid)]),
  );
  return {
    p99_ratio: medianRatio(many.p99, one.p99),
    rss_mb_one: peakMemoryMb(one.pid),
    rss_mb_many: peakMemoryMb(many.pid),
  };
}

async function ask({ name, port, generator }: Side): Promise<RunResult> {
  const order: Run = {
    kind: 'run',
    port,
    connections: CONNECTIONS,
    rate: RATE,
    count: RATE * SECONDS_A_ROUND,
  };
  const result = await generator.ask<RunResult>(order);
  if (result.wrong > 0) throw new Error(`${name}: ${result.wrong} wrong answers, as\n${result.sample}`);
  return result;
}

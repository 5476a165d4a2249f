import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { endTheDay } from './data/day.ts';
import { openTenants, PROVIDER_ID } from './data/tenants.ts';
import type { BenchContext } from './support/bench.ts';
import { residentMb } from './support/peak.ts';
import { processorMs } from './support/processor.ts';
import { round } from './support/stats.ts';
import { printTable } from './support/table.ts';

/** How many small providers the cell has; beside them it has one with as many clients. */
const PROVIDERS = (process.env['BENCH_PROVEDORES'] ?? '1,1000,10000').split(',').map(Number);
const SETTLE_MS = 30_000;
const WATCH_MS = 60_000;

/** What a cell takes while nobody asks anything of it and its day's work is done: processor time and memory of its four programs. */
export async function run(context: BenchContext): Promise<Record<string, number>> {
  const { children, redisUrl, log } = context;
  const figures: Record<string, number> = {};
  const lines: (string | number)[][] = [];
  for (const providers of PROVIDERS) {
    const dataset = await openTenants(context, providers);
    const db = dataset.open(1);
    const redis = new Redis(redisUrl);
    try {
      await endTheDay(
        db,
        Array.from({ length: providers + 1 }, (_, n) => PROVIDER_ID + n),
      );
      await redis.flushall();
      const env = { DATABASE_URL: dataset.url, REDIS_URL: redisUrl };
      const serve = (await children.serve(env)).pid;
      const worker = children.worker(env).pid;
      const [[{ file }]] = await db.raw('SELECT @@pid_file AS file');
      const mysql = Number(readFileSync(String(file), 'utf8'));
      const ofRedis = Number(/process_id:(\d+)/.exec(await redis.info('server'))?.[1]);
      const programs = { serve, worker, mysql, redis: ofRedis };
      log(`${providers} provedores: ${WATCH_MS / 1000} s sem pedidos…`);
      await sleep(SETTLE_MS);
      const before = Object.values(programs).map(processorMs);
      await sleep(WATCH_MS);
      for (const [n, [name, pid]] of Object.entries(programs).entries()) {
        const percent = round((100 * (processorMs(pid) - (before[n] ?? 0))) / WATCH_MS);
        figures[`${name}_percent_${providers}`] = percent;
        figures[`${name}_mb_${providers}`] = residentMb(pid);
        lines.push([providers, name, percent, residentMb(pid)]);
      }
    } finally {
      await children.stop();
      redis.disconnect();
      await db.destroy();
    }
  }
  printTable(['provedores', 'programa', '% de um processador', 'memória MB'], lines);
  return figures;
}

import { Redis } from 'ioredis';
import { createKeys } from './data/keys.ts';
import { INVOICES_A_CLIENT, loadProviderAmongMany, openProviderAmongMany } from './data/provider-among-many.ts';
import type { BenchContext } from './support/bench.ts';
import { get } from './support/service.ts';
import { percentile, round } from './support/stats.ts';
import { printTable } from './support/table.ts';

const CLIENTS = Number(process.env['BENCH_CLIENTES'] ?? 1_000_000);
const PAGE = 100;
/** Of each sequential page; ten are above the 99th percentile. */
const ROUNDS = 1000;
const RANDOM_PAGES = 300;
const WARM_UPS = 20;

interface List {
  readonly path: string;
  readonly rows: number;
}

/** Milliseconds, by which page was asked for. */
type Times = Record<'withTotal' | 'first' | 'middle' | 'last' | 'random', number[]>;

/** Pages of a provider's whole lists: first, sequential ones in the middle and at the end, random ones, and what the total costs. */
export async function run(context: BenchContext): Promise<Record<string, number>> {
  const { children, redisUrl, log } = context;
  const dataset = await openProviderAmongMany(context, CLIENTS);
  const db = dataset.open(1);
  log('Carregando…');
  await loadProviderAmongMany(db);
  await db.destroy();
  // One reader a place, and enough of them that none is refused.
  const keys = await createKeys(dataset, 64, ['clientes:leitura', 'financeiro:leitura']);
  const redis = new Redis(redisUrl);
  await redis.flushdb();
  redis.disconnect();
  const service = await children.serve({ DATABASE_URL: dataset.url, REDIS_URL: redisUrl });

  let used = 0;
  const newReader = (): string => keys[used++ % keys.length] ?? '';
  let asked = 0;
  /** Milliseconds of one page, which nobody kept. */
  async function page(list: List, key: string, n: number): Promise<number> {
    // Ampersands change nothing of what is asked, only under what name an answer is kept.
    asked += 1;
    const target = `${list.path}?por_pagina=${PAGE}&pagina=${n}${'&'.repeat(asked % 1000)}`;
    const begun = performance.now();
    const { status, body } = await get(service.port, target, key);
    const took = performance.now() - begun;
    const { dados, paginacao } = JSON.parse(body) as { dados: unknown[]; paginacao: { total: number } };
    if (status !== 200 || dados.length !== PAGE || paginacao.total !== list.rows) {
      throw new Error(`${target}: ${status} ${body.slice(0, 200)}`);
    }
    return took;
  }

  async function measure(list: List): Promise<Times> {
    const pages = list.rows / PAGE;
    log(`${list.path}…`);
    const rounds = Math.min(ROUNDS, Math.floor(pages / 4));
    const times: Times = {
      withTotal: [await page(list, newReader(), 1)],
      first: [],
      middle: [],
      last: [],
      random: [],
    };
    const [first, middle, last, random] = [newReader(), newReader(), newReader(), newReader()];
    const start = { middle: Math.floor((pages - rounds) / 2) - WARM_UPS, last: pages - rounds - WARM_UPS - 1 };
    await page(list, middle, start.middle);
    await page(list, last, start.last);
    const turns = [
      async (): Promise<unknown> => times.first.push(await page(list, first, 1)),
      async (n: number): Promise<unknown> => times.middle.push(await page(list, middle, start.middle + n)),
      async (n: number): Promise<unknown> => times.last.push(await page(list, last, start.last + n)),
    ];
    for (let n = 1; n <= WARM_UPS + rounds; n += 1) {
      // Each begins a round as often as the others.
      for (let turn = 0; turn < turns.length; turn += 1) await turns[(n + turn) % turns.length]?.(n);
      if (n === WARM_UPS) for (const kind of ['first', 'middle', 'last'] as const) times[kind] = [];
    }
    for (let n = 0; n < RANDOM_PAGES; n += 1) {
      times.random.push(await page(list, random, 1 + Math.floor(Math.random() * pages)));
    }
    return times;
  }

  const clients = await measure({ path: '/api/v1/clientes', rows: CLIENTS });
  const invoices = await measure({ path: '/api/v1/faturas', rows: CLIENTS * INVOICES_A_CLIENT });
  const figures: Record<string, number> = {};
  const rows: [string, ...(string | number)[]][] = [];
  for (const [name, times] of Object.entries({ clientes: clients, faturas: invoices })) {
    for (const [place, list] of Object.entries(times)) {
      rows.push([`${name}: ${place}`, round(percentile(list, 0.5)), round(percentile(list, 0.99))]);
    }
    const p99 = (list: number[]): number => percentile(list, 0.99);
    const sequential = Math.max(p99(times.middle), p99(times.last));
    figures[`${name}_p99_ratio_sequential`] = round(sequential / p99(times.first));
    figures[`${name}_p50_ratio_sequential`] = round(
      Math.max(percentile(times.middle, 0.5), percentile(times.last, 0.5)) / percentile(times.first, 0.5),
    );
    figures[`${name}_p99_ms_random`] = round(p99(times.random));
    figures[`${name}_ms_first_with_total`] = round(times.withTotal[0] ?? 0);
  }
  printTable([`páginas de ${PAGE}`, 'p50 ms', 'p99 ms'], rows);
  return {
    p99_ratio_sequential: Math.max(
      figures['clientes_p99_ratio_sequential'] ?? 0,
      figures['faturas_p99_ratio_sequential'] ?? 0,
    ),
    p99_ms_random: figures['clientes_p99_ms_random'] ?? 0,
    ...figures,
  };
}

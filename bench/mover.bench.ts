import { Redis } from 'ioredis';
import { nomeDaCelula } from '../src/domain/celulas/celulas.ts';
import { createMudanca } from '../src/domain/celulas/mudanca.service.ts';
import { createDatabase } from '../src/platform/mysql/database.ts';
import { PROVIDER_ID, openGenerated } from './data/dataset.ts';
import type { Dataset } from './data/dataset.ts';
import { endTheDay } from './data/day.ts';
import { createKeys } from './data/keys.ts';
import { PROVIDERS, loadProviderAmongMany, openProviderAmongMany } from './data/provider-among-many.ts';
import { startCallers } from './mover/callers.ts';
import type { BenchContext } from './support/bench.ts';
import { round } from './support/stats.ts';
import { printTable } from './support/table.ts';

const CLIENTS = Number(process.env['BENCH_CLIENTES'] ?? 100_000);
const KEYS = 50;
const OTHER_CELL = 'bench_outra_celula';
/** How long callers ask before it begins, and at the new cell after it. */
const BEFORE_AND_AFTER_MS = 5000;
const DRAIN_MS = 2000;

/**
 * A provider of 100,000 clients with twelve invoices each moves to another cell, a database of its own on the same server, while 100 look-ups
 * and 25 writes a second ask for it: for how long it was only read, and whether a look-up was refused or told anything old.
 */
export async function run(context: BenchContext): Promise<Record<string, number>> {
  const { children, redisUrl, log } = context;
  const dataset = await openProviderAmongMany(context, CLIENTS);
  const other = await emptyCell(context);
  const [origem, destino] = [dataset.open(5), other.open(5)];
  const redisHere = new URL(redisUrl);
  redisHere.pathname = '/0';
  const redisThere = new URL(redisUrl);
  redisThere.pathname = '/1';
  try {
    await origem('provedores').update({ mudanca: null, mudanca_para: null, mudanca_desde: null });
    await endTheDay(
      origem,
      Array.from({ length: PROVIDERS }, (_, n) => PROVIDER_ID + n),
    );
    const keys = await createKeys(dataset, KEYS, ['clientes:leitura', 'chamados:leitura', 'chamados:escrita']);
    const redis = new Redis(redisUrl);
    await redis.flushall();
    redis.disconnect();
    log('Carregando…');
    await loadProviderAmongMany(origem);
    const ports: number[] = [];
    for (const [{ url }, redisOfCell] of [
      [dataset, redisHere.href],
      [other, redisThere.href],
    ] as const) {
      const env = { DATABASE_URL: url, REDIS_URL: redisOfCell, MALHA_METRICS_PORT: '0' };
      ports.push((await children.serve(env)).port);
      children.worker(env);
    }
    const [here = 0, there = 0] = ports;
    const callers = startCallers({ keys, clients: CLIENTS, port: here });
    await callers.during(BEFORE_AND_AFTER_MS);
    const begun = performance.now();
    const mudanca = createMudanca({
      origem,
      destino,
      celula: nomeDaCelula(other.url),
      trocar: async () => Promise.resolve(callers.ask(there)),
      dizer: log,
      espera: DRAIN_MS,
    });
    const { tabelas, soLeituraMs, voltas } = await mudanca.mover(PROVIDER_ID);
    const tookMs = performance.now() - begun;
    await callers.during(BEFORE_AND_AFTER_MS);
    const seen = await callers.stop();
    const rows = tabelas.reduce((sum, { linhas }) => sum + linhas, 0);
    printTable(
      ['linhas', 's', 's só de leitura', 'consultas', 'recusadas', 'velhas', 'a mais lenta ms', 'escritas', 'adiadas'],
      [
        [
          rows,
          round(tookMs / 1000),
          round(soLeituraMs / 1000),
          seen.reads,
          seen.refused,
          seen.stale,
          seen.slowestMs,
          seen.writes,
          seen.postponed,
        ],
      ],
    );
    if (seen.refused + seen.stale > 0) log(seen.sample);
    return {
      clients: CLIENTS,
      rows,
      turns: voltas,
      seconds: round(tookMs / 1000),
      read_only_seconds: round(soLeituraMs / 1000),
      refused_lookups: seen.refused,
      stale_lookups: seen.stale,
      slowest_lookup_ms: seen.slowestMs,
    };
  } finally {
    await Promise.all([origem.destroy(), destino.destroy()]);
  }
}

/** A migrated cell without providers, in place of that of the run before. */
async function emptyCell(context: BenchContext): Promise<Dataset> {
  const server = createDatabase({ url: context.databaseUrl, pool: 1 });
  try {
    await server.raw('DROP DATABASE IF EXISTS ??', [OTHER_CELL]);
  } finally {
    await server.destroy();
  }
  return openGenerated(context, OTHER_CELL, async () => Promise.resolve());
}

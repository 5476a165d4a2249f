import { Redis } from 'ioredis';
import { bumpsKey, tenantSlot } from '../src/platform/gate/keys.ts';
import { CommandError } from '../src/local/processes/run-command.ts';
import { PROVIDER_ID } from './data/dataset.ts';
import type { Dataset } from './data/dataset.ts';
import { createKeys } from './data/keys.ts';
import { INVOICES_A_CLIENT, openProviderAmongMany } from './data/provider-among-many.ts';
import { A_PAGE, checkSame, directusAsker, malhaAsker } from './directus/pages.ts';
import type { Asker, Resource } from './directus/pages.ts';
import { CACHE_HEADER, startDirectus } from './directus/server.ts';
import type { Directus } from './directus/server.ts';
import type { BenchContext } from './support/bench.ts';
import { keepInMemory, settle } from './support/memory.ts';
import { median, medianRatio, round } from './support/stats.ts';
import { printTable } from './support/table.ts';
import { print } from './support/print.ts';

/** Of the big provider. */
const CLIENTS = Number(process.env['BENCH_CLIENTES'] ?? 100_000);
/** Pages timed of a kind, after a few that are not. */
const SAMPLES = 25;
const WARM_UP = 3;
const CACHED_SAMPLES = 200;
/** Enough for none to come to its 1,200 requests a minute. */
const KEYS = 50;
/** So that neither side measures the disk: both copies of the rows fit, up to what a machine may be asked for. */
const BUFFER_POOL_BYTES = 2 ** 30 * Math.min(12, Math.max(2, Math.ceil(CLIENTS / 40_000)));

const COUNTS: Readonly<Record<Resource, number>> = { clientes: CLIENTS, faturas: CLIENTS * INVOICES_A_CLIENT };

interface Kind {
  readonly name: string;
  readonly figure: string;
  /** The page asked for at each turn. */
  readonly page: (pages: number, turn: number) => number;
}

const KINDS: readonly Kind[] = [
  { name: 'primeira página', figure: 'first', page: () => 1 },
  { name: 'página do meio', figure: 'middle', page: (pages) => Math.ceil(pages / 2) },
  { name: 'última página', figure: 'deep', page: (pages) => pages },
  { name: 'uma após a outra', figure: 'sequential', page: (pages, turn) => Math.ceil(pages / 4) + turn },
];

interface Measured {
  readonly name: string;
  readonly figure: string;
  readonly ours: readonly number[];
  readonly theirs: readonly number[];
}

/**
 * Pages of a big provider's clients and invoices, with their total, through our API and through Directus's over the same rows on the same
 * MySQL server, by turns. Without caches; then the first page with both sides' caches on. A ratio is Directus's time by ours.
 *
 * Its figure `directus_started` is 0 where Directus cannot be installed or started, and then there is no other.
 */
export async function run(context: BenchContext): Promise<Record<string, number>> {
  const { children, redisUrl, log } = context;
  const dataset = await openProviderAmongMany(context, CLIENTS);
  const keys = await createKeys(dataset, KEYS, ['clientes:leitura', 'financeiro:leitura']);
  await calm(dataset);
  const directus = await startOrSay(context, dataset);
  if (directus === null) return { directus_started: 0 };
  await calm(dataset);

  const redis = new Redis(redisUrl);
  try {
    await redis.flushdb();
    const service = await children.serve({ DATABASE_URL: dataset.url, REDIS_URL: redisUrl });
    const warm = malhaAsker(service.port, keys);
    const cold: Asker = async (resource, page) => {
      // Without its versions nothing that is kept of the provider counts as current, the key's own record included.
      await redis.del(bumpsKey(tenantSlot(PROVIDER_ID)));
      return warm(resource, page);
    };
    const theirs = directusAsker(directus.port);

    const measured: Measured[] = [];
    for (const resource of ['clientes', 'faturas'] as const) {
      for (const kind of KINDS) {
        log(`${resource}, ${kind.name}…`);
        measured.push(await compare(resource, kind, cold, theirs));
      }
      log(`${resource}, em cache…`);
      measured.push(await compareCached(resource, warm, directusAsker(directus.cachedPort)));
    }
    report(measured);
    return figuresOf(measured);
  } finally {
    redis.disconnect();
  }
}

async function calm(dataset: Dataset): Promise<void> {
  const db = dataset.open(1);
  try {
    await keepInMemory(db, BUFFER_POOL_BYTES);
    await settle(db);
  } finally {
    await db.destroy();
  }
}

/** Null where Directus cannot be installed or started, after saying why. */
async function startOrSay(context: BenchContext, dataset: Dataset): Promise<Directus | null> {
  try {
    return await startDirectus(context, dataset.url);
  } catch (error) {
    const [first = '', ...rest] = String(error instanceof Error ? error.message : error).split('\n');
    const telling = error instanceof CommandError ? rest.filter((line) => /error|ERR|não/i.test(line)) : rest;
    print('O Directus não pôde ser instalado ou iniciado aqui; nada foi comparado.');
    for (const line of [first, ...telling.slice(0, 5)]) print(`  ${line.slice(0, 200)}`);
    return null;
  }
}

async function compare(resource: Resource, kind: Kind, ours: Asker, theirs: Asker): Promise<Measured> {
  const pages = Math.ceil(COUNTS[resource] / A_PAGE);
  const times = { ours: [] as number[], theirs: [] as number[] };
  for (let turn = 0; turn < WARM_UP + SAMPLES; turn += 1) {
    const page = kind.page(pages, turn);
    const left = await ours(resource, page);
    const right = await theirs(resource, page);
    checkSame(left, right);
    if (turn < WARM_UP) continue;
    times.ours.push(left.ms);
    times.theirs.push(right.ms);
  }
  return { name: `${resource}, ${kind.name}`, figure: kind.figure, ...times };
}

async function compareCached(resource: Resource, ours: Asker, theirs: Asker): Promise<Measured> {
  const times = { ours: [] as number[], theirs: [] as number[] };
  checkSame(await ours(resource, 1), await theirs(resource, 1));
  for (let turn = 0; turn < CACHED_SAMPLES; turn += 1) {
    times.ours.push((await ours(resource, 1)).ms);
    const right = await theirs(resource, 1);
    if (right.headers[CACHE_HEADER] !== 'HIT') throw new Error(`Directus did not answer ${resource} from its cache`);
    times.theirs.push(right.ms);
  }
  return { name: `${resource}, primeira, em cache`, figure: 'cached', ...times };
}

function report(measured: readonly Measured[]): void {
  printTable(
    [`páginas de ${A_PAGE}, ms`, 'malha p50', 'p99', 'Directus p50', 'p99', 'razão'],
    measured.map(({ name, ours, theirs }) => [
      name,
      round(median(ours)),
      round(p99(ours)),
      round(median(theirs)),
      round(p99(theirs)),
      medianRatio(theirs, ours),
    ]),
  );
  print(
    `${COUNTS.clientes} clientes e ${COUNTS.faturas} faturas do provedor, entre outros 49 de mil clientes. Directus 12.4.0 em Node 24, com
isolated-vm 6.2.0, porque a 5.0.3 que ele fixa não compila em Node 24. Ele não aceita chave primária de duas colunas: lê
cópias das tabelas no mesmo servidor, com chave primária id, índice (provedor_id, id) e todos os demais índices. Dá os
telefones, contratos e planos dos clientes, sem conexão nem desbloqueio; as faturas, sem valor atualizado nem segunda via.
Uma conexão HTTP de cada lado, um pedido por vez; sem cache dos dois lados, menos onde se diz.`,
  );
}

/** Of clients and invoices, the ratio that is worse for us. */
function figuresOf(measured: readonly Measured[]): Record<string, number> {
  const figures: Record<string, number> = { directus_started: 1 };
  for (const { figure, ours, theirs } of measured) {
    const name = `ratio_${figure}`;
    figures[name] = Math.min(figures[name] ?? Number.POSITIVE_INFINITY, medianRatio(theirs, ours));
  }
  return figures;
}

/** By the nearest rank. */
function p99(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(0.99 * values.length) - 1] ?? Number.NaN;
}

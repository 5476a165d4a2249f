import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { createContainer } from '../src/app/compose/container.ts';
import type { Container } from '../src/app/compose/container.ts';
import { TERMINAL } from '../src/domain/actor.ts';
import type { Acao } from '../src/domain/importacoes/importacoes.types.ts';
import { loadConfig } from '../src/platform/config.ts';
import { createDatabase } from '../src/platform/mysql/database.ts';
import type { Db } from '../src/platform/mysql/database.ts';
import { migrate } from '../src/platform/mysql/schema/migrations.ts';
import { createQueue } from '../src/platform/queues/queue.ts';
import { createRedis } from '../src/platform/redis/redis.ts';
import { relogioDoSistema } from '../src/platform/timing/relogio.ts';
import { jobDefinitions } from '../workers/jobs/catalogue.ts';
import { openDataset } from './data/dataset.ts';
import { createKeys } from './data/keys.ts';
import { cpfOf } from './data/rows.ts';
import type { Run, RunResult, Script } from './generators/load.ts';
import { exportsOf } from './import/files.ts';
import { TABLES, columnsOf, dump, loadData } from './import/load-data.ts';
import type { BenchContext } from './support/bench.ts';
import { keepInMemory } from './support/memory.ts';
import { peakMemoryMb } from './support/peak.ts';
import { lookupTarget, requestText } from './support/service.ts';
import { median, medianRatio, round } from './support/stats.ts';
import { printTable } from './support/table.ts';

/** Subscribers of one import. */
const CLIENTS = Number(process.env['BENCH_CLIENTES'] ?? 80_000);
const ROUNDS = Number(process.env['BENCH_RODADAS'] ?? 3);
/** Those of the provider that is asked about meanwhile; a number of this bench's own, because its database is changed and dropped. */
const LOOKUP_CLIENTS = 20_003;
const KEYS = 500;
const NAP_MS = 1;
const CONNECTIONS = 16;
const WARM_CLIENTS = 2000;
const WARM = { rate: 1000, count: 3000 };
const COLD = { rate: 100, count: 300 };
const WARM_UP_ROUNDS = 4;
const MOST_ROUNDS = 60;

/**
 * An export of so many subscribers with contracts, phones, logins and open invoices, read and written by `malha worker`, beside LOAD DATA of the same rows of the same
 * tables, audit log and outbox included, into a database of its own: by turns, the median of the rounds' ratios. Afterwards look-ups of another provider at a steady
 * rate, while an import goes on and while its worker is held (SIGSTOP), as in `extract`.
 */
export async function run(context: BenchContext): Promise<Record<string, number>> {
  const { children, redisUrl, log, scratchDir } = context;
  const dataset = await openDataset(context, LOOKUP_CLIENTS);
  const redis = new Redis(redisUrl);
  await redis.flushdb();
  redis.disconnect();
  const db = dataset.open(2);
  const masterKey = randomBytes(32).toString('hex');
  const env = {
    DATABASE_URL: dataset.url,
    REDIS_URL: redisUrl,
    MALHA_METRICS_PORT: '0',
    MALHA_CHAVE_MESTRA: masterKey,
  };
  const config = loadConfig({ MALHA_LOG: 'fatal', MALHA_CHAVE_MESTRA: masterKey });
  const container = createContainer({ config, databaseUrl: dataset.url, redisUrl, relogio: relogioDoSistema });
  const connection = createRedis(redisUrl, 'queue', () => {});
  const queue = createQueue({ connection, definitions: jobDefinitions, onError: () => {} });
  const ask = async (provedorId: number): Promise<unknown> => queue.add('importacao.executar', { provedorId });
  try {
    await keepInMemory(db);
    const { pid } = children.worker(env);
    const ours = { dry: [] as number[], run: [] as number[], perSecond: [] as number[] };
    const theirs = { seconds: [] as number[], perSecond: [] as number[] };
    let rows = 0;
    for (let turn = 1; turn <= ROUNDS; turn += 1) {
      log(`Rodada ${turn} de ${ROUNDS}: importando…`);
      const provider = await newProvider(db, turn);
      const files = exportsOf(CLIENTS, provider);
      const clients = await receive(container, provider, files.clients, { criar_planos: true });
      const dryClients = await timed(container, ask, provider, clients, 'simular');
      const runClients = await timed(container, ask, provider, clients, 'executar');
      const invoices = await receive(container, provider, files.invoices, null);
      const dryInvoices = await timed(container, ask, provider, invoices, 'simular');
      const runInvoices = await timed(container, ask, provider, invoices, 'executar');
      await check(container, provider);
      ours.dry.push(dryClients + dryInvoices);
      ours.run.push(runClients + runInvoices);
      log(`Rodada ${turn} de ${ROUNDS}: LOAD DATA…`);
      const dumps = await dump(db, provider, scratchDir);
      rows = dumps.reduce((sum, each) => sum + each.rows, 0);
      const seconds = await loadElsewhere(dataset.url, db, provider, async (url) => loadData(url, dumps));
      theirs.seconds.push(seconds);
      ours.perSecond.push(rows / (runClients + runInvoices));
      theirs.perSecond.push(rows / seconds);
    }
    const memory = peakMemoryMb(pid);
    const quiet = await lookUpsMeanwhile(context, { dataset, db, container, ask, pid, env });
    printTable(
      ['importação', 'linhas', 's', 'linhas/s'],
      [
        ['malha worker, simular', rows, round(median(ours.dry)), '-'],
        ['malha worker, executar', rows, round(median(ours.run)), Math.round(median(ours.perSecond))],
        ['LOAD DATA das mesmas', rows, round(median(theirs.seconds)), Math.round(median(theirs.perSecond))],
      ],
    );
    return {
      ratio: medianRatio(ours.perSecond, theirs.perSecond),
      rows_per_second: Math.round(median(ours.perSecond)),
      seconds: round(median(ours.run)),
      dry_ratio: medianRatio(ours.run, ours.dry),
      rss_mb: memory,
      ...quiet,
      clients: CLIENTS,
      rows,
    };
  } finally {
    await queue.close();
    connection.disconnect();
    await container.close();
    await db.raw('DROP DATABASE ??', [new URL(dataset.url).pathname.slice(1)]);
    await db.destroy();
  }
}

async function newProvider(db: Db, turn: number): Promise<number> {
  const host = `importa${turn}-${randomBytes(4).toString('hex')}.malha.test`;
  const [id = 0] = await db('provedores').insert({ nome: `Importa ${turn}`, panel_host: host });
  await db('regras_cobranca').insert({ provedor_id: id });
  return id;
}

async function receive(
  { importacoes }: Container,
  provider: number,
  file: Buffer,
  map: object | null,
): Promise<number> {
  async function* pieces(): AsyncGenerator<Buffer> {
    for (let n = 0; n < file.length; n += 65_536) yield file.subarray(n, n + 65_536);
  }
  const { id } = await importacoes.criar(TERMINAL, provider, pieces());
  if (map !== null) await importacoes.mapear(TERMINAL, provider, id, map);
  return id;
}

/** Seconds from being asked for to being done. */
async function timed(
  { importacoes }: Container,
  ask: (provider: number) => Promise<unknown>,
  provider: number,
  id: number,
  action: Acao,
): Promise<number> {
  const begun = performance.now();
  await importacoes.pedir(TERMINAL, provider, id, action);
  await ask(provider);
  for (;;) {
    const seen = await importacoes.exigir(provider, id);
    if (seen.motivo !== null) throw new Error(seen.motivo);
    if (seen.acao === null) {
      if (seen.contagens.recusadas > 0 || seen.contagens.gravadas !== CLIENTS)
        throw new Error(JSON.stringify(seen.contagens));
      return (performance.now() - begun) / 1000;
    }
    await sleep(20);
  }
}

/** Sums by table are those of the files. */
async function check({ importacoes }: Container, provider: number): Promise<void> {
  const sums = await importacoes.conferir(provider);
  const contracts = sums.contratos.reduce((sum, { quantos }) => sum + quantos, 0);
  const invoices = sums.faturas.reduce((sum, { quantos }) => sum + quantos, 0);
  const clients = sums.clientes.reduce((sum, { quantos }) => sum + quantos, 0);
  if ([contracts, invoices, clients, sums.logins].some((count) => count !== CLIENTS))
    throw new Error(JSON.stringify(sums));
}

/** The same schema with the provider and its imports, and nothing else in it. */
async function loadElsewhere(
  url: string,
  db: Db,
  provider: number,
  load: (url: string) => Promise<number>,
): Promise<number> {
  const name = 'bench_import_load';
  await db.raw('DROP DATABASE IF EXISTS ??', [name]);
  await db.raw('CREATE DATABASE ?? CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci', [name]);
  const other = new URL(url);
  other.pathname = `/${name}`;
  const there = createDatabase({ url: other.href, pool: 3, announces: true });
  try {
    await migrate(there);
    for (const table of ['provedores', 'cobradores', 'importacoes']) {
      const column = table === 'provedores' ? 'id' : 'provedor_id';
      // A provider is made with a first charging account, which is of another number here than there.
      if (table === 'cobradores') await there('cobradores').delete();
      const names = (await columnsOf(there, table)).map((of) => of.name).join(', ');
      await there.raw(
        `INSERT INTO ${table} (${names}) SELECT ${names} FROM ${new URL(url).pathname.slice(1)}.${table} WHERE ${column} = ?`,
        [provider],
      );
    }
    // The bench's own server, which lets nobody load files otherwise.
    await db.raw('SET GLOBAL local_infile = 1');
    const seconds = await load(other.href);
    await db.raw('SET GLOBAL local_infile = 0');
    for (const table of TABLES) {
      const [[counted] = []] = await there.raw<{ n: number }[][]>(
        `SELECT COUNT(*) - (SELECT COUNT(*) FROM ${new URL(url).pathname.slice(1)}.${table} WHERE provedor_id = ?) AS n FROM ${table}`,
        [provider],
      );
      if (Number(counted?.n) !== 0) throw new Error(`${table}: ${counted?.n} rows more than were to be loaded`);
    }
    return seconds;
  } finally {
    await there.destroy();
    await db.raw('DROP DATABASE IF EXISTS ??', [name]);
  }
}

interface Meanwhile {
  readonly dataset: Awaited<ReturnType<typeof openDataset>>;
  readonly db: Db;
  readonly container: Container;
  readonly ask: (provider: number) => Promise<unknown>;
  readonly pid: number;
  readonly env: Readonly<Record<string, string>>;
}

type Round = readonly [warm: RunResult, cold: RunResult];

async function lookUpsMeanwhile({ children, log }: BenchContext, { dataset, db, container, ask, pid, env }: Meanwhile) {
  const keys = await createKeys(dataset, KEYS);
  const request = (client: number, n: number): string => requestText(lookupTarget(cpfOf(client)), keys[n % KEYS] ?? '');
  const { port } = await children.serve(env);
  const warm = children.helper(new URL('generators/load.js', import.meta.url));
  const cold = children.helper(new URL('generators/load.js', import.meta.url));
  await warm.ask({
    kind: 'script',
    requests: Array.from({ length: WARM_CLIENTS }, (_, n) => request(n + 1, n)),
    bodies: null,
  } satisfies Script);
  const others = Array.from({ length: LOOKUP_CLIENTS - WARM_CLIENTS }, (_, n) => request(1 + WARM_CLIENTS + n, n));
  await cold.ask({ kind: 'script', requests: others, bodies: null } satisfies Script);
  const once = async (generator: typeof warm, what: Pick<Run, 'rate' | 'count'>): Promise<RunResult> => {
    const order: Run = { kind: 'run', port, connections: CONNECTIONS, napMs: NAP_MS, ...what };
    const result = await generator.ask<RunResult>(order);
    if (result.wrong > 0) throw new Error(`${result.wrong} wrong answers, as\n${result.sample}`);
    return result;
  };
  const look = async (): Promise<Round> => Promise.all([once(warm, WARM), once(cold, COLD)]);

  log('Consultas: aquecendo…');
  for (let n = 0; n < WARM_UP_ROUNDS; n += 1) await look();
  log('Consultas durante uma importação…');
  const provider = await newProvider(db, 0);
  const id = await receive(container, provider, exportsOf(CLIENTS, provider).clients, { criar_planos: true });
  const over = new AbortController();
  const done = timed(container, ask, provider, id, 'executar').finally(() => over.abort());
  done.catch(() => {});
  const loud: Round[] = [];
  const calm: Round[] = [];
  while (!over.signal.aborted && loud.length < MOST_ROUNDS) {
    loud.push(await look());
    process.kill(pid, 'SIGSTOP');
    try {
      calm.push(await look());
    } finally {
      process.kill(pid, 'SIGCONT');
    }
  }
  await done;
  // In the last one the import was over for most of the time.
  const within = loud.length > 1 ? loud.slice(0, -1) : loud;
  const p99 = (rounds: readonly Round[], kind: 0 | 1): number => median(rounds.map((each) => each[kind].p99));
  const [cached, uncached] = ([0, 1] as const).map((kind) => round(p99(within, kind) / p99(calm, kind)));
  printTable(
    ['p99 ms', 'sozinhas', 'com a importação'],
    [`em cache, ${WARM.rate}/s`, `frias, ${COLD.rate}/s`].map((name, kind) => [
      name,
      round(p99(calm, kind as 0 | 1)),
      round(p99(within, kind as 0 | 1)),
    ]),
  );
  return {
    p99_ratio: Math.max(cached ?? NaN, uncached ?? NaN),
    cached_ratio: cached ?? NaN,
    cold_ratio: uncached ?? NaN,
  };
}

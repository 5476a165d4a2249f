import { createConnection } from 'mysql2/promise';
import type { Connection, ResultSetHeader } from 'mysql2/promise';
import { createContainer } from '../src/app/compose/container.ts';
import type { Container } from '../src/app/compose/container.ts';
import { atorDaTarefa } from '../src/domain/actor.ts';
import { loadConfig } from '../src/platform/config.ts';
import { PROVIDER_ID, openDataset } from './data/dataset.ts';
import { createKeys } from './data/keys.ts';
import { cpfOf } from './data/rows.ts';
import { ensureTitles, settlements } from './data/titles.ts';
import type { Run, RunResult, Script } from './generators/load.ts';
import type { BenchContext } from './support/bench.ts';
import { keepInMemory, settle } from './support/memory.ts';
import { lookupTarget, requestText } from './support/service.ts';
import { median, medianRatio, round } from './support/stats.ts';
import { printTable } from './support/table.ts';

const CLIENTS = 20_000;
const TITLES = Number(process.env['MALHA_BENCH_TITLES'] ?? 100_000);
const ROUNDS = Number(process.env['MALHA_BENCH_ROUNDS'] ?? 3);
const KEYS = 200;
const LOOKUPS = { rate: 500, count: 4000, connections: 16, napMs: 1 };
const ROWS_A_STATEMENT = 1000;
const ACTOR = atorDaTarefa('bancada');

/**
 * A bank's file of settlements, from its bytes to the last invoice, beside a bare UPDATE of the same invoices in batches by their ids; and
 * look-ups beside either.
 */
export async function run(context: BenchContext): Promise<Record<string, number>> {
  const { children, log, redisUrl } = context;
  const dataset = await openDataset(context, CLIENTS);
  const keys = await createKeys(dataset, KEYS);
  const db = dataset.open(1);
  const relogio = { agora: () => new Date('2026-12-02T15:00:00Z') };
  const config = loadConfig({ NODE_ENV: 'production', MALHA_LOG: 'error', MALHA_DEMO: 'nao' });
  const container = createContainer({ config, databaseUrl: dataset.url, redisUrl, relogio });
  const bare = await createConnection({ uri: dataset.url });
  const lookups = children.helper(new URL('generators/load.js', import.meta.url));
  const requests = Array.from({ length: CLIENTS }, (_, n) =>
    requestText(lookupTarget(cpfOf(n + 1)), keys[n % KEYS] ?? ''),
  );
  const figures = {
    ours: [] as number[],
    theirs: [] as number[],
    beside: [] as number[],
    besideTheirs: [] as number[],
  };
  try {
    await container.redisReady();
    await keepInMemory(db);
    const { port } = await children.serve({
      NODE_ENV: 'development',
      DATABASE_URL: dataset.url,
      REDIS_URL: redisUrl,
      MALHA_LOG: 'warn',
    });
    await lookups.ask({ kind: 'script', requests, bodies: null } satisfies Script);
    const look = async (): Promise<number> => {
      const { wrong, sample, p99 } = await lookups.ask<RunResult>({ kind: 'run', port, ...LOOKUPS } satisfies Run);
      if (wrong > 0) throw new Error(`${wrong} wrong answers, as\n${sample}`);
      return p99;
    };
    for (let turn = 0; turn <= ROUNDS; turn += 1) {
      log(turn === 0 ? 'Aquecendo…' : `Rodada ${turn} de ${ROUNDS}…`);
      const turnOf = async <V>(work: () => Promise<V>): Promise<V> => {
        await ensureTitles(db, CLIENTS, TITLES);
        await settle(db);
        return work();
      };
      const settled = await turnOf(async () => perSecond(async () => take(container, turn)));
      const updated = await turnOf(async () => perSecond(async () => update(bare)));
      const beside = await turnOf(async () => whileRunning(look, async () => take(container, turn)));
      const besideTheirs = await turnOf(async () => whileRunning(look, async () => update(bare)));
      if (turn === 0) continue;
      figures.ours.push(settled);
      figures.theirs.push(updated);
      figures.beside.push(beside);
      figures.besideTheirs.push(besideTheirs);
    }
  } finally {
    await bare.end();
    await db.destroy();
    await container.close();
  }
  const { ours, theirs, beside, besideTheirs } = figures;
  printTable(
    ['liquidações por segundo', 'mediana', 'cada rodada'],
    [
      ['retorno', Math.round(median(ours)), ours.map(Math.round).join(' ')],
      ['UPDATE em lotes', Math.round(median(theirs)), theirs.map(Math.round).join(' ')],
    ],
  );
  printTable(
    ['p99 das consultas ao lado, ms', ''],
    [
      ['retorno', round(median(beside))],
      ['UPDATE em lotes', round(median(besideTheirs))],
    ],
  );
  return {
    ratio: medianRatio(ours, theirs),
    p99_ratio: medianRatio(beside, besideTheirs),
    settlements_per_second: round(median(ours)),
  };
}

/** The look-ups of one run, repeated until the work is done: those that ran beside it count. */
async function whileRunning(look: () => Promise<number>, work: () => Promise<unknown>): Promise<number> {
  const running = { yet: true };
  const done = work().finally(() => {
    running.yet = false;
  });
  const seen: number[] = [];
  do seen.push(await look());
  while (running.yet);
  await done;
  return median(seen);
}

async function perSecond(work: () => Promise<number>): Promise<number> {
  const begun = performance.now();
  const rows = await work();
  if (rows !== TITLES) throw new Error(`${rows} of ${TITLES} were settled`);
  return (rows * 1000) / (performance.now() - begun);
}

async function take({ arquivosDeRetorno, db }: Container, turn: number): Promise<number> {
  const file = settlements(TITLES, turn + 1);
  const { id } = await arquivosDeRetorno.receber(ACTOR, PROVIDER_ID, file, 'bancada.ret');
  await arquivosDeRetorno.processar(ACTOR, PROVIDER_ID, id, { signal: new AbortController().signal });
  const [row] = await db('faturas').where({ provedor_id: PROVIDER_ID, situacao: 'paga' }).count({ pagas: '*' });
  return Number(row?.['pagas'] ?? 0);
}

async function update(bare: Connection): Promise<number> {
  let rows = 0;
  for (let first = 1; first <= TITLES; first += ROWS_A_STATEMENT) {
    const ids = Array.from({ length: Math.min(ROWS_A_STATEMENT, TITLES + 1 - first) }, (_, n) => first + n);
    const [{ affectedRows }] = await bare.query<ResultSetHeader>(
      `UPDATE faturas SET situacao = 'paga', valor_pago = valor, pago_em = ? WHERE provedor_id = ? AND id IN (?)`,
      ['2026-12-01 15:00:00.000', PROVIDER_ID, ids],
    );
    rows += affectedRows;
  }
  return rows;
}

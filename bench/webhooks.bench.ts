import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { createContainer } from '../src/app/compose/container.ts';
import type { Container } from '../src/app/compose/container.ts';
import { atorDaTarefa } from '../src/domain/actor.ts';
import { loadConfig } from '../src/platform/config.ts';
import type { Db } from '../src/platform/mysql/database.ts';
import { relogioDoSistema } from '../src/platform/timing/relogio.ts';
import type { BareWebhooks } from './contenders/bare-webhooks.ts';
import { openDataset, PROVIDER_ID } from './data/dataset.ts';
import { createKeys } from './data/keys.ts';
import { cpfOf } from './data/rows.ts';
import type { Run, RunResult, Script } from './generators/load.ts';
import type { ReceiverMessage, Taken } from './generators/receiver.ts';
import type { BenchContext } from './support/bench.ts';
import type { Helper } from './support/children.ts';
import { lookupTarget, requestText } from './support/service.ts';
import { median, medianRatio, percentile, round } from './support/stats.ts';
import { printTable } from './support/table.ts';

const CLIENTS = 2000;
const KEYS = 500;
const ROUNDS = 5;
const ANSWER_AFTER_MS = 20;
/** What the service has under way to one webhook. */
const AT_ONCE = 10;
const EVENTS = 3000;
const EVENTS_A_WRITE = 500;
const LOOKUPS = { rate: 1000, count: 5000, connections: 16, napMs: 1 };
const PROVIDERS = 5;
const RECEIVERS = 100;
const HANGING = 10;
/** Of each provider, an event every so often. */
const EVERY_MS = 500;
const STEADY_MS = 15_000;
const ACTOR = atorDaTarefa('bancada');

interface Bench {
  readonly container: Container;
  readonly db: Db;
  readonly receiver: Helper;
  readonly receiverPort: number;
  readonly context: BenchContext;
}

/**
 * Deliveries of webhooks to receivers that answer after 20 ms: as many as can be to one of them, beside a loop that only signs and posts;
 * look-ups meanwhile; and the delay to ninety of a hundred while the other ten never answer.
 */
export async function run(context: BenchContext): Promise<Record<string, number>> {
  const { children, redisUrl } = context;
  const dataset = await openDataset(context, CLIENTS);
  const keys = await createKeys(dataset, KEYS);
  const redis = new Redis(redisUrl);
  await redis.flushdb();
  redis.disconnect();
  const env = {
    NODE_ENV: 'development',
    DATABASE_URL: dataset.url,
    REDIS_URL: redisUrl,
    MALHA_LOG: 'warn',
    MALHA_CHAVE_MESTRA: randomBytes(32).toString('hex'),
    MALHA_WEBHOOKS_HTTP: 'sim',
    MALHA_REDES_PERMITIDAS: '127.0.0.0/8',
  };
  const container = createContainer({
    config: loadConfig(env),
    databaseUrl: dataset.url,
    redisUrl,
    relogio: relogioDoSistema,
  });
  const db = dataset.open(2);
  try {
    await container.redisReady();
    await empty(db);
    const receiver = children.helper(new URL('generators/receiver.js', import.meta.url));
    const order: ReceiverMessage = { kind: 'open', answerAfterMs: ANSWER_AFTER_MS };
    const { port: receiverPort } = await receiver.ask<{ port: number }>(order);
    const bench: Bench = { container, db, receiver, receiverPort, context };
    const { port } = await children.serve(env);
    children.worker(env);
    return {
      ...(await oneReceiver(bench, port, keys)),
      ...(await manyReceivers(bench)),
    };
  } finally {
    await db.destroy();
    await container.close();
  }
}

/** The fastest that one receiver is served, by turns with the bare loop; and look-ups beside it. */
async function oneReceiver(bench: Bench, port: number, keys: readonly string[]): Promise<Record<string, number>> {
  const { container, receiverPort, context } = bench;
  const { children, log } = context;
  const url = `http://127.0.0.1:${receiverPort}/0`;
  const { segredo: secret } = await container.webhooks.criar(ACTOR, PROVIDER_ID, { url, eventos: ['*'] });
  const bare = children.helper(new URL('contenders/bare-webhooks.js', import.meta.url));
  const lookups = children.helper(new URL('generators/load.js', import.meta.url));
  const requests = Array.from({ length: CLIENTS }, (_, n) =>
    requestText(lookupTarget(cpfOf(n + 1)), keys[n % KEYS] ?? ''),
  );
  await lookups.ask({ kind: 'script', requests, bodies: null } satisfies Script);
  const look = async (): Promise<number> => {
    const { wrong, sample, p99 } = await lookups.ask<RunResult>({ kind: 'run', port, ...LOOKUPS } satisfies Run);
    if (wrong > 0) throw new Error(`${wrong} wrong answers, as\n${sample}`);
    return p99;
  };
  const ours = async (): Promise<number> => {
    await emit(bench, PROVIDER_ID, EVENTS);
    return perSecond(await received(bench, EVENTS));
  };
  const theirs = async (): Promise<number> => {
    const bodies = await bodiesOf(bench.db);
    const order: BareWebhooks = { port: receiverPort, path: '/0', secret, bodies, atOnce: AT_ONCE };
    await bare.ask(order);
    return perSecond(await received(bench, bodies.length));
  };

  log('Aquecendo…');
  await Promise.all([ours(), look()]);
  const figures = { ours: [] as number[], bare: [] as number[], alone: [] as number[], beside: [] as number[] };
  for (let turn = 1; turn <= ROUNDS; turn += 1) {
    log(`Um receptor, rodada ${turn} de ${ROUNDS}…`);
    figures.ours.push(await ours());
    figures.bare.push(await theirs());
    figures.alone.push(await look());
    const [p99] = await Promise.all([look(), ours()]);
    figures.beside.push(p99);
  }
  printTable(
    [`um receptor que responde em ${ANSWER_AFTER_MS} ms`, 'entregas/s'],
    [
      ['malha worker', Math.round(median(figures.ours))],
      ['só assinar e enviar (undici)', Math.round(median(figures.bare))],
    ],
  );
  printTable(
    ['p99 das consultas, ms', ''],
    [
      ['sozinhas', round(median(figures.alone))],
      ['durante as entregas', round(median(figures.beside))],
    ],
  );
  return {
    ratio: medianRatio(figures.ours, figures.bare),
    deliveries_per_second: Math.round(median(figures.ours)),
    p99_ratio: medianRatio(figures.beside, figures.alone),
  };
}

/** A hundred receivers of five providers at a steady rate, by turns all of them well and ten of them hanging. */
async function manyReceivers(bench: Bench): Promise<Record<string, number>> {
  const { container, db, receiver, receiverPort, context } = bench;
  await empty(db);
  for (let id = PROVIDER_ID + 1; id <= PROVIDERS; id += 1) {
    await db('provedores')
      .insert({ id, nome: `Bancada ${id}`, panel_host: `bancada${id}.malha.test` })
      .onConflict()
      .ignore();
    // Without its rules nothing is told of a provider.
    await db('regras_cobranca').insert({ provedor_id: id }).onConflict().ignore();
  }
  for (let n = 0; n < RECEIVERS; n += 1) {
    const url = `http://127.0.0.1:${receiverPort}/${n}`;
    await container.webhooks.criar(ACTOR, PROVIDER_ID + (n % PROVIDERS), { url, eventos: ['*'] });
  }
  const hanging = Array.from({ length: HANGING }, (_, n) => n * (RECEIVERS / HANGING) + (n % PROVIDERS));
  const watched = RECEIVERS - HANGING;
  const phase = async (hang: boolean): Promise<number> => {
    await receiver.ask({ kind: 'ill', receivers: hanging, hang } satisfies ReceiverMessage);
    const events = Math.floor(STEADY_MS / EVERY_MS);
    for (let n = 0; n < events; n += 1) {
      await Promise.all([
        ...Array.from({ length: PROVIDERS }, async (_, k) => emit(bench, PROVIDER_ID + k, 1)),
        sleep(EVERY_MS),
      ]);
    }
    const { delays } = await received(bench, events * watched);
    // What the hanging ones were behind with is nobody's in the next phase.
    await db('webhook_entregas').where('estado', 'pendente').update({ estado: 'cancelada' });
    return percentile(delays, 0.99);
  };
  await phase(false);
  const well: number[] = [];
  const ill: number[] = [];
  for (let turn = 1; turn <= ROUNDS; turn += 1) {
    context.log(`Cem receptores, rodada ${turn} de ${ROUNDS}…`);
    well.push(await phase(false));
    ill.push(await phase(true));
  }
  printTable(
    ['p99 do evento à chegada, ms', ''],
    [
      [`${watched} receptores, e outros ${HANGING} que respondem`, round(median(well))],
      [`${watched} receptores, e outros ${HANGING} que nunca respondem`, round(median(ill))],
    ],
  );
  return { delay_p99_ratio: medianRatio(ill, well), delay_p99_ms: round(median(ill)) };
}

async function emit({ container }: Bench, providerId: number, count: number): Promise<void> {
  for (let sent = 0; sent < count; sent += EVENTS_A_WRITE) {
    await container.write(ACTOR, providerId, async (w) => {
      for (let n = sent; n < Math.min(count, sent + EVENTS_A_WRITE); n += 1) {
        w.emit('cliente.atualizado', 1 + (n % CLIENTS), { cliente: 1 + (n % CLIENTS), campos: ['email'] });
      }
    });
  }
}

/** What the receivers got, once it is so many. */
const received = async ({ receiver }: Bench, count: number): Promise<Taken> =>
  receiver.ask<Taken>({ kind: 'take', count } satisfies ReceiverMessage);

const perSecond = ({ delays, ms }: Taken): number => (delays.length * 1000) / ms;

async function bodiesOf(db: Db): Promise<string[]> {
  const rows = await db('webhook_mensagens').orderBy('id', 'desc').limit(EVENTS).pluck<string[]>('corpo');
  return rows.map(String);
}

async function empty(db: Db): Promise<void> {
  for (const table of [
    'webhook_tentativas',
    'webhook_entregas',
    'webhook_mensagens',
    'webhooks',
    'eventos_pendentes',
  ]) {
    await db(table).delete();
  }
}

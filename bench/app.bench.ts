import { setTimeout } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { createAppSessions } from './data/app-sessions.ts';
import { openDataset } from './data/dataset.ts';
import { createInvoices } from './data/invoices.ts';
import { createKeys } from './data/keys.ts';
import { cpfOf } from './data/rows.ts';
import type { BenchContext } from './support/bench.ts';
import { tagsOfOneHit } from './support/observe-gate.ts';
import { processorMs } from './support/processor.ts';
import { getAs, lookupTarget, requestTextAs } from './support/service.ts';
import { median, medianRatio } from './support/stats.ts';
import { printTable } from './support/table.ts';
import { prepareWrk } from './support/wrk.ts';
import type { Wrk } from './support/wrk.ts';

const CLIENTS = 3000;
const INVOICES_EACH = 3;
/**
 * A session may ask 120 times a minute, and its answers are kept under its own name: with this many a subscriber all of them are kept, and
 * what is asked for in the rounds stays within the limits.
 */
const SESSIONS_EACH = 2;
/** As many as sessions, so that as many answers are asked for in turn. */
const KEYS = 6000;
const CONNECTIONS = 64;
const ROUNDS = 6;
const SECONDS_A_ROUND = 3;
/** Between rounds, so that a session stays within its limit however fast the answers come. */
const PAUSE_MS = 1500;
const WARM_UP_SECONDS = 3;
const WARM_UP_AT_ONCE = 32;

interface Contender {
  readonly name: string;
  readonly wrk: Wrk;
  /** Of its first request: what is compared has to be about the same work. */
  readonly bytes: number;
  readonly tags: number;
  readonly perSecond: number[];
  /** Processor time of the service for each request, in microseconds; on a busy machine it says more than how many there were. */
  readonly processorUs: number[];
}

/** What a subscriber's app asks for, kept, by its session; beside the same process's look-up of a kept client, by a key. */
export async function run(context: BenchContext): Promise<Record<string, number>> {
  const { children, redisUrl, log } = context;
  const dataset = await openDataset(context, CLIENTS);
  await createInvoices(dataset, CLIENTS, CLIENTS * INVOICES_EACH);
  const keys = await createKeys(dataset, KEYS);
  const tokens = await createAppSessions(dataset, CLIENTS, SESSIONS_EACH);
  const redis = new Redis(redisUrl);
  await redis.flushdb();
  redis.disconnect();
  const { port, pid } = await children.serve({ DATABASE_URL: dataset.url, REDIS_URL: redisUrl });

  /** Asks for each once, so that answers and credentials are known, and makes the script that asks for all in turn. */
  const contender = async (
    name: string,
    asked: readonly { readonly target: string; readonly credential: Readonly<Record<string, string>> }[],
  ): Promise<Contender> => {
    log(`Aquecendo ${name}…`);
    for (let begin = 0; begin < asked.length; begin += WARM_UP_AT_ONCE) {
      const some = asked.slice(begin, begin + WARM_UP_AT_ONCE);
      for (const found of await Promise.all(some.map(async (one) => getAs(port, one.target, one.credential)))) {
        if (found.status !== 200) throw new Error(found.body);
      }
    }
    const requests = asked.map(({ target, credential }) => requestTextAs(target, credential));
    const [{ target, credential } = { target: '', credential: {} }] = asked;
    const { body } = await getAs(port, target, credential);
    const tags = await tagsOfOneHit(redisUrl, async () => getAs(port, target, credential));
    const wrk = await prepareWrk(context, name.replaceAll(/\W+/g, '-'), requests);
    return { name, wrk, bytes: Buffer.byteLength(body), tags, perSecond: [], processorUs: [] };
  };
  const ofApp = async (target: string): Promise<Contender> =>
    contender(
      `GET ${target}`,
      tokens.map((token) => ({ target, credential: { Authorization: `Bearer ${token}` } })),
    );
  const lookup = await contender(
    'GET /api/v1/clientes?cpf_cnpj=',
    keys.map((key, i) => ({ target: lookupTarget(cpfOf(1 + (i % CLIENTS))), credential: { 'X-API-Key': key } })),
  );
  const client = await ofApp('/v1/client');
  const invoices = await ofApp('/v1/invoices');
  const all = [lookup, client, invoices];
  for (const { wrk } of all) await wrk.saturate({ port, connections: CONNECTIONS, seconds: WARM_UP_SECONDS });
  for (let turn = 1; turn <= ROUNDS; turn += 1) {
    log(`Rodada ${turn} de ${ROUNDS}…`);
    // Each comes after each other one in turn: what the one before has left in caches and windows is the next one's.
    for (const { wrk, perSecond, processorUs } of [
      ...all.slice(turn % all.length),
      ...all.slice(0, turn % all.length),
    ]) {
      await setTimeout(PAUSE_MS);
      const before = processorMs(pid);
      const found = await wrk.saturate({ port, connections: CONNECTIONS, seconds: SECONDS_A_ROUND });
      perSecond.push(found.perSecond);
      processorUs.push((1000 * (processorMs(pid) - before)) / found.requests);
    }
  }
  printTable(
    ['em cache', 'bytes', 'etiquetas', 'req/s', 'µs de processador'],
    all.map(({ name, bytes, tags, perSecond, processorUs }) => [
      name,
      bytes,
      tags,
      Math.round(median(perSecond)),
      Math.round(median(processorUs)),
    ]),
  );
  const ofClient = medianRatio(client.perSecond, lookup.perSecond);
  const ofInvoices = medianRatio(invoices.perSecond, lookup.perSecond);
  return { ratio: Math.min(ofClient, ofInvoices), client_ratio: ofClient, invoices_ratio: ofInvoices };
}

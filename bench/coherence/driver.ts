import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../../src/platform/mysql/database.ts';
import { createKeys } from './fixtures.ts';
import type { Answer, Client, Order } from './messages.ts';
import { createReader } from './reader.ts';
import type { Read } from './reader.ts';
import { emptyTally } from './tally.ts';
import type { Tally } from './tally.ts';

const WRITES_PER_SECOND = 10;
const READERS_PER_PROCESS = 4;
/** Requests that one reader has under way. */
const BATCH = 16;
/** A key is good for 1,200 requests a minute. */
const READING_KEYS = 2000;
const REVOKING_LANES = 8;
/** One key in so many is revoked by SQL, past the service. */
const REVOKED_PAST = 10;
/** By when what was written past the service is seen everywhere, while a worker runs. */
const SOON_MS = 1000;
const LONGEST_WAIT_MS = 30_000;
/** Fewer make a short run, to try things out. */
const READS = Number(process.env['MALHA_BENCH_READS'] ?? 1_000_000);
const SHORTEST_PHASE_MS = READS < 1_000_000 ? 15_000 : 60_000;
const REVOCATIONS = Number(process.env['MALHA_BENCH_REVOCATIONS'] ?? 10_000);

/** The lowest counters that an answer may show: of writes that were answered, and of those past the service. */
type Floor = readonly [answered: number, committed: number];

function raise(counts: number[], { client, count }: { client: number; count: number }): void {
  counts[client] = Math.max(counts[client] ?? 0, count);
}

interface Phase {
  readonly tally: Tally;
  readonly stop: AbortController;
}

interface DriverDeps {
  readonly db: Db;
  readonly provedorId: number;
  readonly clients: readonly Client[];
  readonly ports: readonly number[];
  readonly writers: readonly ChildProcess[];
}

/** Asks, writes and revokes, and judges each answer by what had been answered before it was asked for. */
export function createDriver({ db, provedorId, clients, ports, writers }: DriverDeps) {
  /** The counter that the last answered write of each client left. */
  const answered = clients.map(() => 0);
  /** The same of writes past the service, from `SOON_MS` after their commit. */
  const committed = clients.map(() => 0);
  const revoking = new Map<number, (revoked: boolean) => void>();
  let tally = emptyTally();

  for (const writer of writers) {
    writer.on('message', (answer: Answer) => {
      switch (answer.kind) {
        case 'written':
          if (answer.past) {
            tally.writes_past += 1;
            setTimeout(() => raise(committed, answer), SOON_MS);
          } else {
            tally.writes += 1;
            raise(answered, answer);
          }
          break;
        case 'failed':
          tally.refused_writes += 1;
          break;
        case 'revoked':
        case 'refused':
          revoking.get(answer.id)?.(answer.kind === 'revoked');
          break;
        case 'ready':
      }
    });
  }

  function judge({ status, body }: Read, [answeredCount, committedCount]: Floor): void {
    if (status === 200) {
      tally.reads += 1;
      const shown = lowestCount(body);
      if (shown === null) tally.other_status += 1;
      else if (shown < answeredCount) tally.stale += 1;
      else if (shown < committedCount) tally.stale_past += 1;
    } else if (status === 429) tally.limited_429 += 1;
    else if (status >= 500) tally.errors_5xx += 1;
    else tally.other_status += 1;
  }

  async function timed<T>(work: () => Promise<T>): Promise<T> {
    const begun = performance.now();
    const result = await work();
    tally.slowest_ms = Math.max(tally.slowest_ms, Math.round(performance.now() - begun));
    return result;
  }

  async function readOn(port: number, keys: () => string, { stop }: Phase): Promise<void> {
    const reader = createReader(port);
    while (!stop.signal.aborted) {
      const asked = Array.from({ length: BATCH }, () => Math.floor(Math.random() * clients.length));
      const requests = asked.map((at) => requestBytes(pathFor(clients[at]), keys()));
      // What was answered before the requests are sent is what they must show at least.
      const atLeast = asked.map((at): Floor => [answered[at] ?? 0, committed[at] ?? 0]);
      const reads = await timed(() => reader.send(requests));
      if (reads === null) tally.broken += 1;
      else for (const [i, read] of reads.entries()) judge(read, atLeast[i] ?? [0, 0]);
    }
    reader.close();
  }

  async function revoke(id: number, lane: number, past: boolean): Promise<void> {
    for (let attempt = 0; ; attempt += 1) {
      const order: Order = { kind: 'revoke', id, provedorId, past };
      const revoked = await new Promise<boolean>((resolve) => {
        revoking.set(id, resolve);
        writers[(lane + attempt) % writers.length]?.send(order);
      });
      if (revoked) return;
      // It failed closed, as it must while Redis is away: nobody was told that the key is revoked.
      tally.refused_revocations += 1;
      await sleep(100);
    }
  }

  async function revokeOn(keys: { id: number; texto: string }[], lane: number, { stop }: Phase): Promise<void> {
    const readers = ports.map(createReader);
    const askAll = async (texto: string): Promise<(Read | undefined)[]> => {
      const request = requestBytes('/status', texto);
      return Promise.all(readers.map(async (reader) => (await timed(() => reader.send([request])))?.[0]));
    };
    for (let key = keys.pop(); key !== undefined; key = keys.pop()) {
      // Every process has the key's record before it is revoked.
      await askAll(key.texto);
      const past = key.id % REVOKED_PAST === 0;
      await revoke(key.id, lane, past);
      tally[past ? 'revocations_past' : 'revocations'] += 1;
      if (past) await sleep(SOON_MS);
      for (const read of await askAll(key.texto)) {
        if (read === undefined) tally.broken += 1;
        else if (read.status === 200) tally[past ? 'late_revocations_past' : 'late_revocations'] += 1;
        else if (read.status >= 500) tally.errors_5xx += 1;
        else if (read.status !== 401 && read.status !== 429) tally.other_status += 1;
      }
      if (stop.signal.aborted) break;
    }
    for (const reader of readers) reader.close();
  }

  return {
    /** Writers, readers and revocations at once, until there were enough of all; `trouble` goes on beside them. */
    async phase(trouble: (signal: AbortSignal) => Promise<number>): Promise<Tally> {
      tally = emptyTally();
      const phase: Phase = { tally, stop: new AbortController() };
      const texts = (await createKeys(db, provedorId, READING_KEYS, 1200)).map(({ texto }) => texto);
      let turn = 0;
      const nextKey = (): string => texts[(turn += 1) % texts.length] ?? '';
      const toRevoke = await createKeys(db, provedorId, REVOCATIONS, 120);

      const begun = performance.now();
      for (const writer of writers) {
        const order: Order = { kind: 'start', clients, provedorId, perSecond: WRITES_PER_SECOND / writers.length };
        writer.send(order);
      }
      const readers = ports.flatMap((port) =>
        Array.from({ length: READERS_PER_PROCESS }, () => readOn(port, nextKey, phase)),
      );
      const revokers = Array.from({ length: REVOKING_LANES }, (_, lane) => revokeOn(toRevoke, lane, phase));
      const troubles = trouble(phase.stop.signal);
      while (
        performance.now() - begun < SHORTEST_PHASE_MS ||
        phase.tally.reads < READS ||
        phase.tally.revocations + phase.tally.revocations_past < REVOCATIONS
      ) {
        await sleep(200);
      }
      phase.stop.abort();
      phase.tally.seconds = Math.round((performance.now() - begun) / 1000);
      phase.tally.faults = await troubles;
      for (const writer of writers) writer.send({ kind: 'stop' } satisfies Order);
      phase.tally.hung = await countUnsettled([...readers, ...revokers], LONGEST_WAIT_MS);
      return phase.tally;
    },
  };
}

/** The routes that show a client's counter; the first is asked for in so many sizes that it is seldom kept. */
function pathFor(client: Client | undefined): string {
  if (client === undefined) throw new RangeError('no such client');
  switch (Math.floor(Math.random() * 24)) {
    case 0:
      return `/clientes?cpf_cnpj=${client.cpf}&por_pagina=${1 + Math.floor(Math.random() * 100)}`;
    case 1:
    case 2:
      return `/faturas?cliente_id=${client.id}`;
    case 3:
    case 4:
    case 5:
    case 6:
      return `/contratos/${client.contrato}`;
    case 7:
    case 8:
    case 9:
    case 10:
      return `/faturas/${client.fatura}`;
    case 11:
    case 12:
    case 13:
    case 14:
    case 15:
      return `/clientes/${client.id}`;
    default:
      return `/clientes?cpf_cnpj=${client.cpf}`;
  }
}

function requestBytes(target: string, key: string): Buffer {
  return Buffer.from(`GET /api/v1${target} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\n\r\n`, 'latin1');
}

/** The lowest counter that a body shows, in a name or an amount; null when it shows none. */
function lowestCount(body: Buffer): number | null {
  const text = body.toString('latin1');
  let lowest: number | null = null;
  for (const [, name, cents] of text.matchAll(/"nome":"C (\d+)"|"valor":(\d+\.\d\d)/g)) {
    const count = name === undefined ? Math.round(Number(cents) * 100) : Number(name);
    if (lowest === null || count < lowest) lowest = count;
  }
  return lowest;
}

async function countUnsettled(promises: readonly Promise<unknown>[], ms: number): Promise<number> {
  let settled = 0;
  const all = Promise.all(promises.map((promise) => promise.then(() => (settled += 1))));
  await Promise.race([all, sleep(ms, undefined, { ref: false })]);
  return promises.length - settled;
}

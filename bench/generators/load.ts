import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { answerMessages } from '../support/helper.ts';

/** What to ask and what must come back; sent once, before any run. */
export interface Script {
  readonly kind: 'script';
  /** Whole requests, asked in turn. */
  readonly requests: readonly string[];
  /** Bodies that must come back, byte for byte; `bodyOf[i]` is the one of request `i`. Null accepts any 200. */
  readonly bodies: { readonly list: readonly string[]; readonly bodyOf: readonly number[] } | null;
}

export interface Run {
  readonly kind: 'run';
  readonly port: number;
  readonly connections: number;
  /** Requests a second, at instants fixed beforehand (open loop); null asks again as soon as an answer is there. */
  readonly rate: number | null;
  /**
   * How long the generator sleeps between two looks at its clock in an open loop; by default hardly. Less than a millisecond it sleeps
   * through answers as well, and takes a seventh of a processor at 0.2; from one on they wake it.
   */
  readonly napMs?: number;
  /** Requests of this run; it goes on in the script where the last run ended. */
  readonly count: number;
}

/** Latencies in milliseconds. In an open loop they count from the instant at which a request was due. */
export interface RunResult {
  readonly p50: number;
  readonly p99: number;
  readonly perSecond: number;
  readonly wrong: number;
  /** The first wrong answer, for the person who asks why. */
  readonly sample: string | null;
}

const NAP_MS = 0.03;

let requests: Buffer[] = [];
let bodies: Buffer[] | null = null;
let bodyOf: readonly number[] = [];
let next = 0;

interface Connection {
  readonly socket: Socket;
  /** Index of the request under way, -1 when idle. */
  asked: number;
  due: number;
  received: Buffer | null;
}

async function run({ port, connections, rate, count, napMs = NAP_MS }: Run): Promise<RunResult> {
  const pool = await Promise.all(Array.from({ length: connections }, () => open(port)));
  const latencies = new Float64Array(count);
  const waiting: number[] = [];
  let idle = [...pool];
  let sent = 0;
  let done = 0;
  let wrong = 0;
  let sample: string | null = null;
  let finish = (): void => {};
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const begun = performance.now();

  function send(connection: Connection, due: number): void {
    connection.asked = next;
    connection.due = due;
    connection.socket.write(requests[next] ?? '');
    next = (next + 1) % requests.length;
    sent += 1;
  }

  function onData(connection: Connection, chunk: Buffer): void {
    const data = connection.received === null ? chunk : Buffer.concat([connection.received, chunk]);
    const verdict = judge(data, connection.asked);
    connection.received = verdict === null ? data : null;
    if (verdict === null) return;
    latencies[done] = performance.now() - connection.due;
    done += 1;
    if (!verdict) {
      wrong += 1;
      sample ??= data.toString();
    }
    connection.asked = -1;
    if (rate === null && sent < count) send(connection, performance.now());
    else if (waiting.length > 0) send(connection, waiting.shift() ?? 0);
    else idle.push(connection);
    if (done === count) finish();
  }

  for (const connection of pool) {
    connection.socket.on('data', (chunk) => onData(connection, chunk));
    connection.socket.on('close', () => {
      if (done === count) return;
      sample ??= 'connection closed';
      wrong += count - done;
      done = count;
      finish();
    });
  }

  if (rate === null) {
    const first = idle.slice(0, count);
    idle = idle.slice(count);
    for (const connection of first) send(connection, performance.now());
  } else {
    const interval = 1000 / rate;
    let scheduled = 0;
    const nap = new Int32Array(new SharedArrayBuffer(4));
    const look = (): void => {
      for (let due = begun + scheduled * interval; due <= performance.now() && scheduled < count; due += interval) {
        scheduled += 1;
        const connection = idle.pop();
        if (connection === undefined) waiting.push(due);
        else send(connection, due);
      }
      if (done === count) return;
      if (napMs >= 1) {
        setTimeout(look, napMs);
        return;
      }
      // Timers know no part of a millisecond, and a loop that never sleeps would take the processor from the contender.
      Atomics.wait(nap, 0, 0, napMs);
      setImmediate(look);
    };
    look();
  }
  await finished;
  const elapsed = performance.now() - begun;
  for (const { socket } of pool) socket.destroy();
  latencies.sort();
  const at = (part: number): number => latencies[Math.min(count - 1, Math.floor(count * part))] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99), perSecond: (count / elapsed) * 1000, wrong, sample };
}

const HEAD_END = Buffer.from('\r\n\r\n');
const OK = Buffer.from('HTTP/1.1 200 ');

/** Null while the response is not whole; else whether it is the right one. */
function judge(data: Buffer, asked: number): boolean | null {
  const head = data.indexOf(HEAD_END);
  if (head < 0) return null;
  const length = /\r\ncontent-length: (\d+)/i.exec(data.toString('latin1', 0, head))?.[1];
  if (length === undefined || asked < 0) return false;
  const body = head + HEAD_END.length;
  if (data.length < body + Number(length)) return null;
  if (data.compare(OK, 0, OK.length, 0, OK.length) !== 0) return false;
  const expected = bodies?.[bodyOf[asked] ?? -1];
  return expected === undefined ? bodies === null : data.compare(expected, 0, expected.length, body) === 0;
}

function open(port: number): Promise<Connection> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.off('error', reject);
      socket.on('error', () => socket.destroy());
      resolve({ socket, asked: -1, due: 0, received: null });
    });
  });
}

answerMessages(async (message: Script | Run) => {
  if (message.kind === 'run') return run(message);
  requests = message.requests.map((text) => Buffer.from(text));
  bodies = message.bodies?.list.map((text) => Buffer.from(text)) ?? null;
  bodyOf = message.bodies?.bodyOf ?? [];
  next = 0;
  return {};
});

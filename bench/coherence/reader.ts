import { connect } from 'node:net';
import type { Socket } from 'node:net';

/** A response, as far as the benchmark looks at it. */
export interface Read {
  readonly status: number;
  readonly body: Buffer;
}

const HEAD_END = Buffer.from('\r\n\r\n');
const LENGTH = Buffer.from('Content-Length: ');

/**
 * One keep-alive connection that sends ready bytes and reads responses by their length, several requests at a time: the
 * driver shares its cores with what it measures.
 */
export function createReader(port: number) {
  let socket: Socket | undefined;
  let received: Buffer = Buffer.alloc(0);
  let waiting: { reads: Read[]; wanted: number; done: (reads: Read[] | null) => void } | undefined;

  function finish(reads: Read[] | null): void {
    const current = waiting;
    waiting = undefined;
    current?.done(reads);
  }

  function take(chunk: Buffer): void {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    let offset = 0;
    for (;;) {
      const headEnd = received.indexOf(HEAD_END, offset);
      if (headEnd < 0) break;
      const at = received.indexOf(LENGTH, offset);
      const length =
        at < 0 || at > headEnd ? 0 : Number.parseInt(received.toString('latin1', at + LENGTH.length, at + 24), 10);
      const end = headEnd + 4 + length;
      if (received.length < end) break;
      const status = Number.parseInt(received.toString('latin1', offset + 9, offset + 12), 10);
      waiting?.reads.push({ status, body: received.subarray(headEnd + 4, end) });
      offset = end;
    }
    received = received.subarray(offset);
    if (waiting !== undefined && waiting.reads.length === waiting.wanted) finish(waiting.reads);
  }

  function open(): Socket {
    const fresh = connect(port, '127.0.0.1');
    received = Buffer.alloc(0);
    fresh.setNoDelay(true);
    fresh.on('data', take);
    fresh.on('error', () => {});
    fresh.on('close', () => {
      if (socket !== fresh) return;
      socket = undefined;
      finish(null);
    });
    socket = fresh;
    return fresh;
  }

  return {
    /** Sends requests at once; resolves to their responses in order, or to null when the connection broke. */
    async send(requests: readonly Buffer[]): Promise<Read[] | null> {
      return new Promise((done) => {
        waiting = { reads: [], wanted: requests.length, done };
        (socket ?? open()).write(Buffer.concat(requests));
      });
    },
    close(): void {
      socket?.destroy();
    },
  };
}

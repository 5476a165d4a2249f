import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { listen } from '../../src/platform/http/server.ts';
import { answerMessages } from '../support/helper.ts';

/** `open`: listens, and resolves to its port. `take`: so many deliveries, once they came, and forgets them. */
export type ReceiverMessage =
  | { readonly kind: 'open'; readonly answerAfterMs: number }
  | { readonly kind: 'ill'; readonly receivers: readonly number[]; readonly hang: boolean }
  | { readonly kind: 'take'; readonly count: number };

/** What came, of receivers that are not ill. */
export interface Taken {
  /** From the first to the last. */
  readonly ms: number;
  /** Of each delivery: milliseconds from the instant that its body names until it was here. */
  readonly delays: readonly number[];
}

/** After so long without a delivery no other is waited for. */
const PATIENCE_MS = 120_000;

/** Receivers whose deliveries are not counted, and which may hang. */
let ill = new Set<number>();
let hang = false;
let delays: number[] = [];
let first = 0;
let last = 0;

/** Receivers of webhooks at `/<number>`, which answer after a while or never. */
function serve(answerAfterMs: number): Promise<number> {
  const server = createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => void parts.push(part));
    request.on('end', () => {
      if (ill.has(Number(request.url?.slice(1)))) {
        if (!hang) setTimeout(() => response.end(), answerAfterMs);
        return;
      }
      const { timestamp } = JSON.parse(Buffer.concat(parts).toString()) as { timestamp: string };
      const now = performance.now();
      if (delays.length === 0) first = now;
      last = now;
      delays.push(Date.now() - Date.parse(timestamp));
      setTimeout(() => response.end(), answerAfterMs);
    });
  });
  return listen(server, 0, '127.0.0.1');
}

answerMessages(async (message: ReceiverMessage) => {
  if (message.kind === 'open') return { port: await serve(message.answerAfterMs) };
  if (message.kind === 'ill') {
    ill = new Set(message.receivers);
    ({ hang } = message);
    return {};
  }
  let before = -1;
  let since = performance.now();
  while (delays.length < message.count) {
    await sleep(20);
    if (delays.length > before) since = performance.now();
    before = delays.length;
    if (performance.now() - since > PATIENCE_MS) {
      throw new Error(`${delays.length} of ${message.count} deliveries came, and none in ${PATIENCE_MS / 1000} s`);
    }
  }
  const taken: Taken = { ms: last - first, delays };
  delays = [];
  return taken;
});

import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { PANEL_HOST } from '../data/dataset.ts';
import { answerMessages } from '../support/helper.ts';

/** Keeps so many documents under way at a time, each asked for once, until it is told to stop. */
export interface Start {
  readonly kind: 'start';
  readonly port: number;
  readonly atOnce: number;
  readonly targets: readonly string[];
}

export interface Stop {
  readonly kind: 'stop';
}

/** Of what was asked for between start and stop, those under way at the end included. */
export interface Documents {
  readonly count: number;
  readonly bytes: number;
  readonly perSecond: number;
  /** Asked for, and not answered with a whole document. */
  readonly wrong: number;
  /** Whether there were not enough targets to keep so many under way. */
  readonly ranOut: boolean;
}

// Connections are kept from one run to the next: what a server has to do with documents is measured, not with new clients.
const agent = new Agent({ keepAlive: true, maxFreeSockets: Number.POSITIVE_INFINITY });

let targets: string[] = [];
let begun = 0;
/** Documents asked for so far, each as if by another network. */
let asked = 0;
let total = { count: 0, bytes: 0, wrong: 0 };
let under: Promise<void>[] = [];

/** Asks for a document until it is made: who is told to come back later does so, and not all at the same moment. */
async function one(port: number, target: string): Promise<void> {
  const network = `10.${asked >> 16}.${(asked >> 8) & 255}.${asked & 255}`;
  asked += 1;
  let answer = await ask(port, target, network);
  for (; answer.retryAfter !== undefined; answer = await ask(port, target, network)) {
    await sleep(Number(answer.retryAfter) * 1000 * (1 + Math.random()));
  }
  total.count += 1;
  total.bytes += answer.bytes;
  if (answer.bytes === 0) total.wrong += 1;
}

/** Resolves to the size of a whole document, or to when to ask again. */
async function ask(port: number, target: string, network: string): Promise<{ bytes: number; retryAfter?: string }> {
  const headers = { host: PANEL_HOST, 'x-forwarded-for': network };
  return new Promise((resolve) => {
    get({ port, host: '127.0.0.1', path: target, agent, headers }, (response) => {
      let received = 0;
      let head = '';
      response.on('data', (piece: Buffer) => {
        if (received === 0) head = piece.toString('latin1', 0, 5);
        received += piece.length;
      });
      response.on('error', () => resolve({ bytes: 0 }));
      response.on('end', () => {
        const { statusCode, headers: answered } = response;
        if (statusCode === 503) resolve({ bytes: 0, retryAfter: answered['retry-after'] ?? '1' });
        else resolve({ bytes: statusCode === 200 && head === '%PDF-' ? received : 0 });
      });
    }).on('error', () => resolve({ bytes: 0 }));
  });
}

answerMessages(async (message: Start | Stop) => {
  if (message.kind === 'start') {
    targets = [...message.targets];
    begun = performance.now();
    total = { count: 0, bytes: 0, wrong: 0 };
    under = Array.from({ length: message.atOnce }, async () => {
      for (let target = targets.pop(); target !== undefined; target = targets.pop()) {
        await one(message.port, target);
      }
    });
    return {};
  }
  const ranOut = targets.length === 0;
  targets = [];
  await Promise.all(under);
  const perSecond = (total.count / (performance.now() - begun)) * 1000;
  return { ...total, perSecond, ranOut } satisfies Documents;
});

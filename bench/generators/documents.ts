import { Agent, get } from 'node:http';
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
let total = { count: 0, bytes: 0, wrong: 0 };
let under: Promise<void>[] = [];

async function one(port: number, target: string): Promise<void> {
  const bytes = await new Promise<number>((resolve) => {
    get(
      {
        port,
        host: '127.0.0.1',
        path: target,
        agent,
        headers: { host: PANEL_HOST, 'x-forwarded-for': `10.0.${(total.count >> 8) & 255}.${total.count & 255}` },
      },
      (response) => {
        let received = 0;
        let head = '';
        response.on('data', (piece: Buffer) => {
          if (received === 0) head = piece.toString('latin1', 0, 5);
          received += piece.length;
        });
        response.on('error', () => resolve(0));
        response.on('end', () => resolve(response.statusCode === 200 && head === '%PDF-' ? received : 0));
      },
    ).on('error', () => resolve(0));
  });
  total.count += 1;
  total.bytes += bytes;
  if (bytes === 0) total.wrong += 1;
}

answerMessages<Start | Stop>(async (message) => {
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

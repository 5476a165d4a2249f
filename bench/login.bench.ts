import { hash } from '@node-rs/argon2';
import { Redis } from 'ioredis';
import { createAppSessions } from './data/app-sessions.ts';
import { openDataset, PANEL_HOST } from './data/dataset.ts';
import { createKeys } from './data/keys.ts';
import { cpfOf } from './data/rows.ts';
import type { Hashes } from './generators/hashes.ts';
import type { Run, RunResult, Script } from './generators/load.ts';
import type { BenchContext } from './support/bench.ts';
import type { Helper } from './support/children.ts';
import { lookupTarget, requestText } from './support/service.ts';
import { median, medianRatio, round } from './support/stats.ts';
import { printTable } from './support/table.ts';

const CLIENTS = 2000;
const KEYS = 500;
const ROUNDS = 7;
const NAP_MS = 1;
const LOOKUPS = { rate: 1000, count: 6000, connections: 16 };
const LOGINS = { rate: 20, count: 120, connections: 4 };
const PASSWORD = 'jabuti roxo';
const ARGON2 = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/**
 * Look-ups of v1 at a steady rate, by turns alone, beside twenty logins a second, each from a network of its own, and beside a bare loop that
 * hashes as many passwords in a process of its own: what the processors alone make of it (`bare_p99_ratio`).
 */
export async function run(context: BenchContext): Promise<Record<string, number>> {
  const { children, redisUrl, log } = context;
  const dataset = await openDataset(context, CLIENTS);
  const keys = await createKeys(dataset, KEYS);
  const senha = await hash(PASSWORD, ARGON2);
  await createAppSessions(dataset, CLIENTS, 0, senha);
  const redis = new Redis(redisUrl);
  await redis.flushdb();
  redis.disconnect();
  const { port } = await children.serve({
    DATABASE_URL: dataset.url,
    REDIS_URL: redisUrl,
    MALHA_PROXIES: '1',
  });
  const lookups = await generator(
    context,
    Array.from({ length: CLIENTS }, (_, n) => requestText(lookupTarget(cpfOf(n + 1)), keys[n % KEYS] ?? '')),
  );
  const logins = await generator(
    context,
    Array.from({ length: CLIENTS }, (_, n) => loginText(n + 1)),
  );
  const hashes = children.helper(new URL('generators/hashes.js', import.meta.url));
  const ask = async (helper: Helper, what: Pick<Run, 'rate' | 'count' | 'connections'>): Promise<RunResult> => {
    const found = await helper.ask<RunResult>({ kind: 'run', port, napMs: NAP_MS, ...what } satisfies Run);
    if (found.wrong > 0) throw new Error(`${found.wrong} wrong answers, as\n${found.sample}`);
    return found;
  };

  log('Aquecendo…');
  await ask(lookups, LOOKUPS);
  await ask(logins, { ...LOGINS, count: 40 });
  const alone: number[] = [];
  const beside: number[] = [];
  const bare: number[] = [];
  const took: number[] = [];
  for (let turn = 1; turn <= ROUNDS; turn += 1) {
    log(`Rodada ${turn} de ${ROUNDS}…`);
    alone.push((await ask(lookups, LOOKUPS)).p99);
    const [look, login] = await Promise.all([ask(lookups, LOOKUPS), ask(logins, LOGINS)]);
    beside.push(look.p99);
    took.push(login.p50);
    const order: Hashes = { password: PASSWORD, options: ARGON2, rate: LOGINS.rate, count: LOGINS.count };
    const [besideHashes] = await Promise.all([ask(lookups, LOOKUPS), hashes.ask(order)]);
    bare.push(besideHashes.p99);
  }
  printTable(
    ['p99 das consultas, ms', ''],
    [
      ['sozinhas', round(median(alone))],
      [`com ${LOGINS.rate} entradas por segundo`, round(median(beside))],
      [`com ${LOGINS.rate} senhas por segundo em outro processo`, round(median(bare))],
    ],
  );
  return {
    p99_ratio: medianRatio(beside, alone),
    bare_p99_ratio: medianRatio(bare, alone),
    login_p50_ms: round(median(took)),
  };
}

async function generator({ children }: BenchContext, requests: readonly string[]): Promise<Helper> {
  const helper = children.helper(new URL('generators/load.js', import.meta.url));
  await helper.ask({ kind: 'script', requests, bodies: null } satisfies Script);
  return helper;
}

function loginText(n: number): string {
  const body = JSON.stringify({ cpf_cnpj: cpfOf(n), senha: PASSWORD });
  const headers = [
    'POST /v1/auth/login HTTP/1.1',
    `Host: ${PANEL_HOST}`,
    `X-Forwarded-For: 198.18.${n >> 8}.${n % 256}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  return `${headers.join('\r\n')}\r\n\r\n${body}`;
}

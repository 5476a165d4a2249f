import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { createDatabase } from '../src/platform/mysql/database.ts';
import { migrate } from '../src/platform/mysql/schema/migrations.ts';
import { startPrivateServers } from '../src/local/private-servers.ts';
import { criarFabrica } from '../test/support/fabrica.ts';
import { executar, servir } from '../test/support/processo.ts';
import { criarRedisProprio } from '../test/support/redis-proprio.ts';
import { createDriver } from './coherence/driver.ts';
import { createFaults } from './coherence/faults.ts';
import { createClients } from './coherence/fixtures.ts';
import type { Answer } from './coherence/messages.ts';
import { report } from './coherence/tally.ts';
import { print } from './support/print.ts';

const PROCESSES = 4;
const WRITERS = 2;

/**
 * Reads of a client while it is written: none that began after a write was answered may show what was before it, nor one that began a
 * second after a write by plain SQL.
 */
export async function run(): Promise<Record<string, number>> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'malha-bench-'));
  // What was started ends with us.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
  const cleanUp: (() => Promise<unknown>)[] = [async () => rmSync(dataDir, { recursive: true, force: true })];
  try {
    const which = { database: true, redis: false };
    const database = await startPrivateServers({ dataDir, which, durable: false, log: print });
    const { ownerUrl: databaseUrl = '' } = database;
    cleanUp.push(async () => database.stop());
    const redis = await criarRedisProprio();
    cleanUp.push(async () => redis.fechar());
    const db = createDatabase({ url: databaseUrl, pool: 5, announces: true });
    cleanUp.push(async () => db.destroy());
    await migrate(db);

    const provedorId = await criarFabrica(db).provedor();
    const clients = await createClients(db, provedorId);
    const env = { DATABASE_URL: databaseUrl, REDIS_URL: redis.url, NODE_ENV: 'production', MALHA_LOG: 'error' };
    const complaints = createComplaints();
    const servers = await Promise.all(Array.from({ length: PROCESSES }, () => servir(env, complaints.hear)));
    const worker = await executar('worker', env, /Worker do Malha em execução/);
    for (const process of [...servers, worker]) cleanUp.push(async () => process.parar());
    const writers = await Promise.all(Array.from({ length: WRITERS }, () => startWriter([databaseUrl, redis.url])));
    for (const writer of writers) cleanUp.push(async () => stopWriter(writer));

    const ports = servers.map(({ porta }) => porta);
    const driver = createDriver({ db, provedorId, clients, ports, writers });
    const faults = createFaults({
      redis,
      servers: servers.map(({ pid }) => pid),
      writers: writers.map(({ pid = 0 }) => pid),
    });
    const calm = await driver.phase(async () => 0);
    const faulty = await driver.phase((signal) => faults.run(signal));
    for (const line of complaints.lines()) print(line);
    return report(calm, faulty, print);
  } finally {
    for (const step of cleanUp.toReversed()) await step();
  }
}

/** What the service logged as errors, each text once with how often. */
function createComplaints() {
  const counts = new Map<string, number>();
  return {
    hear(this: void, line: string): void {
      const text = /"err":\{"type":"(\w+)","message":"([^"]{0,80})/.exec(line);
      if (text === null) return;
      const key = `${text[1] ?? ''}: ${text[2] ?? ''}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    },
    lines: (): string[] => [...counts].map(([text, count]) => `${count} × ${text}`),
  };
}

async function startWriter(args: string[]): Promise<ChildProcess> {
  const file = fileURLToPath(new URL('coherence/writer.js', import.meta.url));
  const writer = fork(file, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const [answer] = (await once(writer, 'message')) as [Answer];
  if (answer.kind !== 'ready') throw new Error('the writer did not start');
  return writer;
}

async function stopWriter(writer: ChildProcess): Promise<void> {
  if (writer.exitCode !== null || writer.signalCode !== null) return;
  const exited = once(writer, 'exit');
  writer.kill('SIGKILL');
  await exited;
}

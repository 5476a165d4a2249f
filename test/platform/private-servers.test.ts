import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import type { ExecutionContext } from 'ava';
import { Redis } from 'ioredis';
import { createConnection } from 'mysql2/promise';
import type { RowDataPacket } from 'mysql2/promise';
import { startPrivateServers } from '../../src/platform/private-servers/index.ts';
import type { PrivateServers } from '../../src/platform/private-servers/index.ts';

const moduleUrl = new URL('../../src/platform/private-servers/index.js', import.meta.url).href;

// Everything below one folder, the short folders for sockets too: what kill -9 leaves behind goes with it.
const scratch = mkdtempSync(join(tmpdir(), 'malha-'));
process.env['TMPDIR'] = scratch;

test.after.always(async () => {
  const deadline = Date.now() + 30_000;
  while (processesOf(scratch).length > 0 && Date.now() < deadline) await sleep(20);
  rmSync(scratch, { recursive: true, force: true });
});

/** A folder whose path is too long for a Unix socket and holds spaces. */
function longDataDir(): string {
  return join(mkdtempSync(join(scratch, 'd')), 'pasta de dados '.repeat(8).trim());
}

async function start(t: ExecutionContext, dataDir: string, durable = false): Promise<PrivateServers> {
  const servers = await startPrivateServers({ dataDir, durable, log: (line) => t.log(line) });
  t.teardown(() => servers.stop());
  return servers;
}

/** Command lines of live processes that name the folder. */
function processesOf(dataDir: string): string[] {
  const commands =
    process.platform === 'linux'
      ? readdirSync('/proc')
          .filter((name) => /^\d+$/.test(name))
          .map((pid) => commandLine(pid))
      : spawnSync('ps', ['-axo', 'command='], { encoding: 'utf8' }).stdout.split('\n');
  return commands.filter((command) => command.includes(`${dataDir}/`));
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}

function locksIn(dataDir: string): string[] {
  return readdirSync(join(dataDir, 'run')).filter((name) => name.startsWith('lock'));
}

async function writeBoth(servers: PrivateServers): Promise<void> {
  const database = await createConnection(servers.ownerUrl!);
  await database.query('CREATE TABLE lembrete (texto VARCHAR(50) NOT NULL)');
  await database.query("INSERT INTO lembrete VALUES ('São João do Açaí')");
  await database.end();
  const redis = new Redis(servers.redisUrl!);
  await redis.set('lembrete', 'guardado');
  await redis.quit();
}

async function readBoth(servers: PrivateServers): Promise<[unknown, string | null]> {
  const database = await createConnection(servers.ownerUrl!);
  const [rows] = await database.query<RowDataPacket[]>('SELECT texto FROM lembrete');
  await database.end();
  const redis = new Redis(servers.redisUrl!);
  const value = await redis.get('lembrete');
  await redis.quit();
  return [rows[0]?.['texto'], value];
}

async function databaseName(servers: PrivateServers): Promise<string> {
  const database = await createConnection(servers.ownerUrl!);
  const [rows] = await database.query<RowDataPacket[]>('SELECT VERSION() AS version');
  await database.end();
  return String(rows[0]?.['version']).includes('MariaDB') ? 'MariaDB' : 'MySQL';
}

/** A Node process that holds the servers of `dataDir` until somebody ends it. */
async function startHolder(t: ExecutionContext, dataDir: string): Promise<ChildProcess> {
  const holder = spawnHolder(t, dataDir);
  await once(holder.stdout, 'data');
  return holder;
}

function spawnHolder(t: ExecutionContext, dataDir: string): ChildProcess & { stdout: Readable } {
  const script = `
    const { startPrivateServers } = await import(${JSON.stringify(moduleUrl)});
    await startPrivateServers({ dataDir: process.argv[1], durable: true, log() {} });
    console.log('pronto');
    // Ends with the test run, also when that is killed.
    process.stdin.on('end', () => process.exit()).resume();
  `;
  const holder = spawn(process.execPath, ['--input-type=module', '-e', script, dataDir], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  t.teardown(() => holder.kill('SIGKILL'));
  return holder;
}

async function until(t: ExecutionContext, condition: () => boolean, what: string): Promise<void> {
  const deadline = Date.now() + 30_000;
  while (!condition()) {
    if (Date.now() > deadline) return t.fail(what);
    await sleep(20);
  }
  t.pass(what);
}

test('data survives a stop and a start, in a folder with a long path', async (t) => {
  const dataDir = longDataDir();
  const first = await start(t, dataDir, true);
  await writeBoth(first);
  await first.stop();
  const second = await start(t, dataDir, true);
  t.deepEqual(await readBoth(second), ['São João do Açaí', 'guardado']);
});

test('the database speaks utf8mb4 and UTC, and Redis has several logical databases', async (t) => {
  const servers = await start(t, longDataDir());
  const database = await createConnection(servers.ownerUrl!);
  const [rows] = await database.query<RowDataPacket[]>(
    'SELECT @@character_set_database AS charset, @@collation_database AS collation, @@time_zone AS zone, @@skip_networking AS alone',
  );
  t.deepEqual({ ...rows[0] }, { charset: 'utf8mb4', collation: 'utf8mb4_unicode_ci', zone: '+00:00', alone: 1 });
  await database.end();

  const other = new URL(servers.redisUrl!);
  other.pathname = '/63';
  const [redis0, redis63] = [new Redis(servers.redisUrl!), new Redis(other.href)];
  await redis0.set('chave', 'zero');
  t.is(await redis63.get('chave'), null);
  t.deepEqual(await redis0.config('GET', 'maxmemory-policy'), ['maxmemory-policy', 'noeviction']);
  await Promise.all([redis0.quit(), redis63.quit()]);
});

test('stop leaves no process and no lock, and may be called again', async (t) => {
  const dataDir = longDataDir();
  const servers = await start(t, dataDir);
  t.not(processesOf(dataDir).length, 0);
  t.not(locksIn(dataDir).length, 0);
  await servers.stop();
  await servers.stop();
  t.deepEqual(processesOf(dataDir), []);
  t.deepEqual(locksIn(dataDir), []);
});

test('a data folder in use is refused in one line that names the pid and MALHA_DATA_DIR', async (t) => {
  const dataDir = longDataDir();
  const holder = await startHolder(t, dataDir);
  const error = await t.throwsAsync(start(t, dataDir));
  t.regex(error.message, new RegExp(`pid ${holder.pid}\\b.*MALHA_DATA_DIR`));
  t.false(error.message.includes('\n'));
});

test('of many that start at once on one folder exactly one gets it', async (t) => {
  const dataDir = longDataDir();
  const attempts = await Promise.allSettled(
    Array.from({ length: 4 }, () => startPrivateServers({ dataDir, durable: false, log: () => undefined })),
  );
  const started = attempts.filter((attempt) => attempt.status === 'fulfilled');
  await Promise.all(started.map((attempt) => attempt.value.stop()));
  t.is(started.length, 1);
});

test('kill -9 of the Node process ends the servers, and the next start works at once with the data', async (t) => {
  const dataDir = longDataDir();
  const first = await start(t, dataDir, true);
  await writeBoth(first);
  await first.stop();

  const holder = await startHolder(t, dataDir);
  t.not(processesOf(dataDir).length, 0);
  holder.kill('SIGKILL');
  const second = await start(t, dataDir, true);
  t.deepEqual(await readBoth(second), ['São João do Açaí', 'guardado']);
  await second.stop();

  const another = await startHolder(t, dataDir);
  another.kill('SIGKILL');
  await until(t, () => processesOf(dataDir).length === 0, 'no server survives its Node process');
});

test('kill -9 of the Node process while the servers are still starting ends them too', async (t) => {
  const dataDir = longDataDir();
  await (await start(t, dataDir, true)).stop();
  for (const delayMs of [120, 160, 200, 240]) {
    const holder = spawnHolder(t, dataDir);
    await sleep(delayMs);
    holder.kill('SIGKILL');
    await (await start(t, dataDir, true)).stop();
  }
  t.deepEqual(processesOf(dataDir), []);
});

test('a server that dies is reported once, and the database recovers at the next start', async (t) => {
  const dataDir = longDataDir();
  const lines: string[] = [];
  const gone: string[] = [];
  const servers = await startPrivateServers({
    dataDir,
    log: (line) => lines.push(line),
    onExit: (name) => gone.push(name),
  });
  t.teardown(() => servers.stop());
  await writeBoth(servers);
  const name = await databaseName(servers);
  // The server that `npm test` was asked for, not another that the machine has too.
  if (process.env['TEST_DATABASE'] === 'mysql') t.is(name, 'MySQL');
  process.kill(Number(readFileSync(join(dataDir, 'run', 'mariadb.pid'), 'utf8')), 'SIGKILL');
  await until(t, () => gone.length > 0, 'onExit is called');
  t.deepEqual(gone, [name]);
  t.is(lines.filter((line) => line.includes(`${name} terminou sem ser pedido`)).length, 1);
  await servers.stop();
  t.is(gone.length, 1);
  const again = await start(t, dataDir, true);
  t.deepEqual(await readBoth(again), ['São João do Açaí', 'guardado']);
});

test('a server that is not asked for does not start', async (t) => {
  const dataDir = longDataDir();
  const servers = await startPrivateServers({
    dataDir,
    durable: false,
    log: (line) => t.log(line),
    which: { database: false, redis: true },
  });
  t.teardown(() => servers.stop());
  t.is(servers.ownerUrl, undefined);
  t.truthy(servers.redisUrl);
  t.deepEqual(
    processesOf(dataDir).filter((command) => /mariadb|mysql/.test(command)),
    [],
  );
});

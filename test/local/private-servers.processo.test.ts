import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import type { ExecutionContext } from 'ava';
import { Redis } from 'ioredis';
import { createConnection } from 'mysql2/promise';
import type { RowDataPacket } from 'mysql2/promise';
import { openDataDir } from '../../src/local/data/data-dir.ts';
import { startPrivateServers } from '../../src/local/private-servers.ts';
import type { PrivateServers } from '../../src/local/private-servers.ts';
import { announceServers, findRunningServers } from '../../src/local/running.ts';

const moduleUrl = new URL('../../src/local/private-servers.js', import.meta.url).href;

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

const FOLDERS = ['run', 'log', 'redis', 'mariadb'] as const;

/** A data folder with these folders in it, each of this mode. */
function existing(mode: number, names: readonly string[] = FOLDERS): string {
  const dataDir = mkdtempSync(join(scratch, 'e'));
  for (const name of names) {
    mkdirSync(join(dataDir, name));
    // The mode of mkdir goes by the umask.
    chmodSync(join(dataDir, name), mode);
  }
  return dataDir;
}

const modeOf = (path: string): string => (statSync(path).mode & 0o7777).toString(8);

test('existing folders of this user that others can read are closed', (t) => {
  const dataDir = existing(0o755);
  openDataDir(dataDir);
  for (const name of FOLDERS) t.is(modeOf(join(dataDir, name)), '700', name);
});

for (const name of FOLDERS) {
  test(`an existing ${name}/ in which others can write is refused in one line, and stays as it is`, (t) => {
    for (const mode of [0o770, 0o702, 0o777, 0o1777]) {
      const dataDir = existing(mode, [name]);
      const error = t.throws(() => openDataDir(dataDir));
      t.regex(
        error.message,
        new RegExp(`^A pasta ${dataDir}/${name} não serve: outros usuários podem escrever.*chmod 700`),
      );
      t.false(error.message.includes('\n'));
      t.is(modeOf(join(dataDir, name)), mode.toString(8));
    }
  });

  test(`a link, a file or another user's folder in the place of ${name}/ is refused`, (t) => {
    const link = existing(0o700, []);
    symlinkSync(mkdtempSync(join(scratch, 'l')), join(link, name));
    t.throws(() => openDataDir(link), { message: /é um link, ou não é pasta/ });
    const file = existing(0o700, []);
    writeFileSync(join(file, name), '');
    t.throws(() => openDataDir(file), { message: /é um link, ou não é pasta/ });
    // Only root can give a folder away.
    if (process.getuid?.() !== 0) return;
    const alien = existing(0o700, [name]);
    chownSync(join(alien, name), 65_534, 65_534);
    t.throws(() => openDataDir(alien), { message: /é de outro usuário/ });
  });
}

test('nobody else can put a folder in the place of run/: the data folder is closed to writers, or refused', (t) => {
  const dataDir = existing(0o700, []);
  chmodSync(dataDir, 0o2777);
  openDataDir(dataDir);
  t.is(modeOf(dataDir), '2755');
  if (process.getuid?.() !== 0) return;
  const alien = existing(0o700, []);
  chownSync(alien, 65_534, 65_534);
  t.throws(() => openDataDir(alien), {
    message: /^A pasta .* é de outro usuário; escolha outra com MALHA_DATA_DIR\.$/,
  });
});

test('a data folder may be a link, and its folders stand where it leads', (t) => {
  const real = existing(0o700, []);
  const link = join(mkdtempSync(join(scratch, 'l')), 'dados');
  symlinkSync(real, link);
  openDataDir(link);
  t.is(modeOf(join(real, 'run')), '700');
});

test('the short folder of sockets is as private, when somebody made it before', (t) => {
  const dataDir = join(mkdtempSync(join(scratch, 'd')), 'x'.repeat(120));
  const { socketDir, runDir } = openDataDir(dataDir);
  t.not(socketDir, runDir);
  t.is(modeOf(socketDir), '700');
  chmodSync(socketDir, 0o755);
  openDataDir(dataDir);
  t.is(modeOf(socketDir), '700');
  chmodSync(socketDir, 0o777);
  t.throws(() => openDataDir(dataDir), { message: /outros usuários podem escrever/ });
});

test('a command does not believe servers that somebody else may have announced', (t) => {
  const dataDir = existing(0o700, ['run']);
  const servers = { databaseUrl: 'mysql://a/b', ownerUrl: 'mysql://a/b', redisUrl: 'redis://a' };
  announceServers(dataDir, servers);
  t.deepEqual(findRunningServers(dataDir), servers);
  chmodSync(join(dataDir, 'run'), 0o777);
  t.is(findRunningServers(dataDir), undefined);
  const link = existing(0o700, []);
  chmodSync(join(dataDir, 'run'), 0o700);
  symlinkSync(join(dataDir, 'run'), join(link, 'run'));
  t.is(findRunningServers(link), undefined);
});

test('servers do not start where others may have put a socket', async (t) => {
  const dataDir = existing(0o777, ['run']);
  await t.throwsAsync(startPrivateServers({ dataDir, durable: false, log: (line) => t.log(line) }), {
    message: /run não serve: outros usuários podem escrever/,
  });
  t.deepEqual(readdirSync(join(dataDir, 'run')), []);
});

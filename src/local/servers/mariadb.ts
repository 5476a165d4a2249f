import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { createConnection } from 'mysql2/promise';
import type { DataDirLayout } from '../data/data-dir.ts';
import { initializeMariadb, initializeMysql } from './initialize-database.ts';
import { run } from '../processes/run-command.ts';
import { startSupervised, waitForEarlierInstance } from '../processes/supervised-process.ts';
import type { SupervisedProcess } from '../processes/supervised-process.ts';
import { waitUntilReady } from './wait-until-ready.ts';

const readyDeadlineMs = 120_000;

const APPLICATION_USER = 'malha';

/**
 * Starts a MariaDB or MySQL of our own on a Unix socket and makes sure that the database `malha` and its two users
 * exist: the schema's owner, and the application's, who has no rights before grants.ts.
 *
 * The URLs are what mysql2 and knex take as connection strings. They hand `socketPath` on from the query; host and port
 * then have no meaning.
 */
export async function startDatabase(
  binary: string,
  layout: DataDirLayout,
  options: { durable: boolean; databaseArgs: readonly string[]; onSpawn: (server: SupervisedProcess) => void },
): Promise<{ ownerUrl: string; applicationUrl: string }> {
  const isMariadb = (await run(binary, ['--no-defaults', '--version'])).includes('MariaDB');
  const name = isMariadb ? 'MariaDB' : 'MySQL';
  const aliveFile = join(layout.runDir, 'mariadb.alive');
  const pidFile = join(layout.runDir, 'mariadb.pid');
  const tmpDir = join(layout.runDir, 'mariadb-tmp');
  const socketPath = join(layout.socketDir, 'mariadb.sock');
  await waitForEarlierInstance(name, aliveFile, pidFile);
  rmSync(tmpDir, { recursive: true, force: true });
  mkdirSync(tmpDir, { mode: 0o700 });

  const asUser = process.getuid?.() === 0 ? ['--user=root'] : [];
  const engine = engineArgs(isMariadb, options.durable);
  if (!existsSync(layout.mariadbDir)) {
    // It is initialized in a folder of another name, so that a half-made one is never taken for a database after a
    // crash. The name has our pid, because the program of a killed start may still be writing into its own folder.
    const unfinished = `${layout.mariadbDir}.new-${process.pid}`;
    removeUnfinished(layout.mariadbDir);
    const initialize = isMariadb ? initializeMariadb : initializeMysql;
    await initialize(binary, unfinished, [...asUser, ...engine, `--tmpdir=${tmpDir}`]);
    renameSync(unfinished, layout.mariadbDir);
  }

  const server = await startSupervised({
    name,
    command: binary,
    args: [
      '--no-defaults',
      ...asUser,
      `--datadir=${layout.mariadbDir}`,
      `--tmpdir=${tmpDir}`,
      `--socket=${socketPath}`,
      `--pid-file=${pidFile}`,
      '--skip-networking',
      '--skip-log-bin',
      '--local-infile=0',
      '--character-set-server=utf8mb4',
      '--collation-server=utf8mb4_unicode_ci',
      '--default-time-zone=+00:00',
      '--max-connections=500',
      '--performance-schema=0',
      // Debian's MySQL does not start when its built-in import folder is missing.
      ...(isMariadb ? [] : ['--mysqlx=0', '--secure-file-priv=NULL']),
      ...engine,
      ...options.databaseArgs,
    ],
    logFile: join(layout.logDir, 'mariadb.log'),
    aliveFile,
  });
  options.onSpawn(server);
  await waitUntilReady(server, () => createDatabase(socketPath), readyDeadlineMs);
  const urlOf = (user: string): string =>
    `mysql://${user}@localhost/malha?socketPath=${encodeURIComponent(socketPath)}`;
  return { ownerUrl: urlOf('root'), applicationUrl: urlOf(APPLICATION_USER) };
}

function removeUnfinished(mariadbDir: string): void {
  const prefix = `${basename(mariadbDir)}.new-`;
  for (const name of readdirSync(dirname(mariadbDir)).filter((entry) => entry.startsWith(prefix))) {
    try {
      rmSync(join(dirname(mariadbDir), name), { recursive: true, force: true });
    } catch {
      // Another process still writes into it. The next start that initializes a database removes it.
    }
  }
}

function engineArgs(isMariadb: boolean, durable: boolean): string[] {
  if (durable) return ['--innodb-buffer-pool-size=256M'];
  return [
    '--innodb-buffer-pool-size=128M',
    '--innodb-flush-log-at-trx-commit=0',
    '--innodb-doublewrite=OFF',
    // Each of several databases has 150 tables; by default the server forgets all but 400, and reads them again.
    '--table-definition-cache=4000',
    '--table-open-cache=4000',
    // MySQL 9 knows neither the size of the log file nor how to leave out waiting for the disk.
    ...(isMariadb ? ['--innodb-log-file-size=32M', '--innodb-flush-method=nosync', '--debug-no-sync'] : []),
  ];
}

/** Whether the server answers already; when it does, the database exists. */
async function createDatabase(socketPath: string): Promise<boolean> {
  const connection = await createConnection({ socketPath, user: 'root', connectTimeout: 5_000 }).catch(
    ignoreNotThereYet,
  );
  if (connection === undefined) return false;
  try {
    await connection.query('CREATE DATABASE IF NOT EXISTS malha CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci');
    // Without a password, like root: only this system user can open the socket.
    await connection.query(`CREATE USER IF NOT EXISTS '${APPLICATION_USER}'@'localhost'`);
  } finally {
    await connection.end();
  }
  return true;
}

function ignoreNotThereYet(error: unknown): undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT' || code === 'ECONNREFUSED' || code === 'ECONNRESET' || code === 'ETIMEDOUT') return undefined;
  if (code === 'PROTOCOL_CONNECTION_LOST') return undefined;
  throw error;
}

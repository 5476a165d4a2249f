import { createReadStream, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { startPiped } from '../../local/processes/piped-command.ts';
import { expressions, rowsOfSql } from '../../platform/mysql/columns.ts';
import { createDatabase, readAddress } from '../../platform/mysql/database.ts';
import type { Db } from '../../platform/mysql/database.ts';
import { kindOf } from '../../platform/mysql/schema/server-kind.ts';
import type { ServerKind } from '../../platform/mysql/schema/server-kind.ts';
import { findProgram, withLogin } from './client-programs.ts';
import { withoutDefiners } from './definers.ts';
import { endOfLogs } from './log-end.ts';
import { FILES, readManifest } from './manifest.ts';
import type { Manifest } from './manifest.ts';
import { digestOf } from './take.ts';

const VERSION = expressions<{ version: string }>({ version: 'VERSION()' });
const TABLES = expressions<{ tables: number }>({ tables: 'COUNT(*)' });

export interface RestoreOptions {
  /** The empty database, by the user who shall own it. */
  readonly url: string;
  /** As `ServerLogin` has it. */
  readonly authorities?: string | undefined;
  readonly folder: string;
  /** A folder with the server's binary logs, from the one that the backup names on. */
  readonly logs?: string;
  /** The instant at which the logs are left; without it they are gone through to their end. */
  readonly until?: Date;
}

export interface Restored extends Manifest {
  /** The time of the last event of the binary logs; null where none were gone through. */
  readonly logs_ate: string | null;
}

/**
 * Loads a backup into an empty database, and then what the binary logs say was written after it.
 *
 * @throws Error with a line for the person at the terminal.
 */
export async function restoreBackup({ url, authorities, folder, logs, until }: RestoreOptions): Promise<Restored> {
  const manifest = readManifest(folder);
  const dump = join(folder, FILES.dump);
  if ((await digestOf(dump)) !== manifest.sha256) throw new Error(`${dump} foi alterado ou está pela metade.`);
  const files = logs === undefined ? [] : logFiles(logs, manifest);
  const version = await openEmpty(url);
  const kind = kindOf(version);
  const client = await findProgram('client', kind);
  const reader = files.length === 0 ? null : await findProgram('log', kind);
  const end = reader === null ? null : await endOfLogs(reader.path, files, until);
  await withLogin({ url, authorities }, client, async (login) => {
    const load = async (sql: Readable): Promise<void> => {
      const args = [login, '--default-character-set=utf8mb4', '--max-allowed-packet=1G', readAddress(url).database];
      const loading = startPiped(client.path, args, sql);
      loading.output.resume();
      await loading.ended;
    };
    await load(chained(createReadStream(dump), createGunzip(), withoutDefiners()));
    if (reader === null) return;
    const reading = startPiped(reader.path, logArguments(kind, manifest, files, url, until));
    await load(chained(reading.output, withoutDefiners()));
    await reading.ended;
  });
  return { ...manifest, logs_ate: end?.toISOString() ?? null };
}

/** The streams as one, which fails with any of them. */
function chained(first: Readable, ...rest: (NodeJS.ReadWriteStream & Readable)[]): Readable {
  return rest.reduce<Readable>((from, to) => {
    from.once('error', (error) => to.destroy(error));
    from.pipe(to);
    return to;
  }, first);
}

function logFiles(folder: string, { log_binario: position }: Manifest): string[] {
  if (position === null) throw new Error('O backup é de um servidor sem log binário: não há outro momento a que ir.');
  const [prefix = ''] = position.arquivo.split(/\.\d+$/);
  // By their numbers: after bin.999999 comes bin.1000000.
  const numberOf = (name: string): number => Number(/\.(\d+)$/.exec(name)?.[1]);
  const names = readdirSync(folder)
    .filter((name) => name.startsWith(`${prefix}.`) && numberOf(name) >= numberOf(position.arquivo))
    .toSorted((one, other) => numberOf(one) - numberOf(other));
  if (names[0] !== position.arquivo) throw new Error(`Falta ${position.arquivo} em ${folder}: o backup começa nele.`);
  const missing = names.findIndex((name, at) => at > 0 && numberOf(name) !== numberOf(names[at - 1] ?? '') + 1);
  if (missing !== -1) throw new Error(`Entre ${names[missing - 1]} e ${names[missing]} falta um log em ${folder}.`);
  return names.map((name) => join(folder, name));
}

function logArguments(
  kind: ServerKind,
  { banco, log_binario: position }: Manifest,
  files: readonly string[],
  url: string,
  until: Date | undefined,
): string[] {
  const target = readAddress(url).database;
  return [
    '--no-defaults',
    // MySQL passes over transactions of an id that it has, as it has those of the dump's server, or refuses ids altogether. MariaDB does not.
    ...(kind === 'mysql' ? ['--skip-gtids'] : []),
    // What is loaded shall not be logged as what came before it, should this server keep a log of its own.
    ...(target === banco ? [] : [`--rewrite-db=${banco}->${target}`]),
    `--database=${target}`,
    `--start-position=${position?.posicao ?? 0}`,
    ...(until === undefined ? [] : [`--stop-datetime=${localTime(until)}`]),
    ...files,
  ];
}

/** As the program reads it: in this machine's time zone, by whole seconds. */
function localTime(instant: Date): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  const date = [instant.getFullYear(), two(instant.getMonth() + 1), two(instant.getDate())].join('-');
  return `${date} ${[instant.getHours(), instant.getMinutes(), instant.getSeconds()].map(two).join(':')}`;
}

/** Makes the database where it is missing, and resolves to the server's version. */
async function openEmpty(url: string): Promise<string> {
  const name = readAddress(url).database;
  const outside = new URL(url);
  outside.pathname = '/';
  const server = createDatabase({ url: outside.href, pool: 1 });
  try {
    const tables = await countTables(server, name);
    if (tables > 0) {
      throw new Error(`O banco ${name} não está vazio (${tables} tabelas): um backup só é restaurado num banco vazio.`);
    }
    const [row] = await rowsOfSql(server, VERSION, (list) => `SELECT ${list}`);
    if (!(await exists(server, name))) {
      await server.raw('CREATE DATABASE ?? CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci', [name]);
    }
    return row?.version ?? '';
  } finally {
    await server.destroy();
  }
}

async function countTables(server: Db, name: string): Promise<number> {
  const [row] = await rowsOfSql(
    server,
    TABLES,
    (list) => `SELECT ${list} FROM information_schema.tables WHERE table_schema = ?`,
    [name],
  );
  return row?.tables ?? 0;
}

async function exists(server: Db, name: string): Promise<boolean> {
  const [row] = await rowsOfSql(
    server,
    TABLES,
    (list) => `SELECT ${list} FROM information_schema.schemata WHERE schema_name = ?`,
    [name],
  );
  return (row?.tables ?? 0) > 0;
}

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path, { join } from 'node:path';
import { findBinary } from '../../local/binaries/find-binary.ts';
import { run } from '../../local/processes/run-command.ts';
import { kindOf } from '../../platform/mysql/schema/server-kind.ts';
import type { ServerKind } from '../../platform/mysql/schema/server-kind.ts';

/** By what the server calls itself: those of MySQL and MariaDB do not take one another's options. */
const NAMES = {
  dump: { mariadb: ['mariadb-dump', 'mysqldump'], mysql: ['mysqldump'] },
  client: { mariadb: ['mariadb', 'mysql'], mysql: ['mysql'] },
  log: { mariadb: ['mariadb-binlog', 'mysqlbinlog'], mysql: ['mysqlbinlog'] },
} as const;

const PACKAGES = { mariadb: 'mariadb-client', mysql: 'mysql-client' } as const;

/**
 * The path of a client program of the server's kind.
 *
 * @throws Error with a line for the person at the terminal.
 */
export async function findProgram(name: keyof typeof NAMES, kind: ServerKind): Promise<string> {
  const found = findBinary(NAMES[name][kind]);
  if (found === undefined || kindOf(await run(found, ['--version'])) !== kind) {
    throw new Error(`Falta ${NAMES[name][kind][0]}: apt-get install ${PACKAGES[kind]}, na máquina em que isto roda.`);
  }
  return found;
}

/** "Access denied; you need (at least one of) the … privilege(s)": what a server says of a right to itself. */
const LACKS_RIGHT = /the (.+?) privilege.*\(1227\)/;

/** Why a client program failed, from what the failure says and what the program wrote: its own last words, or the rights that are missing. */
export function complaintOf(message: string, output: string): string {
  const [program = ''] = message.split(':');
  const rights = LACKS_RIGHT.exec(output)?.[1];
  if (rights !== undefined) {
    return `Ao usuário de DATABASE_OWNER_URL falta um direito (${rights}) sem o qual não se lê onde está o log binário: GRANT RELOAD, REPLICATION CLIENT ON *.* a ele.`;
  }
  return `${path.basename(program)} falhou: ${output.trim().split('\n').at(-1) ?? ''}`;
}

/** Hands the login of a database to client programs: in a file of its own, because arguments can be read by others. */
export async function withLogin<T>(
  url: string,
  kind: ServerKind,
  work: (loginArgument: string) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'malha-backup-'));
  const file = join(folder, 'login.cnf');
  try {
    writeFileSync(file, `[client]\n${loginLines(new URL(url), kind).join('\n')}\n`, { mode: 0o600 });
    return await work(`--defaults-file=${file}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function loginLines(url: URL, kind: ServerKind): string[] {
  const socket = url.searchParams.get('socketPath');
  const tls = url.searchParams.get('ssl');
  if (tls !== null && tls !== 'true') throw new Error('Um endereço do banco com ssl próprio não serve para backups.');
  return [
    `user=${quoted(decodeURIComponent(url.username))}`,
    `password=${quoted(decodeURIComponent(url.password))}`,
    ...(socket === null
      ? [`host=${quoted(url.hostname)}`, `port=${url.port === '' ? 3306 : url.port}`, 'protocol=TCP']
      : [`socket=${quoted(socket)}`]),
    ...(tls === null ? [] : [kind === 'mariadb' ? 'ssl' : 'ssl-mode=REQUIRED']),
  ];
}

const quoted = (text: string): string => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;

export const databaseOf = (url: string): string => decodeURIComponent(new URL(url).pathname.slice(1));

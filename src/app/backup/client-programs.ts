import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path, { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { findBinary } from '../../local/binaries/find-binary.ts';
import { run } from '../../local/processes/run-command.ts';
import { readAddress } from '../../platform/mysql/database.ts';
import type { DatabaseAddress } from '../../platform/mysql/database.ts';
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

/** A database and how its server is known to be it. */
export interface ServerLogin {
  readonly url: string;
  readonly kind: ServerKind;
  /** A PEM file of authorities that are believed besides Node's own, as the service believes them (NODE_EXTRA_CA_CERTS). */
  readonly authorities?: string | undefined;
}

/** Hands the login of a database to client programs: in a file of its own, because arguments can be read by others. */
export async function withLogin<T>(
  { url, kind, authorities }: ServerLogin,
  work: (loginArgument: string) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'malha-backup-'));
  const file = join(folder, 'login.cnf');
  try {
    const address = readAddress(url);
    const believed = join(folder, 'autoridades.pem');
    if (address.tls !== null) writeFileSync(believed, authoritiesOf(address.tls, authorities));
    const lines = [...loginLines(address), ...(address.tls === null ? [] : tlsLines(kind, believed))];
    writeFileSync(file, `[client]\n${lines.join('\n')}\n`, { mode: 0o600 });
    return await work(`--defaults-file=${file}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const loginLines = ({ socketPath, host, port, user, password }: DatabaseAddress): string[] => [
  `user=${quoted(user)}`,
  `password=${quoted(password)}`,
  ...(socketPath === null
    ? [`host=${quoted(host)}`, `port=${port}`, 'protocol=TCP']
    : [`socket=${quoted(socketPath)}`]),
];

/** The programs check who signed the certificate, and not the name in it, as the service does. */
const tlsLines = (kind: ServerKind, believed: string): string[] => [
  ...(kind === 'mariadb' ? ['ssl'] : ['ssl-mode=VERIFY_CA']),
  `ssl-ca=${quoted(believed)}`,
];

/** Whom the service believes, in one file: the programs would believe anybody, or the machine's own. */
function authoritiesOf(tls: object, more: string | undefined): string {
  if (Object.keys(tls).length > 0) throw new Error('Um endereço do banco com ssl próprio não serve para backups.');
  return [...rootCertificates, more === undefined ? '' : readAuthorities(more)].join('\n');
}

function readAuthorities(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new Error(`NODE_EXTRA_CA_CERTS: não foi possível ler ${file}.`);
  }
}

const quoted = (text: string): string => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;

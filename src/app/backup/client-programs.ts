import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path, { join } from 'node:path';
import { checkServerIdentity, rootCertificates } from 'node:tls';
import type { PeerCertificate, TLSSocket } from 'node:tls';
import { findBinary } from '../../local/binaries/find-binary.ts';
import { run } from '../../local/processes/run-command.ts';
import { createDatabase, readAddress } from '../../platform/mysql/database.ts';
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

/** A program of a kind of server, and what it says of its version. */
export interface ClientProgram {
  readonly path: string;
  readonly kind: ServerKind;
  readonly version: string;
}

/**
 * A client program of the server's kind.
 *
 * @throws Error with a line for the person at the terminal.
 */
export async function findProgram(name: keyof typeof NAMES, kind: ServerKind): Promise<ClientProgram> {
  const found = findBinary(NAMES[name][kind]);
  const version = found === undefined ? '' : await run(found, ['--version']);
  if (found === undefined || kindOf(version) !== kind) {
    throw new Error(`Falta ${NAMES[name][kind][0]}: apt-get install ${PACKAGES[kind]}, na máquina em que isto roda.`);
  }
  return { path: found, kind, version };
}

/** Whether a program can be told which certificate it has to be: MariaDB's from 11.4 on. */
function takesFingerprint({ kind, version }: ClientProgram): boolean {
  const [, major = '0', minor = '0'] = /(\d+)\.(\d+)\.\d+-MariaDB/.exec(version) ?? [];
  return kind === 'mariadb' && (Number(major) > 11 || (Number(major) === 11 && Number(minor) >= 4));
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
  /** A PEM file of authorities that are believed besides Node's own, as the service believes them (NODE_EXTRA_CA_CERTS). */
  readonly authorities?: string | undefined;
}

/** Hands the login of a database to a client program: in a file of its own, because arguments can be read by others. */
export async function withLogin<T>(
  { url, authorities }: ServerLogin,
  program: ClientProgram,
  work: (loginArgument: string) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'malha-backup-'));
  const file = join(folder, 'login.cnf');
  try {
    const address = readAddress(url);
    const believed = join(folder, 'autoridades.pem');
    if (address.tls !== null) writeFileSync(believed, authoritiesOf(address.tls, authorities));
    const secured = address.tls === null ? plainLines(program) : await tlsLines(program, url, believed);
    writeFileSync(file, `[client]\n${[...loginLines(address), ...secured].join('\n')}\n`, { mode: 0o600 });
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

/**
 * Each option is written out, because what programs do without it depends on their version: MariaDB's insist on TLS from 11.4 on. Those of
 * MySQL need it for some passwords.
 */
const plainLines = ({ kind }: ClientProgram): string[] =>
  kind === 'mariadb' ? ['skip-ssl', 'skip-ssl-verify-server-cert'] : ['ssl-mode=PREFERRED'];

/**
 * The programs check who signed the certificate, as the service does, and not the name in it. MariaDB's know no such way: where the name is
 * another one, they are told which certificate it has to be, or, before 11.4, speak plainly with a server that offers no TLS.
 */
async function tlsLines(program: ClientProgram, url: string, believed: string): Promise<string[]> {
  const authorities = `ssl-ca=${quoted(believed)}`;
  if (program.kind === 'mysql') return ['ssl-mode=VERIFY_CA', authorities];
  const { host, socketPath } = readAddress(url);
  const certificate = await certificateOf(url, believed);
  const isNamed = socketPath === null && checkServerIdentity(host, certificate) === undefined;
  if (isNamed) return ['ssl', 'ssl-verify-server-cert', authorities];
  if (!takesFingerprint(program)) return ['ssl', 'skip-ssl-verify-server-cert', authorities];
  return ['ssl', 'ssl-verify-server-cert', authorities, `ssl-fp=${certificate.fingerprint256}`];
}

/** What the server shows, once it is found to be signed by whom the service believes. */
async function certificateOf(url: string, believed: string): Promise<PeerCertificate> {
  const asked = new URL(url);
  asked.searchParams.set('ssl', JSON.stringify({ ca: readFileSync(believed, 'utf8') }));
  const db = createDatabase({ url: asked.href, pool: 1 });
  try {
    const client = db.client as {
      acquireConnection(): Promise<Secured>;
      releaseConnection(one: Secured): Promise<void>;
    };
    const connection = await client.acquireConnection();
    const certificate = connection.stream.getPeerCertificate();
    await client.releaseConnection(connection);
    return certificate;
  } finally {
    await db.destroy();
  }
}

interface Secured {
  readonly stream: TLSSocket;
}

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

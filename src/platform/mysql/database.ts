import { fileURLToPath } from 'node:url';
import knexModule from 'knex';
import type { Knex } from 'knex';
import { hostOf } from '../ip.ts';
import { hasNoWriter } from './conflicts.ts';

const { knex } = knexModule;

/** A database handle: a pool, or a transaction. Services and queries take either. */
export type Db = Knex;

export interface DatabaseOptions {
  readonly url: string;
  /** The most connections that this process opens. */
  readonly pool: number;
  /**
   * True when the writer bumps the cache itself (writes.ts). The triggers, which do it for all other writers, do
   * nothing.
   */
  readonly announces?: boolean;
  /** Whether migrations run on it: then a statement that others wait behind gives way before any of them gives up. */
  readonly migrates?: boolean;
}

/** What an address of a database says: `mysql://user:password@host:port/database?socketPath=/path&ssl=true`. */
export interface DatabaseAddress {
  /** Where a socket is given, nothing is asked of host and port. */
  readonly socketPath: string | null;
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
  /** mysql2's options for TLS; null without TLS. Empty is of `ssl=true`: certificates that Node's authorities vouch for. */
  readonly tls: object | null;
}

/** Reads the address of a database. @throws TypeError or SyntaxError where it is none */
export function readAddress(url: string): DatabaseAddress {
  const parts = new URL(url);
  const tls = parts.searchParams.get('ssl');
  return {
    socketPath: parts.searchParams.get('socketPath'),
    host: hostOf(parts),
    port: parts.port === '' ? 3306 : Number(parts.port),
    user: decodeURIComponent(parts.username),
    password: decodeURIComponent(parts.password),
    database: decodeURIComponent(parts.pathname.slice(1)),
    tls: tls === null ? null : tls === 'true' ? {} : (JSON.parse(tls) as object),
  };
}

/**
 * Turns an address into mysql2's options.
 *
 * Dates and decimals come back as the text MySQL sends: a JavaScript Date would shift them and a float would round
 * them.
 */
function connectionOptions(url: string): Knex.MySql2ConnectionConfig {
  const { socketPath, host, port, user, password, database, tls } = readAddress(url);
  return {
    ...(socketPath === null ? { host, port } : { socketPath }),
    user,
    password,
    database,
    ...(tls === null ? {} : { ssl: tls }),
    timezone: 'Z',
    dateStrings: true,
    decimalNumbers: false,
    supportBigNumbers: true,
    bigNumberStrings: false,
    connectTimeout: 3000,
    // A server whose machine has disappeared is noticed within seconds; by the kernel's default it would take two
    // hours.
    keepAliveInitialDelay: 10_000,
  };
}

/** The knex configuration that the service, `malha migrate` and `knexfile.ts` share. */
export function knexConfig(options: DatabaseOptions): Knex.Config {
  return {
    client: 'mysql2',
    connection: connectionOptions(options.url),
    // Reads for a caller have a shorter deadline of their own, which a frozen process does not trip; see
    // timing/deadline.ts.
    acquireConnectionTimeout: 60_000,
    // knex would print the stack of a failed connection to stdout. The caller of the query gets the error anyway.
    log: { warn() {} },
    pool: {
      min: 0,
      max: options.pool,
      // The server's own defaults must not decide what a DATETIME means or whether a bad value is cut silently.
      afterCreate(connection: SessionConnection, done: (error: Error | null, connection: SessionConnection) => void) {
        const session = [
          SESSION,
          ...(options.announces === true ? ['@malha_avisa = 1'] : []),
          ...(options.migrates === true ? ['lock_wait_timeout = 1'] : []),
        ];
        connection.query(OF_SOME, (failed, rows = []) => {
          if (failed !== null) return done(failed, connection);
          return connection.query([...session, ...ofTheServer(rows)].join(', '), (error) => done(error, connection));
        });
      },
    },
    migrations: {
      directory: MIGRATIONS.directory,
      loadExtensions: [MIGRATIONS.extension],
      tableName: MIGRATIONS.table,
    },
  };
}

/** Where the migrations are, and the tables in which knex records those that ran. */
export const MIGRATIONS = {
  directory: fileURLToPath(new URL('../../../migrations', import.meta.url)),
  extension: '.js',
  table: 'migracoes',
  lockTable: 'migracoes_lock',
} as const;

/**
 * By default MySQL cuts the result of GROUP_CONCAT at 1 KiB, and lets a statement wait 50 s for a row lock, longer than
 * any caller waits. An ALTER TABLE waits for every transaction that has read the table, and all later statements wait
 * behind it, for 2 s at most; so a migration gives up after 1 s and is tried again; see migrations.ts.
 */
const SESSION =
  "SET time_zone = '+00:00', sql_mode = 'TRADITIONAL', group_concat_max_len = 1048576, innodb_lock_wait_timeout = 5, lock_wait_timeout = 2";

interface Variable {
  readonly Variable_name: string;
  readonly Value: string;
}

/** What only some servers have, or have on: those of a cluster, MySQL, and MariaDB. */
const OF_SOME = `SHOW VARIABLES WHERE Variable_name IN
  ('wsrep_on', 'group_replication_consistency', 'information_schema_stats_expiry', 'in_predicate_conversion_threshold')`;

/**
 * What a session of a cluster's server waits for: a read, or the begin of a transaction, sees all that was committed on other servers before
 * it. Else a read that comes after another server's write, and after its bump, would be kept as it was before.
 *
 * By default MySQL says of its tables what it knew a day ago: their counters and sizes. And MariaDB makes a table of a list of a thousand values
 * or more, and may then read all rows of a provider to find them there, where a shorter list is found by the index.
 */
function ofTheServer(variables: readonly Variable[]): string[] {
  return variables.flatMap(({ Variable_name: name, Value: value }) => {
    if (name === 'wsrep_on') return value === 'ON' ? ['wsrep_sync_wait = 1'] : [];
    if (name === 'group_replication_consistency') return ["group_replication_consistency = 'BEFORE'"];
    return [`${name} = 0`];
  });
}

interface SessionConnection {
  query(sql: string, done: (error: Error | null, rows?: readonly Variable[]) => void): void;
}

/** What knex asks whether a connection of the pool may be used, and the name by which it tells of a connection. */
interface PoolClient {
  validateConnection(connection: { readonly __knexUid: string }): boolean;
}

/** Opens a pool. Nothing connects before the first query. */
export function createDatabase(options: DatabaseOptions): Db {
  const db = knex(knexConfig(options));
  // A connection stays with a server that no longer takes writes; a new one finds the one that does.
  const left = new Set<string>();
  db.on('query-error', (error: unknown, { __knexUid: id }: { __knexUid: string }) => {
    if (hasNoWriter(error)) left.add(id);
  });
  const client = db.client as PoolClient;
  const validate = client.validateConnection.bind(client);
  client.validateConnection = (connection) => {
    const { __knexUid: id } = connection;
    return !left.delete(id) && validate(connection);
  };
  return db;
}

/** Writes an instant as MySQL takes it: `2026-01-31 13:05:00.123`, in UTC. */
export function toDatabaseTime(instant: Date): string {
  return instant.toISOString().slice(0, 23).replace('T', ' ');
}

/** Reads an instant that MySQL wrote. */
export function fromDatabaseTime(text: string): Date {
  return new Date(`${text.replace(' ', 'T')}Z`);
}

/** The value of a JSON column: MySQL sends it parsed, MariaDB as text. */
export function jsonColumn<T>(value: string | T): T {
  return typeof value === 'string' ? (JSON.parse(value) as T) : value;
}

/** Error numbers of a statement for which the user lacks the right: on the database, or on a table. */
const DENIED = [1044, 1142];

export function isDenied(error: unknown): boolean {
  return error instanceof Error && 'errno' in error && DENIED.includes(Number(error.errno));
}

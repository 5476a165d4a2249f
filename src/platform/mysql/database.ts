import { fileURLToPath } from 'node:url';
import knexModule from 'knex';
import type { Knex } from 'knex';

const { knex } = knexModule;

/** A database handle: the pool, or a transaction of it. Services and queries take either. */
export type Db = Knex;

export interface DatabaseOptions {
  readonly url: string;
  /** Most connections this process opens. */
  readonly pool: number;
  /** Who writes tells the cache itself, by way of writes.ts: the triggers that speak for everybody else stay silent. */
  readonly announces?: boolean;
}

/**
 * Turns `mysql://user:password@host:port/database?socketPath=/path` into mysql2's options.
 *
 * Dates and decimals come back as the text MySQL sends: a JavaScript Date would shift them and a float would round them.
 */
function connectionOptions(url: string): Knex.MySql2ConnectionConfig {
  const parts = new URL(url);
  const socketPath = parts.searchParams.get('socketPath');
  const tls = parts.searchParams.get('ssl');
  return {
    ...(socketPath === null
      ? { host: parts.hostname, port: parts.port === '' ? 3306 : Number(parts.port) }
      : { socketPath }),
    user: decodeURIComponent(parts.username),
    password: decodeURIComponent(parts.password),
    database: decodeURIComponent(parts.pathname.slice(1)),
    ...(tls === null ? {} : { ssl: tls === 'true' ? {} : (JSON.parse(tls) as object) }),
    timezone: 'Z',
    dateStrings: true,
    decimalNumbers: false,
    supportBigNumbers: true,
    bigNumberStrings: false,
    connectTimeout: 3000,
    // A server whose machine is gone is missed in seconds by who waits for it, and not by the kernel's two hours.
    keepAliveInitialDelay: 10_000,
  };
}

/** The knex configuration that the service, `malha migrate` and `knexfile.ts` share. */
export function knexConfig(options: DatabaseOptions): Knex.Config {
  return {
    client: 'mysql2',
    connection: connectionOptions(options.url),
    // Who reads for a caller has a shorter deadline, which a process that was frozen does not miss; see timing/deadline.ts.
    acquireConnectionTimeout: 60_000,
    // knex would print a connection's failure, with its stack, to stdout; whoever asked for the query hears of it anyway.
    log: { warn() {} },
    pool: {
      min: 0,
      max: options.pool,
      // The server's own defaults must not decide what a DATETIME means or whether a bad value is cut silently.
      afterCreate(connection: SessionConnection, done: (error: Error | null, connection: SessionConnection) => void) {
        const session = options.announces === true ? `${SESSION}, @malha_avisa = 1` : SESSION;
        connection.query(session, (error) => done(error, connection));
      },
    },
    migrations: {
      directory: MIGRATIONS.directory,
      loadExtensions: [MIGRATIONS.extension],
      tableName: MIGRATIONS.table,
    },
  };
}

/** Where the migrations are, and the tables in which knex writes which of them ran. */
export const MIGRATIONS = {
  directory: fileURLToPath(new URL('../../../migrations', import.meta.url)),
  extension: '.js',
  table: 'migracoes',
  lockTable: 'migracoes_lock',
} as const;

/**
 * MySQL cuts what GROUP_CONCAT gathers at 1 KiB, unless told otherwise, and lets a statement wait 50 s for another's lock: longer
 * than any caller does. A change of a table waits for who has read it in a transaction, and everybody who comes behind it: it gives way
 * after 2 s; see migrations.ts.
 */
const SESSION =
  "SET time_zone = '+00:00', sql_mode = 'TRADITIONAL', group_concat_max_len = 1048576, innodb_lock_wait_timeout = 5, lock_wait_timeout = 2";

interface SessionConnection {
  query(sql: string, done: (error: Error | null) => void): void;
}

/** Opens a pool. Nothing connects before the first query. */
export function createDatabase(options: DatabaseOptions): Db {
  return knex(knexConfig(options));
}

/** `2026-01-31 13:05:00.123`, the text MySQL takes and gives for a UTC instant. */
export function toDatabaseTime(instant: Date): string {
  return instant.toISOString().slice(0, 23).replace('T', ' ');
}

/** The instant behind MySQL's text. */
export function fromDatabaseTime(text: string): Date {
  return new Date(`${text.replace(' ', 'T')}Z`);
}

/** What a JSON column holds: MySQL's arrives parsed, MariaDB's as text. */
export function jsonColumn<T>(value: string | T): T {
  return typeof value === 'string' ? (JSON.parse(value) as T) : value;
}

/** A statement that its user has no right to: on the database, or on a table. */
const DENIED = [1044, 1142];

export function isDenied(error: unknown): boolean {
  return error instanceof Error && 'errno' in error && DENIED.includes(Number(error.errno));
}

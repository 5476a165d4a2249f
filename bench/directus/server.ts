import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDatabase } from '../../src/platform/mysql/database.ts';
import { CommandError } from '../../src/local/processes/run-command.ts';
import type { BenchContext } from '../support/bench.ts';
import { installContender } from '../support/install-contender.ts';
import { COLLECTIONS, RELATIONS, copyTables } from './tables.ts';

/** The static token of its administrator, on a server that only this bench reaches. */
export const DIRECTUS_TOKEN = 'bancada-de-desempenho';
const START_DEADLINE_MS = 120_000;
const READY_TABLE = 'bench_pronto';

export interface Directus {
  /** Of a server with the data cache off, as it is by default. */
  readonly port: number;
  /** Of one with the data cache on, in memory and purged by writes. */
  readonly cachedPort: number;
}

interface Launched {
  /** Resolves to how it ended. */
  readonly ended: Promise<string>;
  /** How it ended, with what it had said until now. */
  readonly error: (how: string) => CommandError;
}

/**
 * Directus 12 on Node 24, bootstrapped and started by its own command line, in production mode, on the dataset's MySQL server.
 *
 * It is 12.4.0: 12.4.1 asks for `@directus/app` 18.0.1, which was not to be had from the registry. Installed as published but for one
 * package: isolated-vm 5.0.3, which Directus pins, does not compile on Node 24 (whose V8 wants C++20 and has lost methods that this
 * version overrides), so 6.2.0 stands in, which brings binaries. Only scripts of flows and sandboxed extensions use it.
 *
 * @throws Error when any step of its installation or start fails, with what the step said.
 */
export async function startDirectus(context: BenchContext, datasetUrl: string): Promise<Directus> {
  const folder = await installContender(context, 'directus');
  const node = join(folder, 'node_modules', `node-linux-${process.arch}`, 'bin', 'node');
  // isolated-vm asks for the flag from Node 20 on.
  const directus = ['--no-node-snapshot', join(folder, 'node_modules', 'directus', 'cli.js')];
  const from = new URL(datasetUrl).pathname.slice(1);
  const database = `directus_${from}`;
  const environment = settings(datasetUrl, database);

  const launch = (command: string, changed: Readonly<Record<string, string>>): Launched => {
    const said: string[] = [];
    const child = context.children.program(node, [...directus, command], {
      cwd: folder,
      env: { ...environment, ...changed },
      onOutput: (text) => said.push(text),
    });
    const ended = new Promise<string>((resolve) => {
      child.once('error', (error) => resolve(error.message));
      child.once('close', (code, signal) => resolve(`terminou com ${signal ?? code}`));
    });
    return { ended, error: (how) => new CommandError(`directus ${command}`, how, said.join('')) };
  };

  const bootstrap = async (): Promise<void> => {
    const { ended, error } = launch('bootstrap', {});
    const how = await ended;
    if (how !== 'terminou com 0') throw error(how);
  };

  const start = async (changed: Readonly<Record<string, string>>): Promise<number> => {
    const port = await freePort();
    const { ended, error } = launch('start', {
      ...changed,
      PORT: String(port),
      PUBLIC_URL: `http://127.0.0.1:${port}`,
    });
    const deadline = performance.now() + START_DEADLINE_MS;
    while (!(await answers(port))) {
      const how = await Promise.race([ended, sleep(200)]);
      if (how !== undefined) throw error(how);
      if (performance.now() > deadline) throw error(`não respondeu em ${START_DEADLINE_MS / 1000} s`);
    }
    return port;
  };

  const server = createDatabase({ url: context.databaseUrl, pool: 1 });
  try {
    const kept = await server('information_schema.tables').where({ table_schema: database, table_name: READY_TABLE });
    if (kept.length > 0) return { port: await start({}), cachedPort: await start(CACHED) };
    context.log('Preparando o banco do Directus (só desta vez)…');
    await server.raw('DROP DATABASE IF EXISTS ??', [database]);
    await server.raw('CREATE DATABASE ?? CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci', [database]);
    await copyTables(server, from, database);
    await bootstrap();
    const port = await start({});
    await describeTables(port);
    // The table is made last: a database without it was left half made.
    await server.raw('CREATE TABLE ??.?? (pronto TINYINT)', [database, READY_TABLE]);
    return { port, cachedPort: await start(CACHED) };
  } finally {
    await server.destroy();
  }
}

/** Names in each answer whether it came from the cache. */
export const CACHE_HEADER = 'x-cache';
const CACHED = { CACHE_ENABLED: 'true', CACHE_AUTO_PURGE: 'true', CACHE_STATUS_HEADER: CACHE_HEADER };

/** What its documentation asks for or advises in production; the rest is left as it is by default. */
function settings(datasetUrl: string, database: string): Record<string, string | undefined> {
  const url = new URL(datasetUrl);
  const socket = url.searchParams.get('socketPath');
  return {
    PATH: process.env['PATH'],
    HOME: process.env['HOME'],
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    KEY: '6f6b1c1e-0f0c-4c6e-9d0b-bancada00000',
    SECRET: 'segredo-so-da-bancada-de-desempenho',
    ADMIN_EMAIL: 'bancada@example.com',
    ADMIN_PASSWORD: 'bancada-de-desempenho',
    ADMIN_TOKEN: DIRECTUS_TOKEN,
    DB_CLIENT: 'mysql',
    ...(socket === null
      ? { DB_HOST: url.hostname, DB_PORT: url.port === '' ? '3306' : url.port }
      : { DB_SOCKET_PATH: socket }),
    DB_USER: decodeURIComponent(url.username),
    DB_PASSWORD: decodeURIComponent(url.password),
    DB_DATABASE: database,
    DB_EXCLUDE_TABLES: `spatial_ref_sys,sysdiagrams,${READY_TABLE}`,
    // As our own service beside it, which says nothing of requests either.
    LOG_LEVEL: 'warn',
    TELEMETRY: 'false',
  };
}

/** Takes the tables under its management and names their relations, by its API, as its app does. */
async function describeTables(port: number): Promise<void> {
  for (const collection of COLLECTIONS) await send(port, 'PATCH', `/collections/${collection}`, { meta: {} });
  for (const { collection, field, related, alias } of RELATIONS) {
    const meta = { interface: 'list-o2m', special: ['o2m'] };
    await send(port, 'POST', `/fields/${related}`, { field: alias, type: 'alias', meta });
    await send(port, 'POST', '/relations', {
      collection,
      field,
      related_collection: related,
      meta: { one_field: alias },
      schema: { on_delete: 'NO ACTION' },
    });
  }
}

async function send(port: number, method: string, path: string, body: object): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { authorization: `Bearer ${DIRECTUS_TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`Directus: ${method} ${path}: ${response.status} ${await response.text()}`);
}

async function answers(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/server/ping`).then(
    (response) => response.ok,
    () => false,
  );
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

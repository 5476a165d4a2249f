import { takeDataDirLock } from './data/data-dir-lock.ts';
import { openDataDir } from './data/data-dir.ts';
import { locateServers } from './binaries/locate-servers.ts';
import type { WantedServers } from './binaries/locate-servers.ts';
import { startDatabase } from './servers/mariadb.ts';
import { startRedis } from './servers/redis.ts';
import type { SupervisedProcess } from './processes/supervised-process.ts';

const stopDeadlineMs = 20_000;

/** How {@link startPrivateServers} starts them. */
export interface PrivateServersOptions {
  /** The folder that keeps all data; one process at a time may use it. */
  dataDir: string;
  /** Receives lines for the user, in Portuguese. */
  log: (line: string) => void;
  /** Both, unless told otherwise. */
  which?: WantedServers;
  /** `false` gives up safety against power cuts for speed, for tests. Default `true`. */
  durable?: boolean;
  /** For the database server, beside our own arguments, which they override. */
  databaseArgs?: readonly string[];
  /** Told when a server ends without having been asked to, after `log`. */
  onExit?: (name: string) => void;
}

/** Running servers; the URL of one that was not asked for is absent. */
export interface PrivateServers {
  /** For mysql2's `createConnection(uri)` and knex's `connection`; user root, database `malha`, time zone UTC. */
  ownerUrl?: string;
  /** The same for the application's user, who may do what grants.ts gave it. */
  applicationUrl?: string;
  /** For ioredis; the logical database (0 to 63) is the URL's path. */
  redisUrl?: string;
  /** Ends the servers cleanly, by force after 20 s, and frees the data folder. May be called more than once. */
  stop(): Promise<void>;
}

/**
 * Starts a MariaDB/MySQL and a Redis that belong to this process alone: data below `dataDir`, reachable only through
 * Unix sockets only this user can open, gone when this process is gone, however it ends. Installs the packages where
 * they are missing and may be installed (root on a Debian-like system).
 *
 * Throws an `Error` with a message for the user: data folder in use, program missing, or the end of a server's log.
 */
export async function startPrivateServers(options: PrivateServersOptions): Promise<PrivateServers> {
  const wanted = options.which ?? { database: true, redis: true };
  const { durable = true, databaseArgs = [] } = options;
  const layout = openDataDir(options.dataDir);
  const lock = await takeDataDirLock(layout.runDir);
  const running: SupervisedProcess[] = [];
  let stopping: Promise<void> | undefined;

  const onSpawn = (server: SupervisedProcess): void => {
    running.push(server);
  };
  const watch = async (server: SupervisedProcess): Promise<void> => {
    const how = await server.exited;
    if (stopping !== undefined) return;
    options.log(`O ${server.name} terminou sem ser pedido (${how}); veja ${server.logFile}`);
    options.onExit?.(server.name);
  };
  const stopAll = async (): Promise<void> => {
    await Promise.all(running.map((server) => server.stop(stopDeadlineMs)));
    layout.cleanUp();
    lock.release();
  };
  const stop = (): Promise<void> => (stopping ??= stopAll());

  try {
    const binaries = await locateServers(wanted, layout.runDir, options.log);
    // Settled, not raced: when one fails, the other has come up and can be ended in order.
    const [database, redis] = await Promise.allSettled([
      binaries.database === undefined
        ? undefined
        : startDatabase(binaries.database, layout, { durable, databaseArgs, onSpawn }),
      binaries.redis === undefined ? undefined : startRedis(binaries.redis, layout, { durable, onSpawn }),
    ]);
    if (database.status === 'rejected') throw database.reason;
    if (redis.status === 'rejected') throw redis.reason;
    for (const server of running) void watch(server);
    return {
      ...(database.value !== undefined && database.value),
      ...(redis.value !== undefined && { redisUrl: redis.value.url }),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

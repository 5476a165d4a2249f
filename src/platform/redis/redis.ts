import { Redis } from 'ioredis';
import type { RedisOptions } from 'ioredis';

/**
 * What a connection is for:
 * - `gate`: a request waits for it. No answer is better than a late one, and a command that is sent again counts twice.
 * - `queue`: adds jobs. It fails at once when Redis is away, so that the caller can say so.
 * - `worker`: takes jobs. It waits for Redis without a limit, as BullMQ requires for blocking commands.
 */
export type RedisRole = 'gate' | 'queue' | 'worker';

/**
 * A Redis that is still loading its data is asked again after this time. ioredis would wait for a second or more. In
 * that time a write could be answered without its bump, while other processes that reconnected a moment later use what
 * they kept.
 */
const LOADING_RETRY_MS = 50;

/**
 * Error of a primary that became a replica: it keeps its connections, and only a new one reaches the present primary.
 */
const READ_ONLY = /\bREADONLY\b/;

const OPTIONS: Readonly<Record<RedisRole, Omit<RedisOptions, 'replyMapping'>>> = {
  gate: {
    enableOfflineQueue: false,
    // The gate batches the requests of a turn itself. ioredis would delay them by one more turn.
    enableAutoPipelining: false,
    // The gate has its own deadlines; see timing/deadline.ts.
    connectTimeout: 2000,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    retryStrategy: () => 100,
  },
  queue: {
    enableOfflineQueue: false,
    enableAutoPipelining: true,
    // Longer than the gate's deadline: in a busy moment, a job that Redis has accepted must not be reported as failed.
    commandTimeout: 1000,
    connectTimeout: 2000,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    retryStrategy: () => 300,
  },
  worker: {
    maxRetriesPerRequest: null,
    connectTimeout: 2000,
    // The default strategy of ioredis waits longer after each try: it reconnected 18 s after Redis was back.
    retryStrategy: () => 300,
  },
};

/**
 * Opens a connection that reconnects by itself, until `disconnect()` or `quit()` ends it.
 *
 * @param url `redis://` or `rediss://` (also with `?path=/socket`), `unix:///socket?db=1`, or a socket's path with
 * or without `?db=1`.
 * @param onError called for every failed attempt to connect. Without a listener, each would end the process.
 */
export function createRedis(url: string, role: RedisRole, onError: (error: Error) => void): Redis {
  const reconnectOnError = ({ message }: Error): boolean => READ_ONLY.test(message);
  // ioredis reads a bare path with its query, but not the unix: scheme.
  const redis = new Redis(url.replace(/^unix:\/\//, ''), {
    ...OPTIONS[role],
    maxLoadingRetryTime: LOADING_RETRY_MS,
    reconnectOnError,
  });
  redis.on('error', onError);
  return redis;
}

/**
 * Ends a connection and rejects the commands that wait on it. While a connection waits to reconnect, `disconnect()`
 * emits no `end` and does not reject its commands; BullMQ then waits for them, with a timer that keeps the process
 * alive. So in this state the next attempt is made the last one instead.
 */
export function endRedis(redis: Redis): void {
  if (redis.status !== 'reconnecting') {
    redis.disconnect();
    return;
  }
  redis.options.retryStrategy = () => null;
  redis.once('ready', () => redis.disconnect());
}

import { Redis } from 'ioredis';
import type { RedisOptions } from 'ioredis';

/**
 * What a connection is for:
 * - `gate`: a request waits for it; rather no answer than a late one, and what is sent twice would count twice.
 * - `queue`: adds jobs; fails at once when Redis is away, so that the caller can say so.
 * - `worker`: takes jobs; waits for Redis for as long as it takes (BullMQ demands it of blocking commands).
 */
export type RedisRole = 'gate' | 'queue' | 'worker';

/**
 * A Redis that is still reading its data is asked again this soon. ioredis would wait a second or more: long enough for a write to be
 * answered without its bump, while processes that came a moment later trust what they kept.
 */
const LOADING_RETRY_MS = 50;

/** A primary that was made a replica keeps its connections; who connects anew comes to the primary of now. */
const READ_ONLY = /\bREADONLY\b/;

const OPTIONS: Readonly<Record<RedisRole, Omit<RedisOptions, 'replyMapping'>>> = {
  gate: {
    enableOfflineQueue: false,
    // The gate gathers a turn's requests by itself; gathered once more they would wait for one more turn.
    enableAutoPipelining: false,
    // Deadlines are the gate's own: see timing/deadline.ts.
    connectTimeout: 2000,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    retryStrategy: () => 100,
  },
  queue: {
    enableOfflineQueue: false,
    enableAutoPipelining: true,
    // Longer than the gate's: a busy moment of this process must not lose a job that Redis already took.
    commandTimeout: 1000,
    connectTimeout: 2000,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    retryStrategy: () => 300,
  },
  worker: {
    maxRetriesPerRequest: null,
    connectTimeout: 2000,
    // ioredis's own strategy backs off: it resumed 18 s after Redis was back.
    retryStrategy: () => 300,
  },
};

/**
 * Opens a connection that reconnects by itself and for ever; `disconnect()` or `quit()` ends it.
 *
 * @param url `redis://` or `rediss://` (also with `?path=/socket`), `unix:///socket?db=1`, or a socket's path with
 * or without `?db=1`.
 * @param onError hears of every failed attempt to connect; without a listener, each would end the process.
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
 * Ends a connection, and with it the commands that wait on it. `disconnect()` says nothing of one that is about to be made anew: neither that
 * it has ended nor to its commands, for which BullMQ waits with a timer that keeps the process alive. So there the next try is the last.
 */
export function endRedis(redis: Redis): void {
  if (redis.status !== 'reconnecting') {
    redis.disconnect();
    return;
  }
  redis.options.retryStrategy = () => null;
  redis.once('ready', () => redis.disconnect());
}

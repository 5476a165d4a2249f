import { Redis } from 'ioredis';
import type { RedisOptions } from 'ioredis';

/**
 * What a connection is for:
 * - `gate`: a request waits for it. No answer is better than a late one, and a command that is sent again counts twice.
 * - `queue`: adds jobs. It fails at once when Redis is away, so that the caller can say so.
 * - `live`: hears what others publish. It waits for Redis without a limit, and subscribes again by itself.
 * - `worker`: takes jobs. It waits for Redis without a limit, as BullMQ requires for blocking commands.
 */
export type RedisRole = 'gate' | 'queue' | 'live' | 'worker';

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
  live: {
    maxRetriesPerRequest: null,
    connectTimeout: 2000,
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

/** How long a Redis that refuses connections is tried, and how long one is waited for that says nothing. */
const READY_MS = { refused: 2000, silent: 10_000 };

/**
 * Resolves when a connection is ready. Rejects after two seconds where the connection is refused, which a mistyped address shows at once,
 * and else after ten: a process that has just begun may be too busy to see the answer sooner.
 *
 * @param late - what the error says, before the seconds; `advice` comes after them.
 */
export async function whenReady(redis: Redis, late: string, advice?: string): Promise<void> {
  if (redis.status === 'ready') return;
  const begun = performance.now();
  await new Promise<void>((resolve, reject) => {
    const onReady = (): void => end(resolve);
    const onError = (error: Error): void => {
      const refused = !('code' in error) || error.code !== 'ETIMEDOUT';
      if (refused && performance.now() - begun >= READY_MS.refused) giveUp(READY_MS.refused);
    };
    const timer = setTimeout(() => giveUp(READY_MS.silent), READY_MS.silent);
    const end = (settle: () => void): void => {
      clearTimeout(timer);
      redis.off('ready', onReady).off('error', onError);
      settle();
    };
    const giveUp = (ms: number): void =>
      end(() => reject(new Error(`${late} em ${ms / 1000} s${advice === undefined ? '.' : `; ${advice}.`}`)));
    redis.on('ready', onReady).on('error', onError);
  });
}

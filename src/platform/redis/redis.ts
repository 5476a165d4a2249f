import { Cluster, Redis } from 'ioredis';
import type { ClusterOptions, RedisOptions } from 'ioredis';
import { readAddress } from './address.ts';

/** A connection to one server, or to all of a Cluster's. */
export type RedisConnection = Redis | Cluster;

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

interface RoleOptions extends Omit<RedisOptions, 'replyMapping' | 'retryStrategy'> {
  readonly retryStrategy: () => number;
  /** What holds in a Cluster only. */
  readonly cluster?: Pick<ClusterOptions, 'maxRedirections' | 'retryDelayOnTryAgain'>;
}

const OPTIONS: Readonly<Record<RedisRole, RoleOptions>> = {
  gate: {
    enableOfflineQueue: false,
    // The gate batches the requests of a turn itself. ioredis would delay them by one more turn.
    enableAutoPipelining: false,
    // The gate has its own deadlines; see timing/deadline.ts.
    connectTimeout: 2000,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    retryStrategy: () => 100,
    // While a slot is being moved its keys may lie on two servers, and a command on both has to wait until they are together. The request is
    // told so before the gate's deadline, which says that a server is silent.
    cluster: { maxRedirections: 4, retryDelayOnTryAgain: 10 },
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

/** A Sentinel that is frozen takes connections and says nothing. The next one is asked then. */
const SENTINEL_ANSWER_MS = 1000;

/**
 * A frozen master keeps its connections, and another one has its place by then: a connection that waits this long for an answer is closed and
 * asks the Sentinels again. The gate asks ten times a second; a worker waits for jobs for up to ten seconds.
 */
const MASTER_ANSWER_MS: Readonly<Record<RedisRole, number>> = { gate: 2000, queue: 2000, live: 2000, worker: 20_000 };

/** A Cluster's nodes are asked anew where the slots are, after an error and this often. */
const CLUSTER_REFRESH_MS = 2000;
/** While a shard has no master, a command waits as long as this before it is tried again. */
const CLUSTER_RETRY_MS = 50;

/** Opens itself again when ioredis gives it up, as it does when no Sentinel answers while it connects. */
class LastingRedis extends Redis {
  private ended = false;

  override disconnect(reconnect = false): void {
    if (!reconnect) this.ended = true;
    super.disconnect(reconnect);
  }

  /** Makes the next attempt to connect the last one. */
  giveUp(): void {
    this.ended = true;
    this.options.retryStrategy = () => null;
    this.options.sentinelRetryStrategy = () => null;
  }

  reopen(afterMs: number): void {
    this.on('end', () => {
      setTimeout(() => {
        // Its failure is an `error` event too.
        if (!this.ended && this.status === 'end') this.connect().catch(() => {});
      }, afterMs).unref();
    });
  }
}

/**
 * Opens a connection that reconnects by itself, until `disconnect()` or `endRedis` ends it.
 *
 * @param url see `readAddress`.
 * @param onError called for every failed attempt to connect. Without a listener, each would end the process.
 */
export function createRedis(url: string, role: RedisRole, onError: (error: Error) => void): RedisConnection {
  const address = readAddress(url);
  const { cluster, ...ofRole } = OPTIONS[role];
  const options = {
    ...ofRole,
    maxLoadingRetryTime: LOADING_RETRY_MS,
    reconnectOnError: ({ message }: Error): boolean => READ_ONLY.test(message),
  };
  const redis =
    address.kind === 'one'
      ? new LastingRedis(address.url, options)
      : address.kind === 'sentinel'
        ? new LastingRedis({
            ...options,
            ...address.options,
            socketTimeout: MASTER_ANSWER_MS[role],
            // A master that wakes takes itself for the master for some ten seconds: bumps that only it heard would be lost. A listener sends
            // nothing, so no missing answer tells it. The detector may leave a connection in `end`; reopen() opens it again.
            failoverDetector: role === 'gate' || role === 'live',
            sentinelCommandTimeout: SENTINEL_ANSWER_MS,
            sentinelRetryStrategy: options.retryStrategy,
          })
        : openCluster(address.nodes, { ...options, ...address.options }, cluster);
  redis.on('error', onError);
  if (redis instanceof LastingRedis) redis.reopen(options.retryStrategy());
  return redis;
}

function openCluster(
  nodes: ConstructorParameters<typeof Cluster>[0],
  options: Omit<RoleOptions, 'cluster'>,
  ofCluster: RoleOptions['cluster'],
): Cluster {
  const { enableOfflineQueue = true, enableAutoPipelining = false, retryStrategy, ...redisOptions } = options;
  return new Cluster(nodes, {
    ...ofCluster,
    enableOfflineQueue,
    enableAutoPipelining,
    clusterRetryStrategy: retryStrategy,
    retryDelayOnFailover: CLUSTER_RETRY_MS,
    retryDelayOnClusterDown: CLUSTER_RETRY_MS,
    slotsRefreshInterval: CLUSTER_REFRESH_MS,
    redisOptions,
  });
}

/**
 * Ends a connection and rejects the commands that wait on it. While a connection waits to reconnect, `disconnect()`
 * emits no `end` and does not reject its commands; BullMQ then waits for them, with a timer that keeps the process
 * alive. So in this state the next attempt is made the last one instead.
 */
export function endRedis(redis: RedisConnection): void {
  if (redis.status !== 'reconnecting' || !(redis instanceof LastingRedis)) {
    redis.disconnect();
    return;
  }
  redis.giveUp();
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
export async function whenReady(redis: RedisConnection, late: string, advice?: string): Promise<void> {
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

import type { RedisConnection } from '../redis/redis.ts';
import { endRedis } from '../redis/redis.ts';
import { REFRESH, channelOf, readNews, tenantOf, withoutId } from './news.ts';
import type { LiveListener, LiveNews } from './news.ts';

/** While Redis is away, how often listeners are told to look by themselves. */
const BLIND_MS = 15_000;

/** News that come by thousands a day are told at most this often. */
const SELDOM_MS = 5000;

export interface LiveHub {
  /** Calls the listener with the tenant's news, until the function that is returned is called. */
  ouvir(tenantId: number, listener: LiveListener): () => void;
  /** Told by who notices that Redis answers again: all listeners look anew. */
  resumed(): void;
  close(): void;
}

export interface LiveHubDeps {
  /** Opens a connection that is used for nothing else. Called when there is a first listener. */
  readonly connect: () => RedisConnection;
  /** Whether Redis is doubted, though the connection stands. */
  readonly isRedisAway: () => boolean;
  /** Kinds that are told seldom, and without ids. */
  readonly seldom: ReadonlySet<string>;
  readonly onError: (error: unknown) => void;
  /** Tests set them. */
  readonly blindMs?: number;
  readonly seldomMs?: number;
}

/** What a process hears for one tenant. */
interface Tenant {
  readonly listeners: Set<LiveListener>;
  /** For each kind that is told seldom: until when it is not told, and whether there is some. */
  readonly quiet: Map<string, { timer: NodeJS.Timeout; waiting: boolean }>;
}

/**
 * Hears news for the listeners of this process: it subscribes to a tenant's channel while the tenant has one. Whatever may have been missed
 * (Redis was away, or the connection was) is made up for by telling all to look anew.
 */
export function createLiveHub(deps: LiveHubDeps): LiveHub {
  const { connect, isRedisAway, seldom, onError, blindMs = BLIND_MS, seldomMs = SELDOM_MS } = deps;
  const tenants = new Map<number, Tenant>();
  let redis: RedisConnection | undefined;
  let blind: NodeJS.Timeout | undefined;

  function tell({ listeners }: Tenant, news: LiveNews): void {
    for (const listener of listeners) {
      try {
        listener(news);
      } catch (error) {
        onError(error);
      }
    }
  }

  /** At once, and then what came meanwhile, once, when the time is over. */
  function tellSeldom(tenant: Tenant, tipo: string): void {
    const quiet = tenant.quiet.get(tipo);
    if (quiet !== undefined) {
      quiet.waiting = true;
      return;
    }
    tell(tenant, withoutId(tipo));
    const timer = setTimeout(() => {
      const { waiting } = tenant.quiet.get(tipo) ?? { waiting: false };
      tenant.quiet.delete(tipo);
      if (waiting) tellSeldom(tenant, tipo);
    }, seldomMs).unref();
    tenant.quiet.set(tipo, { timer, waiting: false });
  }

  function onMessage(channel: string, message: string): void {
    const tenant = tenants.get(tenantOf(channel));
    if (tenant === undefined) return;
    for (const news of readNews(message)) {
      if (seldom.has(news.tipo)) tellSeldom(tenant, news.tipo);
      else tell(tenant, news);
    }
  }

  function refreshAll(): void {
    for (const tenant of tenants.values()) tell(tenant, REFRESH);
  }

  function open(): RedisConnection {
    if (redis !== undefined) return redis;
    redis = connect();
    redis.on('message', onMessage);
    // What was published while the connection was away was not heard. Subscriptions are made again before this.
    let before = false;
    redis.on('ready', () => {
      if (before) void resubscribed();
      before = true;
    });
    blind = setInterval(() => {
      if (redis?.status !== 'ready' || isRedisAway()) refreshAll();
    }, blindMs).unref();
    return redis;
  }

  /** The subscriptions go out with `ready`; an answer to a later command says that they stand. */
  async function resubscribed(): Promise<void> {
    const channels = [...tenants.keys()].map(channelOf);
    try {
      if (channels.length > 0) await redis?.subscribe(...channels);
    } catch (error) {
      onError(error);
    }
    refreshAll();
  }

  return {
    ouvir(tenantId, listener) {
      const connection = open();
      let tenant = tenants.get(tenantId);
      if (tenant === undefined) {
        tenants.set(tenantId, (tenant = { listeners: new Set(), quiet: new Map() }));
        const opened = tenant;
        // Between the screen's reading and the subscription something may have happened.
        connection.subscribe(channelOf(tenantId)).then(() => tell(opened, REFRESH), onError);
      }
      const mine: LiveListener = (news) => listener(news);
      const { listeners, quiet } = tenant;
      listeners.add(mine);
      return () => {
        if (!listeners.delete(mine) || listeners.size > 0) return;
        for (const { timer } of quiet.values()) clearTimeout(timer);
        tenants.delete(tenantId);
        connection.unsubscribe(channelOf(tenantId)).catch(onError);
      };
    },
    resumed: refreshAll,
    close() {
      clearInterval(blind);
      for (const { quiet } of tenants.values()) for (const { timer } of quiet.values()) clearTimeout(timer);
      tenants.clear();
      if (redis !== undefined) endRedis(redis);
    },
  };
}

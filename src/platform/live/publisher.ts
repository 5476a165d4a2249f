import type { RedisConnection } from '../redis/redis.ts';
import { createDeadline } from '../timing/deadline.ts';
import { channelOf, withoutId } from './news.ts';
import type { LiveNews } from './news.ts';

/** More news than this at once are told by their kinds alone. */
const MOST_NEWS = 100;

/** A publication that Redis does not answer within this time has failed: the outbox waits for it. */
const DEADLINE_MS = 500;

export interface LivePublisher {
  /** Tells the listeners of a tenant, in all processes. Rejects when Redis is away: they are told to look by themselves. */
  publish(tenantId: number, news: readonly LiveNews[]): Promise<void>;
  close(): void;
}

/** Tells all processes, in one command however many news there are. */
export function createLivePublisher(redis: Pick<RedisConnection, 'publish'>): LivePublisher {
  const deadline = createDeadline(DEADLINE_MS);
  return {
    async publish(tenantId, news) {
      if (news.length === 0) return;
      const distinct = [...new Map(news.map((one) => [`${one.tipo} ${one.id}`, one])).values()];
      const told =
        distinct.length <= MOST_NEWS ? distinct : [...new Set(distinct.map(({ tipo }) => tipo))].map(withoutId);
      await deadline.watch(redis.publish(channelOf(tenantId), JSON.stringify(told.map(({ tipo, id }) => [tipo, id]))));
    },
    close: () => deadline.close(),
  };
}

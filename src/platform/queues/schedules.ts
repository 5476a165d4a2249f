import type { Queue } from 'bullmq';
import type { RedisConnection } from '../redis/redis.ts';
import type { JobTerms, QueueName } from './jobs.ts';

export interface SchedulesDeps {
  readonly connection: RedisConnection;
  readonly queues: Readonly<Record<QueueName, Queue>>;
  readonly prefix: string;
  readonly definitions: Readonly<Record<string, JobTerms>>;
}

/** How often each worker states which jobs it repeats. */
export const UPHOLD_EVERY_MS = 30_000;
/** When nobody has stated a schedule for this time, no worker that wants it is alive. */
const SILENT_MS = 6 * UPHOLD_EVERY_MS;
/** Statements that are older than this are deleted. */
const FORGOTTEN_MS = 24 * 3_600_000;

/**
 * The schedulers of the queues. While one release replaces another, workers that know different jobs run side by side.
 * Each worker states in a sorted set which jobs it repeats, and how often. A worker leaves the scheduler of another
 * release unchanged while a living worker states it. Else they would remove each other's schedulers, or change the
 * interval back and forth, and each change would run the job (ADR 17).
 */
export function createSchedules({ connection, queues, prefix, definitions }: SchedulesDeps) {
  const upheld = `${prefix}:agendas`;
  const repeating = Object.entries(definitions).flatMap(([job, { queue, options, everyMs }]) =>
    everyMs === undefined ? [] : [{ job, queue, options, everyMs }],
  );

  /** Whether a living worker states this schedule. A schedule that nobody has stated yet counts as stated now. */
  async function isUpheld(member: string, now: number): Promise<boolean> {
    await connection.zadd(upheld, 'NX', now, member);
    return now - Number(await connection.zscore(upheld, member)) < SILENT_MS;
  }

  async function upholdOn(name: QueueName, now: number): Promise<void> {
    const queue = queues[name];
    const ours = new Map(repeating.filter((one) => one.queue === name).map((one) => [one.job, one]));
    const others = new Set<string>();
    for (const { key, every } of await queue.getJobSchedulers()) {
      if (ours.get(key)?.everyMs === every) continue;
      if (await isUpheld(memberOf(name, key, every), now)) others.add(key);
      else if (!ours.has(key)) await queue.removeJobScheduler(key);
    }
    for (const { job, everyMs, options } of ours.values()) {
      if (others.has(job)) continue;
      await queue.upsertJobScheduler(job, { every: everyMs }, { name: job, data: {}, opts: options });
    }
  }

  return {
    /**
     * Schedules the repeating jobs of this version, and removes schedulers that no living worker states. It has to be
     * called again within `UPHOLD_EVERY_MS`, for as long as this worker lives.
     */
    async uphold(): Promise<void> {
      // The clock of Redis, which all workers share.
      const [seconds] = await connection.time();
      const now = Number(seconds) * 1000;
      await connection.zremrangebyscore(upheld, '-inf', now - FORGOTTEN_MS);
      for (const { queue, job, everyMs } of repeating)
        await connection.zadd(upheld, now, memberOf(queue, job, everyMs));
      await upholdOn('rotina', now);
      await upholdOn('noite', now);
    },
  };
}

const memberOf = (queue: QueueName, job: string, everyMs = 0): string => `${queue} ${job} ${everyMs}`;

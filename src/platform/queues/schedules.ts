import type { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import type { JobTerms, QueueName } from './jobs.ts';

export interface SchedulesDeps {
  readonly connection: Redis;
  readonly queues: Readonly<Record<QueueName, Queue>>;
  readonly prefix: string;
  readonly definitions: Readonly<Record<string, JobTerms>>;
}

/** Workers say this often what they have repeat. */
export const UPHOLD_EVERY_MS = 30_000;
/** After this long without a word, no worker that has it repeat is alive. */
const SILENT_MS = 6 * UPHOLD_EVERY_MS;
/** What was upheld this long ago is forgotten. */
const FORGOTTEN_MS = 24 * 3_600_000;

/**
 * The schedulers of the queues. While one release takes the place of another, workers that know different jobs live side by side, and each
 * says what it has repeat, and how often, in a sorted set. Whoever else finds a scheduler leaves it as it is for as long as somebody alive
 * says the same: none removes another's, or changes its interval back and forth, which would run it each time (ADR 17).
 */
export function createSchedules({ connection, queues, prefix, definitions }: SchedulesDeps) {
  const upheld = `${prefix}:agendas`;
  const repeating = Object.entries(definitions).flatMap(([job, { queue, options, everyMs }]) =>
    everyMs === undefined ? [] : [{ job, queue, options, everyMs }],
  );

  /** Whether somebody alive says so. What nobody has said so far counts from now on. */
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
     * Has all repeat that this version wants to, and removes what nobody does any more. To be called again within `UPHOLD_EVERY_MS`, for as
     * long as this worker lives.
     */
    async uphold(): Promise<void> {
      // By the clock that all workers share.
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

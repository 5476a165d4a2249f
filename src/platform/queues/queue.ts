import { Queue } from 'bullmq';
import type { RedisConnection } from '../redis/redis.ts';
import { DEFAULT_PREFIX, KEPT, QUEUES } from './jobs.ts';
import type { JobDefinitions, QueueName } from './jobs.ts';
import { createSchedules } from './schedules.ts';

export interface QueueDeps<Payloads extends object> {
  /** A connection of role `queue`, or the worker's own. The caller ends it, after `close`. */
  readonly connection: RedisConnection;
  readonly prefix?: string;
  /** Every job that may be added, and every job that repeats. */
  readonly definitions: JobDefinitions<Payloads>;
  readonly onError: (error: Error) => void;
}

/** Both queues themselves, for the monitor and the board. */
export type Queues = Readonly<Record<QueueName, Queue>>;

export type JobQueue<Payloads extends object> = ReturnType<typeof createQueue<Payloads>>;

/** Adds jobs, and schedules those that repeat. */
export function createQueue<Payloads extends object>(deps: QueueDeps<Payloads>) {
  const { connection, prefix = DEFAULT_PREFIX, definitions, onError } = deps;
  const open = (name: QueueName): Queue => {
    const queue = new Queue(QUEUES[name], { connection, prefix, defaultJobOptions: KEPT[name] });
    queue.on('error', onError);
    return queue;
  };
  const queues: Queues = { rotina: open('rotina'), noite: open('noite') };
  const schedules = createSchedules({ connection, queues, prefix, definitions });

  return {
    queues,
    connection,
    definitions,

    /**
     * Queues a job and resolves to its id; rejects when Redis is away. A job that has an id of its own is not queued
     * again while it waits, runs or has failed. With `again`, a failed job is queued again, or only when it failed long
     * enough ago.
     */
    async add<N extends keyof Payloads & string>(
      name: N,
      payload: Payloads[N],
      { again = false }: { again?: boolean | { readonly afterMs: number } } = {},
    ): Promise<string> {
      const { options, deduplicationId, jobId, queue: place } = definitions[name];
      const queue = queues[place];
      const id = jobId?.(payload);
      if (id !== undefined) {
        // The caller knows that the work is not done, so a job that Redis remembers as completed is out of date.
        const state = await queue.getJobState(id);
        const before = await queue.getJob(id);
        if (state === 'completed' || (state === 'failed' && isDue(again, before?.finishedOn))) await before?.remove();
      }
      const key = deduplicationId?.(payload);
      const deduplication = key === undefined ? {} : { deduplication: { id: key, keepLastIfActive: true } };
      const job = await queue.add(name, payload, {
        ...options,
        ...deduplication,
        ...(id === undefined ? {} : { jobId: id }),
      });
      return job.id ?? '';
    },

    /** Schedules the repeating jobs of this version. See schedules.ts, also for how often it has to be called. */
    async schedule(): Promise<void> {
      await schedules.uphold();
    },

    async close(): Promise<void> {
      await Promise.all([queues.rotina.close(), queues.noite.close()]);
    },
  };
}

/**
 * Whether a failed job is to be done again. A job without an end was queued again since it was seen among the failed
 * ones.
 */
function isDue(again: boolean | { readonly afterMs: number }, failedAt = Infinity): boolean {
  return typeof again === 'boolean' ? again : Date.now() - failedAt >= again.afterMs;
}

import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { DEFAULT_PREFIX, KEPT, QUEUES } from './jobs.ts';
import type { JobDefinitions, QueueName } from './jobs.ts';
import { createSchedules } from './schedules.ts';

export interface QueueDeps<Payloads extends object> {
  /** Of role `queue`, or the worker's own. The caller ends it, after `close`. */
  readonly connection: Redis;
  readonly prefix?: string;
  /** Of every job that may be added, and that repeats. */
  readonly definitions: JobDefinitions<Payloads>;
  readonly onError: (error: Error) => void;
}

/** Both queues, for those who look at them. */
export type Queues = Readonly<Record<QueueName, Queue>>;

export type JobQueue<Payloads extends object> = ReturnType<typeof createQueue<Payloads>>;

/** Adds jobs. */
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
    /** The queues themselves, for those who look at them. */
    queues,
    connection,
    definitions,

    /**
     * Queues a job and resolves to its id; throws when Redis is away. Of work that has an id of its own, one that waits, runs or has
     * failed is not queued again, unless `again` says that what has failed shall be, or what failed that long ago.
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
        // Whoever asks has seen that the work is not done: what Redis remembers of it is older.
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

    /** Has all repeat that this version wants to; see schedules.ts, also for how often to call it. */
    async schedule(): Promise<void> {
      await schedules.uphold();
    },

    async close(): Promise<void> {
      await Promise.all([queues.rotina.close(), queues.noite.close()]);
    },
  };
}

/** Whether what failed is to be done again. What has no end yet was queued again since it was seen among the failed. */
function isDue(again: boolean | { readonly afterMs: number }, failedAt = Infinity): boolean {
  return typeof again === 'boolean' ? again : Date.now() - failedAt >= again.afterMs;
}

import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { DEFAULT_PREFIX, KEPT, QUEUES, jobDefinitions } from './jobs.ts';
import type { JobName, JobPayloads, QueueName } from './jobs.ts';
import { createSchedules } from './schedules.ts';

export interface QueueDeps {
  /** Of role `queue`, or the worker's own. The caller ends it, after `close`. */
  readonly connection: Redis;
  readonly prefix?: string;
  readonly onError: (error: Error) => void;
}

type Jobs = Queue<JobPayloads[JobName], unknown, JobName>;

export type JobQueue = ReturnType<typeof createQueue>;

/** Adds jobs. */
export function createQueue({ connection, prefix = DEFAULT_PREFIX, onError }: QueueDeps) {
  const open = (name: QueueName): Jobs => {
    const queue: Jobs = new Queue(QUEUES[name], { connection, prefix, defaultJobOptions: KEPT[name] });
    queue.on('error', onError);
    return queue;
  };
  const queues: Readonly<Record<QueueName, Jobs>> = { rotina: open('rotina'), noite: open('noite') };
  const queueOf = (name: JobName): Jobs => queues[jobDefinitions[name].queue];

  const schedules = createSchedules({ connection, queues, prefix, definitions: jobDefinitions });

  return {
    /** The queues themselves, for those who look at them. */
    queues,
    connection,

    /**
     * Queues a job and resolves to its id; throws when Redis is away. Of work that has an id of its own, one that waits, runs or has
     * failed is not queued again, unless `again` says that what has failed shall be, or what failed that long ago.
     */
    async add<N extends JobName>(
      name: N,
      payload: JobPayloads[N],
      { again = false }: { again?: boolean | { readonly afterMs: number } } = {},
    ): Promise<string> {
      const { options, deduplicationId, jobId } = jobDefinitions[name];
      const queue = queueOf(name);
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

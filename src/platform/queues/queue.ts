import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { DEFAULT_PREFIX, JOB_NAMES, KEPT, QUEUES, isJobName, jobDefinitions } from './jobs.ts';
import type { JobName, JobPayloads, QueueName } from './jobs.ts';

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

  /** Makes the schedulers of one queue what this version says, and removes those of other versions. */
  async function scheduleOn(name: QueueName, queue: Jobs): Promise<void> {
    const wanted = JOB_NAMES.filter((job) => jobDefinitions[job].queue === name);
    for (const job of wanted) {
      const { everyMs, options } = jobDefinitions[job];
      if (everyMs !== undefined)
        await queue.upsertJobScheduler(job, { every: everyMs }, { name: job, data: {}, opts: options });
    }
    for (const { key } of await queue.getJobSchedulers()) {
      const stays = isJobName(key) && wanted.includes(key) && jobDefinitions[key].everyMs !== undefined;
      if (!stays) await queue.removeJobScheduler(key);
    }
  }

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

    /** Makes the schedulers what this version says: a later call changes them, and those of older versions go. */
    async schedule(): Promise<void> {
      await scheduleOn('rotina', queues.rotina);
      await scheduleOn('noite', queues.noite);
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

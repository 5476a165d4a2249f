import type { Job } from 'bullmq';
import { Cluster } from 'ioredis';
import type { QueueName } from './jobs.ts';
import type { JobQueue } from './queue.ts';

/** How many jobs a queue holds. */
export interface QueueDepth {
  readonly queue: QueueName;
  /** Ready to be taken. */
  readonly waiting: number;
  readonly active: number;
  /** Jobs that are due later. They always include the next runs of the jobs that repeat. */
  readonly delayed: number;
  readonly failed: number;
  /** For how long the first waiting job has been ready, or the first delayed one has been due; null when there is neither. */
  readonly oldestWaitingMs: number | null;
}

/** A job as it is stored in Redis. */
export interface JobView {
  readonly id: string;
  readonly queue: QueueName;
  readonly name: string;
  /** Ids, and days. */
  readonly payload: Readonly<Record<string, number | string>>;
  readonly state: string;
  readonly progress: { readonly feitas: number; readonly total: number } | null;
  readonly result: Readonly<Record<string, number | string>> | null;
  /** Why its last try failed. */
  readonly reason: string | null;
  readonly attempts: number;
  readonly maxAttempts: number;
  readonly repeating: boolean;
  /** Epoch milliseconds: when a worker took it, and when it ended. */
  readonly startedAt: number | null;
  readonly endedAt: number | null;
}

/** The schedule of a job that repeats: the last and the next run, in milliseconds since the epoch. */
export interface JobSchedule {
  readonly last: number | null;
  readonly next: number | null;
}

export type QueueMonitor<Payloads extends object> = ReturnType<typeof createQueueMonitor<Payloads>>;

const NAMES = ['rotina', 'noite'] as const satisfies readonly QueueName[];

/** By which BullMQ multiplies the millisecond in which a delayed job is due, to keep the order of those of one. */
const SCORE_OF_A_MS = 0x1000;

/** Shows what the queues hold, and retries failed jobs. Every call rejects while Redis is away. */
export function createQueueMonitor<Payloads extends object>({
  queues,
  connection,
  definitions,
}: Pick<JobQueue<Payloads>, 'queues' | 'connection' | 'definitions'>) {
  const each = async <T>(read: (name: QueueName) => Promise<T>): Promise<T[]> => Promise.all(NAMES.map(read));

  async function view(queue: QueueName, job: Job, state: string): Promise<JobView> {
    const progress = typeof job.progress === 'object' ? (job.progress as { feitas?: number; total?: number }) : {};
    const { feitas, total } = progress;
    return {
      id: job.id ?? '',
      queue,
      name: job.name,
      payload: job.data as JobView['payload'],
      state,
      progress: feitas === undefined || total === undefined ? null : { feitas, total },
      result: (job.returnvalue as JobView['result'] | undefined) ?? null,
      reason: job.failedReason ?? null,
      attempts: job.attemptsMade,
      maxAttempts: job.opts.attempts ?? 1,
      repeating: job.repeatJobKey !== undefined,
      startedAt: job.processedOn ?? null,
      endedAt: job.finishedOn ?? null,
    };
  }

  /** When the first delayed job is due. Only a worker makes it ready: where none lives, the next runs of what repeats stay here. */
  async function firstDue(name: QueueName): Promise<number | null> {
    const delayed = queues[name].toKey('delayed');
    const [first] = await connection.zrange(delayed, 0, '0');
    const score = first === undefined ? null : await connection.zscore(delayed, first);
    return score === null ? null : Math.floor(Number(score) / SCORE_OF_A_MS);
  }

  async function list(state: 'active' | 'failed', limit: number): Promise<JobView[]> {
    const found = await each(async (name) => {
      const jobs = await queues[name].getJobs([state], 0, limit - 1);
      return Promise.all(jobs.map(async (job) => view(name, job, state)));
    });
    return found.flat();
  }

  return {
    depths: async (): Promise<QueueDepth[]> =>
      each(async (name) => {
        const [counts, [oldest], due] = await Promise.all([
          queues[name].getJobCounts('wait', 'prioritized', 'active', 'delayed', 'failed'),
          queues[name].getJobs(['wait'], 0, 0, true),
          firstDue(name),
        ]);
        const now = Date.now();
        const ready = oldest === undefined ? null : Math.min(now, readySince(oldest));
        const since = [ready, due].filter((at): at is number => at !== null && at <= now);
        return {
          queue: name,
          waiting: (counts['wait'] ?? 0) + (counts['prioritized'] ?? 0),
          active: counts['active'] ?? 0,
          delayed: counts['delayed'] ?? 0,
          failed: counts['failed'] ?? 0,
          oldestWaitingMs: since.length === 0 ? null : now - Math.min(...since),
        };
      }),

    /** The number of processes that take jobs of a queue, in this logical database of Redis. */
    async workers(name: QueueName): Promise<number> {
      const clients = await queues[name].getWorkers();
      const own = connection instanceof Cluster ? 0 : (connection.options.db ?? 0);
      return clients.filter(({ db }) => db === String(own)).length;
    },

    /** One job, or null when the queue no longer has it. */
    async find(name: keyof Payloads & string, id: string): Promise<JobView | null> {
      const { queue } = definitions[name];
      const [state, job] = await Promise.all([queues[queue].getJobState(id), queues[queue].getJob(id)]);
      return job === undefined ? null : view(queue, job as Job, state);
    },

    /** Jobs that are running now. */
    active: async (limit = 100): Promise<JobView[]> => list('active', limit),

    /** Failed jobs that will not be tried again automatically, the newest first in each queue. */
    failed: async (limit = 1000): Promise<JobView[]> => list('failed', limit),

    /** Queues a failed job again, with all its tries; false when the job is no longer among the failed ones. */
    async retry(name: QueueName, id: string): Promise<boolean> {
      const job = await queues[name].getJob(id);
      if (job === undefined || (await job.getState()) !== 'failed') return false;
      await job.retry('failed', { resetAttemptsMade: true });
      return true;
    },

    /** Starts a job at once that waits for its next try. */
    async hurry(name: keyof Payloads & string, id: string): Promise<void> {
      const job = await queues[definitions[name].queue].getJob(id);
      if ((await job?.getState()) === 'delayed') await job?.promote();
    },

    /** The schedules of the jobs that repeat, by name. */
    async schedules(): Promise<Map<string, JobSchedule>> {
      const all = (await each(async (name) => queues[name].getJobSchedulers())).flat();
      return new Map(
        all.map(({ key, every, next = null, iterationCount = 0 }) => {
          const last = next === null || every === undefined || iterationCount < 2 ? null : next - every;
          return [key, { last, next }];
        }),
      );
    },
  };
}

/** When a waiting job became ready: when it was created or due, or when its last try failed. */
function readySince({ timestamp, processedOn = 0, opts }: Job): number {
  return Math.max(timestamp + (opts.delay ?? 0), processedOn);
}

import type { Job } from 'bullmq';
import type { QueueName } from './jobs.ts';
import type { JobQueue } from './queue.ts';

/** How much a queue holds. */
export interface QueueDepth {
  readonly queue: QueueName;
  /** Ready to be taken. */
  readonly waiting: number;
  readonly active: number;
  /** Due later: the next runs of what repeats are among them, always. */
  readonly delayed: number;
  readonly failed: number;
  /** How long the first in line has been ready; null when none waits. */
  readonly oldestWaitingMs: number | null;
}

/** A job as it stands in Redis. */
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

/** What repeats: epoch milliseconds of the run before and of the next. */
export interface JobSchedule {
  readonly last: number | null;
  readonly next: number | null;
}

export type QueueMonitor<Payloads extends object> = ReturnType<typeof createQueueMonitor<Payloads>>;

const NAMES = ['rotina', 'noite'] as const satisfies readonly QueueName[];

/** Looks at the queues, and asks for what failed to be done again. Every call rejects while Redis is away. */
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
        const counts = await queues[name].getJobCounts('wait', 'prioritized', 'active', 'delayed', 'failed');
        const [oldest] = await queues[name].getJobs(['wait'], 0, 0, true);
        return {
          queue: name,
          waiting: (counts['wait'] ?? 0) + (counts['prioritized'] ?? 0),
          active: counts['active'] ?? 0,
          delayed: counts['delayed'] ?? 0,
          failed: counts['failed'] ?? 0,
          oldestWaitingMs: oldest === undefined ? null : Math.max(0, Date.now() - readySince(oldest)),
        };
      }),

    /** Processes that take jobs of a queue, on this database of this Redis. */
    async workers(name: QueueName): Promise<number> {
      const clients = await queues[name].getWorkers();
      return clients.filter(({ db }) => db === String(connection.options.db ?? 0)).length;
    },

    /** One job, or null when the queue no longer has it. */
    async find(name: keyof Payloads & string, id: string): Promise<JobView | null> {
      const { queue } = definitions[name];
      const [state, job] = await Promise.all([queues[queue].getJobState(id), queues[queue].getJob(id)]);
      return job === undefined ? null : view(queue, job as Job, state);
    },

    /** What runs now. */
    active: async (limit = 100): Promise<JobView[]> => list('active', limit),

    /** What has failed and will not be tried again by itself, newest first in each queue. */
    failed: async (limit = 1000): Promise<JobView[]> => list('failed', limit),

    /** Has what failed done again, with all its tries; false when it no longer is among the failed. */
    async retry(name: QueueName, id: string): Promise<boolean> {
      const job = await queues[name].getJob(id);
      if (job === undefined || (await job.getState()) !== 'failed') return false;
      await job.retry('failed', { resetAttemptsMade: true });
      return true;
    },

    /** Has what waits for its next try done at once. */
    async hurry(name: keyof Payloads & string, id: string): Promise<void> {
      const job = await queues[definitions[name].queue].getJob(id);
      if ((await job?.getState()) === 'delayed') await job?.promote();
    },

    /** By job, of those that repeat. */
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

/** When a job that waits became ready: when it was made or was due, or failed the last time. */
function readySince({ timestamp, processedOn = 0, opts }: Job): number {
  return Math.max(timestamp + (opts.delay ?? 0), processedOn);
}

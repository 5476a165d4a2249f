import { Queue, UnrecoverableError, Worker } from 'bullmq';
import type { JobsOptions } from 'bullmq';
import type { Redis } from 'ioredis';

type NoPayload = Record<string, never>;

/** Every job there is: name → payload. Payloads carry ids, never personal data: they stay in Redis and in logs. */
export interface JobPayloads {
  /** Brings connection states in step with what changed in `radacct`. */
  'conexoes.agregar': NoPayload;
  /** Counts the drops of sessions that went stale. */
  'conexoes.paradas': NoPayload;
  /** Recomputes all connections of a provider, such as after its NASes changed. */
  'conexoes.recalcular': { readonly provedorId: number };
  /** Carries out what decisions asked of the network, and ends sessions for it to show. */
  'rede.aplicar': NoPayload;
  /** Ends the trust unblocks whose time is over. */
  'desbloqueios.encerrar': NoPayload;
}

export type JobName = keyof JobPayloads;

interface JobContext {
  readonly jobId: string;
  /** Aborted when the worker stops: a long job ends early, and the next run goes on from there. */
  readonly signal: AbortSignal;
}

/** Does a job. A job may run more than once, so doing it again must change nothing. */
export type JobHandler<N extends JobName> = (payload: JobPayloads[N], context: JobContext) => Promise<void>;

/** One handler for each job; a missing one does not compile. */
export type JobHandlers = { readonly [N in JobName]: JobHandler<N> };

interface JobDefinition<Payload> {
  readonly options: Required<Pick<JobsOptions, 'attempts' | 'backoff' | 'removeOnComplete' | 'removeOnFail'>>;
  /** Repeats by itself, this often. */
  readonly everyMs?: number;
  /** Jobs of one id are not queued twice; one more may wait while one runs. */
  readonly deduplicationId?: (payload: Payload) => string;
}

/** Of jobs that repeat: the next run is the retry, and only the recent ones are worth a look. */
const REPEATING = {
  attempts: 1,
  backoff: 0,
  removeOnComplete: { count: 50 },
  removeOnFail: { count: 200, age: 7 * 86_400 },
} as const;

const jobDefinitions: { readonly [N in JobName]: JobDefinition<JobPayloads[N]> } = {
  'conexoes.agregar': { options: REPEATING, everyMs: 2000 },
  'conexoes.paradas': { options: REPEATING, everyMs: 30_000 },
  'conexoes.recalcular': {
    options: {
      attempts: 5,
      backoff: { type: 'exponential', delay: 2000 },
      removeOnComplete: { count: 100, age: 86_400 },
      removeOnFail: { count: 1000, age: 30 * 86_400 },
    },
    deduplicationId: ({ provedorId }) => `conexoes.recalcular.${provedorId}`,
  },
  'rede.aplicar': { options: REPEATING, everyMs: 1000 },
  'desbloqueios.encerrar': { options: REPEATING, everyMs: 60_000 },
};

const JOB_NAMES = Object.keys(jobDefinitions).filter(isJobName);

const QUEUE_NAME = 'malha';
/** The braces keep all keys of the queue on one node of a Redis Cluster. */
const DEFAULT_PREFIX = '{malha}';
const STOP_TIMEOUT_MS = 10_000;
const LONGEST_REASON = 200;

export interface QueueDeps {
  /** Of role `queue`, or the worker's own. The caller ends it, after `close`. */
  readonly connection: Redis;
  readonly prefix?: string;
  readonly onError: (error: Error) => void;
}

/** Adds jobs. */
export function createQueue({ connection, prefix = DEFAULT_PREFIX, onError }: QueueDeps) {
  const queue = new Queue<JobPayloads[JobName], void, JobName>(QUEUE_NAME, { connection, prefix });
  queue.on('error', onError);

  return {
    /** Queues a job and resolves to its id; throws when Redis is away. */
    async add<N extends JobName>(name: N, payload: JobPayloads[N]): Promise<string> {
      const { options, deduplicationId } = jobDefinitions[name];
      const id = deduplicationId?.(payload);
      const deduplication = id === undefined ? {} : { deduplication: { id, keepLastIfActive: true } };
      const job = await queue.add(name, payload, { ...options, ...deduplication });
      return job.id ?? '';
    },

    /** Makes the schedulers what this version says: a later call changes them, and those of older versions go. */
    async schedule(): Promise<void> {
      for (const name of JOB_NAMES) {
        const { everyMs, options } = jobDefinitions[name];
        if (everyMs !== undefined)
          await queue.upsertJobScheduler(name, { every: everyMs }, { name, data: {}, opts: options });
      }
      for (const { key } of await queue.getJobSchedulers()) {
        if (!isJobName(key) || jobDefinitions[key].everyMs === undefined) await queue.removeJobScheduler(key);
      }
    },

    async close(): Promise<void> {
      await queue.close();
    },
  };
}

/** What is said of a job once it ran. */
export interface JobReport {
  readonly jobId: string;
  readonly job: string;
  readonly durationMs: number;
  /** Made by a scheduler. */
  readonly repeating: boolean;
}

export interface JobWorkerDeps {
  /** Of role `worker`. The caller ends it, after `stop`. */
  readonly connection: Redis;
  readonly prefix?: string;
  readonly handlers: JobHandlers;
  /** Jobs that run at a time in this process. */
  readonly concurrency?: number;
  readonly onCompleted: (report: JobReport) => void;
  readonly onFailed: (report: JobReport, reason: string) => void;
  readonly onError: (error: Error) => void;
}

/** Takes jobs and has them done. */
export function createJobWorker(deps: JobWorkerDeps) {
  const { connection, prefix = DEFAULT_PREFIX, handlers, concurrency = 4 } = deps;
  const stopping = new AbortController();

  async function run<N extends JobName>(name: N, payload: JobPayloads[N], jobId: string): Promise<void> {
    await handlers[name](payload, { jobId, signal: stopping.signal });
  }

  const worker = new Worker<JobPayloads[JobName], void>(
    QUEUE_NAME,
    async (job) => {
      // A job of a newer version, or of one long gone: trying again here would not mend it.
      if (!isJobName(job.name)) throw new UnrecoverableError('unknown job');
      try {
        await run(job.name, job.data, job.id ?? '');
      } catch (error) {
        // BullMQ keeps the message and the stack in Redis, and a database error's message holds the row.
        const reason = failureReason(error);
        throw error instanceof UnrecoverableError ? new UnrecoverableError(reason) : new Error(reason);
      }
    },
    { connection, prefix, concurrency },
  );
  worker.on('completed', (job) => deps.onCompleted(reportOf(job)));
  worker.on('failed', (job, error) => {
    if (job !== undefined) deps.onFailed(reportOf(job), error.message);
  });
  worker.on('error', deps.onError);

  return {
    /**
     * Takes no more jobs and waits for those that run, up to `timeoutMs`. What is cut off by then is taken up by
     * another worker once its lock has run out.
     */
    async stop(timeoutMs = STOP_TIMEOUT_MS): Promise<void> {
      stopping.abort();
      await Promise.race([
        worker.close(),
        new Promise((resolve) => {
          setTimeout(resolve, timeoutMs).unref();
        }),
      ]);
    },
  };
}

/** The text of a failure that may be stored and logged: without the statement and the values of a database error. */
function failureReason(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown failure';
  if ('sql' in error || 'sqlMessage' in error) {
    return `database error ${'code' in error ? String(error.code) : 'without a code'}`;
  }
  return error.message.slice(0, LONGEST_REASON);
}

function reportOf(job: {
  id?: string | undefined;
  name: string;
  processedOn?: number | undefined;
  finishedOn?: number | undefined;
  repeatJobKey?: string | undefined;
}): JobReport {
  return {
    jobId: job.id ?? '',
    job: job.name,
    durationMs: (job.finishedOn ?? Date.now()) - (job.processedOn ?? Date.now()),
    repeating: job.repeatJobKey !== undefined,
  };
}

function isJobName(name: string): name is JobName {
  return Object.hasOwn(jobDefinitions, name);
}

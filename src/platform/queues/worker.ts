import { DelayedError, UnrecoverableError, WaitingError, Worker } from 'bullmq';
import type { Job } from 'bullmq';
import type { RedisConnection } from '../redis/redis.ts';
import { DEFAULT_PREFIX, QUEUES } from './jobs.ts';
import type { JobHandlers, JobProgress, JobResult, QueueName } from './jobs.ts';

const STOP_TIMEOUT_MS = 10_000;
const LONGEST_REASON = 200;
const PROGRESS_EVERY_MS = 200;

/** The number of jobs that run at the same time in one process. */
const CONCURRENCY: Readonly<Record<QueueName, number>> = { rotina: 4, noite: 2 };

/**
 * A job whose process died is taken up again after its lock has expired and two checks have seen that. Nothing in this
 * process blocks the event loop for as long as a lock lasts.
 */
const LOCK_MS = 8000;
const STALLED_CHECK_MS = 4000;
/** A job during which the process died this often in a row is itself at fault. */
const MAX_STALLED = 30;

/**
 * A job that this version does not know is left to the workers of the version that knows it. It is put back, and comes
 * again after the time that it has waited already, within the bounds of `LEFT_AGAIN_MS`. It is given up after
 * `LEFT_FOR_MS`: a day is longer than any rolling upgrade, and a run of a repeating job is useless once the next runs
 * have come.
 */
const LEFT_AGAIN_MS = { least: 1000, most: 5000 } as const;
const LEFT_FOR_MS = { once: 24 * 3_600_000, turn: 60_000 } as const;

/** The report about a job after it ran. */
export interface JobReport {
  readonly jobId: string;
  readonly job: string;
  readonly durationMs: number;
  /** Whether a scheduler created the job. */
  readonly repeating: boolean;
  /** The number of tries, this one included. */
  readonly attempts: number;
  /** True when it will not be tried again automatically. */
  readonly over: boolean;
}

export interface JobWorkerDeps<Payloads extends object> {
  /** A connection of role `worker`. The caller ends it, after `stop`. */
  readonly connection: RedisConnection;
  readonly prefix?: string;
  readonly handlers: JobHandlers<Payloads>;
  /** Does each job's work, within whatever is to be known of it meanwhile. */
  readonly within?: <T>(job: { readonly job: string; readonly jobId: string }, work: () => Promise<T>) => Promise<T>;
  readonly onCompleted: (report: JobReport) => void;
  readonly onFailed: (report: JobReport, reason: string) => void;
  /** Called of a job that is over although its handler could not know: each of its processes died. */
  readonly onGivenUp?: <N extends keyof Payloads & string>(name: N, payload: Payloads[N]) => void;
  readonly onError: (error: Error) => void;
}

type Taken<Payload> = Job<Payload, JobResult | undefined>;

/** Takes jobs of every queue and runs their handlers. Jobs without a handler here are left to other workers. */
export function createJobWorker<Payloads extends object>(deps: JobWorkerDeps<Payloads>) {
  type Name = keyof Payloads & string;
  type Any = Taken<Payloads[Name]>;
  const { connection, prefix = DEFAULT_PREFIX, handlers, within = async (_job, work) => work() } = deps;
  const stopping = new AbortController();
  /** Repeating jobs that are running in this process. */
  const underWay = new Set<Name>();
  /** All jobs that are running, until their outcome is known. */
  const running = new Set<Promise<unknown>>();
  const knows = (name: string): name is Name => Object.hasOwn(handlers, name);

  async function run(name: Name, job: Any): Promise<JobResult | undefined> {
    const jobId = job.id ?? '';
    return within({ job: name, jobId }, async () =>
      handlers[name](job.data, {
        jobId,
        signal: stopping.signal,
        lastTry: job.attemptsMade + 1 >= (job.opts.attempts ?? 1),
        resumeWith: async (next) => job.updateData(next),
        progress: progressOf(job),
      }),
    );
  }

  /**
   * Runs a repeating job, unless its previous run is still going on. The scheduler does not wait for a run to end, so a
   * slow job would otherwise occupy all places of its queue.
   */
  async function takeTurn(name: Name, job: Any): Promise<JobResult | undefined> {
    if (underWay.has(name)) return { desfecho: 'em_curso' };
    underWay.add(name);
    try {
      return await run(name, job);
    } finally {
      underWay.delete(name);
    }
  }

  async function attempt(job: Any, token: string | undefined): Promise<JobResult | undefined> {
    const { name } = job;
    if (!knows(name)) return leaveToOthers(job, token);
    try {
      return await (job.repeatJobKey === undefined ? run(name, job) : takeTurn(name, job));
    } catch (error) {
      if (stopping.signal.aborted && error instanceof Error && error.name === 'AbortError') {
        await job.moveToWait(token);
        throw new WaitingError();
      }
      // BullMQ keeps the message and the stack in Redis, and a database error's message holds the row.
      const reason = failureReason(error);
      const kept = error instanceof UnrecoverableError ? new UnrecoverableError(reason) : new Error(reason);
      // Its stack would only show these lines.
      kept.stack = reason;
      throw kept;
    }
  }

  function take(queue: QueueName): Worker<Payloads[Name], JobResult | undefined> {
    const worker = new Worker<Payloads[Name], JobResult | undefined>(
      QUEUES[queue],
      async (job, token) => {
        const work = attempt(job, token);
        running.add(work);
        try {
          return await work;
        } finally {
          running.delete(work);
        }
      },
      {
        connection,
        prefix,
        concurrency: CONCURRENCY[queue],
        lockDuration: LOCK_MS,
        stalledInterval: STALLED_CHECK_MS,
        maxStalledCount: MAX_STALLED,
      },
    );
    worker.on('completed', (job) => deps.onCompleted(reportOf(job)));
    worker.on('failed', (job, error) => {
      if (job === undefined) return;
      deps.onFailed(reportOf(job), error.message);
      if (job.deferredFailure && knows(job.name)) deps.onGivenUp?.(job.name, job.data);
    });
    worker.on('error', deps.onError);
    return worker;
  }

  const workers = [take('rotina'), take('noite')];

  return {
    /**
     * Takes no more jobs, and waits up to `timeoutMs` for those that run. A job that has not ended by then is taken up
     * by another worker once its lock has expired. While Redis is away, only the running jobs are waited for.
     */
    async stop(timeoutMs = STOP_TIMEOUT_MS): Promise<void> {
      stopping.abort();
      const away = new Promise((resolve) => {
        connection.once('close', resolve);
      });
      const closed = workers.map(async (worker) => {
        // BullMQ ends its own connection first and waits for its `end`, which ioredis never emits for a connection that
        // is waiting to reconnect.
        const blocking = connection.status === 'ready' ? await worker.backend.blockingClient : undefined;
        await worker.close(blocking?.status !== 'ready');
      });
      await Promise.race([
        Promise.allSettled([...closed, ...running]),
        away.then(async () => Promise.allSettled(running)),
        new Promise((resolve) => {
          setTimeout(resolve, timeoutMs).unref();
        }),
      ]);
      // Closes also the workers whose connection BullMQ could not open.
      for (const worker of workers) worker.close(true).catch(() => {});
    },
  };
}

/**
 * Puts back a job that this version does not know. A job that nobody has taken for a long time belongs to an old
 * version.
 */
async function leaveToOthers(job: Taken<unknown>, token: string | undefined): Promise<JobResult> {
  const now = Date.now();
  const waited = Math.max(0, now - job.timestamp - (job.opts.delay ?? 0));
  if (job.repeatJobKey !== undefined && waited > LEFT_FOR_MS.turn) return { desfecho: 'desconhecida' };
  if (waited > LEFT_FOR_MS.once) throw new UnrecoverableError('unknown job');
  const { least, most } = LEFT_AGAIN_MS;
  await job.moveToDelayed(now + Math.min(Math.max(waited, least), most), token);
  throw new DelayedError();
}

/**
 * Records the progress. Only one update is sent at a time, and none is awaited, so the job goes on while Redis is away.
 */
function progressOf(job: Taken<unknown>): (progress: JobProgress) => void {
  let idleAt = 0;
  return (progress) => {
    if (performance.now() < idleAt) return;
    idleAt = Infinity;
    void Promise.allSettled([job.updateProgress({ ...progress })]).then(() => {
      idleAt = performance.now() + PROGRESS_EVERY_MS;
    });
  };
}

/** The text of a failure, for Redis and the log. For a database error it has neither the statement nor its values. */
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
  attemptsMade: number;
}): JobReport {
  return {
    jobId: job.id ?? '',
    job: job.name,
    durationMs: (job.finishedOn ?? Date.now()) - (job.processedOn ?? Date.now()),
    repeating: job.repeatJobKey !== undefined,
    attempts: job.attemptsMade,
    over: typeof job.finishedOn === 'number',
  };
}

import { DelayedError, UnrecoverableError, WaitingError, Worker } from 'bullmq';
import type { Job } from 'bullmq';
import type { Redis } from 'ioredis';
import { DEFAULT_PREFIX, QUEUES } from './jobs.ts';
import type { JobHandlers, JobProgress, JobResult, QueueName } from './jobs.ts';

const STOP_TIMEOUT_MS = 10_000;
const LONGEST_REASON = 200;
const PROGRESS_EVERY_MS = 200;

/** Jobs that run at a time in one process. */
const CONCURRENCY: Readonly<Record<QueueName, number>> = { rotina: 4, noite: 2 };

/**
 * A job whose process died is taken up again once its lock has run out and that was seen twice. Nothing here holds up the event loop for
 * as long as a lock lasts.
 */
const LOCK_MS = 8000;
const STALLED_CHECK_MS = 4000;
/** What ends its process this often in a row is at fault itself. */
const MAX_STALLED = 30;

/**
 * A job that this version does not know is left to workers of the version that does: it is put back, and comes again after as long as it
 * has waited already, within these bounds. A day is more than any release takes to replace another; a turn of what repeats is worth nothing
 * once others have passed.
 */
const LEFT_AGAIN_MS = { least: 1000, most: 5000 } as const;
const LEFT_FOR_MS = { once: 24 * 3_600_000, turn: 60_000 } as const;

/** What is said of a job once it ran. */
export interface JobReport {
  readonly jobId: string;
  readonly job: string;
  readonly durationMs: number;
  /** Made by a scheduler. */
  readonly repeating: boolean;
  /** How often it was tried, this time included. */
  readonly attempts: number;
  /** It will not be tried again by itself. */
  readonly over: boolean;
}

export interface JobWorkerDeps<Payloads extends object> {
  /** Of role `worker`. The caller ends it, after `stop`. */
  readonly connection: Redis;
  readonly prefix?: string;
  readonly handlers: JobHandlers<Payloads>;
  readonly onCompleted: (report: JobReport) => void;
  readonly onFailed: (report: JobReport, reason: string) => void;
  readonly onError: (error: Error) => void;
}

type Taken<Payload> = Job<Payload, JobResult | undefined>;

/** Takes jobs of every queue and has them done; those that have no handler here, it leaves to others. */
export function createJobWorker<Payloads extends object>(deps: JobWorkerDeps<Payloads>) {
  type Name = keyof Payloads & string;
  type Any = Taken<Payloads[Name]>;
  const { connection, prefix = DEFAULT_PREFIX, handlers } = deps;
  const stopping = new AbortController();
  /** Repeating jobs whose turn is under way in this process. */
  const underWay = new Set<Name>();
  /** All that is being done, until its outcome is known. */
  const running = new Set<Promise<unknown>>();
  const knows = (name: string): name is Name => Object.hasOwn(handlers, name);

  async function run(name: Name, job: Any): Promise<JobResult | undefined> {
    return handlers[name](job.data, {
      jobId: job.id ?? '',
      signal: stopping.signal,
      resumeWith: async (next) => job.updateData(next),
      progress: progressOf(job),
    });
  }

  /**
   * A turn of what repeats, unless the one before is still under way: its next turn comes without waiting for this one, and
   * one that takes long would fill every place of its queue with itself.
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
      // The frames would be those of these lines.
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
      if (job !== undefined) deps.onFailed(reportOf(job), error.message);
    });
    worker.on('error', deps.onError);
    return worker;
  }

  const workers = [take('rotina'), take('noite')];

  return {
    /**
     * Takes no more jobs and waits for those that run, up to `timeoutMs`. What is cut off by then is taken up by
     * another worker once its lock has run out. While Redis is away nothing is waited for but what runs.
     */
    async stop(timeoutMs = STOP_TIMEOUT_MS): Promise<void> {
      stopping.abort();
      const away = new Promise((resolve) => {
        connection.once('close', resolve);
      });
      const closed = workers.map(async (worker) => {
        // BullMQ ends its own connection first, and waits to hear of it; of one that is about to be made anew ioredis never says so.
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
      // Also where BullMQ has not been able to connect by now.
      for (const worker of workers) worker.close(true).catch(() => {});
    },
  };
}

/** Puts a job back that this version does not know. What nobody has taken for long is of a version long gone. */
async function leaveToOthers(job: Taken<unknown>, token: string | undefined): Promise<JobResult> {
  const now = Date.now();
  const waited = Math.max(0, now - job.timestamp - (job.opts.delay ?? 0));
  if (job.repeatJobKey !== undefined && waited > LEFT_FOR_MS.turn) return { desfecho: 'desconhecida' };
  if (waited > LEFT_FOR_MS.once) throw new UnrecoverableError('unknown job');
  const { least, most } = LEFT_AGAIN_MS;
  await job.moveToDelayed(now + Math.min(Math.max(waited, least), most), token);
  throw new DelayedError();
}

/** One note under way at a time, and never waited for: while Redis is away, the job goes on. */
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

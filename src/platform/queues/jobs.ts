import type { JobsOptions } from 'bullmq';

/** How far a job has come. */
export interface JobProgress {
  readonly feitas: number;
  /** As counted at the start: rows may come and go meanwhile. */
  readonly total: number;
}

/** What a job did, in counts and words that are nobody's data. */
export type JobResult = Readonly<Record<string, number | string>>;

interface JobContext<Payload> {
  readonly jobId: string;
  /** Aborted when the worker stops: a long job ends early, and the next run goes on from there. */
  readonly signal: AbortSignal;
  /** Says with what a later run of the same job begins: where this one came to. */
  readonly resumeWith: (payload: Payload) => Promise<void>;
  /** Notes how far the job has come, a few times a second at most. */
  readonly progress: (progress: JobProgress) => void;
}

/**
 * Does a job. A job may run more than once, and twice at the same time, so doing it again must change nothing. One that stops early
 * because the signal says so throws `signal.reason`, and goes back into the queue with all its tries.
 */
export type JobHandler<Payload> = (payload: Payload, context: JobContext<Payload>) => Promise<JobResult | undefined>;

/** One handler for each job of a catalogue, which says of each name what it carries. */
export type JobHandlers<Payloads extends object> = { readonly [N in keyof Payloads]: JobHandler<Payloads[N]> };

/** `rotina`: short and often. `noite`: long, and never in the way of the others. */
export const QUEUES = { rotina: 'malha', noite: 'malha-noite' } as const;
export type QueueName = keyof typeof QUEUES;

/** How a job is queued. */
export interface JobTerms {
  readonly queue: QueueName;
  readonly options: Required<Pick<JobsOptions, 'attempts' | 'backoff'>>;
  /** Repeats by itself, this often. */
  readonly everyMs?: number;
}

interface JobDefinition<Payload> extends JobTerms {
  /** For the operator, in one line. */
  readonly descricao: string;
  /** Jobs of one id are not queued twice; one more may wait while one runs. */
  readonly deduplicationId?: (payload: Payload) => string;
  /** The job itself: one of the same id is the same work, which is done once. */
  readonly jobId?: (payload: Payload) => string;
}

/** How each job of a catalogue is queued. */
export type JobDefinitions<Payloads extends object> = { readonly [N in keyof Payloads]: JobDefinition<Payloads[N]> };

/**
 * How long what has ended is kept. It is of the queue and not of the job: whichever job ends, BullMQ cuts all that its queue keeps to what is
 * said of that one. On `rotina` only what is recent is worth a look; what failed on `noite` stays a month, to be seen and retried.
 */
export const KEPT: Readonly<Record<QueueName, Required<Pick<JobsOptions, 'removeOnComplete' | 'removeOnFail'>>>> = {
  rotina: { removeOnComplete: { count: 50 }, removeOnFail: { count: 200, age: 7 * 86_400 } },
  noite: {
    removeOnComplete: { count: 1000, age: 7 * 86_400 },
    removeOnFail: { count: 5000, age: 30 * 86_400 },
  },
};

/** The braces keep all keys of the queues on one node of a Redis Cluster. */
export const DEFAULT_PREFIX = '{malha}';

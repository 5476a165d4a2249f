import type { JobsOptions } from 'bullmq';

/** How far a job has come. */
export interface JobProgress {
  readonly feitas: number;
  /** As counted at the start: rows may come and go meanwhile. */
  readonly total: number;
}

/** What a job did, in counts and fixed words. It holds no personal data. */
export type JobResult = Readonly<Record<string, number | string>>;

interface JobContext<Payload> {
  readonly jobId: string;
  /** Aborted when the worker stops. A long job then ends early, and its next run continues. */
  readonly signal: AbortSignal;
  /** Whether no other try follows where this one fails. */
  readonly lastTry: boolean;
  /** Stores the payload with which a later run of the same job begins, so that it continues where this run stopped. */
  readonly resumeWith: (payload: Payload) => Promise<void>;
  /** Records how far the job has come, at most a few times a second. */
  readonly progress: (progress: JobProgress) => void;
}

/**
 * Does a job. A job may run more than once, and even twice at the same time, so running it again must change nothing. A
 * job that stops early because of the signal throws `signal.reason`; it returns to the queue with all its tries.
 */
export type JobHandler<Payload> = (payload: Payload, context: JobContext<Payload>) => Promise<JobResult | undefined>;

/** One handler for each job of a catalogue. `Payloads` maps the names of the jobs to their payloads. */
export type JobHandlers<Payloads extends object> = { readonly [N in keyof Payloads]: JobHandler<Payloads[N]> };

/** `rotina` is for short and frequent jobs. `noite` is for long jobs, which must not delay the others. */
export const QUEUES = { rotina: 'malha', noite: 'malha-noite' } as const;
export type QueueName = keyof typeof QUEUES;

/** How a job is queued. */
export interface JobTerms {
  readonly queue: QueueName;
  readonly options: Required<Pick<JobsOptions, 'attempts' | 'backoff'>>;
  /** The interval of a job that repeats; absent for others. */
  readonly everyMs?: number;
}

interface JobDefinition<Payload> extends JobTerms {
  /** For the operator, in one line. */
  readonly descricao: string;
  /** Jobs with the same id are not queued twice. While one runs, one more may wait. */
  readonly deduplicationId?: (payload: Payload) => string;
  /** The id of the job. Jobs with the same id are the same work, which is done once. */
  readonly jobId?: (payload: Payload) => string;
}

/** How each job of a catalogue is queued. */
export type JobDefinitions<Payloads extends object> = { readonly [N in keyof Payloads]: JobDefinition<Payloads[N]> };

/**
 * How many ended jobs are kept, and for how long. This is set for a queue and not for a job: when a job ends, BullMQ
 * applies the limits of that job to all ended jobs of its queue. On `rotina` only recent jobs are of interest. Failed
 * jobs of `noite` are kept for a month, so that they can be seen and retried.
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

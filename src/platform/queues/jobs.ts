import type { JobsOptions } from 'bullmq';

type NoPayload = Record<string, never>;

/** Work of one provider for one of its local days, `YYYY-MM-DD`. */
interface DailyPayload {
  readonly provedorId: number;
  readonly dia: string;
}

/**
 * Every job there is: name → payload. Payloads carry ids, never personal data: they stay in Redis and in logs.
 *
 * While a release takes the place of another, workers of both take from the same queues. So a payload only ever gains fields that may be
 * missing, and that who does not know them may leave aside; what means something else gets another name.
 */
export interface JobPayloads {
  /** Brings connection states in step with what changed in `radacct`. */
  'conexoes.agregar': NoPayload;
  /** Counts the drops of sessions that went stale. */
  'conexoes.paradas': NoPayload;
  /** Recomputes all connections of a provider, such as after its NASes changed; where it was cut short, of contracts after `depoisDe`. */
  'conexoes.recalcular': { readonly provedorId: number; readonly depoisDe?: number };
  /** Carries out what decisions asked of the network, and ends sessions for it to show. */
  'rede.aplicar': NoPayload;
  /** Ends the trust unblocks whose time is over. */
  'desbloqueios.encerrar': NoPayload;
  /** Queues what providers have to do on the day that began for them. */
  'tarefas.planejar': NoPayload;
  /** Marks the invoices that are overdue from this day on. */
  'faturas.vencer': DailyPayload;
  /** Stores what each overdue invoice asks for on this day, and its PIX code. */
  'pix.recalcular': DailyPayload;
  /** Writes the provider's extract of this day. */
  'extratos.gerar': DailyPayload;
  /** Marks the invites whose time is over. */
  'convites.expirar': NoPayload;
  /** Puts PIX that came without an invoice to the invoices that have their txid by now. */
  'recebimentos.identificar': NoPayload;
  /** Deletes what nobody needs any more. */
  'retencao.limpar': NoPayload;
  /** Publishes the outbox at an operator's word; the worker does it all the time, see src/app/compose/worker.ts. */
  'outbox.publicar': NoPayload;
}

export type JobName = keyof JobPayloads;

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
export type JobHandler<N extends JobName> = (
  payload: JobPayloads[N],
  context: JobContext<JobPayloads[N]>,
) => Promise<JobResult | undefined>;

/** One handler for each job; a missing one does not compile. */
export type JobHandlers = { readonly [N in JobName]: JobHandler<N> };

/** `rotina`: short and often. `noite`: long, and never in the way of the others. */
export const QUEUES = { rotina: 'malha', noite: 'malha-noite' } as const;
export type QueueName = keyof typeof QUEUES;

/** Whose work one job is, where it is not everybody's. */
type Scope<Payload> = Payload extends DailyPayload
  ? { readonly por: 'dia' }
  : Payload extends { readonly provedorId: number }
    ? { readonly por: 'provedor' }
    : { readonly por?: never };

/** How a job is queued. */
export interface JobTerms {
  readonly queue: QueueName;
  readonly options: Required<Pick<JobsOptions, 'attempts' | 'backoff'>>;
  /** Repeats by itself, this often. */
  readonly everyMs?: number;
}

type JobDefinition<Payload> = Scope<Payload> &
  JobTerms & {
    /** For the operator, in one line. */
    readonly descricao: string;
    /** Jobs of one id are not queued twice; one more may wait while one runs. */
    readonly deduplicationId?: (payload: Payload) => string;
    /** The job itself: one of the same id is the same work, which is done once. */
    readonly jobId?: (payload: Payload) => string;
  };

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

/** Of jobs that repeat: the next run is the retry. */
const REPEATING = { attempts: 1, backoff: 0 } as const;

/** Of jobs that are asked for once: six tries within four minutes. */
const ONCE = { attempts: 6, backoff: { type: 'exponential', delay: 8000, jitter: 0.5 } } as const;

export const jobDefinitions: { readonly [N in JobName]: JobDefinition<JobPayloads[N]> } = {
  'conexoes.agregar': {
    descricao: 'leva às conexões o que mudou em radacct',
    queue: 'rotina',
    options: REPEATING,
    everyMs: 2000,
  },
  'conexoes.paradas': {
    descricao: 'conta as quedas de sessões que silenciaram',
    queue: 'rotina',
    options: REPEATING,
    everyMs: 30_000,
  },
  'conexoes.recalcular': {
    descricao: 'recalcula todas as conexões de um provedor',
    queue: 'noite',
    options: ONCE,
    por: 'provedor',
    deduplicationId: ({ provedorId }) => `conexoes.recalcular.${provedorId}`,
  },
  'rede.aplicar': {
    descricao: 'aplica no RADIUS o que foi liberado ou bloqueado',
    queue: 'rotina',
    options: REPEATING,
    everyMs: 1000,
  },
  'desbloqueios.encerrar': {
    descricao: 'encerra os desbloqueios de confiança que acabaram',
    queue: 'rotina',
    options: REPEATING,
    everyMs: 60_000,
  },
  'tarefas.planejar': {
    descricao: 'põe na fila o que falta do dia de cada provedor',
    queue: 'rotina',
    options: REPEATING,
    everyMs: 30_000,
  },
  'faturas.vencer': {
    descricao: 'dá por vencidas as faturas que venceram',
    queue: 'noite',
    options: ONCE,
    por: 'dia',
    jobId: ({ provedorId, dia }) => `faturas.vencer.${provedorId}.${dia}`,
  },
  'pix.recalcular': {
    descricao: 'grava o valor do dia e o PIX das faturas vencidas',
    queue: 'noite',
    options: ONCE,
    por: 'dia',
    jobId: ({ provedorId, dia }) => `pix.recalcular.${provedorId}.${dia}`,
  },
  'extratos.gerar': {
    descricao: 'escreve em arquivos, para BI, os dados de cada provedor',
    queue: 'noite',
    options: ONCE,
    por: 'dia',
    jobId: ({ provedorId, dia }) => `extratos.gerar.${provedorId}.${dia}`,
  },
  'convites.expirar': {
    descricao: 'dá por expirados os convites que passaram do prazo',
    queue: 'rotina',
    options: REPEATING,
    everyMs: 60_000,
  },
  'recebimentos.identificar': {
    descricao: 'leva à sua fatura o PIX que chegou antes dela',
    queue: 'rotina',
    options: REPEATING,
    everyMs: 60_000,
  },
  'retencao.limpar': {
    descricao: 'apaga o que passou do tempo de guarda',
    queue: 'noite',
    options: REPEATING,
    everyMs: 3_600_000,
  },
  'outbox.publicar': {
    descricao: 'publica os eventos que esperam; o worker já o faz sozinho',
    queue: 'rotina',
    options: ONCE,
    deduplicationId: () => 'outbox.publicar',
  },
};

export const JOB_NAMES = Object.keys(jobDefinitions).filter(isJobName);

function isJobName(name: string): name is JobName {
  return Object.hasOwn(jobDefinitions, name);
}

/** The braces keep all keys of the queues on one node of a Redis Cluster. */
export const DEFAULT_PREFIX = '{malha}';

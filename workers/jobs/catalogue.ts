import type {
  JobDefinitions,
  JobHandler as HandlerOf,
  JobHandlers as HandlersOf,
} from '../../src/platform/queues/jobs.ts';
import type { JobQueue as QueueOf } from '../../src/platform/queues/queue.ts';

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

/** Does a job; what is asked of it stands with the machinery. */
export type JobHandler<N extends JobName> = HandlerOf<JobPayloads[N]>;

/** One handler for each job; a missing one does not compile. */
export type JobHandlers = HandlersOf<JobPayloads>;

/** The queues, which take what this catalogue names. */
export type JobQueue = QueueOf<JobPayloads>;

/** Whose work one job is, where it is not everybody's. */
type Scope<Payload> = Payload extends DailyPayload
  ? { readonly por: 'dia' }
  : Payload extends { readonly provedorId: number }
    ? { readonly por: 'provedor' }
    : { readonly por?: never };

/** Of jobs that repeat: the next run is the retry. */
const REPEATING = { attempts: 1, backoff: 0 } as const;

/** Of jobs that are asked for once: six tries within four minutes. */
const ONCE = { attempts: 6, backoff: { type: 'exponential', delay: 8000, jitter: 0.5 } } as const;

export const jobDefinitions: JobDefinitions<JobPayloads> & { readonly [N in JobName]: Scope<JobPayloads[N]> } = {
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

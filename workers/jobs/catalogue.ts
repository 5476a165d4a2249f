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
 * Every job: name → payload. Payloads hold ids and never personal data, because they are stored in Redis and logged.
 *
 * While one release replaces another, the workers of both take jobs from the same queues. So a payload may only gain
 * fields that are optional and that the old release may ignore. A payload with another meaning needs a job with another
 * name.
 */
export interface JobPayloads {
  /** Updates the connection states from what changed in `radacct`. */
  'conexoes.agregar': NoPayload;
  /** Counts the drops of sessions that have stopped reporting. */
  'conexoes.paradas': NoPayload;
  /**
   * Recomputes all connections of a provider, for example after its NASes changed. `depoisDe`: only contracts after
   * this id.
   */
  'conexoes.recalcular': { readonly provedorId: number; readonly depoisDe?: number };
  /** Measures how many are online at each server. */
  'rede.medir': NoPayload;
  /** Opens notices where many lines dropped together, and closes them as these come back. */
  'rede.detectar': NoPayload;
  /** Applies blocks and releases in RADIUS, and ends the sessions concerned so that they take effect. */
  'rede.aplicar': NoPayload;
  /** Ends the trust unblocks that have expired. */
  'desbloqueios.encerrar': NoPayload;
  /** Gives up the logins of contracts that were cancelled more than 90 days ago. */
  'contratos.encerrar': NoPayload;
  /** Tells contracts of what changed in their plan. */
  'planos.acompanhar': NoPayload;
  /** Keeps the words by which names are found, where somebody wrote a name past this release. */
  'palavras.acompanhar': NoPayload;
  /** Queues the daily tasks that each provider still has to do for its local day, and orders of billing that nobody does. */
  'tarefas.planejar': NoPayload;
  /** Makes the charges that are due so many days after this one. */
  'faturas.gerar': DailyPayload;
  /** Marks the invoices that are overdue from this day on. */
  'faturas.vencer': DailyPayload;
  /** Ends the promises of payment whose day is over. */
  'promessas.conferir': DailyPayload;
  /** Makes of what was paid too much credit of what is owed, where the provider wants it. */
  'excedentes.creditar': DailyPayload;
  /** Stores the amount that each overdue invoice has on this day, and its PIX code. */
  'pix.recalcular': DailyPayload;
  /** Makes files for banks of the boletos that are to be registered. */
  'remessas.gerar': DailyPayload;
  /** Makes the charges at PSPs be what the open invoices ask for. */
  'pix.cobrar': DailyPayload;
  /** Asks for the fiscal notes of the provider's new invoices. */
  'notas.pedir': DailyPayload;
  /** Says and does what the provider's collection ladder asks for on this day. */
  'regua.aplicar': DailyPayload;
  /** Keeps the sums of the days that are over, for the panel's numbers. */
  'somas.fechar': DailyPayload;
  /** Writes the provider's extract of this day. */
  'extratos.gerar': DailyPayload;
  /** Marks the invites that have expired. */
  'convites.expirar': NoPayload;
  /** Says what is about to happen: the end of an unblock or a key, and a visit. */
  'push.lembrar': NoPayload;
  /** Makes the charges of invoices that changed lately be what they ask for, and says which certificates end soon. */
  'pix.acompanhar': NoPayload;
  /** Asks PSPs for the returns of PIX that people asked for. */
  'pix.devolver': NoPayload;
  /** Links PIX payments that came before their invoice to the invoice that has their txid by now. */
  'recebimentos.identificar': NoPayload;
  /** Does what is left of banks' files. */
  'retornos.processar': NoPayload;
  /** Does what was asked for of a provider's imports, the oldest first. */
  'importacao.executar': { readonly provedorId: number };
  /** Does what was asked for of a provider's months: their invoices, and previews of them, the oldest first. */
  'faturamento.executar': { readonly provedorId: number };
  /** Deletes what is older than its retention time. */
  'retencao.limpar': NoPayload;
  /**
   * Publishes the outbox when an operator asks for it. The worker does so all the time, see src/app/compose/worker.ts.
   */
  'outbox.publicar': NoPayload;
}

export type JobName = keyof JobPayloads;

/** The handler of a job; see src/platform/queues/jobs.ts for its rules. */
export type JobHandler<N extends JobName> = HandlerOf<JobPayloads[N]>;

/** One handler for each job; a missing one does not compile. */
export type JobHandlers = HandlersOf<JobPayloads>;

/** The queues, for the jobs of this catalogue. */
export type JobQueue = QueueOf<JobPayloads>;

/** Whether a job is for one day of a provider, for one provider, or for all. */
type Scope<Payload> = Payload extends DailyPayload
  ? { readonly por: 'dia' }
  : Payload extends { readonly provedorId: number }
    ? { readonly por: 'provedor' }
    : { readonly por?: never };

/** For jobs that repeat. They are not retried, because the next run does the same. */
const REPEATING = { attempts: 1, backoff: 0 } as const;

/** For jobs that are queued once: six tries within four minutes. */
const ONCE = { attempts: 6, backoff: { type: 'exponential', delay: 8000, jitter: 0.5 } } as const;

/** Work of one provider for one of its local days, which the planner asks for. */
const daily = (name: string, descricao: string) =>
  ({
    descricao,
    queue: 'noite',
    options: ONCE,
    por: 'dia',
    jobId: ({ provedorId, dia }: DailyPayload) => `${name}.${provedorId}.${dia}`,
  }) as const;

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
  'rede.medir': {
    descricao: 'conta quem está online em cada servidor, e avisa dos que silenciaram',
    queue: 'rotina',
    options: REPEATING,
    everyMs: 300_000,
  },
  'rede.detectar': {
    descricao: 'abre avisos de quedas em massa, e encerra os que acabaram',
    queue: 'rotina',
    options: REPEATING,
    everyMs: 5000,
  },
  'desbloqueios.encerrar': {
    descricao: 'encerra os desbloqueios de confiança que acabaram',
    queue: 'rotina',
    options: REPEATING,
    everyMs: 60_000,
  },
  'contratos.encerrar': {
    descricao: 'dá por encerrados os contratos cancelados há mais de 90 dias',
    queue: 'noite',
    options: REPEATING,
    everyMs: 3_600_000,
  },
  'planos.acompanhar': {
    descricao: 'leva aos contratos o que mudou no plano',
    queue: 'rotina',
    options: REPEATING,
    everyMs: 2000,
  },
  'palavras.acompanhar': {
    descricao: 'acerta as palavras de nomes gravados por fora, ou pela versão anterior',
    queue: 'rotina',
    options: REPEATING,
    everyMs: 60_000,
  },
  'tarefas.planejar': {
    descricao: 'põe na fila o que falta do dia de cada provedor, e o que ninguém faz do faturamento',
    queue: 'rotina',
    options: REPEATING,
    everyMs: 30_000,
  },
  'faturas.gerar': daily('faturas.gerar', 'faz as cobranças que vencem daqui a tantos dias'),
  'faturas.vencer': daily('faturas.vencer', 'dá por vencidas as faturas que venceram'),
  'promessas.conferir': daily('promessas.conferir', 'confere as promessas de pagamento cujo dia passou'),
  'excedentes.creditar': daily(
    'excedentes.creditar',
    'faz do que se pagou a mais crédito do que se deve, onde o provedor o quer',
  ),
  'pix.recalcular': daily('pix.recalcular', 'grava o valor do dia e o PIX das faturas vencidas'),
  'remessas.gerar': daily('remessas.gerar', 'faz as remessas aos bancos dos boletos a registrar'),
  'pix.cobrar': daily('pix.cobrar', 'confere as cobranças PIX de todas as faturas abertas'),
  'notas.pedir': daily('notas.pedir', 'pede a nota fiscal (NFCom) das faturas novas'),
  'regua.aplicar': daily('regua.aplicar', 'lembra, avisa e bloqueia, como manda a régua de cobrança'),
  'somas.fechar': daily('somas.fechar', 'soma os dias que acabaram, para os números do painel'),
  'extratos.gerar': daily('extratos.gerar', 'escreve em arquivos, para BI, os dados de cada provedor'),
  'convites.expirar': {
    descricao: 'dá por expirados os convites que passaram do prazo',
    queue: 'rotina',
    options: REPEATING,
    everyMs: 60_000,
  },
  'push.lembrar': {
    descricao: 'avisa de visitas, de desbloqueios que terminam e de chaves que expiram',
    queue: 'rotina',
    options: REPEATING,
    everyMs: 60_000,
  },
  'pix.acompanhar': {
    descricao: 'pede ao PSP as cobranças PIX das faturas que mudaram',
    queue: 'rotina',
    options: REPEATING,
    everyMs: 60_000,
  },
  'pix.devolver': {
    descricao: 'pede ao PSP as devoluções que a equipe pediu',
    queue: 'rotina',
    options: REPEATING,
    everyMs: 30_000,
  },
  'recebimentos.identificar': {
    descricao: 'leva à sua fatura o PIX que chegou antes dela',
    queue: 'rotina',
    options: REPEATING,
    everyMs: 60_000,
  },
  'retornos.processar': {
    descricao: 'aplica o que falta dos retornos dos bancos',
    queue: 'noite',
    options: REPEATING,
    everyMs: 2000,
  },
  'importacao.executar': {
    descricao: 'simula, executa, desfaz ou leva à rede o que se pediu das importações',
    queue: 'noite',
    options: ONCE,
    por: 'provedor',
    deduplicationId: ({ provedorId }) => `importacao.executar.${provedorId}`,
  },
  'faturamento.executar': {
    descricao: 'faz as faturas de um mês, ou a prévia delas, ou desfaz um faturamento, como alguém pediu',
    queue: 'noite',
    options: ONCE,
    por: 'provedor',
    deduplicationId: ({ provedorId }) => `faturamento.executar.${provedorId}`,
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

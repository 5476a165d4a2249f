import type { Data } from '../../brazil/calendario/datas.ts';
import { columns } from '../../platform/mysql/columns.ts';
import type { JobProgress } from '../../platform/queues/jobs.ts';
import type { TenantDb } from '../../platform/mysql/tenant.ts';
import type { Write } from '../escrita.ts';
import type { Actor } from '../actor.ts';
import type { EventoDoDia } from '../eventos/catalogo.types.ts';
import type { Provedor } from '../provedores/provedores.types.ts';

/** What is done once for each local day of each provider, in the order in which it is queued. */
export const TAREFAS_DIARIAS = [
  'faturas.gerar',
  'faturas.vencer',
  'promessas.conferir',
  'excedentes.creditar',
  'pix.recalcular',
  'remessas.gerar',
  'pix.cobrar',
  'notas.pedir',
  'regua.aplicar',
  'somas.fechar',
  'extratos.gerar',
] as const;
export type TarefaDiaria = (typeof TAREFAS_DIARIAS)[number];

/** What each daily task does, in words that people read. */
export const TAREFAS_DITAS: Readonly<Record<TarefaDiaria, string>> = {
  'faturas.vencer': 'Vencer faturas',
  'faturas.gerar': 'Fazer faturas',
  'promessas.conferir': 'Conferir promessas',
  'excedentes.creditar': 'Fazer créditos do que se pagou a mais',
  'pix.recalcular': 'Atualizar o PIX das faturas vencidas',
  'regua.aplicar': 'Aplicar a régua de cobrança',
  'remessas.gerar': 'Fazer as remessas aos bancos',
  'pix.cobrar': 'Conferir as cobranças PIX no PSP',
  'notas.pedir': 'Pedir as notas fiscais das faturas novas',
  'somas.fechar': 'Fechar os números do dia',
  'extratos.gerar': 'Gerar o extrato',
};

/** By what name it is kept that staff were told of a day that failed; see `dizerUmaVez`. */
export const falhaDe = (tarefa: TarefaDiaria, dia: Data) => ({
  tipo: `tarefa_falhou.${tarefa}`,
  // It has no id: the day tells it from others.
  recurso_id: 0,
  quando: `${dia} 00:00:00.000`,
});

export interface TarefaDoDia {
  readonly tarefa: TarefaDiaria;
  readonly provedorId: number;
  readonly dia: Data;
}

/** How far one task of one provider's day has come. */
export interface DiaRow {
  tarefa: TarefaDiaria;
  dia: Data;
  linhas: number;
  iniciada_em: string;
  concluida_em: string | null;
}

export const COLUNAS_DO_DIA = columns<DiaRow>('tarefas_diarias', {
  tarefa: true,
  dia: true,
  linhas: true,
  iniciada_em: true,
  concluida_em: true,
});

type Gravacao = (w: Write) => Promise<number>;

/**
 * How a daily task goes about its rows: which they are, and by what places it goes on after one of them, is its own affair. A place is kept as
 * JSON between two runs. A chunk that is done again changes nothing.
 */
export interface Trabalho<Linha = unknown, Lugar extends object = object> {
  /** Event of the outbox that says that a day is done. */
  readonly evento: EventoDoDia;
  /** What is stale once a day is done that changed some rows. */
  readonly etiquetas: readonly string[];
  /** The place of a row in the task's order. */
  lugar(linha: Linha): Lugar;
  /**
   * Whether a run goes on from where one before it was cut off. One whose rows are no longer looked for once they are done begins anew, and
   * finds what is left.
   */
  readonly retoma: boolean;
  /** Whether each of its rows makes kept answers stale: then it goes slowly while its provider is asked much. */
  readonly esfria?: boolean;
  /** About how many rows there are to look at. */
  contar(tenant: TenantDb, dia: Data, depoisDe: Lugar | null): Promise<number>;
  /** The next rows in the task's order, without locks; none at the end. */
  proximas(tenant: TenantDb, dia: Data, depoisDe: Lugar | null, limite: number): Promise<Linha[]>;
  /**
   * Works out what becomes of them, and resolves to who writes that, in the transaction of `w`, and says how many changed. Between the two
   * others may have changed some.
   */
  preparar(tenant: TenantDb, provedor: Provedor, dia: Data, linhas: readonly Linha[]): Promise<Gravacao>;
}

export interface Execucao {
  readonly signal: AbortSignal;
  readonly aoAvancar: (progresso: JobProgress) => void;
}

/** How a daily task that is done whole or not at all goes about it: a run that was cut off is begun anew. */
export interface TrabalhoInteiro {
  readonly evento: EventoDoDia;
  /** Does it, up to what makes it count. @throws `signal.reason` once aborted; no failure leaves anything behind */
  fazer(actor: Actor, provedor: Provedor, dia: Data, execucao: Execucao): Promise<Entrega>;
}

/** What was done, and does not count yet. */
interface Entrega {
  readonly linhas: number;
  /** Makes it count, in the transaction that ends the day; false where another run has overtaken this one. */
  gravar(w: Write): Promise<boolean>;
  /** Undoes it, where it came too late. */
  desistir(): Promise<void>;
  /** What is left to do once it counts; if it fails, the next run does it. */
  depois(): Promise<void>;
}

/**
 * How a run ended: `concluida` now; `ja_feita` before; `superada` by a run of a later day, whose values are newer; `de_outro`, because
 * another run of the same day is ahead of this one.
 */
export type Desfecho = 'concluida' | 'ja_feita' | 'superada' | 'de_outro';

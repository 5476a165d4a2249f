import { fromDatabaseTime } from '../../../platform/mysql/database.ts';
import type { SituacaoContrato } from '../contratos.types.ts';

/** A way in which a contract comes from one state into another. */
interface Movimento {
  readonly de: readonly SituacaoContrato[];
  /** Nothing leads back to before the beginning. */
  readonly para: Exclude<SituacaoContrato, 'pendente'>;
  /** What the contract's history calls it. */
  readonly acao: string;
  /** What it tells, to the audit log and outside. */
  readonly evento: `contrato.${string}`;
  /** Whose block it is, of one that blocks. */
  readonly origem?: 'financeiro' | 'manual';
  /** Whether a trust unblock in force ends with it. */
  readonly encerraConfianca?: true;
  /** Of one that leaves the network nothing to follow: its login is given up, or another contract's from then on. */
  readonly semRede?: true;
  /** Of one by which a client comes to have a line: who had only registered is a client from then on. */
  readonly efetiva?: true;
}

/**
 * All moves that there are. What is in no line is refused. Where a rule beside the state decides
 * (90 days, a reason, a debt), the service that asks for the move judges it.
 */
export const MOVIMENTOS = {
  ativar: { de: ['pendente'], para: 'ativo', acao: 'ativacao', evento: 'contrato.ativado', efetiva: true },
  bloquear: {
    de: ['ativo'],
    para: 'bloqueado',
    acao: 'bloqueio',
    evento: 'contrato.bloqueado',
    origem: 'manual',
    encerraConfianca: true,
  },
  bloquear_por_debito: {
    de: ['ativo'],
    para: 'bloqueado',
    acao: 'bloqueio',
    evento: 'contrato.bloqueado',
    origem: 'financeiro',
    encerraConfianca: true,
  },
  liberar: { de: ['bloqueado'], para: 'ativo', acao: 'liberacao', evento: 'contrato.liberado' },
  desbloquear_em_confianca: {
    de: ['bloqueado'],
    para: 'ativo',
    acao: 'desbloqueio_confianca',
    evento: 'contrato.desbloqueado',
  },
  suspender: { de: ['ativo', 'bloqueado'], para: 'inativo', acao: 'suspensao', evento: 'contrato.inativado' },
  // What was cancelled may have been pending: it begins by coming back.
  reativar: {
    de: ['inativo', 'cancelado'],
    para: 'ativo',
    acao: 'reativacao',
    evento: 'contrato.ativado',
    efetiva: true,
  },
  // Neither a suspension nor a cancellation clears a debt.
  reativar_bloqueado: {
    de: ['inativo', 'cancelado'],
    para: 'bloqueado',
    acao: 'reativacao',
    evento: 'contrato.bloqueado',
    origem: 'financeiro',
    efetiva: true,
  },
  // What was blocked by hand when it was cancelled is released by hand.
  reativar_retido: {
    de: ['cancelado'],
    para: 'bloqueado',
    acao: 'reativacao',
    evento: 'contrato.bloqueado',
    origem: 'manual',
    efetiva: true,
  },
  cancelar: {
    de: ['pendente', 'ativo', 'bloqueado', 'inativo'],
    para: 'cancelado',
    acao: 'cancelamento',
    evento: 'contrato.cancelado',
    encerraConfianca: true,
  },
  encerrar: {
    de: ['cancelado'],
    para: 'cancelado_definitivo',
    acao: 'encerramento',
    evento: 'contrato.cancelado',
    semRede: true,
  },
  // Both at once, where nobody may want it back: who it was of has been erased.
  cancelar_de_vez: {
    de: ['pendente', 'ativo', 'bloqueado', 'inativo', 'cancelado'],
    para: 'cancelado_definitivo',
    acao: 'cancelamento',
    evento: 'contrato.cancelado',
    encerraConfianca: true,
    semRede: true,
  },
  // Its login is another holder's contract from then on.
  passar_a_outro: {
    de: ['pendente', 'ativo', 'bloqueado', 'inativo'],
    para: 'cancelado_definitivo',
    acao: 'troca_de_titular',
    evento: 'contrato.cancelado',
    encerraConfianca: true,
    semRede: true,
  },
} as const satisfies Readonly<Record<string, Movimento>>;

export type NomeDeMovimento = keyof typeof MOVIMENTOS;

/** A move by its name, in the type of them all: also what it leaves out can be asked for. */
export const movimento = (nome: NomeDeMovimento): Movimento => MOVIMENTOS[nome];

export const admite = (nome: NomeDeMovimento, de: SituacaoContrato): boolean => movimento(nome).de.includes(de);

const DIA_MS = 86_400_000;

/** How long what was cancelled can come back, and keeps its login. */
export const DIAS_ATE_ENCERRAR = 90;

/** What was cancelled before this instant is over for good. */
export const limiteDaReativacao = (agora: Date): Date => new Date(agora.getTime() - DIAS_ATE_ENCERRAR * DIA_MS);

/** Whether a cancelled contract may come back. Of one that was cancelled by others, without a date, its last change tells. */
export function podeVoltar(
  { cancelado_em, atualizado_em }: { readonly cancelado_em: string | null; readonly atualizado_em: string },
  agora: Date,
): boolean {
  return fromDatabaseTime(cancelado_em ?? atualizado_em) >= limiteDaReativacao(agora);
}

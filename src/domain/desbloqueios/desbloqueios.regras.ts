import type { SituacaoContrato } from '../contratos/contratos.types.ts';

/** Why a trust unblock is forbidden, in the order in which they are asked. */
export const MOTIVOS_DO_DESBLOQUEIO = [
  'desbloqueio_desabilitado',
  'desbloqueio_ativo',
  'contrato_nao_bloqueado',
  'bloqueio_manual',
  'fatura_anterior_em_aberto',
] as const;
export type MotivoDoDesbloqueio = (typeof MOTIVOS_DO_DESBLOQUEIO)[number];

/** What decides whether a contract may be released on trust. */
export interface CasoDeConfianca {
  /** The provider allows it at all. */
  readonly habilitado: boolean;
  /** An unblock has not ended yet. */
  readonly emVigor: boolean;
  readonly situacao: SituacaoContrato;
  readonly bloqueioOrigem: 'financeiro' | 'manual' | null;
  /** State of the invoice that the last unblock was for; null where there was none. */
  readonly causaAnterior: string | null;
}

/** The first rule that forbids a trust unblock, in the order of `decisions.md`, "Trust unblock"; null where none does. */
export function porQueNaoEmConfianca(caso: CasoDeConfianca): MotivoDoDesbloqueio | null {
  if (!caso.habilitado) return 'desbloqueio_desabilitado';
  if (caso.emVigor) return 'desbloqueio_ativo';
  if (caso.situacao !== 'bloqueado') return 'contrato_nao_bloqueado';
  if (caso.bloqueioOrigem !== 'financeiro') return 'bloqueio_manual';
  return (caso.causaAnterior ?? 'paga') === 'paga' ? null : 'fatura_anterior_em_aberto';
}

import type { SituacaoContrato } from '../contratos/contratos.types.ts';
import type { MotivoDeRecusa } from '../erros.ts';

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
export function porQueNaoEmConfianca(caso: CasoDeConfianca): MotivoDeRecusa | null {
  if (!caso.habilitado) return 'desbloqueio_desabilitado';
  if (caso.emVigor) return 'desbloqueio_ativo';
  if (caso.situacao !== 'bloqueado') return 'contrato_nao_bloqueado';
  if (caso.bloqueioOrigem !== 'financeiro') return 'bloqueio_manual';
  return (caso.causaAnterior ?? 'paga') === 'paga' ? null : 'fatura_anterior_em_aberto';
}

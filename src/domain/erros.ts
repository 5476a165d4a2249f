import { Refusal } from '../platform/refusal.ts';

/** What was given cannot be accepted; the message says, in Portuguese, which part and why. */
export class EntradaInvalida extends Refusal {}

/** Another has written the same, or what excludes it, at the same time: asked for again, it may be found, or refused. */
export class Conflito extends Refusal {
  constructor(tabela: string) {
    super(`${tabela}: outro gravou o mesmo agora há pouco; veja o que ficou e repita se for preciso`);
  }
}

/** Why a rule of the business forbids an action; the surfaces say it in their own words. */
export type MotivoDeRecusa =
  | 'nao_encontrado'
  | 'desbloqueio_ativo'
  | 'desbloqueio_desabilitado'
  | 'contrato_nao_bloqueado'
  | 'bloqueio_manual'
  | 'fatura_anterior_em_aberto'
  | 'transicao_invalida'
  | 'contrato_invalido'
  | 'cliente_cancelado'
  | 'plano_indisponivel'
  | 'requisicao_em_andamento'
  | 'chave_idempotencia_reutilizada';

/** Ends an action that a rule forbids, and undoes its transaction. */
export class Recusa extends Refusal {
  readonly motivo: MotivoDeRecusa;

  constructor(motivo: MotivoDeRecusa) {
    super(motivo);
    this.motivo = motivo;
  }
}

/** @throws Recusa unless the condition holds. */
export function recusarSeNao(condicao: unknown, motivo: MotivoDeRecusa): asserts condicao {
  if (condicao === false || condicao === null || condicao === undefined) throw new Recusa(motivo);
}

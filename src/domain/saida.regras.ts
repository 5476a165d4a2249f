import type { FailureReason } from '../platform/http/outbound/failure.ts';

/** How it is said that no answer came from outside. */
export const ERROS_DE_SAIDA: Readonly<Record<FailureReason, string>> = {
  timeout: 'tempo_esgotado',
  refused: 'conexao_recusada',
  broken: 'conexao_recusada',
  dns: 'dns',
  tls: 'tls',
  forbidden: 'endereco_proibido',
};

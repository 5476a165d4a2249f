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

/** The same for people, of who was called. */
export const PALAVRAS_DE_SAIDA: Readonly<Record<FailureReason, string>> = {
  timeout: 'não respondeu a tempo',
  refused: 'não atende neste endereço',
  broken: 'a conexão caiu',
  dns: 'o nome do endereço não existe',
  tls: 'o certificado de um dos lados não foi aceito',
  forbidden: 'este endereço não pode ser chamado',
};

/** What of an answer could not be read is called, for people. */
export const RESPOSTA_ILEGIVEL = 'a resposta não pôde ser lida';

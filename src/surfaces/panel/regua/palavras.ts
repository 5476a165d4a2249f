import type { EntregaListada, MotivoDeEspera, Passo } from '../../../domain/regua/regua.types.ts';

export const PASSO: Readonly<Record<Passo, string>> = {
  lembrete: 'Lembrete antes de vencer',
  vencimento: 'Lembrete no vencimento',
  aviso: 'Aviso de débito',
  bloqueio: 'Bloqueio',
  segundo_aviso: 'Aviso de rescisão',
  rescisao: 'Rescisão',
};

/** Why somebody is not blocked. */
export const ESPERA: Readonly<Record<MotivoDeEspera, string>> = {
  pausa: 'A régua está pausada para o cliente ou o contrato',
  isento: 'O contrato é isento de cobrança',
  vespera: 'É véspera ou dia sem banco',
  retorno: 'Falta o retorno do banco, que pode contar o pagamento',
  sem_encargos: 'Ainda se paga sem encargos',
  confianca: 'Há desbloqueio de confiança em vigor',
  promessa: 'Há promessa de pagamento em aberto',
  acordo: 'Há acordo em dia',
  processando: 'Há pagamento em processamento',
  minimo: 'Falta menos que o mínimo',
  aviso_antigo: 'O aviso é antigo ou não dizia prazo: é dado outra vez',
  sem_aviso_entregue: 'Nenhum canal confirmou a entrega do aviso',
  prazo: 'O prazo do aviso ainda corre',
  nao_ativo: 'O contrato não está ativo',
  varios_contratos: 'A fatura não é de um contrato, e o cliente tem vários',
  sem_contrato: 'Não há contrato que responda pela fatura',
  quitada: 'A fatura já não está em aberto',
};

export const ENTREGA: Readonly<Record<string, string>> = {
  sem_endereco: 'sem e-mail',
  sem_correio: 'sem servidor de e-mail',
  a_enviar: 'e-mail a enviar',
  entregue: 'e-mail entregue',
  falhou: 'e-mail não entregue',
  dispensado: 'e-mail dispensado: já não valia',
};

/** Which notices of a day are listed. */
export const ENTREGAS: Readonly<Record<EntregaListada, string>> = {
  sem_confirmacao: 'Sem confirmação',
  sem_email: 'Sem e-mail',
  falhou: 'E-mail não entregue',
};

export const CANAL: Readonly<Record<string, string>> = {
  email: 'e-mail',
  app_ou_webhook: 'app ou webhook',
  equipe: 'equipe',
};

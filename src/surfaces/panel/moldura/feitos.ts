/** What was done, as the next page says it; its address carries the name alone. */
const FEITOS = {
  salvo: 'Salvo.',
  criado: 'Criado.',
  removido: 'Removido.',
  enviado: 'Enviado.',
  cancelado: 'Cancelado.',
  desfeito: 'Desfeito.',
  encerrado: 'Encerrado.',
  reaberta: 'Entra na fila em até um minuto.',
  pausado: 'Webhook pausado: nada entra na fila até voltar.',
  webhook_ativo: 'Webhook ativo. As falhas de antes já não contam.',
  reenviado: 'Reenvio na fila: sai em instantes.',
  chave_revogada: 'Chave revogada: já não vale em lugar nenhum.',
  ativado: 'Contrato ativado. A rede recebe o pedido em instantes.',
  bloqueado: 'Contrato bloqueado. A rede recebe o pedido em instantes.',
  liberado: 'Contrato liberado. A rede recebe o pedido em instantes.',
  em_confianca: 'Desbloqueado em confiança. A rede recebe o pedido em instantes.',
  suspenso: 'Contrato suspenso. A rede recebe o pedido em instantes.',
  contrato_reativado: 'Contrato reativado. Veja a situação abaixo.',
  contrato_encerrado: 'Contrato cancelado em definitivo.',
  sessao_encerrada: 'O servidor vai encerrar a sessão; o cliente reconecta sozinho.',
  titular_trocado: 'Titular trocado. Este é o contrato do novo titular.',
  revogado: 'Revogado.',
  retirado: 'Plano fora de venda. Os contratos dele continuam.',
  reposto: 'Plano à venda de novo.',
  entrou: 'Você entrou.',
  saiu: 'Você saiu.',
  senha_escolhida: 'Senha gravada. Entre com ela.',
  senha_trocada: 'Senha trocada. As suas outras sessões foram encerradas.',
  fator_criado: 'Segundo fator cadastrado.',
  fator_redefinido: 'Segundo fator retirado. Na próxima entrada, cadastra outro.',
  sessoes_encerradas: 'Sessões encerradas.',
  aviso_enviado: 'Aviso enviado aos aparelhos do cliente.',
  sem_aparelho: 'Nada foi enviado: o cliente não tem aparelho que receba avisos agora, ou já recebeu os de hoje.',
  avisos_ligados: 'Avisos ligados neste aparelho.',
  desativado: 'Usuário desativado.',
  reativado: 'Usuário reativado.',
} as const;

export type Feito = keyof typeof FEITOS;

export const ditoDe = (nome: string | null): string | null =>
  nome !== null && Object.hasOwn(FEITOS, nome) ? FEITOS[nome as Feito] : null;

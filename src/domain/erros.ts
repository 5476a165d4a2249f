import { Refusal } from '../platform/refusal.ts';

/** What was given cannot be accepted; the message says, in Portuguese, which part and why. */
export class EntradaInvalida extends Refusal {}

/** What is wrong with a field. */
export interface Falta {
  /** Its name, below another's after a dot: `endereco.uf`, `telefones.0`. */
  readonly campo: string;
  readonly codigo: 'parametro_invalido' | 'cpf_cnpj_invalido' | 'telefone_invalido';
  /** In Portuguese; follows the field's name. */
  readonly mensagem: string;
}

/** All fields of what was given that cannot be accepted. */
export class CamposInvalidos extends EntradaInvalida {
  readonly faltas: readonly Falta[];

  constructor(faltas: readonly Falta[]) {
    super(faltas.map(({ campo, mensagem }) => `${campo}: ${mensagem}`).join('; '));
    this.faltas = faltas;
  }
}

/** @throws CamposInvalidos of one field */
export function faltaEm(campo: string, mensagem: string): never {
  throw new CamposInvalidos([{ campo, codigo: 'parametro_invalido', mensagem }]);
}

/** Another has written the same, or what excludes it, at the same time: asked for again, it may be found, or refused. */
export class Conflito extends Refusal {
  constructor(tabela: string) {
    super(`${tabela}: outro gravou o mesmo agora há pouco; veja o que ficou e repita se for preciso`);
  }
}

/** Why a rule of the business forbids an action, in words for a person; surfaces may say it in their own. */
export const RECUSAS = {
  nao_encontrado: 'o registro não existe',
  desbloqueio_ativo: 'o contrato já tem um desbloqueio de confiança em vigor',
  desbloqueio_desabilitado: 'o provedor não habilitou o desbloqueio de confiança',
  contrato_nao_bloqueado: 'o contrato não está bloqueado',
  bloqueio_manual: 'o bloqueio foi feito manualmente pelo provedor',
  fatura_anterior_em_aberto: 'o desbloqueio, ou a promessa, já foi usado e a fatura de que era continua em aberto',
  nada_em_atraso: 'nada está em atraso de que o contrato responda',
  transicao_invalida: 'da situação em que está, não pode ir para esta',
  contrato_invalido: 'o contrato não existe ou é de outro cliente',
  contrato_encerrado: 'o contrato está cancelado em definitivo',
  cliente_cancelado: 'o cliente está cancelado',
  cliente_duplicado: 'outro cliente que não está cancelado tem este CPF ou CNPJ',
  transicao_de_cliente_invalida: 'da situação em que está, o cliente não pode ir para esta',
  confirmacao_exigida: 'há outro cadastro deste CPF ou CNPJ: confirme com o titular o e-mail e os telefones',
  cliente_apagado: 'os dados do cliente foram apagados a pedido do titular',
  contrato_nao_cancelado: 'o cliente tem contrato que não está cancelado',
  cliente_com_debito: 'o cliente tem fatura em aberto',
  cliente_com_chamado: 'o cliente tem chamado em aberto',
  limite_de_chamados: 'já há chamados em aberto demais; espere a resposta deles',
  responsavel_indisponivel: 'quem atenderia não existe, está inativo ou não atende chamados',
  plano_indisponivel: 'o plano não existe ou está inativo',
  login_em_uso: 'outro contrato usa este login',
  cobrador_indisponivel: 'o cobrador não existe ou está inativo',
  cobrador_padrao: 'o cobrador é o padrão do provedor',
  cobrador_em_uso: 'o cobrador é o de um contrato',
  codigo_externo_em_uso: 'outro registro tem este código externo',
  fatura_nao_aberta: 'a fatura não está aberta',
  fatura_com_pagamento: 'a fatura tem pagamento',
  fatura_nao_vencida: 'a fatura não está vencida',
  fatura_de_renegociacao: 'a fatura é de uma renegociação; quebre-a antes',
  sem_recebedor_pix: 'o provedor não disse quem recebe PIX',
  valor_acima_do_devido: 'é mais do que se deve',
  excedente_insuficiente: 'o que sobrou da fatura de origem não basta',
  excedente_usado: 'o que sobraria já não cobre o crédito que se aplicou noutra fatura; desfaça-o antes',
  ja_desfeito: 'já foi desfeito',
  recebimento_vinculado: 'este dinheiro já é de uma fatura',
  recebimento_nao_vinculado: 'nenhuma pessoa disse de que fatura é este dinheiro; só isso se desfaz',
  valor_acima_do_que_resta: 'é mais do que resta deste dinheiro',
  prazo_da_devolucao: 'passaram 90 dias, e o banco já não devolve este PIX; diga como ele foi devolvido',
  recebimento_devolvido: 'algo deste dinheiro já foi devolvido',
  devolucao_em_curso: 'pediu-se ao banco que devolva deste dinheiro; espere a resposta',
  devolucao_enviada: 'o banco já pode ter recebido o pedido, ou já respondeu',
  renegociacao_encerrada: 'a renegociação não tem parcela em aberto, ou já foi quebrada',
  renegociacao_paga: 'o que se pagou dela cobre as faturas de antes; cancele as parcelas que faltam',
  arquivos_do_dia: 'o banco já não recebe hoje outro arquivo deste convênio; o que falta vai na remessa de amanhã',
  numeros_esgotados: 'os números do convênio bancário acabaram; escolha outro byte, ou fale com o banco',
  numero_ja_usado: 'este número já foi usado; números só vão para a frente',
  remessa_desfeita: 'a remessa foi desfeita',
  remessa_ja_saiu: 'a remessa já foi baixada ou enviada ao banco',
  remessa_nao_saiu: 'ninguém baixou a remessa: desfaça-a',
  remessa_respondida: 'o banco já respondeu sobre boletos desta remessa',
  retorno_em_dia: 'nada deste retorno falhou, ou ele já foi aplicado',
  convenio_incompleto: 'o banco não aceitaria o convênio como está; confira-o nas configurações',
  arquivo_apagado: 'o arquivo já passou do tempo de guarda',
  boleto_em_vigor: 'o boleto da fatura não está rejeitado nem baixado',
  sem_convenio_que_emite: 'nenhum convênio bancário registra boletos da conta desta fatura; ative um antes',
  boleto_do_banco: 'o boleto desta fatura é registrado no banco; a linha vem com a resposta dele',
  importacao_em_andamento: 'a importação já faz o que lhe pediram; espere que termine',
  importacao_ja_executada: 'a importação já foi executada; receba o arquivo de novo para o que falta',
  importacao_nao_executada: 'a importação não foi executada',
  importacao_sem_senhas: 'há contratos ativos sem senha nenhuma: quem usa o login não entra; veja quais, e aceite-o',
  importacao_antiga: 'passaram 24 horas desde que a importação começou a gravar',
  credenciais_incorretas: 'o e-mail ou a senha não conferem',
  codigo_incorreto: 'o código não confere',
  prova_incorreta: 'o que foi dito não prova quem você é',
  prova_exigida: 'confirme antes que é você: senha ou segundo fator',
  senha_repetida: 'é a senha de antes',
  link_invalido: 'o link não existe, já foi usado ou venceu',
  sessao_encerrada: 'a sessão terminou',
  token_invalido: 'o token não existe ou não é deste provedor',
  segundo_fator_exigido: 'falta o código do segundo fator',
  segundo_fator_ausente: 'o perfil exige um segundo fator, que se cadastra no painel',
  senha_fraca: 'a senha é das que se adivinham',
  limite_de_codigos: 'já se geraram códigos demais para este CPF ou CNPJ; espere um pouco',
  acesso_indisponivel: 'este cadastro ainda não dá acesso ao app',
  codigo_so_da_equipe: 'os cadastros deste documento têm e-mails diferentes: só a equipe gera o código',
  ocupado: 'há pedidos demais agora; repita daqui a pouco',
  provedor_em_mudanca: 'o provedor está mudando de célula e por ora só se lê; repita daqui a pouco',
  email_em_uso: 'outro usuário tem este e-mail',
  cpf_em_uso: 'outro usuário tem este CPF',
  perfil_em_uso: 'há usuários neste perfil',
  perfil_fixo: 'o perfil veio pronto e não pode ser removido; o de administrador nem alterado',
  perfil_repetido: 'outro perfil tem este nome',
  permissao_que_falta: 'ninguém dá a outro o que ele mesmo não pode',
  ultimo_administrador: 'é o último administrador ativo',
  usuario_inativo: 'o usuário está desativado',
  pop_em_uso: 'há servidor ou aviso aberto neste POP',
  aviso_encerrado: 'o aviso já foi encerrado',
  aviso_da_equipe: 'o aviso foi aberto ou já confirmado pela equipe',
  contrato_offline: 'o contrato não tem sessão aberta',
  desconexao_recente: 'a sessão deste contrato foi encerrada há menos de dois minutos',
  chave_encerrada: 'a chave foi revogada ou expirou',
  convite_encerrado: 'o convite foi usado, revogado ou expirou',
  url_nao_permitida: 'o endereço não pode ser chamado',
  evento_desconhecido: 'não há evento deste nome',
  limite_de_webhooks: 'o provedor já tem 20 webhooks',
  nfcom_existe: 'a fatura já tem nota fiscal',
  nfcom_espera_boleto: 'a nota espera que o banco registre o boleto da fatura',
  nfcom_nao_autorizada: 'a nota fiscal não está autorizada, ou já se pede outra coisa dela',
  nfcom_nao_rejeitada: 'a nota fiscal não está rejeitada',
  nfcom_prazo_de_cancelamento: 'passou o prazo de cancelar a nota fiscal',
  nfcom_sem_configuracao: 'os dados fiscais do provedor estão incompletos',
  faturamento_sem_configuracao: 'o provedor não disse desde que mês se fatura aqui',
  faturamento_em_uso: 'algo do faturamento já foi pago, enviado a um banco, ou tem nota fiscal',
  webhook_desativado: 'o webhook está pausado ou desativado',
  limite_de_testes: 'já houve seis testes no último minuto',
  promessa_ativa: 'o contrato já tem uma promessa de pagamento em aberto',
  promessa_desabilitada: 'o provedor não aceita promessas de pagamento',
  promessa_fora_do_prazo: 'a data passou, ou está além do prazo que o provedor dá',
  nada_a_pagar: 'não há fatura em aberto que vença até esse dia',
  email_indisponivel: 'não há servidor de e-mail configurado',
  cliente_sem_email: 'o cadastro não tem e-mail',
  versao_divergente: 'alguém o alterou depois que foi lido',
  requisicao_em_andamento: 'um pedido igual está em andamento',
  chave_idempotencia_reutilizada: 'a chave de idempotência já foi usada com outro corpo',
} as const;

export type MotivoDeRecusa = keyof typeof RECUSAS;

/** What else there is to say of a refusal. */
interface DetalheDaRecusa {
  /** The field that it is about. */
  readonly campo?: string;
  /** The record that stands in the way, for those who may read it. */
  readonly registroId?: number;
  /** What to do instead, in Portuguese. */
  readonly sugestao?: string;
  /** The case at hand, in Portuguese, where the words for the reason do not fit it. */
  readonly dito?: string;
}

/** Ends an action that a rule forbids, and undoes its transaction. */
export class Recusa extends Refusal {
  readonly motivo: MotivoDeRecusa;
  readonly detalhe: DetalheDaRecusa;

  constructor(motivo: MotivoDeRecusa, detalhe: DetalheDaRecusa = {}) {
    const { campo, sugestao, dito = RECUSAS[motivo] } = detalhe;
    super(`${campo === undefined ? '' : `${campo}: `}${dito}${sugestao === undefined ? '' : `; ${sugestao}`}`);
    this.motivo = motivo;
    this.detalhe = detalhe;
  }
}

/** Whether somebody was refused because the provider lives in another cell, or is on its way: here there is nothing to be done for it. */
export const emMudanca = (error: unknown): boolean => error instanceof Recusa && error.motivo === 'provedor_em_mudanca';

/** @throws Recusa unless the condition holds. */
export function recusarSeNao(
  condicao: unknown,
  motivo: MotivoDeRecusa,
  detalhe: DetalheDaRecusa = {},
): asserts condicao {
  if (condicao === false || condicao === null || condicao === undefined) throw new Recusa(motivo, detalhe);
}

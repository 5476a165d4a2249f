import { lerData } from '../../../brazil/calendario/datas.ts';
import { nasDoNumero, variosDoNumero } from '../../../domain/rede/deteccao/nas.regras.ts';
import type { PermissaoPainel } from '../../../domain/usuarios/permissoes.regras.ts';
import { escreverData } from '../componentes/escrita.ts';
import { pode } from '../sessao.ts';
import type { Sessao } from '../sessao.ts';

interface Recurso {
  readonly permissao: PermissaoPainel;
  /** Where it is seen, below `/painel`; null where no screen shows one of them. */
  readonly endereco: ((id: number) => string) | null;
  readonly nome: string;
  /** How its id is written, where people know it by something else. */
  readonly escrito?: (id: number) => string;
  /** Whether there is but one of a provider, so that its id says nothing. */
  readonly unico?: true;
}

/** A day whose digits are its id. */
const diaDoNumero = (id: number): string => String(id).replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3');

const diaEscrito = (id: number): string => {
  const dia = lerData(diaDoNumero(id));
  return dia === null ? String(id) : escreverData(dia);
};

const variosEscritos = (id: number): string => {
  const { primeiro, quantos } = variosDoNumero(id);
  return `${nasDoNumero(primeiro)} e mais ${quantos - 1}`;
};

/** What notices for the staff are about. */
export const RECURSOS: Readonly<Record<string, Recurso>> = {
  acesso: { permissao: 'configuracoes.editar', endereco: null, nome: 'App', unico: true },
  chave: { permissao: 'chaves.ver', endereco: () => '/configuracoes/api', nome: 'Chave da API' },
  chamado: { permissao: 'chamados.ver', endereco: (id) => `/chamados/${id}`, nome: 'Chamado' },
  cliente: { permissao: 'clientes.ver', endereco: (id) => `/clientes/${id}`, nome: 'Cliente' },
  contrato: { permissao: 'clientes.ver', endereco: (id) => `/contratos/${id}`, nome: 'Contrato' },
  fatura: { permissao: 'faturas.ver', endereco: (id) => `/faturas/${id}`, nome: 'Fatura' },
  recebimento: { permissao: 'conciliacao.ver', endereco: (id) => `/conciliacao/pix/${id}`, nome: 'Recebimento' },
  boleto_recebido: {
    permissao: 'conciliacao.ver',
    endereco: (id) => `/conciliacao/boleto/${id}`,
    nome: 'Boleto recebido',
  },
  retorno: { permissao: 'cobranca.faturar', endereco: (id) => `/boletos/retornos/${id}`, nome: 'Retorno' },
  convenio: {
    permissao: 'cobranca.faturar',
    endereco: (id) => `/boletos/convenios/${id}`,
    nome: 'Convênio bancário',
  },
  devolucao: { permissao: 'conciliacao.ver', endereco: () => '/conciliacao/devolucoes', nome: 'Devolução' },
  pix_recusado: { permissao: 'faturas.ver', endereco: null, nome: 'Aviso de PIX' },
  certificado: { permissao: 'nfcom.configurar', endereco: null, nome: 'Certificado A1', unico: true },
  envio_nfcom: { permissao: 'nfcom.emitir', endereco: () => '/nfcom', nome: 'Envio de notas fiscais', unico: true },
  psp_convenio: { permissao: 'cobranca.editar', endereco: () => '/configuracoes/cobranca', nome: 'PSP' },
  servidor: {
    permissao: 'rede.ver',
    endereco: (id) => `/rede/servidores/${nasDoNumero(id)}`,
    nome: 'Servidor',
    escrito: nasDoNumero,
  },
  servidores: { permissao: 'rede.ver', endereco: () => '/rede', nome: 'Servidores', escrito: variosEscritos },
  tarefa: {
    permissao: 'tarefas.ver',
    endereco: (id) => `/tarefas?dia=${diaDoNumero(id)}`,
    nome: 'Trabalho de',
    escrito: diaEscrito,
  },
  faturamento_pedido: {
    permissao: 'cobranca.faturar',
    endereco: () => '/faturamento',
    nome: 'Pedido do faturamento',
  },
  webhook: { permissao: 'webhooks.ver', endereco: (id) => `/configuracoes/webhooks/${id}`, nome: 'Webhook' },
};

/** Of what somebody may be told. */
export const recursosVisiveis = (sessao: Pick<Sessao, 'perfil'>): readonly string[] =>
  Object.entries(RECURSOS).flatMap(([nome, { permissao }]) => (pode(sessao, permissao) ? [nome] : []));

/** What happened, by the names under which it is stored. */
export const DITOS: Readonly<Record<string, string>> = {
  'acesso.muitas_falhas': 'Muitas tentativas falhas de entrar no app: alguém pode estar adivinhando senhas',
  'chamado.novo': 'Chamado novo',
  'chave.expirando': 'Expira em até sete dias',
  'cliente.pre_cadastrado': 'Pré-cadastro recebido',
  'contrato.rescisao_devida': 'Passou o prazo do aviso: pode ser rescindido',
  'fatura.paga': 'Fatura paga',
  'fatura.paga_em_parte': 'Fatura paga em parte',
  'fatura.paga_a_mais': 'Fatura paga a mais',
  'fatura.paga_com_desconto': 'Fatura paga com desconto',
  'fatura.estornada': 'Pagamento estornado',
  'fatura.devolvida_em_parte': 'Pagamento devolvido em parte',
  'fatura.tomada_pelo_med': 'Pagamento tomado pelo MED',
  'fatura.reaberta': 'Fatura reaberta',
  'fatura.credito_descoberto': 'Crédito sem pagamento que o cubra',
  'recebimento.nao_identificado': 'PIX recebido sem fatura conhecida',
  'recebimento.devolvido': 'PIX devolvido',
  'recebimento.fora_da_lista': 'PIX avisado que o PSP não tem: confira-o com ele',
  'boleto.rejeitado': 'O banco rejeitou o boleto',
  'boleto.instrucao_recusada': 'O banco recusou o que se pediu do boleto',
  'boleto.divergente': 'O banco registrou o boleto de outro modo: ele não se mostra',
  'retorno.parado': 'Não se consegue aplicar o retorno',
  'retorno.linhas_ilegiveis': 'O retorno tem linhas que não contaram',
  'remessa.recusada': 'A remessa do dia não se pôde fazer',
  'boleto_recebido.nao_identificado': 'Boleto pago sem fatura conhecida',
  'boleto_recebido.desfeito': 'O banco desfez o pagamento de um boleto',
  'devolucao.nao_realizada': 'O banco não devolveu o que se pediu',
  'nfcom.certificado_expirando': 'Certificado A1 perto de vencer',
  'nfcom.fila_esquecida': 'O envio de notas fiscais está pausado há mais de um dia',
  'psp.certificado_expirando': 'Certificado do PSP perto de vencer',
  'psp.webhook_sumiu': 'O PSP não avisa mais os PIX',
  'psp.parado': 'Há horas nada se consegue do PSP: nem cobrar, nem ler os PIX',
  'nas.silenciaram': 'Nada se ouve deles',
  'nas.silenciou': 'Nada se ouve dele',
  'tarefa.falhou': 'Tarefa que falhou',
  'faturamento.falhou': 'O que se pediu falha sempre',
  'webhook.falhando': 'Há um dia nada se entrega',
  'webhook.desativado': 'Webhook desativado',
  'pix_recusado.guardado': 'Aviso de PIX que não se pôde ler',
};

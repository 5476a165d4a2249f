import type { SituacaoFatura, TipoFatura } from '../../../domain/faturas/faturas.types.ts';
import type { Html } from '../../../kit/html/html.ts';
import { etiqueta } from '../componentes/cartao.ts';
import type { Cor } from '../componentes/cartao.ts';
import type { Opcao } from '../formulario/campos.ts';

const SITUACOES: Readonly<Record<SituacaoFatura, readonly [texto: string, cor: Cor]>> = {
  pendente: ['A vencer', 'blue'],
  vencida: ['Vencida', 'red'],
  paga: ['Paga', 'green'],
  cancelada: ['Cancelada', 'secondary'],
  estornada: ['Estornada', 'orange'],
  processando: ['Em processamento', 'yellow'],
};

/** What an invoice's state is called, in its colour. */
export const situacaoDaFatura = (situacao: SituacaoFatura): Html => etiqueta(...SITUACOES[situacao]);

export const TIPOS: Readonly<Record<TipoFatura, string>> = {
  boleto: 'Boleto',
  pix: 'PIX',
  carne: 'Carnê',
  carteira: 'Carteira',
};

/** What a new invoice of the provider's own can be paid by; others come from a bank. */
export const PIX_OU_CARTEIRA: readonly Opcao[] = [
  { valor: 'pix', texto: 'PIX' },
  { valor: 'carteira', texto: 'Carteira: paga no balcão' },
];

/** Which of the two it becomes where nobody says. */
export const TIPO_NAO_DITO = 'PIX, se o provedor recebe; senão carteira';

/** How money came in that a person registered. */
export const FORMAS: Readonly<Record<string, string>> = {
  dinheiro: 'Dinheiro',
  transferencia: 'Transferência',
  cartao: 'Cartão',
  outro: 'Outra forma',
};

export const AJUSTES: Readonly<Record<string, string>> = {
  desconto: 'Desconto',
  credito: 'Crédito',
  renegociacao: 'Renegociação',
};

/** Why an invoice was cancelled. */
export const MOTIVOS: Readonly<Record<string, string>> = {
  a_pedido: 'A pedido do cliente',
  erro: 'Emitida por engano',
  cancelamento: 'Contrato cancelado',
  renegociacao: 'Renegociada',
  outro: 'Outro motivo',
};

/** What came of a payment besides settling its invoice. */
export const LANCAMENTOS: Readonly<Record<string, string>> = {
  excedente: 'Pago a mais',
  desconto: 'Desconto na quitação',
};

const FEITOS: Readonly<Record<string, string>> = {
  'fatura.criada': 'Criada',
  'fatura.alterada': 'Alterada',
  'fatura.cancelada': 'Cancelada',
  'fatura.baixada': 'Recebimento registrado',
  'fatura.baixa_desfeita': 'Recebimento desfeito',
  'fatura.ajustada': 'Desconto ou crédito dado',
  'fatura.ajuste_desfeito': 'Desconto ou crédito desfeito',
  'fatura.paga': 'Paga',
  'fatura.paga_em_parte': 'Paga em parte',
  'fatura.paga_a_mais': 'Paga a mais',
  'fatura.reaberta': 'Reaberta',
  'fatura.estornada': 'Estornada',
  'fatura.devolvida_em_parte': 'Devolvida em parte',
  'fatura.credito_descoberto': 'Crédito sem cobertura',
};

/** What was done to an invoice, as the audit log names it, in words. */
export const feitoDaFatura = (acao: string): string => FEITOS[acao] ?? acao;

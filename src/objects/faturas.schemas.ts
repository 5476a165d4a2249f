import { date, id, idOrNull, instant, instantOrNull, money, moneyOrNull, textOrNull } from '../kit/fields/fields.ts';
import { SITUACOES_DO_BOLETO } from '../domain/boletos/boletos.types.ts';
import { closed } from '../platform/schema-type.ts';

export const segundaViaSchema = closed(
  'SegundaVia',
  {
    link_pagamento: { ...textOrNull, mask: 'hidden' },
    pdf: {
      ...textOrNull,
      mask: 'hidden',
      description:
        'Do boleto; nulo, como os códigos dele, no que já foi pago em parte; nulo sozinho onde não há papel que confira com a linha.',
    },
    pagina_pix: {
      ...textOrNull,
      // It shows nobody; but who has it has the address of the boleto, which does.
      mask: 'hidden',
      description: 'Página do PIX; o QR code é refeito a cada abertura e o link não vence.',
    },
    pix_copia_cola: {
      ...textOrNull,
      mask: 'pix',
      description:
        'Do que falta pagar hoje; refeito a cada leitura. O de uma cobrança do PSP (txid de 26 a 35) é o que ele deu: ' +
        'em geral não leva valor, e quem o mostra é o aplicativo do banco.',
    },
    linha_digitavel: {
      ...textOrNull,
      mask: 'none',
      description: 'Só dígitos. O valor e o vencimento que ela leva são os da fatura; o que mudou depois a retira.',
    },
    codigo_barras: { ...textOrNull, mask: 'none', description: '44 dígitos.' },
  },
  {
    description:
      'Como pagar. Cada campo é nulo quando a fatura não tem aquele meio, ou o que está guardado não confere com ela.',
  },
);

const boletoSituacaoSchema = {
  type: ['string', 'null'],
  enum: [...SITUACOES_DO_BOLETO, null],
  description:
    'Do boleto que o provedor registra no banco; só o `registrado` pode ser pago, e até lá linha, código de barras e PDF são nulos. ' +
    'Nulo: o boleto, se há, não é registrado por aqui (como o que foi importado).',
} as const;

export const faturaSchema = closed('Fatura', {
  id,
  cliente_id: { ...id, person: true },
  contrato_id: idOrNull,
  descricao: { ...textOrNull, mask: 'text' },
  situacao: {
    type: 'string',
    enum: ['pendente', 'vencida', 'paga', 'cancelada', 'estornada', 'processando'],
    description: 'vencida a partir do dia seguinte ao vencimento, na data local do provedor.',
  },
  tipo: { type: ['string', 'null'], enum: ['boleto', 'pix', 'carne', 'carteira', null] },
  valor: money,
  valor_atualizado: {
    ...moneyOrNull,
    description: 'Quanto falta pagar hoje, com multa e juros e sem o que já foi pago; nulo se é o próprio valor.',
  },
  valor_pago: {
    ...money,
    description: 'Tudo o que foi pago e não devolvido, também de uma fatura ainda em aberto.',
  },
  valor_a_pagar: {
    ...money,
    description:
      'O que dizer a quem pergunta quanto deve: o que falta pagar hoje, com multa e juros e sem o que já foi pago. ' +
      '0 no que não está em aberto. É o valor do pix_copia_cola, onde ele leva valor.',
  },
  multa: { ...money, description: 'A multa de hoje, paga ou não; 0 no que não está em aberto.' },
  juros: { ...money, description: 'Os juros até hoje, pagos ou não; 0 no que não está em aberto.' },
  dias_atraso: {
    type: 'integer',
    minimum: 0,
    description:
      'Dias desde o dia útil do vencimento, pelas regras de cobrança; 0 até ele e no que não está em aberto.',
  },
  pago_parcialmente: { type: 'boolean', description: 'Se uma parte foi paga e outra ainda falta.' },
  vencimento: { ...date, mask: 'none' },
  emitida_em: instant,
  pago_em: instantOrNull,
  boleto_situacao: boletoSituacaoSchema,
  segunda_via: {
    anyOf: [segundaViaSchema, { type: 'null' }],
    description: 'Preenchida só enquanto a fatura está pendente ou vencida.',
  },
});

export const exemploFatura = {
  id: 345,
  cliente_id: 7,
  contrato_id: 12,
  descricao: 'Mensalidade 11/2026',
  situacao: 'vencida',
  tipo: 'pix',
  valor: 99.9,
  valor_atualizado: 102.23,
  valor_pago: 0,
  valor_a_pagar: 102.23,
  multa: 2,
  juros: 0.33,
  dias_atraso: 10,
  pago_parcialmente: false,
  vencimento: '2026-11-10',
  emitida_em: '2026-11-01T09:00:00.000Z',
  pago_em: null,
  boleto_situacao: null,
  segunda_via: {
    link_pagamento: 'https://painel.example.com/pagar/3q2-7wEBAgMEBQYHCAkKCw',
    pdf: null,
    pagina_pix: 'https://painel.example.com/pix/3q2-7wEBAgMEBQYHCAkKCw',
    pix_copia_cola:
      '00020126580014br.gov.bcb.pix01367d9f0335-8dcc-4054-9bf9-0dbd61d369065204000053039865406102.235802BR5923SERRA AZUL TELECOM LTDA6012POUSO ALEGRE62120508SERRA3456304D96A',
    linha_digitavel: null,
    codigo_barras: null,
  },
};

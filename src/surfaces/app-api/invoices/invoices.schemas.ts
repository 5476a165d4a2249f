import { FILTROS_DE_SITUACAO } from '../../../domain/faturas/faturas.types.ts';
import { AMBIENTES_DE_NFCOM, FORMATOS_DE_NFCOM, SITUACOES_DE_NFCOM } from '../../../domain/nfcom/nfcom.types.ts';
import { date, id, instantOrNull, money, textOrNull } from '../../../kit/fields/fields.ts';
import { exemploFatura, faturaSchema, segundaViaSchema } from '../../../objects/faturas.schemas.ts';
import { closed } from '../../../platform/schema-type.ts';
import { cursorNaConsulta } from '../rota.ts';

const daFatura = faturaSchema.properties;
const daSegundaVia = segundaViaSchema.properties;

const COMO_PAGAR = {
  payment_link: daSegundaVia.link_pagamento,
  pdf: daSegundaVia.pdf,
  pix_page: daSegundaVia.pagina_pix,
  pix_code: daSegundaVia.pix_copia_cola,
  digitable_line: daSegundaVia.linha_digitavel,
  barcode: daSegundaVia.codigo_barras,
} as const;

const secondCopySchema = closed('SecondCopy', COMO_PAGAR, {
  description: 'Como pagar. Cada campo é nulo quando a fatura não tem aquele meio.',
});

export const invoiceSchema = closed('Invoice', {
  id,
  client_id: id,
  contract_id: daFatura.contrato_id,
  description: textOrNull,
  status: daFatura.situacao,
  type: daFatura.tipo,
  amount: money,
  updated_amount: daFatura.valor_atualizado,
  paid_amount: daFatura.valor_pago,
  due_date: date,
  issued_at: daFatura.emitida_em,
  paid_at: instantOrNull,
  boleto_situacao: daFatura.boleto_situacao,
  second_copy: { anyOf: [secondCopySchema, { type: 'null' }], description: daFatura.segunda_via.description },
  nfcom: {
    anyOf: [closed(null, { id, status: { type: 'string', enum: SITUACOES_DE_NFCOM } }), { type: 'null' }],
    description: 'A nota fiscal desta fatura; de várias, a que vale.',
  },
});

export const secondCopyOfTodaySchema = closed('SecondCopyOfToday', {
  ...COMO_PAGAR,
  amount_today: { ...money, description: 'O que falta pagar hoje, com multa e juros e sem o que já foi pago.' },
  valid_on: { ...date, description: 'De que dia é o valor, na data local do provedor.' },
});

export const consultaDeInvoices = {
  type: 'object',
  additionalProperties: false,
  properties: {
    status: {
      type: 'string',
      enum: [...FILTROS_DE_SITUACAO, 'processando'],
      default: 'todas',
      description: 'aberta é pendente mais vencida.',
      examples: ['aberta'],
    },
    contract_id: { ...id, description: 'Só as faturas deste contrato.', examples: [12] },
    ...cursorNaConsulta,
  },
} as const;

const segundaVia = exemploFatura.segunda_via;

export const exemploSecondCopy = {
  payment_link: segundaVia.link_pagamento,
  pdf: segundaVia.pdf,
  pix_page: segundaVia.pagina_pix,
  pix_code: segundaVia.pix_copia_cola,
  digitable_line: segundaVia.linha_digitavel,
  barcode: segundaVia.codigo_barras,
};

export const exemploInvoice = {
  id: exemploFatura.id,
  client_id: exemploFatura.cliente_id,
  contract_id: exemploFatura.contrato_id,
  description: exemploFatura.descricao,
  status: exemploFatura.situacao,
  type: exemploFatura.tipo,
  amount: exemploFatura.valor,
  updated_amount: exemploFatura.valor_atualizado,
  paid_amount: exemploFatura.valor_pago,
  due_date: exemploFatura.vencimento,
  issued_at: exemploFatura.emitida_em,
  paid_at: exemploFatura.pago_em,
  boleto_situacao: exemploFatura.boleto_situacao,
  second_copy: exemploSecondCopy,
  nfcom: { id: 31, status: 'autorizada' },
};

export const nfcomSchema = closed('NFCom', {
  id,
  invoice_id: id,
  model: { const: '62', description: 'Nota Fiscal Fatura de Serviços de Comunicação Eletrônica.' },
  number: { type: ['integer', 'null'] },
  series: { type: ['integer', 'null'] },
  access_key: { ...textOrNull, description: '44 dígitos.' },
  status: { type: 'string', enum: SITUACOES_DE_NFCOM },
  environment: { type: 'string', enum: AMBIENTES_DE_NFCOM },
  protocol: textOrNull,
  amount: money,
  issued_at: instantOrNull,
  authorized_at: instantOrNull,
  canceled_at: instantOrNull,
  rejection: {
    anyOf: [closed(null, { code: textOrNull, reason: textOrNull }), { type: 'null' }],
    description: 'O que a Fazenda disse; nulo, salvo na rejeitada.',
  },
  qr_code: { ...textOrNull, description: 'O endereço que o QR code da nota leva.' },
  formats: {
    type: 'array',
    items: { type: 'string', enum: FORMATOS_DE_NFCOM },
    description: 'Em que formatos a nota pode ser baixada agora.',
  },
});

export const exemploNfcom = {
  id: 31,
  invoice_id: exemploFatura.id,
  model: '62',
  number: 1204,
  series: 1,
  access_key: '31261112345678000195620010000012041123456780',
  status: 'autorizada',
  environment: 'producao',
  protocol: '3312600000012345',
  amount: exemploFatura.valor,
  issued_at: '2026-11-01T09:00:00.000Z',
  authorized_at: '2026-11-01T09:00:04.000Z',
  canceled_at: null,
  rejection: null,
  qr_code:
    'https://dfe-portal.svrs.rs.gov.br/NFCom/QRCode?chNFCom=31261112345678000195620010000012041123456780&tpAmb=1',
  formats: ['pdf', 'xml'],
};

const contract_id = {
  ...id,
  description: 'A nota deste contrato, de uma fatura que é de vários.',
  examples: [12],
} as const;

export const consultaDaNota = {
  type: 'object',
  additionalProperties: false,
  properties: { contract_id },
} as const;

export const consultaDoDownload = {
  type: 'object',
  additionalProperties: false,
  required: ['format'],
  properties: {
    contract_id,
    format: {
      type: 'string',
      enum: FORMATOS_DE_NFCOM,
      description: 'Um dos que formats da nota diz.',
      examples: ['xml'],
    },
  },
} as const;

import { SITUACOES_DE_CLIENTE } from '../../../domain/clientes/clientes.types.ts';
import { SITUACOES_DE_CONTRATO } from '../../../domain/contratos/contratos.types.ts';
import { dateOrNull, id, instant, instantOrNull, money, textOrNull } from '../../../kit/fields/fields.ts';
import { closed } from '../../../platform/schema-type.ts';

const addressSchema = closed('Address', {
  zip_code: { ...textOrNull, description: 'CEP, 8 dígitos.', examples: ['37130001'] },
  street: textOrNull,
  number: textOrNull,
  complement: textOrNull,
  district: textOrNull,
  city: textOrNull,
  state: { ...textOrNull, examples: ['MG'] },
});

export const connectionState = {
  type: 'string',
  enum: ['online', 'offline', 'desconhecido'],
  description: 'online: há sessão aberta e recente; desconhecido: sem login ou nunca conectou.',
} as const;

const contractSchema = closed('Contract', {
  id,
  client_id: id,
  status: { type: 'string', enum: SITUACOES_DE_CONTRATO },
  connection: connectionState,
  connection_type: { type: 'string', examples: ['pppoe'] },
  login: textOrNull,
  billing_type: { type: 'string', enum: ['pos_pago', 'pre_pago', 'isento'] },
  due_day: { type: 'integer', minimum: 1, maximum: 31 },
  amount: money,
  activated_at: dateOrNull,
  blocked_at: instantOrNull,
  plan: closed(null, {
    id,
    name: { type: 'string' },
    download_mbps: { type: 'integer' },
    upload_mbps: { type: 'integer' },
  }),
  installation_address: addressSchema,
  trust_unblock: closed(null, {
    active: { type: 'boolean', description: 'Se há um desbloqueio de confiança em vigor.' },
    until: { ...instantOrNull, description: 'O fim do que está em vigor.' },
    available: { type: 'boolean', description: 'Se um desbloqueio seria feito agora.' },
    reason: {
      type: ['string', 'null'],
      enum: [
        'desbloqueio_desabilitado',
        'desbloqueio_ativo',
        'contrato_nao_bloqueado',
        'bloqueio_manual',
        'fatura_anterior_em_aberto',
        null,
      ],
      description: 'O código com que seria recusado; nulo se seria feito.',
    },
    days: { type: 'integer', minimum: 1, description: 'Quantos dias dura, pelas regras do provedor.' },
  }),
});

const status = { type: 'string', enum: SITUACOES_DE_CLIENTE } as const;

export const clientSchema = closed('Client', {
  id,
  name: { type: 'string' },
  trade_name: textOrNull,
  type: { type: 'string', enum: ['pf', 'pj'] },
  cpf_cnpj: { type: 'string', examples: ['52998224725'] },
  email: textOrNull,
  phones: { type: 'array', items: { type: 'string' }, examples: [['35999990001']] },
  status,
  birth_date: dateOrNull,
  created_at: instant,
  address: addressSchema,
  contracts: { type: 'array', items: contractSchema, description: 'De todos os cadastros do documento.' },
  registrations: {
    type: 'array',
    items: closed(null, { id, status }),
    description: 'Os cadastros do documento; o mais novo que não está cancelado é o cliente.',
  },
});

const exemploEndereco = {
  zip_code: '37130001',
  street: 'Rua das Acácias',
  number: '120',
  complement: null,
  district: 'Centro',
  city: 'Alfenas',
  state: 'MG',
} as const;

export const exemploClient = {
  id: 7,
  name: 'Maria da Silva',
  trade_name: null,
  type: 'pf',
  cpf_cnpj: '52998224725',
  email: 'maria@example.com',
  phones: ['35999990001'],
  status: 'ativo',
  birth_date: '1988-04-12',
  created_at: '2024-02-01T12:00:00.000Z',
  address: exemploEndereco,
  contracts: [
    {
      id: 12,
      client_id: 7,
      status: 'bloqueado',
      connection: 'offline',
      connection_type: 'pppoe',
      login: 'maria.silva',
      billing_type: 'pos_pago',
      due_day: 10,
      amount: 99.9,
      activated_at: '2024-02-03',
      blocked_at: '2026-11-19T03:10:00.000Z',
      plan: { id: 3, name: 'Fibra 500', download_mbps: 500, upload_mbps: 250 },
      installation_address: exemploEndereco,
      trust_unblock: { active: false, until: null, available: true, reason: null, days: 3 },
    },
  ],
  registrations: [{ id: 7, status: 'ativo' }],
};

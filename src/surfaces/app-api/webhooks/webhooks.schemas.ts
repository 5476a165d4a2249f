import { ESTADOS_DE_ENTREGA } from '../../../domain/webhooks/webhooks.types.ts';
import { closed } from '../../../platform/schema-type.ts';
import { cursorNaConsulta } from '../rota.ts';

const instante = { type: 'string', format: 'date-time' } as const;
const instanteOuNulo = { type: ['string', 'null'], format: 'date-time' } as const;
const inteiro = { type: 'integer' } as const;
const texto = { type: 'string' } as const;
const textoOuNulo = { type: ['string', 'null'] } as const;
const inteiroOuNulo = { type: ['integer', 'null'] } as const;

const doWebhook = {
  id: inteiro,
  url: texto,
  description: textoOuNulo,
  events: { type: 'array', items: texto },
  status: { type: 'string', enum: ['ativo', 'pausado', 'desativado'] },
  disabled_reason: { type: ['string', 'null'], enum: ['falhas', 'gone', null] },
  failing_since: instanteOuNulo,
  secret_hint: { type: 'string', description: 'Os últimos 4 caracteres do segredo.' },
  previous_secret_until: { ...instanteOuNulo, description: 'Até quando o segredo anterior assina também.' },
  pending: { type: 'integer', minimum: 0 },
  last_delivery_at: instanteOuNulo,
  last_success_at: instanteOuNulo,
  created_at: instante,
  updated_at: instante,
} as const;

const segredo = { type: 'string', description: 'Mostrado só nesta resposta.' } as const;

export const webhookSchema = closed('Webhook', doWebhook);
export const webhookNovoSchema = closed('WebhookNovo', { ...doWebhook, secret: segredo });
export const segredoSchema = closed('SegredoDeWebhook', { secret: segredo, previous_secret_until: instanteOuNulo });

const tentativa = { status_code: inteiroOuNulo, error: textoOuNulo, duration_ms: inteiro } as const;

const daEntrega = {
  id: inteiro,
  message_id: texto,
  type: texto,
  status: { type: 'string', enum: ESTADOS_DE_ENTREGA },
  attempts: inteiro,
  next_attempt_at: instanteOuNulo,
  created_at: instante,
  delivered_at: instanteOuNulo,
  last: { anyOf: [closed(null, tentativa), { type: 'null' }] },
} as const;

export const entregaSchema = closed('Delivery', daEntrega);
export const entregaComCorpoSchema = closed('DeliveryWithBody', {
  ...daEntrega,
  body: { type: 'string', description: 'O texto exato que é enviado e assinado.' },
  attempts_log: {
    type: 'array',
    items: closed(null, { n: inteiro, at: instante, ...tentativa, response_body: textoOuNulo }),
  },
});

export const resultadoDoTeste = closed('ResultadoDoTeste', {
  delivery_id: inteiro,
  at: instante,
  ...tentativa,
  response_body: textoOuNulo,
});
export const reenviados = closed('Reenviados', { queued: { type: 'integer', minimum: 0 } });
export const removido = closed('WebhookRemovido', { id: inteiro });

export const eventoSchema = closed('EventoDeWebhook', {
  type: texto,
  description: texto,
  schema: { type: 'object', description: 'JSON Schema de data.' },
  example: { type: 'object', description: 'Um exemplo de data.' },
});

export const consultaDePartes = { type: 'object', additionalProperties: false, properties: cursorNaConsulta } as const;

export const consultaDeEntregas = {
  type: 'object',
  additionalProperties: false,
  properties: {
    status: { type: 'string', enum: ESTADOS_DE_ENTREGA, description: 'Só as deste estado.', examples: ['esgotada'] },
    event: { ...texto, minLength: 1, maxLength: 60, description: 'Só as deste evento.', examples: ['fatura.paga'] },
    from: { ...instante, description: 'Criadas deste instante em diante.', examples: ['2026-11-20T00:00:00.000Z'] },
    to: { ...instante, description: 'Criadas até este instante.', examples: ['2026-11-21T00:00:00.000Z'] },
    ...cursorNaConsulta,
  },
} as const;

const campos = {
  url: {
    type: 'string',
    minLength: 1,
    maxLength: 2000,
    description: 'https, de um endereço público.',
    examples: ['https://crm.exemplo.com.br/malha'],
  },
  events: {
    type: 'array',
    minItems: 1,
    maxItems: 50,
    items: { type: 'string', minLength: 1, maxLength: 60 },
    description: 'Nomes de eventos, `fatura.*`, ou `*`.',
    examples: [['fatura.*', 'cliente.criado']],
  },
  description: { type: ['string', 'null'], maxLength: 200, description: 'Para que serve.', examples: ['CRM'] },
  status: {
    type: 'string',
    enum: ['ativo', 'pausado'],
    description: 'Pausado, nada entra na fila; ativo traz de volta o pausado ou desativado e esquece as suas falhas.',
    examples: ['ativo'],
  },
} as const;

export const corpoNovo = closed('NovoWebhook', campos, { optional: ['description', 'status'] });
export const corpoDeMudanca = {
  title: 'MudancaDeWebhook',
  type: 'object',
  additionalProperties: false,
  minProperties: 1,
  properties: campos,
} as const;

export const corpoDoSegredo = closed(
  'TrocaDeSegredo',
  {
    keep_old_hours: {
      type: 'integer',
      minimum: 0,
      maximum: 168,
      description: 'Por quantas horas o anterior assina também; sem dizer, 24.',
      examples: [24],
    },
  },
  { optional: ['keep_old_hours'] },
);

export const corpoDoTeste = closed(
  'TesteDeWebhook',
  { type: { ...texto, minLength: 1, maxLength: 60, description: 'Sem dizer, teste.ping.', examples: ['teste.ping'] } },
  { optional: ['type'] },
);

export const corpoDoReenvio = closed(
  'ReenvioDeEntregas',
  {
    from: { ...instante, description: 'De até 30 dias atrás em diante.', examples: ['2026-11-20T00:00:00.000Z'] },
    to: { ...instante, description: 'Sem dizer, até agora.', examples: ['2026-11-21T00:00:00.000Z'] },
    only_failed: {
      type: 'boolean',
      description: 'Sem dizer, sim; não envia também o que nunca virou entrega.',
      examples: [true],
    },
  },
  { optional: ['to', 'only_failed'] },
);

import { PLATAFORMAS } from '../../../domain/push/push.types.ts';
import { SILENCIAVEIS, regraDoTipo } from '../../../domain/push/tipos.regras.ts';
import { instant, textOrNull } from '../../../kit/fields/fields.ts';
import { closed } from '../../../platform/schema-type.ts';

const silenciados = SILENCIAVEIS.map((nome) => `\`${nome}\`: ${regraDoTipo(nome).dito}`).join('; ');

export const configuracaoSchema = closed('PushConfig', {
  vapid_public_key: { ...textOrNull, description: 'applicationServerKey do Web Push; null onde não há.' },
  fcm: { type: 'boolean', description: 'Se o provedor envia pelo FCM.' },
});

export const aparelhoSchema = closed('Device', {
  id: { type: 'integer' },
  kind: { type: 'string', enum: ['fcm', 'webpush'] },
  platform: { type: 'string', enum: PLATAFORMAS },
  app_version: textOrNull,
  muted: { type: 'array', items: { type: 'string' }, description: 'Espécies de aviso que não chegam a ele.' },
  current: { type: 'boolean', description: 'Se é da sessão que pergunta.' },
  seen_at: { ...instant, description: 'Quando o app o registrou ou alterou pela última vez; passados 270 dias, sai.' },
  created_at: instant,
});

export const exemploAparelho = {
  id: 31,
  kind: 'fcm',
  platform: 'android',
  app_version: '2.4.1',
  muted: ['fatura_disponivel'],
  current: true,
  seen_at: '2026-11-22T17:02:11.000Z',
  created_at: '2026-11-10T13:05:00.000Z',
} as const;

/** The domain judges them: they depend on each other. */
const ajustaveis = {
  token: { type: 'string', description: 'Do FCM; só de kind fcm.', examples: ['dQw4w9WgXcQ:APA91bHPRgkF3JUikC4'] },
  endpoint: {
    type: 'string',
    description: 'Da inscrição do navegador; só de kind webpush.',
    examples: ['https://updates.push.services.mozilla.com/wpush/v2/gAAAAABn'],
  },
  keys: {
    type: 'object',
    additionalProperties: false,
    properties: { p256dh: { type: 'string' }, auth: { type: 'string' } },
    required: ['p256dh', 'auth'],
    description: 'Da inscrição do navegador, em base64url.',
    examples: [
      {
        p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
        auth: 'BTBZMqHH6r4Tts7J_aSIgg',
      },
    ],
  },
  app_version: { type: ['string', 'null'], maxLength: 40, examples: ['2.4.1'] },
  muted: {
    type: 'array',
    items: { type: 'string' },
    description: `Espécies de aviso que não se querem. ${silenciados}. \`seguranca\` não se silencia.`,
    examples: [['fatura_disponivel']],
  },
} as const;

export const corpoDeRegistro = closed(
  'DeviceRegistration',
  {
    kind: { type: 'string', enum: ['fcm', 'webpush'], examples: ['fcm'] },
    platform: { type: 'string', enum: PLATAFORMAS, examples: ['android'] },
    ...ajustaveis,
  },
  { optional: ['token', 'endpoint', 'keys', 'app_version', 'muted'] },
);

export const corpoDeMudanca = closed('DeviceChange', ajustaveis, {
  optional: ['token', 'endpoint', 'keys', 'app_version', 'muted'],
});

const ids = { type: 'array', items: { type: 'integer', minimum: 1 }, maxItems: 500 } as const;

export const corpoDeMensagem = closed(
  'PushMessage',
  {
    cliente_ids: { ...ids, description: 'Até 500. Ou estes, ou contrato_ids.', examples: [[1042]] },
    contrato_ids: { ...ids, description: 'Até 500: a mensagem vai aos seus clientes.', examples: [[77]] },
    titulo: { type: 'string', description: 'Até 80 caracteres.', examples: ['Manutenção amanhã'] },
    texto: {
      type: 'string',
      description: 'Até 240 caracteres.',
      examples: ['Das 2h às 4h a rede para no seu bairro.'],
    },
    link: { type: 'string', description: 'Caminho do app que a mensagem abre.', examples: ['/notices'] },
  },
  { optional: ['cliente_ids', 'contrato_ids', 'link'] },
);

export const enfileiradasSchema = closed('QueuedMessages', {
  queued: { type: 'integer', minimum: 0, description: 'Em quantos aparelhos a mensagem chegará.' },
});

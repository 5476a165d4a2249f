import { date, id, instant, instantOrNull, textOrNull } from '../../../kit/fields/fields.ts';
import { closed } from '../../../platform/schema-type.ts';
import { avisoSchema, exemploAviso } from '../network/avisos.ts';
import { bytes } from '../network/network.schemas.ts';
import { connectionState } from './client.schemas.ts';

/** Where the newest session of a line was. */
export const serverOfLine = {
  anyOf: [closed(null, { name: textOrNull }), { type: 'null' }],
  description: 'O servidor da sessão mais nova; nulo se não se sabe.',
} as const;

export const connectionSchema = closed('Connection', {
  contract_id: id,
  connection: connectionState,
  source: { type: 'string', enum: ['radius', 'desconhecida'], description: 'De onde vem o estado.' },
  drops_7_days: { type: 'integer', minimum: 0 },
  drops_30_days: { type: 'integer', minimum: 0 },
  server: serverOfLine,
  notice: {
    anyOf: [avisoSchema, { type: 'null' }],
    description: 'O aviso da rede em vigor para este contrato; de vários, o que começou por último.',
  },
  sessions: {
    type: 'array',
    maxItems: 100,
    description: 'Sessões dos últimos 30 dias, da mais nova para a mais antiga.',
    items: closed(null, {
      started_at: instantOrNull,
      ended_at: instantOrNull,
      duration_seconds: { type: 'integer', minimum: 0 },
      cause: {
        ...textOrNull,
        description: 'Causa do fim (RFC 2866), sem_resposta se a sessão parou de dar sinal, nula se está aberta.',
        examples: ['lost_carrier'],
      },
    }),
  },
});

export const exemploConnection = {
  contract_id: 12,
  connection: 'online',
  source: 'radius',
  drops_7_days: 1,
  drops_30_days: 4,
  server: { name: 'bng-1' },
  notice: { ...exemploAviso, contract_ids: [12] },
  sessions: [{ started_at: '2026-11-10T13:05:00.000Z', ended_at: null, duration_seconds: 86400, cause: null }],
} as const;

export const consultaDeUso = {
  type: 'object',
  additionalProperties: false,
  properties: {
    month: {
      type: 'string',
      pattern: '^\\d{4}-(0[1-9]|1[0-2])$',
      description: 'AAAA-MM; este mês, se faltar, e até 13 meses atrás.',
      examples: ['2026-11'],
    },
  },
} as const;

export const usageSchema = closed('Usage', {
  month: { type: 'string', description: 'AAAA-MM.', examples: ['2026-11'] },
  ...bytes,
  days: {
    type: 'array',
    description: 'Os dias do mês até hoje, também os sem tráfego; os de mais de 400 dias atrás não se guardam.',
    items: closed(null, { date, ...bytes }),
  },
});

export const exemploUsage = {
  month: '2026-11',
  download_bytes: 161_061_273_600,
  upload_bytes: 16_106_127_360,
  days: [{ date: '2026-11-01', download_bytes: 161_061_273_600, upload_bytes: 16_106_127_360 }],
} as const;

export const corpoDeDesbloqueio = {
  title: 'TrustUnblockRequest',
  type: 'object',
  additionalProperties: false,
  properties: {
    reason: {
      type: 'string',
      maxLength: 500,
      description: 'Texto livre, que fica no histórico do contrato. Em branco, é como não enviar.',
      examples: ['Pago amanhã cedo.'],
    },
  },
} as const;

export const trustUnblockSchema = closed('TrustUnblock', {
  contract_id: id,
  days: { type: 'integer', minimum: 1, description: 'Quantos dias dura, pelas regras do provedor.' },
  until: { ...instant, description: 'Último instante do desbloqueio.' },
});

export const exemploTrustUnblock = { contract_id: 12, days: 3, until: '2026-11-14T02:59:59.999Z' } as const;

import { id, instant, instantOrNull, textOrNull } from '../../../kit/fields/fields.ts';
import { closed } from '../../../platform/schema-type.ts';

export const conexaoSchema = closed('Conexao', {
  contrato_id: id,
  conexao: { type: 'string', enum: ['online', 'offline', 'desconhecido'] },
  fonte: { type: 'string', enum: ['radius', 'desconhecida'], description: 'De onde vem o estado.' },
  quedas_7_dias: { type: 'integer', minimum: 0 },
  quedas_30_dias: { type: 'integer', minimum: 0 },
  sessoes: {
    type: 'array',
    maxItems: 100,
    description: 'Sessões dos últimos 30 dias, da mais nova para a mais antiga.',
    items: closed(null, {
      inicio: instantOrNull,
      fim: instantOrNull,
      duracao_segundos: { type: 'integer', minimum: 0 },
      causa: {
        ...textOrNull,
        mask: 'none',
        description: 'Causa do fim (RFC 2866), sem_resposta se a sessão parou de dar sinal, nula se está aberta.',
        examples: ['lost_carrier'],
      },
    }),
  },
});

export const corpoDeDesbloqueio = {
  title: 'PedidoDeDesbloqueio',
  type: 'object',
  additionalProperties: false,
  properties: {
    motivo: {
      type: 'string',
      maxLength: 500,
      description: 'Texto livre, que fica no histórico do contrato. Em branco, é como não enviar.',
      examples: ['Cliente informou pagamento agendado.'],
    },
  },
} as const;

export const desbloqueioSchema = closed('DesbloqueioConfianca', {
  contrato_id: id,
  dias: { type: 'integer', minimum: 1, description: 'Dias de desbloqueio, das regras de cobrança do provedor.' },
  ate: { ...instant, description: 'Último instante do desbloqueio.' },
});

export const exemploDesbloqueio = { contrato_id: 12, dias: 3, ate: '2026-11-14T02:59:59.999Z' };

export const exemploConexao = {
  contrato_id: 12,
  conexao: 'online',
  fonte: 'radius',
  quedas_7_dias: 1,
  quedas_30_dias: 4,
  sessoes: [
    { inicio: '2026-11-10T13:05:00.000Z', fim: null, duracao_segundos: 86400, causa: null },
    {
      inicio: '2026-11-08T09:00:00.000Z',
      fim: '2026-11-10T13:04:10.000Z',
      duracao_segundos: 187450,
      causa: 'lost_carrier',
    },
  ],
};

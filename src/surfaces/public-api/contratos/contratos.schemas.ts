import { FORMA_DO_PROTOCOLO } from '../../../domain/protocolos/protocolos.regras.ts';
import { id, instant, instantOrNull, textOrNull } from '../../../kit/fields/fields.ts';
import { avisosEmVigor, exemploAviso } from '../../../objects/avisos.schemas.ts';
import { daLinha, exemploConexaoDetalhe } from '../../../objects/conexoes.schemas.ts';
import { closed } from '../../../platform/schema-type.ts';

export const conexaoSchema = closed('Conexao', {
  contrato_id: id,
  ...daLinha,
  avisos: avisosEmVigor,
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
  ...exemploConexaoDetalhe,
  avisos: [exemploAviso],
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

export const corpoDeDesconexao = {
  title: 'PedidoDeDesconexao',
  type: 'object',
  additionalProperties: false,
  properties: {
    motivo: {
      type: 'string',
      maxLength: 300,
      description: 'Texto livre, que fica com o atendimento. Em branco, é como não enviar.',
      examples: ['Cliente relata lentidão; reiniciou o roteador.'],
    },
  },
} as const;

export const desconexaoSchema = closed('Desconexao', {
  pedido_id: { ...id, description: 'O pedido à rede.' },
  situacao: {
    type: 'string',
    enum: ['pendente'],
    description: 'O NAS ainda vai ouvir o pedido; a conexão do contrato diz o que houve.',
  },
  protocolo: { type: 'string', pattern: FORMA_DO_PROTOCOLO, description: 'O que dizer ao assinante.' },
});

export const exemploDesconexao = { pedido_id: 81, situacao: 'pendente', protocolo: '20261111000042' };

import { MOTIVOS_DO_DESBLOQUEIO } from '../../../domain/desbloqueios/desbloqueios.regras.ts';
import { SITUACOES_NA_REDE } from '../../../domain/desbloqueios/rede.regras.ts';
import { date, id, instant, instantOrNull, textOrNull } from '../../../kit/fields/fields.ts';
import { FORMA_DO_PROTOCOLO } from '../../../domain/protocolos/protocolos.regras.ts';
import { avisosEmVigor, exemploAviso } from '../../../objects/rede/avisos.schemas.ts';
import { daLinha, exemploConexaoDetalhe } from '../../../objects/rede/conexoes.schemas.ts';
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

const dias = {
  type: 'integer',
  minimum: 1,
  description: 'Dias de desbloqueio, das regras de cobrança do provedor.',
} as const;

const redeSchema = closed(
  'RedeDoDesbloqueio',
  {
    situacao: {
      type: 'string',
      enum: SITUACOES_NA_REDE,
      description:
        'aplicada: o login está liberado e nenhuma sessão segue bloqueada; sem_resposta: o servidor não respondeu, e a sessão segue como estava; sem_efeito: o servidor recusou ou não pode ser avisado, ou o contrato não tem login.',
    },
    em: { ...instant, description: 'Desde quando.' },
  },
  { description: 'O que a rede fez da liberação. Só diga "liberado" depois de aplicada.' },
);

export const desbloqueioSchema = closed('DesbloqueioConfianca', {
  contrato_id: id,
  dias,
  ate: { ...instant, description: 'Último instante do desbloqueio.' },
  protocolo: {
    type: 'string',
    mask: 'none',
    description: 'Número que se dá ao assinante.',
    examples: ['20261110000042'],
  },
  rede: redeSchema,
});

export const exemploDesbloqueio = {
  contrato_id: 12,
  dias: 3,
  ate: '2026-11-14T02:59:59.999Z',
  protocolo: '20261110000042',
  rede: { situacao: 'pendente', em: '2026-11-10T13:05:00.000Z' },
};

export const desbloqueioPossivelSchema = closed('DesbloqueioPossivel', {
  disponivel: { type: 'boolean', description: 'Se pode ser aplicado agora.' },
  motivo: {
    type: ['string', 'null'],
    enum: [...MOTIVOS_DO_DESBLOQUEIO, null],
    description: 'O código com que o POST responderia agora; nulo se está disponível.',
  },
  dias,
  ate: { ...instant, description: 'Fim do que está em vigor; sem ele, o fim de um aplicado agora.' },
  ativo: { type: 'boolean', description: 'Se há um em vigor.' },
  rede: { anyOf: [redeSchema, { type: 'null' }], description: 'Do que está em vigor; nula sem ele.' },
});

export const exemploDesbloqueioPossivel = {
  disponivel: false,
  motivo: 'desbloqueio_ativo',
  dias: 3,
  ate: '2026-11-14T02:59:59.999Z',
  ativo: true,
  rede: { situacao: 'aplicada', em: '2026-11-10T13:05:02.120Z' },
};

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

export const corpoDePromessa = closed('NovaPromessa', {
  data: { ...date, description: 'Até que dia se promete pagar; o provedor diz quantos dias à frente aceita.' },
});

export const promessaSchema = closed('Promessa', {
  id,
  contrato_id: id,
  data: { ...date, mask: 'none', description: 'Até que dia se prometeu pagar.' },
  registrada_em: instant,
});

export const exemploPromessa = {
  id: 9,
  contrato_id: 12,
  data: '2026-11-14',
  registrada_em: '2026-11-10T13:05:00.000Z',
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
  protocolo: { type: 'string', pattern: FORMA_DO_PROTOCOLO, mask: 'none', description: 'O que dizer ao assinante.' },
});

export const exemploDesconexao = { pedido_id: 81, situacao: 'pendente', protocolo: '20261111000042' };

import { CANAIS, TIPOS_DE_ATENDIMENTO } from '../../../domain/protocolos/protocolos.types.ts';
import { idOrNull, instant, spokenText, textOrNull } from '../../../kit/fields/fields.ts';
import { closed } from '../../../platform/schema-type.ts';
import { paginacaoNaConsulta } from '../esquemas.ts';

export const atendimentoSchema = closed('Atendimento', {
  protocolo: {
    ...textOrNull,
    mask: 'none',
    description: 'Número que se dá ao assinante; nulo em chamados e desbloqueios mais antigos que os protocolos.',
    examples: ['20261110000042'],
  },
  tipo: {
    type: 'string',
    enum: TIPOS_DE_ATENDIMENTO,
    description: 'contato é o que alguém anotou; os outros, o que se fez no contato.',
  },
  canal: { type: ['string', 'null'], enum: [...CANAIS, null], description: 'Por onde veio; nulo se ninguém disse.' },
  cliente_id: { ...idOrNull, person: true, description: 'Nulo de quem não se sabe quem é.' },
  contrato_id: idOrNull,
  chamado_id: { ...idOrNull, description: 'O chamado que se abriu.' },
  assunto: { type: 'string', mask: 'text' },
  resumo: { ...textOrNull, mask: 'text' },
  autor: { ...textOrNull, mask: 'text', description: 'Nome da chave ou de quem atendeu.' },
  aberto_em: instant,
});

const opcional = { type: ['integer', 'null'], minimum: 1, maximum: Number.MAX_SAFE_INTEGER } as const;

export const corpoDeAtendimento = closed(
  'NovoAtendimento',
  {
    cliente_id: { ...opcional, description: 'De quem foi; sem ele, o titular do contrato.', examples: [7] },
    contrato_id: { ...opcional, description: 'Contrato de que se tratou, do mesmo cliente.', examples: [12] },
    canal: { type: 'string', enum: CANAIS, description: 'Por onde veio.', examples: ['chatbot'] },
    assunto: {
      ...spokenText,
      minLength: 3,
      maxLength: 300,
      description: 'De que se tratou, em poucas palavras.',
      examples: ['Segunda via'],
    },
    resumo: {
      type: ['string', 'null'],
      maxLength: 5000,
      description: 'O que se disse e fez. Em branco, é como não enviar.',
      examples: ['Recebeu o PIX da fatura de novembro.'],
    },
  },
  { optional: ['cliente_id', 'contrato_id', 'resumo'] },
);

export const consultaDeAtendimentos = {
  type: 'object',
  additionalProperties: false,
  properties: paginacaoNaConsulta,
} as const;

export const exemploAtendimento = {
  protocolo: '20261110000042',
  tipo: 'contato',
  canal: 'chatbot',
  cliente_id: 7,
  contrato_id: 12,
  chamado_id: null,
  assunto: 'Segunda via',
  resumo: 'Recebeu o PIX da fatura de novembro.',
  autor: 'chatbot',
  aberto_em: '2026-11-10T13:05:00.000Z',
} as const;

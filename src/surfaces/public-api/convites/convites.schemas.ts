import { id, idOrNull, instantOrNull } from '../../../kit/fields/fields.ts';
import { closed } from '../../../platform/schema-type.ts';

export const corpoDeConvite = {
  title: 'NovoConvite',
  type: 'object',
  additionalProperties: false,
  properties: {
    plano_id: {
      ...id,
      description: 'Plano ativo que o convite leva; sem ele, quem se cadastra escolhe.',
      examples: [3],
    },
    dia_vencimento: {
      type: 'integer',
      minimum: 1,
      maximum: 30,
      description: 'Dia de vencimento que o convite leva; sem ele, quem se cadastra escolhe.',
      examples: [10],
    },
    validade_dias: {
      type: 'integer',
      minimum: 1,
      maximum: 365,
      default: 7,
      description: 'Dias de 24 horas até o convite vencer.',
      examples: [7],
    },
  },
} as const;

export const conviteSchema = closed('Convite', {
  link: {
    type: 'string',
    mask: 'none',
    description: 'Página de pré-cadastro. Serve uma vez, e quem tem o link pode usá-lo; não é mostrado de novo.',
  },
  expira_em: instantOrNull,
  plano_id: idOrNull,
  dia_vencimento: { type: ['integer', 'null'], minimum: 1, maximum: 30 },
});

export const exemploConvite = {
  link: 'https://painel.serra.example/pre-cadastro/q1uZyMrqKwJ2gY9f8LJ7m0c3WnD4xVbTtPzS5hRk6Ao',
  expira_em: '2026-11-17T13:05:00.000Z',
  plano_id: 3,
  dia_vencimento: 10,
};

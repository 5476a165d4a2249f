import { id, instant, instantOrNull } from '../../kit/fields/fields.ts';
import { closed } from '../../platform/schema-type.ts';

export const avisoSchema = closed('Aviso', {
  id,
  tipo: { type: 'string', enum: ['interrupcao', 'degradacao', 'manutencao', 'informativo'] },
  titulo: { type: 'string', mask: 'none' },
  texto: { type: 'string', mask: 'none', description: 'O que dizer ao assinante.' },
  inicio: instant,
  previsao: { ...instantOrNull, description: 'Quando se espera que termine.' },
  fim: { ...instantOrNull, description: 'Nulo enquanto está aberto.' },
  origem: {
    type: 'string',
    enum: ['equipe', 'detectado'],
    description: 'detectado: aberto sozinho, porque muitas sessões de um servidor caíram juntas.',
  },
});

/** The notices in force that cover a contract. */
export const avisosEmVigor = {
  type: 'array',
  items: avisoSchema,
  description:
    'Avisos de rede em vigor que cobrem o contrato: os informativos depois dos outros, e o que começou por último primeiro.',
} as const;

export const exemploAviso = {
  id: 5,
  tipo: 'interrupcao',
  titulo: 'Sem conexão em Dourados',
  texto: 'Um rompimento de fibra deixou parte de Dourados sem conexão. A equipe já trabalha no local.',
  inicio: '2026-11-11T12:40:00.000Z',
  previsao: '2026-11-11T16:00:00.000Z',
  fim: null,
  origem: 'equipe',
} as const;

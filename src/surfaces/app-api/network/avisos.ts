import { TIPOS_DE_AVISO } from '../../../domain/rede/avisos/avisos.types.ts';
import type { Aviso } from '../../../domain/rede/avisos/avisos.types.ts';
import { id, instant, instantOrNull, toIso } from '../../../kit/fields/fields.ts';
import { closed } from '../../../platform/schema-type.ts';
import type { TypeOf } from '../../../platform/schema-type.ts';

/** A notice of the network, for subscribers and for programs. */
export const avisoSchema = closed('Notice', {
  id,
  title: { type: 'string', mask: 'none' },
  text: { type: 'string', mask: 'none', description: 'O que dizer ao assinante.' },
  kind: { type: 'string', enum: TIPOS_DE_AVISO },
  started_at: { ...instant, description: 'No futuro, se está agendado.' },
  expected_end_at: instantOrNull,
  ended_at: { ...instantOrNull, description: 'Nulo enquanto está aberto.' },
  contract_ids: {
    type: ['array', 'null'],
    items: id,
    description: 'Os contratos de quem pergunta que ele toca; nulo para a equipe e para chaves.',
  },
});

export const exemploAviso = {
  id: 31,
  title: 'Fibra rompida na Serra',
  text: 'A equipe está no local.',
  kind: 'interrupcao',
  started_at: '2026-11-10T13:05:00.000Z',
  expected_end_at: '2026-11-10T18:00:00.000Z',
  ended_at: null,
  contract_ids: [12],
};

export const apresentarAviso = (
  { id: avisoId, titulo, texto, tipo, inicio, previsao, fim }: Aviso,
  contratoIds: readonly number[] | null,
): TypeOf<typeof avisoSchema> => ({
  id: avisoId,
  title: titulo,
  text: texto,
  kind: tipo,
  started_at: inicio.toISOString(),
  expected_end_at: toIso(previsao),
  ended_at: toIso(fim),
  contract_ids: contratoIds === null ? null : [...contratoIds],
});

import type { Envelope } from '../../kit/reply/envelope.ts';
import { closed } from '../../platform/schema-type.ts';

const metaSchema = closed(
  'Meta',
  {
    limit: { type: 'integer', minimum: 1, maximum: 100 },
    total: { type: 'integer', minimum: 0, description: 'Registros que atendem aos filtros, em todas as partes.' },
    next_cursor: { type: ['string', 'null'], description: 'O cursor da parte seguinte; nulo no fim da lista.' },
  },
  { description: 'Onde a resposta está na lista.' },
);

/** `{ success, data, meta }` and `{ success, message, errors }`, in which every faulty field is named. */
export const envelope: Envelope = {
  success: ({ data, slice }) => ({
    success: true,
    data,
    ...(slice === undefined ? {} : { meta: { limit: slice.limit, total: slice.total, next_cursor: slice.next } }),
  }),

  failure: (_code, message, faults) => ({
    success: false,
    message: faults.length > 1 ? `${faults.length} campos têm problemas.` : message,
    errors: faults.map((fault) => ({
      code: fault.code,
      field: fault.field,
      message: fault.message,
      resource_id: fault.recordId,
    })),
  }),

  successSchema: (data, paged, refer) =>
    closed(null, {
      success: { const: true },
      data: refer(data),
      ...(paged ? { meta: refer(metaSchema) } : {}),
    }),

  failureSchema: (codes) =>
    closed(null, {
      success: { const: false },
      message: { type: 'string', description: 'Texto para uma pessoa.' },
      errors: {
        type: 'array',
        minItems: 1,
        description: 'Tudo o que está errado; o primeiro código decide o que fazer.',
        items: closed(null, {
          code: { type: 'string', enum: codes, description: 'Código estável, para programas.' },
          field: { type: ['string', 'null'], description: 'O campo; os de dentro de outro vêm depois de um ponto.' },
          message: { type: 'string' },
          resource_id: { type: ['integer', 'null'], description: 'O registro que impede, para quem pode lê-lo.' },
        }),
      },
    }),
};

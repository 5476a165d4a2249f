import type { Envelope, PageInfo } from '../../kit/reply/envelope.ts';
import { closed } from '../../platform/schema-type.ts';
import { paginacaoSchema } from './esquemas.ts';

const paginacaoDe = ({ number, size, total }: PageInfo): object => ({
  pagina: number,
  por_pagina: size,
  total,
  total_paginas: Math.ceil(total / size),
});

/** `{ sucesso, dados, paginacao }` and `{ sucesso, erro: { codigo, mensagem } }`. */
export const envelope: Envelope = {
  success: ({ data, page }) => ({
    sucesso: true,
    dados: data,
    ...(page === undefined ? {} : { paginacao: paginacaoDe(page) }),
  }),

  failure: (codigo, mensagem) => ({ sucesso: false, erro: { codigo, mensagem } }),

  successSchema: (data, paged, refer) =>
    closed(null, {
      sucesso: { const: true },
      dados: refer(data),
      ...(paged ? { paginacao: refer(paginacaoSchema) } : {}),
    }),

  failureSchema: (codes) =>
    closed(null, {
      sucesso: { const: false },
      erro: closed(null, {
        codigo: { type: 'string', enum: codes, description: 'Código estável, para programas.' },
        mensagem: { type: 'string', description: 'Texto para quem integra; em parametro_invalido, nomeia o campo.' },
      }),
    }),
};

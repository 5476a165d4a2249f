import { closed } from '../../platform/schema-type.ts';

/** Of a file of the record that a path names: any text. */
export const arquivoNoCaminho = {
  type: 'string',
  description: 'Nome de um dos arquivos do registro.',
  examples: ['clientes.parquet'],
} as const;

/** Query parameters of every paginated list. */
export const paginacaoNaConsulta = {
  pagina: {
    type: 'integer',
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    default: 1,
    description: 'Página, a partir de 1. Uma página além da última vem vazia.',
    examples: [1],
  },
  por_pagina: {
    type: 'integer',
    minimum: 1,
    maximum: 100,
    default: 20,
    description: 'Itens por página.',
    examples: [20],
  },
} as const;

export const paginacaoSchema = closed(
  'Paginacao',
  {
    pagina: { type: 'integer', minimum: 1 },
    por_pagina: { type: 'integer', minimum: 1, maximum: 100 },
    total: { type: 'integer', minimum: 0, description: 'Registros que atendem aos filtros, em todas as páginas.' },
    total_paginas: { type: 'integer', minimum: 0 },
  },
  { description: 'Onde a página está na lista.' },
);

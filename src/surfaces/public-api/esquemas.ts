import { id, textOrNull } from '../../kit/fields/fields.ts';
import { closed } from '../../platform/schema-type.ts';

/** Of the record that a path names. */
export const idNoCaminho = {
  ...id,
  format: 'id',
  description: 'Identificador do registro.',
  examples: [7],
} as const;

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

/** Query parameter of the lists that can be read by what changed. */
export const atualizadoDesdeNaConsulta = {
  atualizado_desde: {
    type: 'string',
    format: 'date-time',
    description:
      'Só o que mudou desde este instante. Quem passa o início da sua leitura anterior não perde nenhuma mudança; o que mudou até 5 minutos antes pode vir de novo. O que deixou de existir está na lista dos removidos.',
    examples: ['2026-11-10T03:00:00.000Z'],
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

export const enderecoSchema = closed('Endereco', {
  cep: { ...textOrNull, description: 'CEP, 8 dígitos.', examples: ['37130001'] },
  logradouro: textOrNull,
  numero: textOrNull,
  complemento: textOrNull,
  bairro: textOrNull,
  cidade: textOrNull,
  uf: { ...textOrNull, examples: ['MG'] },
});

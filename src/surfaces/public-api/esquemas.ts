import { escreverDinheiro } from '../../brazil/dinheiro/dinheiro.ts';
import type { Centavos } from '../../brazil/dinheiro/dinheiro.ts';
import { jsonDecimal } from '../../platform/json.ts';
import type { JsonDecimal } from '../../platform/json.ts';

// Pieces that the schemas of several resources share. `format` names that JSON Schema does not define (dinheiro,
// cpf_cnpj, telefone) are the guard's own; see guarda.ts.

export const dinheiro = {
  type: 'number',
  format: 'dinheiro',
  description: 'Reais, sempre com duas casas decimais.',
  examples: [99.9],
} as const;

export const dinheiroOuNulo = { anyOf: [dinheiro, { type: 'null' }] } as const;

export const textoOuNulo = { type: ['string', 'null'] } as const;

/**
 * Free text that must say something. The guard takes off what nobody sees at its ends before it counts; the pattern says to readers of the
 * document that blanks alone are none.
 */
export const textoDito = { type: 'string', pattern: '\\S' } as const;

export const id = { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER } as const;

export const idOuNulo = { type: ['integer', 'null'] } as const;

export const data = { type: 'string', format: 'date', examples: ['2026-11-10'] } as const;

export const dataOuNula = { type: ['string', 'null'], format: 'date', examples: ['2026-11-10'] } as const;

export const instante = { type: 'string', format: 'date-time', examples: ['2026-11-10T13:05:00.000Z'] } as const;

export const instanteOuNulo = {
  type: ['string', 'null'],
  format: 'date-time',
  examples: ['2026-11-10T13:05:00.000Z'],
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

export const paginacaoSchema = {
  title: 'Paginacao',
  type: 'object',
  description: 'Onde a página está na lista.',
  additionalProperties: false,
  required: ['pagina', 'por_pagina', 'total', 'total_paginas'],
  properties: {
    pagina: { type: 'integer', minimum: 1 },
    por_pagina: { type: 'integer', minimum: 1, maximum: 100 },
    total: { type: 'integer', minimum: 0, description: 'Registros que atendem aos filtros, em todas as páginas.' },
    total_paginas: { type: 'integer', minimum: 0 },
  },
} as const;

export const enderecoSchema = {
  title: 'Endereco',
  type: 'object',
  additionalProperties: false,
  required: ['cep', 'logradouro', 'numero', 'complemento', 'bairro', 'cidade', 'uf'],
  properties: {
    cep: { ...textoOuNulo, description: 'CEP, 8 dígitos.', examples: ['37130001'] },
    logradouro: textoOuNulo,
    numero: textoOuNulo,
    complemento: textoOuNulo,
    bairro: textoOuNulo,
    cidade: textoOuNulo,
    uf: { ...textoOuNulo, examples: ['MG'] },
  },
} as const;

/** Money as the API prints it. */
export function emReais(valor: Centavos): JsonDecimal {
  return jsonDecimal(escreverDinheiro(valor));
}

/** ISO 8601 in UTC with milliseconds, or null. */
export function iso(momento: Date | null): string | null {
  return momento === null ? null : momento.toISOString();
}

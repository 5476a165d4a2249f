import { escreverDinheiro } from '../../brazil/dinheiro/dinheiro.ts';
import type { Centavos } from '../../brazil/dinheiro/dinheiro.ts';
import { jsonDecimal } from '../../platform/json.ts';
import type { JsonDecimal } from '../../platform/json.ts';

// Schemas of fields that several resources share. Their formats, with the error codes and messages, are in formats.ts.

export const money = {
  type: 'number',
  format: 'dinheiro',
  description: 'Reais, sempre com duas casas decimais.',
  examples: [99.9],
} as const;

export const moneyOrNull = { anyOf: [money, { type: 'null' }] } as const;

export const textOrNull = { type: ['string', 'null'] } as const;

/**
 * Free text that must not be empty. It is trimmed before its length is checked. The pattern tells readers of the
 * OpenAPI document that blanks alone are not accepted.
 */
export const spokenText = { type: 'string', pattern: '\\S' } as const;

export const id = { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER } as const;

export const idOrNull = { type: ['integer', 'null'] } as const;

export const date = { type: 'string', format: 'date', examples: ['2026-11-10'] } as const;

export const dateOrNull = { type: ['string', 'null'], format: 'date', examples: ['2026-11-10'] } as const;

export const instant = { type: 'string', format: 'date-time', examples: ['2026-11-10T13:05:00.000Z'] } as const;

export const instantOrNull = {
  type: ['string', 'null'],
  format: 'date-time',
  examples: ['2026-11-10T13:05:00.000Z'],
} as const;

/** Money, as answers print it. */
export function toReais(value: Centavos): JsonDecimal {
  return jsonDecimal(escreverDinheiro(value));
}

/** ISO 8601 in UTC with milliseconds, or null. */
export function toIso(instantOf: Date | null): string | null {
  return instantOf === null ? null : instantOf.toISOString();
}

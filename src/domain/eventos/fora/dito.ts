import { closed } from '../../../platform/schema-type.ts';
import type { ObjectSchema, Schema } from '../../../platform/schema-type.ts';

/** An event as those outside are told of it. */
export interface TipoDeFora {
  /** When it happens, in Portuguese. */
  readonly descricao: string;
  /** Ids, states, dates and amounts: no name, document, phone, e-mail or address, ever. */
  readonly dados: ObjectSchema;
  readonly exemplo: object;
}

export const id = { type: 'integer', minimum: 1 } as const;
export const idOuNulo = { type: ['integer', 'null'], minimum: 1 } as const;
export const quantos = { type: 'integer', minimum: 0 } as const;
/** In reais, always with two decimals. */
export const dinheiro = { type: 'number', format: 'dinheiro' } as const;
export const dinheiroOuNulo = { type: ['number', 'null'], format: 'dinheiro' } as const;
export const texto = { type: 'string' } as const;
export const textos = { type: 'array', items: { type: 'string' } } as const;
export const data = { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$' } as const;
export const dataOuNula = { type: ['string', 'null'], pattern: '^\\d{4}-\\d{2}-\\d{2}$' } as const;
const INSTANTE = '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$';
export const instante = { type: 'string', pattern: INSTANTE } as const;
export const instanteOuNulo = { type: ['string', 'null'], pattern: INSTANTE } as const;

/** Data of an event: whose it is, and these fields, all of which are always there. */
export const dados = <const Campos extends Readonly<Record<string, Schema>>>(campos: Campos) =>
  closed(null, { cliente_id: id, ...campos });

/** Of one that is no client's. */
export const dadosSemCliente = <const Campos extends Readonly<Record<string, Schema>>>(campos: Campos) =>
  closed(null, { cliente_id: { type: 'null' }, ...campos } as const);

import { closed } from '../../../platform/schema-type.ts';
import type { ObjectSchema, Schema, TypeOf } from '../../../platform/schema-type.ts';

/** What there is to know of a kind of event. */
export interface TipoDeEvento {
  /** When it happens, and what it is about: of what `recurso_id` is the id. */
  readonly descricao: string;
  /** Whether those outside may be told of it. One that is not is ours alone: the audit log's, or the cache's. */
  readonly sai: boolean;
  /** What it says beside its resource: ids, choices and amounts, never personal data. Null: nothing. */
  readonly dados: ObjectSchema | null;
  readonly exemplo: object | null;
}

/** An entry of the catalogue, whose example is what its schema admits. */
export const evento = <const Dados extends ObjectSchema | null>(
  tipo: Pick<TipoDeEvento, 'descricao' | 'sai'> & {
    readonly dados: Dados;
    readonly exemplo: Dados extends null ? null : TypeOf<Dados>;
  },
) => tipo;

/** One that says nothing but that it happened. */
export const semDados = (sai: boolean, descricao: string) => evento({ descricao, sai, dados: null, exemplo: null });

/** An object of these fields, all of which are there save those named. */
export const campos = <
  const Campos extends Readonly<Record<string, Schema>>,
  const Faltaveis extends keyof Campos & string = never,
>(
  properties: Campos,
  faltaveis: readonly Faltaveis[] = [],
) => closed(null, properties, { optional: faltaveis });

export const id = { type: 'integer', minimum: 1 } as const;
export const idOuNulo = { type: ['integer', 'null'], minimum: 1 } as const;
export const quantos = { type: 'integer', minimum: 0 } as const;
/** Of fields, without what they hold. */
export const nomes = { type: 'array', items: { type: 'string' } } as const;
/** In reais, as MySQL writes it. */
export const dinheiro = { type: 'string', pattern: '^\\d+\\.\\d{2}$' } as const;
export const data = { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$' } as const;
export const dataOuNula = { type: ['string', 'null'], pattern: '^\\d{4}-\\d{2}-\\d{2}$' } as const;
export const instante = { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$' } as const;

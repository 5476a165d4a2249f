import type { JsonDecimal } from './json.ts';

type Name = 'string' | 'number' | 'integer' | 'boolean' | 'null' | 'object' | 'array';

/** The part of JSON Schema that our schemas use. */
export interface Schema {
  readonly title?: string;
  readonly description?: string;
  readonly type?: Name | readonly Name[];
  readonly format?: string;
  readonly enum?: readonly (string | null)[];
  readonly default?: string | number;
  readonly examples?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: false;
  readonly minProperties?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly maxItems?: number;
  /** Of a text in an answer: how it is shown to whoever may not see personal data. */
  readonly mask?: Mask;
  /** Of a number in an answer: it is the id of the person whom the object is about. */
  readonly person?: true;
}

/**
 * How a text is shown that personal data are hidden from: `name` by the first name and initials, `document` by its digits 7 to 9, `phone` by
 * the last four, `email` by the first letters; of `text`, which people wrote, what is known of the person is taken out; `pix`, a code to pay
 * by, is null where it leads to a charge, which names who owes; `hidden` is null. `none`: nobody can be known by it.
 */
export type Mask = 'name' | 'document' | 'phone' | 'email' | 'text' | 'pix' | 'hidden' | 'none';

/** What our schemas say besides JSON Schema. */
export const OWN_KEYWORDS = ['mask', 'person'] as const;

/** The schema of an object whose properties are named. */
export type ObjectSchema = Schema & {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, Schema>>;
};

/** The schema of an object that has these properties and no others, all of which are there save those that are optional. */
export type Closed<Properties, Optional> = {
  readonly title?: string;
  readonly type: 'object';
  readonly description?: string;
  readonly additionalProperties: false;
  readonly required: readonly Exclude<keyof Properties & string, Optional>[];
  readonly properties: Properties;
};

/**
 * Closes an object over its properties: what it requires follows from them.
 *
 * @param title its name in a document; null where it is described in its place.
 */
export function closed<
  const Properties extends Readonly<Record<string, object>>,
  const Optional extends keyof Properties & string = never,
>(
  title: string | null,
  properties: Properties,
  { description, optional = [] }: { readonly description?: string; readonly optional?: readonly Optional[] } = {},
): Closed<Properties, Optional> {
  const isRequired = (name: string): name is Exclude<keyof Properties & string, Optional> =>
    !optional.some((absent) => absent === name);
  return {
    ...(title === null ? {} : { title }),
    type: 'object',
    ...(description === undefined ? {} : { description }),
    additionalProperties: false,
    required: Object.keys(properties).filter(isRequired),
    properties,
  };
}

/**
 * The TypeScript type of the values that a schema, written `as const`, admits. Numbers of format `dinheiro` are
 * decimals that are printed exactly. A property with a default is always present.
 */
export type TypeOf<S> = S extends { readonly enum: readonly (infer Value)[] }
  ? Value
  : S extends { readonly anyOf: readonly (infer Branch)[] }
    ? TypeOf<Branch>
    : S extends { readonly type: readonly (infer One)[] }
      ? Plain<One, S>
      : S extends { readonly type: infer One }
        ? Plain<One, S>
        : unknown;

type Plain<One, S> = One extends 'string'
  ? string
  : One extends 'integer'
    ? number
    : One extends 'number'
      ? S extends { readonly format: 'dinheiro' }
        ? JsonDecimal
        : number
      : One extends 'boolean'
        ? boolean
        : One extends 'null'
          ? null
          : One extends 'array'
            ? S extends { readonly items: infer Item }
              ? TypeOf<Item>[]
              : unknown[]
            : S extends { readonly properties: infer Properties }
              ? ObjectOf<Properties, Always<S, Properties>>
              : object;

type Always<S, Properties> =
  | (S extends { readonly required: readonly (infer Key)[] } ? Key & keyof Properties : never)
  | {
      [Key in keyof Properties]: Properties[Key] extends { readonly default: unknown } ? Key : never;
    }[keyof Properties];

type ObjectOf<Properties, Required extends keyof Properties> = {
  [Key in Required]: TypeOf<Properties[Key]>;
} & {
  [Key in Exclude<keyof Properties, Required>]?: TypeOf<Properties[Key]>;
};

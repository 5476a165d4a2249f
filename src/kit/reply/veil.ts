import { mascararPix } from '../../brazil/pix/pix.ts';
import { mascararDocumento, mascararEmail, mascararNome, mascararTelefone } from '../../brazil/pessoa/mascaras.ts';
import type { Mask, Schema } from '../../platform/schema-type.ts';

/** Takes out of a free text what must not be read in it. */
export type Hide = (text: string) => string;

/** Whose text it is, by their ids: of the nearest object that names somebody. */
export type HiderOf = (people: readonly number[]) => Hide;

/** What the schema of an answer says of who it is about and what is hidden of it. */
export interface Veil {
  /** Whether it names somebody. */
  readonly namesPeople: boolean;
  /** Whether there is free text in it. */
  readonly hasText: boolean;
  /** The ids of everybody whom an answer names. */
  readonly peopleIn: (data: unknown) => number[];
  /** A copy in which every field is as its schema says that it is shown to those who may not see it. */
  readonly cover: (data: unknown, hiderOf: HiderOf, people: readonly number[]) => unknown;
}

type Cover = (value: unknown, hiderOf: HiderOf, people: readonly number[]) => unknown;
type Object_ = Readonly<Record<string, unknown>>;

const BY_MASK: Readonly<Record<Exclude<Mask, 'text' | 'hidden' | 'none'>, (text: string) => string | null>> = {
  name: mascararNome,
  document: mascararDocumento,
  phone: mascararTelefone,
  email: mascararEmail,
  pix: mascararPix,
};

const same: Cover = (value) => value;

/** Whether nothing can be read in a text of this schema but one of some words, or when something was. */
export const isClosedText = ({ enum: values, format }: Schema): boolean =>
  values !== undefined || format === 'date-time';

const isText = ({ type }: Schema): boolean => type === 'string' || (Array.isArray(type) && type.includes('string'));

/** What follows from a schema, worked out once. A text of which it says nothing is hidden. */
export function createVeil(schema: Schema): Veil {
  let hasText = false;

  function coverOf(one: Schema): Cover {
    if (one.anyOf !== undefined) {
      const branches = one.anyOf
        .filter(({ type }) => type !== 'null')
        .map((branch) => [branch, coverOf(branch)] as const);
      return (value, ...rest) => {
        if (value === null) return null;
        const ofValue = branches.find(([{ required = [] }]) => required.every((name) => name in Object(value)));
        return ofValue === undefined ? null : ofValue[1](value, ...rest);
      };
    }
    if (one.items !== undefined) {
      const inner = coverOf(one.items);
      return (value, ...rest) => (Array.isArray(value) ? value.map((item) => inner(item, ...rest)) : value);
    }
    if (one.properties !== undefined) return ofObject(one.properties);
    return isText(one) && !isClosedText(one) ? ofText(one.mask ?? 'hidden') : same;
  }

  function ofObject(properties: Readonly<Record<string, Schema>>): Cover {
    const covers = Object.entries(properties).map(([name, property]) => [name, coverOf(property)] as const);
    const names = Object.keys(properties).filter((name) => properties[name]?.person === true);
    return (value, hiderOf, people) => {
      if (value === null || typeof value !== 'object') return value;
      const given = value as Object_;
      const own = names.map((name) => given[name]).filter((id) => typeof id === 'number');
      const nearest = own.length > 0 ? own : people;
      const shown: Record<string, unknown> = {};
      for (const [name, cover] of covers) if (name in given) shown[name] = cover(given[name], hiderOf, nearest);
      return shown;
    };
  }

  function ofText(mask: Mask): Cover {
    if (mask === 'none') return same;
    if (mask === 'hidden') return () => null;
    if (mask === 'text') hasText = true;
    return (value, hiderOf, people) => {
      if (typeof value !== 'string') return value;
      return mask === 'text' ? hiderOf(people)(value) : BY_MASK[mask](value);
    };
  }

  const cover = coverOf(schema);
  const collect = collects(schema);
  return {
    namesPeople: collect !== null,
    hasText,
    peopleIn(data) {
      const people = new Set<number>();
      collect?.(data, people);
      return [...people];
    },
    cover,
  };
}

type Collect = (value: unknown, people: Set<number>) => void;

/** Null where nobody is named below. */
function collects(schema: Schema): Collect | null {
  if (schema.person === true) return (value, people) => void (typeof value === 'number' && people.add(value));
  const branches = schema.anyOf?.flatMap((branch) => collects(branch) ?? []) ?? [];
  if (branches.length > 0) return (value, people) => branches.forEach((branch) => branch(value, people));
  if (schema.items !== undefined) {
    const inner = collects(schema.items);
    if (inner === null) return null;
    return (value, people) => void (Array.isArray(value) && value.forEach((item) => inner(item, people)));
  }
  const named = Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const inner = collects(property);
    return inner === null ? [] : [[name, inner] as const];
  });
  if (named.length === 0) return null;
  return (value, people) => {
    if (value === null || typeof value !== 'object') return;
    for (const [name, inner] of named) inner((value as Object_)[name], people);
  };
}

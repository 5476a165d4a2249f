import { Ajv } from 'ajv';
import type { ErrorObject, ValidateFunction } from 'ajv';
import type { Context } from 'koa';
import { aparar } from '../../brazil/pessoa/digitado.ts';
import { OWN_KEYWORDS } from '../../platform/schema-type.ts';
import type { ObjectSchema, Schema } from '../../platform/schema-type.ts';
import type { Format } from '../fields/formats.ts';
import { createJsonReader } from './body.ts';
import type { BodyRules } from './body.ts';
import { Failure, failFor, faultIn } from '../reply/failure.ts';
import type { Fault } from '../reply/failure.ts';
import { describeFault, invalid, topOf } from './input-faults.ts';
import type { Described } from './input-faults.ts';

const INTEGER = /^-?(0|[1-9]\d{0,15})$/;
const NOTHING: ObjectSchema = { type: 'object', additionalProperties: false, properties: {} };

/** Says what is wrong with a value, in the words of the surface. */
type Describe = (error: ErrorObject, schema: Schema, formats: Formats) => Described;

type Formats = Readonly<Record<string, Format>>;

export interface InputRules<Code extends string> {
  readonly formats: Readonly<Record<string, Format<Code>>>;
  /** The code for input that is not as declared and whose format has no code of its own. */
  readonly invalid: Code;
  readonly body: BodyRules;
  /** Replaces the kit's own messages. */
  readonly describe?: Describe;
  /** True when a refusal names all that is wrong, and not only the first thing. */
  readonly all?: boolean;
}

/** What a route declares about its input. */
interface Declared {
  readonly params: Readonly<Record<string, Schema>>;
  readonly query: ObjectSchema | null;
  readonly body?: {
    readonly schema: ObjectSchema;
    readonly required: boolean;
    readonly judge?: ((body: unknown, session: never) => readonly Fault[]) | undefined;
  } | null;
}

/** The parts of a request that its route declares, as they were sent. */
interface Sent {
  readonly params: Readonly<Record<string, string>>;
  /** The URL's query, without `?`. */
  readonly query: string;
  readonly body: Body;
}

/** The body of a request: of HTTP, from which it is read if the route takes one, or JSON that somebody has read. */
export type Body = { readonly sent: Context } | { readonly json: unknown };

/** The parts of a request that its route declares, after they were checked. */
export interface Accepted {
  readonly params: Readonly<Record<string, unknown>>;
  readonly query: unknown;
  /** Undefined when the route takes no body. */
  readonly body: unknown;
}

/** Turns the input of a request into the declared values. @throws Failure that names what is wrong */
export type ReadInput = (sent: Sent, session: unknown) => Promise<Accepted>;

/** A part of the input, and what is wrong with it. */
interface Read<Value, Code extends string> {
  readonly value: Value;
  readonly faults: readonly Fault<Code>[];
}

export type Input = ReturnType<typeof createInput>;

/** Makes the input checks of a surface, from its registry of formats. */
export function createInput<Code extends string>(rules: InputRules<Code>) {
  const { formats, describe = describeFault, all = false } = rules;
  const ajv = new Ajv({
    allErrors: all,
    useDefaults: true,
    allowUnionTypes: true,
    formats: Object.fromEntries(
      Object.entries<Format>(formats).map(([name, { valid }]) => [name, valid ?? true] as const),
    ),
  });

  ajv.addVocabulary([...OWN_KEYWORDS]);

  /** The errors of a value. A schema is compiled when its first value comes: all of a surface at once would hold up its start. */
  function errorsBy(schema: Schema): (value: unknown) => readonly ErrorObject[] {
    let validate: ValidateFunction | undefined;
    return (value) => {
      validate ??= ajv.compile(schema);
      return validate(value) ? [] : (validate.errors ?? []);
    };
  }

  /** Returns the first error of a value, or null, and fills in the defaults of what was not sent. */
  function check(schema: Schema): (value: unknown) => ErrorObject | null {
    const errorsOf = errorsBy(schema);
    return (value) => errorsOf(value)[0] ?? null;
  }

  /** What is wrong with a value, each field once. */
  function faultsBy(schema: Schema): (value: unknown) => Fault<Code>[] {
    const errorsOf = errorsBy(schema);
    return (value) => {
      const faults = errorsOf(value).map((error) => {
        const { code, field, message } = describe(error, schema, formats);
        return faultIn(field, (code ?? rules.invalid) as Code, message);
      });
      return faults.filter(({ field }, n) => faults.findIndex((other) => other.field === field) === n);
    };
  }

  function paramsBy(schemas: Declared['params']) {
    const checks = Object.entries(schemas).map(([name, schema]) => {
      const faultOf = check(schema);
      const { code = null, message = null } = rules.formats[schema.format ?? ''] ?? {};
      const said = code === null || message === null ? invalid(name) : message;
      return { name, schema, faultOf, fault: faultIn(name, code ?? rules.invalid, said) };
    });
    return (texts: Sent['params']): Read<Record<string, unknown>, Code> => {
      const values = checks.map(({ name, schema }) => [name, fromText(texts[name] ?? '', schema)] as const);
      const faults = checks.flatMap(({ faultOf, fault }, n) => (faultOf(values[n]?.[1]) === null ? [] : [fault]));
      return { value: Object.fromEntries(values), faults };
    };
  }

  function queryBy(schema: ObjectSchema) {
    const faultsOf = faultsBy(schema);
    return (text: string): Read<unknown, Code> => {
      const values = Object.create(null) as Record<string, unknown>;
      const repeated = new Set<string>();
      for (const [name, value] of new URLSearchParams(text)) {
        if (Object.hasOwn(values, name)) repeated.add(name);
        else
          values[name] = fromText(value, Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined);
      }
      const twice = [...repeated].map((name) => faultIn(name, rules.invalid, invalid(name, 'não pode ser repetido')));
      const others = faultsOf(values).filter(({ field }) => field === null || !repeated.has(field));
      return { value: values, faults: [...twice, ...others] };
    };
  }

  function bodyBy(body: NonNullable<Declared['body']>) {
    const { schema, required } = body;
    const judge = body.judge as ((value: unknown, session: unknown) => readonly Fault<Code>[]) | undefined;
    const readJson = createJsonReader(rules.body, required, rules.invalid);
    const faultsOf = faultsBy(schema);
    return async (given: Body, session: unknown): Promise<Read<unknown, Code>> => {
      const value = withTrimmedTexts('json' in given ? given.json : await readJson(given.sent), schema);
      const faults = faultsOf(value);
      if (faults.length === 0 || all) faults.push(...brokenTexts(value, schema));
      const known = new Set(faults.map(({ field }) => topOf(field)));
      // What the schema has said of a field is not said again in other words.
      const judged = judge?.(value, session).filter(({ field }) => !known.has(topOf(field)));
      return { value, faults: [...faults, ...(judged ?? [])] };
    };
  }

  /** JSON can escape one half of a surrogate pair. That is not a character, and the database cannot store it. */
  function brokenTexts(value: unknown, { properties }: ObjectSchema): Fault<Code>[] {
    return Object.entries(value ?? {}).flatMap(([name, text]) => {
      const broken = typeof text === 'string' && Object.hasOwn(properties, name) && !text.isWellFormed();
      return broken ? [faultIn(name, rules.invalid, invalid(name, 'tem um caractere que não existe'))] : [];
    });
  }

  return {
    check,

    of({ params, query, body = null }: Declared): ReadInput {
      const readParams = paramsBy(params);
      const readQuery = queryBy(query ?? NOTHING);
      const readBody = body === null ? null : bodyBy(body);
      return async (sent, session) => {
        const faults: Fault<Code>[] = [];
        /** Where one fault is enough, nothing more is read after the first. */
        const accept = <Value>(read: Read<Value, Code>): Value => {
          faults.push(...read.faults);
          if (!all) failFor(faults);
          return read.value;
        };
        const values = { params: accept(readParams(sent.params)), query: accept(readQuery(sent.query)) };
        const read = await readBody?.(sent.body, session).catch((error: unknown) => {
          if (!(error instanceof Failure)) throw error;
          return { value: undefined, faults: [faultIn(null, rules.invalid, error.message)] };
        });
        const accepted = { ...values, body: read === undefined ? undefined : accept(read) };
        failFor(faults);
        return accepted;
      };
    },
  };
}

/** Turns the text of an integer parameter into a number; all other texts stay as they are. */
function fromText(text: string, schema: Schema | undefined): unknown {
  return schema?.type === 'integer' && INTEGER.test(text) ? Number(text) : text;
}

/** Trims the free texts of a body, so that their length is checked as they will be stored. */
function withTrimmedTexts(json: unknown, { properties }: ObjectSchema): unknown {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return json;
  const fields = Object.entries(json).map(([name, value]: [string, unknown]) => {
    const free = Object.hasOwn(properties, name) && isFreeText(properties[name]);
    return [name, free && typeof value === 'string' ? aparar(value) : value];
  });
  return Object.fromEntries(fields) as unknown;
}

/** Whether a schema is for text that people write freely, without an enum or a format. */
function isFreeText(schema: Schema | undefined): boolean {
  return [schema?.type].flat().includes('string') && schema?.enum === undefined && schema?.format === undefined;
}

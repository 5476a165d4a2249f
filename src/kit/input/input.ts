import { Ajv } from 'ajv';
import type { ErrorObject } from 'ajv';
import type { Context } from 'koa';
import { aparar } from '../../brazil/pessoa/digitado.ts';
import type { ObjectSchema, Schema } from '../../platform/schema-type.ts';
import type { Format } from '../fields/formats.ts';
import { createJsonReader } from './body.ts';
import type { BodyRules } from './body.ts';
import { Failure } from '../reply/failure.ts';
import { describeFault, invalid } from './input-faults.ts';

const INTEGER = /^-?(0|[1-9]\d{0,15})$/;
const NOTHING: ObjectSchema = { type: 'object', additionalProperties: false, properties: {} };

/** Says what is wrong with a value, in the words of the surface. */
type Describe = (error: ErrorObject, schema: Schema, formats: Formats) => { code?: string; message: string };

type Formats = Readonly<Record<string, Format>>;

export interface InputRules<Code extends string> {
  readonly formats: Readonly<Record<string, Format<Code>>>;
  /** The code for input that is not as declared and whose format has no code of its own. */
  readonly invalid: Code;
  readonly body: BodyRules;
  /** Replaces the kit's own messages. */
  readonly describe?: Describe;
}

/** What a route declares about its input. */
interface Declared {
  readonly params: Readonly<Record<string, Schema>>;
  readonly query: ObjectSchema | null;
  readonly body?: { readonly schema: ObjectSchema; readonly required: boolean } | null;
}

/** Turns the input of a request into the declared values, or throws a Failure that names what is wrong. */
export interface RouteInput {
  /** @throws Failure with the code of the parameter's format */
  params(texts: Readonly<Record<string, string>>): Readonly<Record<string, unknown>>;
  /** @param query the URL's query, without `?` @throws Failure naming the parameter */
  query(query: string): unknown;
  /** Undefined when the route takes no body. @throws Failure naming the field */
  body(ctx: Context): Promise<unknown>;
}

export type Input = ReturnType<typeof createInput>;

/** Makes the input checks of a surface, from its registry of formats. */
export function createInput<Code extends string>(rules: InputRules<Code>) {
  const { formats, describe = describeFault } = rules;
  const ajv = new Ajv({
    useDefaults: true,
    allowUnionTypes: true,
    formats: Object.fromEntries(
      Object.entries<Format>(formats).map(([name, { valid }]) => [name, valid ?? true] as const),
    ),
  });

  /** Returns the first error of a value, or null, and fills in the defaults of what was not sent. */
  function check(schema: Schema): (value: unknown) => ErrorObject | null {
    const validate = ajv.compile(schema);
    return (value) => (validate(value) ? null : (validate.errors?.[0] ?? null));
  }

  function accept(schema: Schema): (value: unknown) => unknown {
    const faultOf = check(schema);
    return (value) => {
      const fault = faultOf(value);
      if (fault === null) return value;
      const { code = rules.invalid, message } = describe(fault, schema, formats);
      throw new Failure(code, message);
    };
  }

  function readParams(schemas: Declared['params']): RouteInput['params'] {
    const checks = Object.entries(schemas).map(([name, schema]) => {
      const faultOf = check(schema);
      const { code = null, message = null } = formats[schema.format ?? ''] ?? {};
      return { name, schema, faultOf, fault: { code: code ?? rules.invalid, message: code === null ? null : message } };
    });
    return (texts) =>
      Object.fromEntries(
        checks.map(({ name, schema, faultOf, fault }) => {
          const value = fromText(texts[name] ?? '', schema);
          if (faultOf(value) !== null) throw new Failure(fault.code, fault.message ?? invalid(name));
          return [name, value];
        }),
      );
  }

  return {
    check,

    of({ params, query: querySchema, body = null }: Declared): RouteInput {
      const { properties } = querySchema ?? NOTHING;
      const checkQuery = accept(querySchema ?? NOTHING);
      const checkBody = body === null ? null : accept(body.schema);
      const readBody = body === null ? null : createJsonReader(rules.body, body.required, rules.invalid);
      return {
        params: readParams(params),

        query(text) {
          const values = Object.create(null) as Record<string, unknown>;
          for (const [name, value] of new URLSearchParams(text)) {
            if (Object.hasOwn(values, name)) throw new Failure(rules.invalid, invalid(name, 'não pode ser repetido'));
            values[name] = fromText(value, Object.hasOwn(properties, name) ? properties[name] : undefined);
          }
          return checkQuery(values);
        },

        async body(ctx) {
          if (body === null || readBody === null || checkBody === null) return undefined;
          const value = checkBody(withTrimmedTexts(await readBody(ctx), body.schema));
          for (const [name, text] of Object.entries(value ?? {})) {
            // JSON can escape one half of a surrogate pair. That is not a character, and the database cannot store it.
            const broken =
              typeof text === 'string' && Object.hasOwn(body.schema.properties, name) && !text.isWellFormed();
            if (broken) throw new Failure(rules.invalid, invalid(name, 'tem um caractere que não existe'));
          }
          return value;
        },
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
  return schema?.type === 'string' && schema.enum === undefined && schema.format === undefined;
}

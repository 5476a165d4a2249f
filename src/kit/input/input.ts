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

/** What is wrong with a value, in the words of its surface. */
type Describe = (error: ErrorObject, schema: Schema, formats: Formats) => { code?: string; message: string };

type Formats = Readonly<Record<string, Format>>;

export interface InputRules<Code extends string> {
  readonly formats: Readonly<Record<string, Format<Code>>>;
  /** Code of what is not as declared, where its format has none of its own. */
  readonly invalid: Code;
  readonly body: BodyRules;
  /** Instead of the kit's own words. */
  readonly describe?: Describe;
}

/** What a route declares of what may be sent to it. */
interface Declared {
  readonly params: Readonly<Record<string, Schema>>;
  readonly query: ObjectSchema | null;
  readonly body?: { readonly schema: ObjectSchema; readonly required: boolean } | null;
}

/** Turns what a request carries into what a route declared, or says what is wrong with it. */
export interface RouteInput {
  /** @throws Failure with the code of the parameter's format */
  params(texts: Readonly<Record<string, string>>): Readonly<Record<string, unknown>>;
  /** @param query the URL's query, without `?` @throws Failure naming the parameter */
  query(query: string): unknown;
  /** Undefined where the route takes none. @throws Failure naming the field */
  body(ctx: Context): Promise<unknown>;
}

export type Input = ReturnType<typeof createInput>;

/** The checks of a surface's input, by one registry of formats. */
export function createInput<Code extends string>(rules: InputRules<Code>) {
  const { formats, describe = describeFault } = rules;
  const ajv = new Ajv({
    useDefaults: true,
    allowUnionTypes: true,
    formats: Object.fromEntries(
      Object.entries<Format>(formats).map(([name, { valid }]) => [name, valid ?? true] as const),
    ),
  });

  /** Looks for what is wrong with a value, and puts defaults where nothing was sent. */
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
            // JSON may escape half of a surrogate pair, which is no character and which no store keeps.
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

/** Integers become numbers here, so that no schema has to guess what text means. */
function fromText(text: string, schema: Schema | undefined): unknown {
  return schema?.type === 'integer' && INTEGER.test(text) ? Number(text) : text;
}

/** A body whose free texts are as they will be stored, and counted: without what nobody sees at their ends. */
function withTrimmedTexts(json: unknown, { properties }: ObjectSchema): unknown {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return json;
  const fields = Object.entries(json).map(([name, value]: [string, unknown]) => {
    const free = Object.hasOwn(properties, name) && isFreeText(properties[name]);
    return [name, free && typeof value === 'string' ? aparar(value) : value];
  });
  return Object.fromEntries(fields) as unknown;
}

/** What people write, and not one of the words or forms that a program knows. */
function isFreeText(schema: Schema | undefined): boolean {
  return schema?.type === 'string' && schema.enum === undefined && schema.format === undefined;
}

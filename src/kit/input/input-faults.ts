import type { ErrorObject } from 'ajv';
import type { Schema } from '../../platform/schema-type.ts';
import type { Format } from '../fields/formats.ts';

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'texto',
  integer: 'um número inteiro',
  number: 'um número',
  boolean: 'verdadeiro ou falso',
  null: 'nulo',
};

/** What is wrong with a value. The code is set only when the format has its own. */
export interface Described {
  readonly code?: string;
  /** Null when it is not about a field. */
  readonly field: string | null;
  readonly message: string;
}

/** Says what is wrong with a field, for the person who integrates. */
export function describeFault(
  error: ErrorObject,
  schema: Schema,
  formats: Readonly<Record<string, Format>>,
): Described {
  const steps = error.instancePath.split('/').slice(1);
  const own = schemaAt(schema, steps);
  const params = error.params as Record<string, unknown>;
  const say = (problem?: string, inside?: string): Described => {
    const field = [...steps, ...(inside === undefined ? [] : [inside])].join('.');
    return { field: field === '' ? null : cut(field), message: invalid(field, problem) };
  };
  switch (error.keyword) {
    case 'additionalProperties':
      return say('não é conhecido nesta rota', String(params['additionalProperty']));
    case 'required':
      return say('é obrigatório', String(params['missingProperty']));
    case 'minProperties':
      return { field: null, message: 'corpo: envie ao menos um campo.' };
    case 'format': {
      const { code = null, message = null } = formats[String(params['format'])] ?? {};
      return code === null ? say(message ?? undefined) : { ...say(), code, message: message ?? '' };
    }
    case 'enum':
      return say(`deve ser um de: ${(own?.enum ?? []).filter(Boolean).join(', ')}`);
    case 'type':
      return say(`deve ser ${nameOfType(own)}`);
    case 'minimum':
    case 'maximum':
      return say(`deve ser ${error.keyword === 'minimum' ? 'no mínimo' : 'no máximo'} ${String(params['limit'])}`);
    case 'minLength':
    case 'maxLength':
      return say(
        `deve ter ${error.keyword === 'minLength' ? 'no mínimo' : 'no máximo'} ${String(params['limit'])} caracteres`,
      );
    case 'maxItems':
      return say(`deve ter no máximo ${String(params['limit'])}`);
    default:
      return say();
  }
}

/** The field of the whole value in which a fault is: of `endereco.uf`, `endereco`. */
export const topOf = (field: string | null): string | null => field?.split('.')[0] ?? null;

/** The schema of a part of a value. */
function schemaAt(schema: Schema | undefined, steps: readonly string[]): Schema | undefined {
  return steps.reduce<Schema | undefined>((outer, step) => outer?.properties?.[step] ?? outer?.items, schema);
}

function nameOfType(schema: Schema | undefined): string {
  const types = [schema?.type ?? 'object'].flat();
  return types.map((type) => TYPE_NAMES[type] ?? 'um objeto').join(' ou ');
}

/** A message that names a field. */
export function invalid(field: string, problem = 'tem um valor inválido'): string {
  return `${field === '' ? 'corpo' : cut(field)}: ${problem}.`;
}

/** The name may be the caller's text: it is cut, and characters that do not print go. */
const cut = (field: string): string => field.slice(0, 60).replaceAll(/[^\p{L}\p{N}\p{P}\p{S} ]/gu, '?');

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

/** Says what is wrong with a field, for the person who integrates. The code is set only when the format has its own. */
export function describeFault(
  error: ErrorObject,
  { properties }: Schema,
  formats: Readonly<Record<string, Format>>,
): { code?: string; message: string } {
  const field = error.instancePath.slice(1).replaceAll('/', '.');
  const params = error.params as Record<string, unknown>;
  const say = (problem?: string, name = field): { message: string } => ({ message: invalid(name, problem) });
  switch (error.keyword) {
    case 'additionalProperties':
      return say('não é conhecido nesta rota', String(params['additionalProperty']));
    case 'required':
      return say('é obrigatório', String(params['missingProperty']));
    case 'minProperties':
      return { message: 'corpo: envie ao menos um campo.' };
    case 'format': {
      const { code = null, message = null } = formats[String(params['format'])] ?? {};
      return code === null ? say(message ?? undefined) : { code, message: message ?? '' };
    }
    case 'enum':
      return say(`deve ser um de: ${(properties?.[field]?.enum ?? []).filter(Boolean).join(', ')}`);
    case 'type':
      return say(`deve ser ${nameOfType(properties?.[field])}`);
    case 'minimum':
    case 'maximum':
      return say(`deve ser ${error.keyword === 'minimum' ? 'no mínimo' : 'no máximo'} ${String(params['limit'])}`);
    case 'minLength':
    case 'maxLength':
      return say(
        `deve ter ${error.keyword === 'minLength' ? 'no mínimo' : 'no máximo'} ${String(params['limit'])} caracteres`,
      );
    default:
      return say();
  }
}

function nameOfType(schema: Schema | undefined): string {
  const types = [schema?.type ?? 'object'].flat();
  return types.map((type) => TYPE_NAMES[type] ?? 'um objeto').join(' ou ');
}

/** A message that names a field. The name may be the caller's text: it is cut, and characters that do not print go. */
export function invalid(field: string, problem = 'tem um valor inválido'): string {
  const name = field === '' ? 'corpo' : field.slice(0, 60).replaceAll(/[^\p{L}\p{N}\p{P}\p{S} ]/gu, '?');
  return `${name}: ${problem}.`;
}

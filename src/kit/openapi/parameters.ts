import type { Schema } from '../../platform/schema-type.ts';
import type { Format } from '../fields/formats.ts';
import type { Json } from '../reply/envelope.ts';
import type { Route, SurfaceTypes } from '../http/route.ts';
import { HEADERS } from './headers.ts';

const REQUEST_ID = {
  name: 'X-Request-Id',
  in: 'header',
  required: false,
  description:
    'Identificador da requisição, devolvido na resposta; até 128 caracteres. Fica guardado na auditoria: não ponha nele dados pessoais.',
  schema: { type: 'string', maxLength: 128 },
  example: 'ura-2026-11-10-000123',
};

const IF_NONE_MATCH = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'ETag de uma resposta anterior: se nada mudou, a resposta é 304, sem corpo.',
  schema: { type: 'string' },
  example: HEADERS.ETag.example,
};

const IF_MATCH = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description: 'ETag do registro como foi lido: se mudou desde então, nada se altera.',
  schema: { type: 'string' },
  example: HEADERS.ETag.example,
};

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Identifica o pedido por 24 h: repetido com a mesma chave e o mesmo corpo, não se faz de novo e recebe a mesma resposta.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
  example: '8b0f6a52-7d0e-4c38-9a0e-2c1f5d0b7a10',
};

const RANGE = {
  name: 'Range',
  in: 'header',
  required: false,
  description: 'Os bytes que se quer, em um só intervalo; vários são respondidos com o arquivo inteiro.',
  schema: { type: 'string' },
  example: 'bytes=1048576-',
};

const IF_RANGE = {
  name: 'If-Range',
  in: 'header',
  required: false,
  description: 'ETag do que já se tem: se o arquivo mudou, vem inteiro.',
  schema: { type: 'string' },
  example: '"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"',
};

/** The parameters of a route: those of its path and query, and its headers. */
export function parametersOf<T extends SurfaceTypes>(
  route: Route<T>,
  formats: Readonly<Record<string, Format>>,
): Json[] {
  const of = (place: 'path' | 'query', schemas: Readonly<Record<string, Schema>>): Json[] =>
    Object.entries(schemas).map(([name, { description, examples, format, ...rest }]) => {
      const documented = format !== undefined && formats[format]?.documented !== false;
      const schema = documented ? withFormat(schemas[name] ?? {}) : rest;
      return { name, in: place, required: place === 'path', description, schema, example: examples?.[0] };
    });
  return [
    ...of('path', route.params),
    ...of('query', route.query?.properties ?? {}),
    REQUEST_ID,
    ...(route.kind === 'write' ? (route.repeatable ? [IDEMPOTENCY_KEY] : []) : [IF_NONE_MATCH]),
    ...(route.kind === 'write' && route.guarded ? [IF_MATCH] : []),
    ...(route.kind === 'file' ? [RANGE, IF_RANGE] : []),
  ];
}

/** The schema without description and examples, which a parameter has beside its schema. */
function withFormat({ description: _description, examples: _examples, ...schema }: Schema): Schema {
  return schema;
}

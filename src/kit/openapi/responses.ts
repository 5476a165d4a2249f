import type { Schema } from '../../platform/schema-type.ts';
import type { Envelope, Json } from '../reply/envelope.ts';
import { faultIn } from '../reply/failure.ts';
import type { Catalogue } from '../reply/failure.ts';
import type { JsonRoute, Route, SurfaceTypes } from '../http/route.ts';
import { headersWith, HEADERS_OF_SOME } from './headers.ts';
import type { HeaderOfSome } from './headers.ts';

/** Where an example stands in its list. */
const ONE_PAGE = { page: { number: 1, size: 20, total: 1 } };
const ONE_SLICE = { slice: { limit: 20, total: 1, next: null } };

/** The successful responses of a route. */
export function successesOf<T extends SurfaceTypes>(
  route: Route<T>,
  envelope: Envelope,
  refer: (schema: Schema) => Json,
): Json {
  if (route.kind === 'file') return { ...ofFile(route.types), 304: notModified() };
  const status = route.kind === 'write' ? route.success : 200;
  const content = {
    'application/json': {
      schema: envelope.successSchema(route.data, route.paged, refer),
      example: exampleOf(route, envelope),
    },
  };
  return {
    [status]: {
      description: 'Sucesso.',
      headers: headersWith(
        ...(route.kind === 'read' ? (['ETag'] as const) : []),
        ...(route.kind === 'write' && route.location !== null ? (['Location'] as const) : []),
      ),
      content,
    },
    ...(route.kind === 'write' && route.mayExist
      ? { 200: { description: 'Já existia, e foi atualizado.', content } }
      : {}),
    ...(route.kind === 'read' ? { 304: notModified() } : {}),
  };
}

function exampleOf<T extends SurfaceTypes>(route: JsonRoute<T>, { success }: Envelope): object {
  const place = route.kind === 'read' && route.cursor ? ONE_SLICE : ONE_PAGE;
  return success({ data: route.example, ...(route.paged ? place : {}) });
}

/** The responses with a whole file and with a part of it. */
function ofFile(types: readonly string[]): Json {
  const content = Object.fromEntries(types.map((type) => [type, { schema: { type: 'string', format: 'binary' } }]));
  return {
    200: { description: 'O arquivo inteiro.', headers: headersWith('ETag', 'Accept-Ranges'), content },
    206: {
      description: 'O intervalo pedido em Range.',
      headers: headersWith('ETag', 'Accept-Ranges', 'Content-Range'),
      content,
    },
  };
}

function notModified(): Json {
  return { description: 'Nada mudou desde a resposta cujo ETag foi enviado.', headers: headersWith('ETag') };
}

/** The error responses for some codes of a catalogue, by HTTP status. */
export function errorsOf<Code extends string>(
  codes: readonly Code[],
  catalogue: Catalogue<Code>,
  { failure, failureSchema }: Envelope,
): Json {
  const responses: Json = {};
  for (const status of new Set(codes.map((code) => catalogue[code].status))) {
    const ofStatus = codes.filter((code) => catalogue[code].status === status);
    responses[status] = {
      description: ofStatus.map((code) => `\`${code}\`: ${catalogue[code].message}`).join('\n\n'),
      headers: headersWith(...new Set(ofStatus.flatMap((code) => ofFailure(catalogue[code])))),
      content: {
        'application/json': {
          schema: failureSchema(ofStatus),
          examples: Object.fromEntries(
            ofStatus.map((code) => {
              const { message } = catalogue[code];
              return [code, { value: failure(code, message, [faultIn(null, code, message)]) }];
            }),
          ),
        },
      },
    };
  }
  return responses;
}

/** The headers that an error answer has besides those of every response. */
function ofFailure({ status, headers = {} }: Catalogue<string>[string]): HeaderOfSome[] {
  const named = new Set([...(status === 429 ? ['Retry-After'] : []), ...Object.keys(headers)]);
  return HEADERS_OF_SOME.filter((name) => named.has(name));
}

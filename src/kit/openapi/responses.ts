import type { Schema } from '../../platform/schema-type.ts';
import type { Envelope, Json } from '../reply/envelope.ts';
import type { Catalogue } from '../reply/failure.ts';
import type { JsonRoute, Route, SurfaceTypes } from '../http/route.ts';
import { headersWith } from './headers.ts';

/** The page information in examples. */
const ONE_PAGE = { number: 1, size: 20, total: 1 };

/** The successful responses of a route. */
export function successesOf<T extends SurfaceTypes>(
  route: Route<T>,
  envelope: Envelope,
  refer: (schema: Schema) => Json,
): Json {
  if (route.kind === 'file') return { ...ofFile(), 304: notModified() };
  const status = route.kind === 'write' ? route.success : 200;
  return {
    [status]: {
      description: 'Sucesso.',
      headers: headersWith(...(route.kind === 'read' ? (['ETag'] as const) : [])),
      content: {
        'application/json': {
          schema: envelope.successSchema(route.data, route.paged, refer),
          example: exampleOf(route, envelope),
        },
      },
    },
    ...(route.kind === 'read' ? { 304: notModified() } : {}),
  };
}

function exampleOf<T extends SurfaceTypes>({ example, paged }: JsonRoute<T>, { success }: Envelope): object {
  return success({ data: example, ...(paged ? { page: ONE_PAGE } : {}) });
}

/** The responses with a whole file and with a part of it. */
function ofFile(): Json {
  const content = { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } };
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
      headers: status === 429 ? headersWith('Retry-After') : headersWith(),
      content: {
        'application/json': {
          schema: failureSchema(ofStatus),
          examples: Object.fromEntries(
            ofStatus.map((code) => [code, { value: failure(code, catalogue[code].message) }]),
          ),
        },
      },
    };
  }
  return responses;
}

import type { Json } from '../reply/envelope.ts';

/** Every header that a response may have, for the components. */
export const HEADERS = {
  'X-RateLimit-Limit': { description: 'Requisições permitidas por minuto.', schema: { type: 'integer' }, example: 120 },
  'X-RateLimit-Remaining': {
    description: 'Requisições que restam na janela.',
    schema: { type: 'integer' },
    example: 119,
  },
  'X-RateLimit-Reset': { description: 'Segundos até a janela reiniciar.', schema: { type: 'integer' }, example: 60 },
  'RateLimit-Policy': {
    description: 'A mesma regra na forma do IETF: q requisições a cada w segundos.',
    schema: { type: 'string' },
    example: '"por-minuto";q=120;w=60',
  },
  RateLimit: {
    description: 'A mesma contagem na forma do IETF: r restantes, t segundos até reiniciar.',
    schema: { type: 'string' },
    example: '"por-minuto";r=119;t=60',
  },
  'X-Request-Id': {
    description: 'Identificador da requisição: o enviado, se for são, ou um novo. Cite-o ao pedir suporte.',
    schema: { type: 'string' },
    example: '5f0c3b1e-8a1d-4a52-9a53-0a9f2a6a1c11',
  },
  ETag: {
    description: 'Validador forte da resposta, para If-None-Match.',
    schema: { type: 'string' },
    example: '"2jmj7l5rSw0yVb_vlWAYkK_YBwk"',
  },
  'Accept-Ranges': {
    description: 'Partes do arquivo podem ser pedidas com Range.',
    schema: { type: 'string' },
    example: 'bytes',
  },
  'Content-Range': {
    description: 'Que bytes vêm, e quantos o arquivo tem.',
    schema: { type: 'string' },
    example: 'bytes 1048576-2097151/120431100',
  },
  Location: {
    description: 'Endereço do registro criado.',
    schema: { type: 'string' },
    example: '/v1/clientes/7',
  },
  'WWW-Authenticate': {
    description: 'A forma de credencial que se espera.',
    schema: { type: 'string' },
    example: 'Bearer',
  },
  'Retry-After': {
    description: 'Segundos a esperar antes de tentar de novo.',
    schema: { type: 'integer' },
    example: 42,
  },
} as const;

/** Headers that only some responses have. */
export const HEADERS_OF_SOME = [
  'ETag',
  'Accept-Ranges',
  'Content-Range',
  'Location',
  'WWW-Authenticate',
  'Retry-After',
] as const;
export type HeaderOfSome = (typeof HEADERS_OF_SOME)[number];

/** The headers of a response: those that every response has, and the named ones. */
export function headersWith(...more: readonly HeaderOfSome[]): Json {
  const names = Object.keys(HEADERS).filter((name) => !HEADERS_OF_SOME.some((one) => one === name));
  return Object.fromEntries([...names, ...more].map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

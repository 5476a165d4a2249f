import { createServer, request } from 'node:http';
import test from 'ava';
import Koa from 'koa';
import { pino } from 'pino';
import type { Envelope } from '../../src/kit/reply/envelope.ts';
import type { Errors } from '../../src/kit/reply/failure.ts';
import { createInput } from '../../src/kit/input/input.ts';
import { declareRoutes } from '../../src/kit/http/declare.ts';
import { createSurface } from '../../src/kit/http/surface.ts';
import { createDocument } from '../../src/kit/openapi/document.ts';
import { closeServer, listen } from '../../src/platform/http/server.ts';

// A surface that has nothing of the public API: another envelope, another catalogue, ports over a list in memory.
interface Notes {
  readonly session: { readonly name: string };
  readonly domain: readonly string[];
  readonly writes: string[];
  readonly code: 'bad_input' | 'no_route' | 'not_yours' | 'too_many' | 'broken' | 'no_note';
  readonly permission: 'notes:write';
}

const catalogue = {
  bad_input: { status: 422, message: 'Entrada inválida.' },
  no_route: { status: 404, message: 'Não existe.' },
  not_yours: { status: 403, message: 'Não é seu.' },
  too_many: { status: 429, message: 'Devagar.' },
  no_note: { status: 404, message: 'Nota inexistente.' },
  broken: { status: 500, message: 'Quebrou.' },
} as const;
const errors: Errors<Notes['code']> = {
  catalogue,
  faults: {
    invalid: 'bad_input',
    unknownRoute: 'no_route',
    forbidden: 'not_yours',
    range: 'bad_input',
    limited: 'too_many',
    unforeseen: 'broken',
  },
  translate: (error) => (error instanceof RangeError ? 'no_note' : null),
};
const envelope: Envelope = {
  success: ({ data }) => ({ success: true, data }),
  failure: (code, message) => ({ success: false, message, errors: [code] }),
  successSchema: (data, _paged, refer) => ({
    type: 'object',
    properties: { success: { const: true }, data: refer(data) },
  }),
  failureSchema: (codes) => ({ type: 'object', properties: { errors: { type: 'array', items: { enum: codes } } } }),
};
const note = { title: 'Note', type: 'object', required: ['text'], properties: { text: { type: 'string' } } } as const;
const texts = {
  type: 'object',
  additionalProperties: false,
  required: ['text'],
  properties: { text: { type: 'string', minLength: 1 } },
} as const;

// The two routes, in ten lines.
const route = declareRoutes<Notes>();
const described = { group: 'Notes', summary: 'Uma nota', data: note, example: { text: 'leite' } } as const;
const read = route.get({
  ...described,
  path: '/notes/{place}',
  params: { place: { type: 'integer', minimum: 0 } },
  permission: null,
  reading: 'record',
  run: async ({ params, domain }) => {
    const text = domain[params.place];
    if (text === undefined) throw new RangeError('no note');
    return { data: { text } };
  },
});
const write = route.put({
  ...described,
  path: '/notes',
  permission: 'notes:write',
  body: { schema: texts, required: true },
  repeatable: false,
  run: async ({ body, writes }) => ({ data: { text: String(writes[writes.push(body.text) - 1]) } }),
});
const routes = [read, write];

const limit = { most: 10, remaining: 9, resetSeconds: 60 };
const reason = 'corpo: ilegível.';
const notes = ['pão'];
const surface = createSurface<Notes>({
  base: '/notas',
  routes,
  door: {
    enter: async ({ headers }) => ({
      admitted: true,
      limit,
      session: { name: String(headers['x-name']) },
      tagState: null,
      looked: null,
    }),
    countNetwork: async () => ({ limit, exceeded: false }),
  },
  ports: {
    read: async (_session, _trail, _whole, work) => work(notes),
    write: async (_session, _repetition, work) => work(notes, notes),
    may: ({ name }) => name === 'ana',
    rightsOf: () => ({ name: 'todos', restricted: null }),
    keeping: null,
  },
  input: createInput({
    formats: {},
    invalid: 'bad_input',
    body: { limit: '1kb', messages: { type: reason, encoding: reason, size: reason, json: reason } },
  }),
  envelope,
  errors,
  logger: pino({ level: 'silent' }),
  observe: () => {},
  proxies: 0,
});

let port = 0;
const koa = new Koa().use(surface.middleware).callback();
const server = createServer((req, res) => void surface.receive(req, res, () => void koa(req, res)));
test.before(async () => {
  port = await listen(server, 0, '127.0.0.1');
});
test.after.always(() => closeServer(server, 100));

function ask(method: string, path: string, name = 'ana', body?: object): Promise<[status: number, body: unknown]> {
  return new Promise((resolve, reject) => {
    const headers = { 'x-name': name, 'content-type': 'application/json' };
    const sent = request({ host: '127.0.0.1', port, method, path, headers, agent: false }, (res) => {
      let text = '';
      res.on('data', (piece) => (text += String(piece)));
      res.on('end', () => resolve([res.statusCode ?? 0, text === '' ? null : JSON.parse(text)]));
    });
    sent.on('error', reject).end(body === undefined ? undefined : JSON.stringify(body));
  });
}

test('uma segunda superfície responde no seu envelope e com o seu catálogo, só com o kit', async (t) => {
  t.deepEqual(await ask('GET', '/notas/notes/0'), [200, { success: true, data: { text: 'pão' } }]);
  t.deepEqual(await ask('PUT', '/notas/notes', 'ana', { text: 'leite' }), [
    200,
    { success: true, data: { text: 'leite' } },
  ]);
  t.deepEqual(await ask('GET', '/notas/notes/1'), [200, { success: true, data: { text: 'leite' } }]);
  const refused = (status: number, code: string, message: string) => [
    status,
    { success: false, message, errors: [code] },
  ];
  t.deepEqual(await ask('GET', '/notas/notes/7'), refused(404, 'no_note', 'Nota inexistente.'));
  t.deepEqual(await ask('GET', '/notas/notes/x'), refused(422, 'bad_input', 'place: tem um valor inválido.'));
  t.deepEqual(await ask('PUT', '/notas/notes', 'ana', {}), refused(422, 'bad_input', 'text: é obrigatório.'));
  t.deepEqual(
    await ask('PUT', '/notas/notes', 'rui', { text: 'x' }),
    refused(403, 'not_yours', 'Esta rota exige a permissão notes:write.'),
  );
  t.deepEqual(await ask('DELETE', '/notas/notes/0'), refused(404, 'no_route', 'Não existe.'));
});

test('o documento dela sai das suas rotas', (t) => {
  const document = createDocument<Notes>({
    routes,
    info: { title: 'Notas', version: '1' },
    server: { url: '/notas', description: 'Aqui' },
    securitySchemes: { name: { type: 'apiKey', in: 'header', name: 'X-Name' } },
    errors,
    envelope,
    formats: {},
    common: ['bad_input', 'no_route', 'broken'],
    ofRepetition: [],
    describePermission: (permission) => permission ?? 'todos',
    errorTitle: 'Problem',
  }) as Record<string, any>;
  t.deepEqual(Object.keys(document['paths']), ['/notes/{place}', '/notes']);
  const { get } = document['paths']['/notes/{place}'];
  t.like(get.parameters[0], { name: 'place', in: 'path', required: true, schema: { type: 'integer', minimum: 0 } });
  t.deepEqual(Object.keys(get.responses), ['200', '304', '404', '422', '500']);
  t.deepEqual(get.responses[200].content['application/json'].example, { success: true, data: { text: 'leite' } });
  t.deepEqual(Object.keys(document['paths']['/notes'].put.responses), ['200', '403', '404', '422', '500']);
  t.deepEqual(Object.keys(document['components'].schemas), ['Note', 'Problem']);
});

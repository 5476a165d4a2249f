import test from 'ava';
import { cacheName, createListIndex, isWhole } from '../../src/kit/http/reading.ts';
import { declareRoutes } from '../../src/kit/http/declare.ts';
import type { SurfaceTypes } from '../../src/kit/http/route.ts';

const route = declareRoutes<SurfaceTypes>();
const common = { permission: null, group: 'Testes', summary: 'Uma lista', example: [] } as const;
const data = { type: 'array', items: { type: 'string' } } as const;
const query = { type: 'object', properties: { cpf_cnpj: { type: 'string' }, pagina: { type: 'integer' } } } as const;
const run = async (): Promise<{ data: string[] }> => ({ data: [] });

const list = route.get({ ...common, path: '/lista', reading: 'list', narrowedBy: ['cpf_cnpj'], query, data, run });
const record = route.get({
  ...common,
  path: '/lista/{id}',
  params: { id: { type: 'integer' } },
  reading: 'record',
  data,
  run,
});

test('uma lista é inteira a menos que a consulta, decodificada, a reduza a uma pessoa', (t) => {
  for (const whole of ['', 'pagina=2', 'x_cpf_cnpj=1', 'pagina=cpf_cnpj%3D1', 'cpf_cnpj', '&&&']) {
    t.true(isWhole(list.reading, whole), whole);
  }
  for (const narrowed of ['cpf_cnpj=1', 'pagina=2&cpf_cnpj=1', 'cpf%5Fcnpj=1', 'pagina=1&%63pf_cnpj=1']) {
    t.false(isWhole(list.reading, narrowed), narrowed);
  }
  t.false(isWhole(record.reading, ''));
});

test('a URL diz, sem o roteador, se o pedido é de uma lista inteira', (t) => {
  const readsWholeList = createListIndex('/base', [list, record]);
  for (const url of ['/base/lista', '/base/lista?', '/base/lista?pagina=1']) t.true(readsWholeList(url), url);
  for (const url of ['/lista', '/base/lista/', '/base/lista/1', '/base/lista?cpf%5Fcnpj=1', '*', '']) {
    t.false(readsWholeList(url), url);
  }
  t.is(cacheName(7, '/base/lista', 'todos', 'chave'), '7 todos chave /base/lista');
  t.is(cacheName(7, '/base/lista/1', 'todos', null), '7 todos /base/lista/1');
});

test('o que o caminho reduz não é lista de um inquilino inteiro', (t) => {
  const wrong = route.get({
    ...common,
    path: '/de/{id}',
    params: { id: { type: 'integer' } },
    reading: 'list',
    narrowedBy: [],
    data,
    run,
  });
  t.throws(() => createListIndex('', [wrong]), { message: /\/de\/\{id\}/ });
});

test('uma rota que esquece o que lê, ou erra o nome de um parâmetro, não compila', (t) => {
  // @ts-expect-error -- no reading
  route.get({ ...common, path: '/a', query, data, run });
  // @ts-expect-error -- a list that does not say what narrows it
  route.get({ ...common, path: '/b', reading: 'list', query, data, run });
  // @ts-expect-error -- a parameter that the query does not have
  route.get({ ...common, path: '/c', reading: 'list', narrowedBy: ['cpf'], query, data, run });
  // @ts-expect-error -- a page of one record
  route.get({ ...common, path: '/d', reading: 'record', paged: true, query, data, run });
  // @ts-expect-error -- a path whose parameter is not declared
  t.throws(() => route.get({ ...common, path: '/e/{id}', reading: 'record', data, run }));
});

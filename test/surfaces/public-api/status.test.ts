import test from 'ava';
import { PERMISSOES } from '../../../src/domain/chaves/chaves.types.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import { relogioEm } from '../../support/relogio.ts';

let api: Api;
let provedor: number;

test.before(async () => {
  api = await criarApi({ relogio: relogioEm('2026-11-20T15:00:00Z') });
  const fabrica = criarFabrica(api.dono);
  provedor = await fabrica.provedor({ nome: 'Serra Fibra' });
  await fabrica.provedor({ nome: 'Vale Fibra' });
});
test.after.always(() => api.fechar());

test('GET /status: sucesso é true, dados traz provedor, chave, permissoes, restricoes e versao, e não há paginacao', async (t) => {
  const { texto } = await api.criarChave(provedor, { nome: 'chatbot', permissoes: ['clientes:leitura'] });
  const { status, corpo } = await api.get('/status', { chave: texto });
  t.is(status, 200);
  t.deepEqual(corpo, {
    sucesso: true,
    dados: {
      provedor: 'Serra Fibra',
      chave: 'chatbot',
      permissoes: ['clientes:leitura'],
      restricoes: [],
      versao: 'v1',
    },
  });
});

test('GET /status: permissoes são as dadas à chave na criação, e só elas', async (t) => {
  const todas = await api.criarChave(provedor, { permissoes: PERMISSOES });
  t.deepEqual((await api.get('/status', { chave: todas.texto })).corpo.dados.permissoes, [...PERMISSOES]);
  const duas = await api.criarChave(provedor, { permissoes: ['planos:leitura', 'chamados:escrita'] });
  const { permissoes } = (await api.get('/status', { chave: duas.texto })).corpo.dados;
  t.deepEqual(permissoes.toSorted(), ['chamados:escrita', 'planos:leitura']);
});

for (const permissao of PERMISSOES) {
  test(`GET /status: serve à chave que só tem ${permissao}`, async (t) => {
    const { texto } = await api.criarChave(provedor, { permissoes: [permissao] });
    t.is((await api.get('/status', { chave: texto })).status, 200);
  });
}

test('GET /status: provedor é o dono da chave, e os nomes saem em UTF-8', async (t) => {
  const fabrica = criarFabrica(api.dono);
  const outro = await fabrica.provedor({ nome: 'Conexão São João 🛰' });
  const { texto } = await api.criarChave(outro, { nome: 'URA do balcão nº 2' });
  const resposta = await api.get('/status', { chave: texto });
  t.is(resposta.corpo.dados.provedor, 'Conexão São João 🛰');
  t.is(resposta.corpo.dados.chave, 'URA do balcão nº 2');
  t.is(resposta.headers['content-type'], 'application/json; charset=utf-8');
});

test('GET /status: não aceita parâmetros', async (t) => {
  const { texto } = await api.criarChave(provedor);
  const { status, corpo } = await api.get('/status?pagina=1', { chave: texto });
  t.is(status, 400);
  t.is(corpo.erro.codigo, 'parametro_invalido');
});

test('GET /status sem chave é 401', async (t) => {
  const { status, corpo } = await api.get('/status');
  t.is(status, 401);
  t.is(corpo.sucesso, false);
});

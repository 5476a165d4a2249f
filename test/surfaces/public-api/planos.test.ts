import test from 'ava';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import type { Fabrica } from '../../support/fabrica.ts';
import { relogioEm } from '../../support/relogio.ts';

let api: Api;
let fabrica: Fabrica;
let provedor: number;
let chave: string;
let completo: number;
let nulo: number;

test.before(async () => {
  api = await criarApi({ relogio: relogioEm('2026-11-20T15:00:00Z') });
  fabrica = criarFabrica(api.dono);
  provedor = await fabrica.provedor();
  completo = await fabrica.plano(provedor, {
    nome: 'Fibra 500',
    download_mbps: 500,
    upload_mbps: 250,
    valor: '99.90',
    tecnologia: 'fibra',
    descricao: 'Sem fidelidade',
  });
  nulo = await fabrica.plano(provedor, { nome: 'Básico', valor: '49.00', tecnologia: null, descricao: null });
  await fabrica.plano(provedor, { nome: 'Fibra 100', valor: '70.00' });
  await fabrica.plano(provedor, { nome: 'Antigo', ativo: 0 });
  const outro = await fabrica.provedor();
  await fabrica.plano(outro, { nome: 'Fibra 300' });
  ({ texto: chave } = await api.criarChave(provedor));
});
test.after.always(() => api.fechar());

test('GET /planos: dados é a lista dos planos ativos, do provedor da chave e de nenhum outro', async (t) => {
  const { status, corpo } = await api.get('/planos', { chave });
  t.is(status, 200);
  t.is(corpo.sucesso, true);
  t.deepEqual(
    new Set(corpo.dados.map((plano: { nome: string }) => plano.nome)),
    new Set(['Básico', 'Fibra 100', 'Fibra 500']),
  );
});

test('GET /planos: em ordem de nome', async (t) => {
  const { dados } = (await api.get('/planos', { chave })).corpo;
  t.deepEqual(
    dados.map((plano: { nome: string }) => plano.nome),
    ['Básico', 'Fibra 100', 'Fibra 500'],
  );
});

test('GET /planos: planos do mesmo nome vêm por id', async (t) => {
  const outro = await fabrica.provedor();
  const ids = [
    await fabrica.plano(outro, { nome: 'Igual' }),
    await fabrica.plano(outro, { nome: 'Igual' }),
    await fabrica.plano(outro, { nome: 'Igual' }),
  ];
  const { texto } = await api.criarChave(outro);
  const { dados } = (await api.get('/planos', { chave: texto })).corpo;
  t.deepEqual(
    dados.map((plano: { id: number }) => plano.id),
    ids,
  );
});

test('GET /planos não é paginada: não há paginacao e todos vêm de uma vez', async (t) => {
  const grande = await fabrica.provedor();
  for (let i = 0; i < 101; i++) await fabrica.plano(grande);
  const { texto } = await api.criarChave(grande);
  const { corpo } = await api.get('/planos', { chave: texto });
  t.deepEqual(Object.keys(corpo), ['sucesso', 'dados']);
  t.is(corpo.dados.length, 101);
});

for (const parametro of ['pagina', 'por_pagina', 'ativo']) {
  test(`GET /planos não tem parâmetros: ${parametro} é recusado`, async (t) => {
    const { status, corpo } = await api.get(`/planos?${parametro}=1`, { chave });
    t.is(status, 400);
    t.is(corpo.erro.codigo, 'parametro_invalido');
    t.true(corpo.erro.mensagem.includes(parametro));
  });
}

test('GET /planos: sem planos ativos, a lista é vazia', async (t) => {
  const vazio = await fabrica.provedor();
  await fabrica.plano(vazio, { ativo: 0 });
  const { texto } = await api.criarChave(vazio);
  t.deepEqual((await api.get('/planos', { chave: texto })).corpo, { sucesso: true, dados: [] });
});

test('Plano: id, nome, download_mbps, upload_mbps, valor, tecnologia e descricao', async (t) => {
  const { corpo, texto } = await api.get('/planos', { chave });
  t.deepEqual(corpo.dados[2], {
    id: completo,
    nome: 'Fibra 500',
    download_mbps: 500,
    upload_mbps: 250,
    valor: 99.9,
    tecnologia: 'fibra',
    descricao: 'Sem fidelidade',
  });
  t.true(texto.includes('"valor":99.90'));
  t.true(texto.includes('"valor":49.00'));
});

test('Plano: tecnologia e descricao sem informação são nulas, nunca omitidas', async (t) => {
  const { dados } = (await api.get('/planos', { chave })).corpo;
  t.is(dados[0].id, nulo);
  t.is(dados[0].tecnologia, null);
  t.is(dados[0].descricao, null);
});

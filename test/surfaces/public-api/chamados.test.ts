import test from 'ava';
import type { Api } from '../../support/api.ts';
import type { Fabrica } from '../../support/fabrica.ts';
import { povoarAssinantes, provarFiltrosPorId, provarLista } from '../../support/listas.ts';
import type { Assinantes } from '../../support/listas.ts';
import { relogioEm } from '../../support/relogio.ts';

const SITUACOES = ['aberto', 'pendente', 'pendente_terceiro', 'em_andamento', 'reaberto', 'solucionado', 'cancelado'];

let api: Api;
let fabrica: Fabrica;
let meu: Povoado;
let alheio: Povoado;
let chave: string;

type Povoado = Assinantes & { readonly linhas: Record<string, number> };

/** One ticket in each state, of one client and contract, and a few of others; the second provider's look the same. */
async function povoar(fazer: Fabrica): Promise<Povoado> {
  const assinantes = await povoarAssinantes(fazer);
  const { provedor, maria, joao, casa, loja, sitio } = assinantes;
  const linhas: Record<string, number> = {};
  for (const [i, situacao] of SITUACOES.entries()) {
    const fechado = situacao === 'solucionado' || situacao === 'cancelado';
    linhas[situacao] = await fazer.chamado(provedor, {
      cliente_id: maria,
      contrato_id: casa,
      situacao,
      aberto_em: `2026-11-${10 + i} 09:00:00.000`,
      fechado_em: fechado ? '2026-11-19 12:30:00.250' : null,
    });
  }
  linhas['loja'] = await fazer.chamado(provedor, {
    cliente_id: maria,
    contrato_id: loja,
    aberto_em: '2026-11-01 09:00:00.000',
  });
  linhas['joao'] = await fazer.chamado(provedor, {
    cliente_id: joao,
    contrato_id: sitio,
    situacao: 'solucionado',
    aberto_em: '2026-11-02 09:00:00.000',
  });
  linhas['sem contrato'] = await fazer.chamado(provedor, {
    cliente_id: joao,
    contrato_id: null,
    aberto_em: '2026-11-03 09:00:00.000',
  });
  await fazer.historico(provedor, { chamado_id: linhas['cancelado'] });
  return { ...assinantes, linhas };
}

const DO_MAIS_NOVO = [...SITUACOES.toReversed(), 'sem contrato', 'joao', 'loja'];

const listados = provarLista({
  caminho: '/chamados',
  relogio: relogioEm('2026-11-20T15:00:00Z'),
  povoar,
  ordem: DO_MAIS_NOVO,
  ordenada: 'do aberto_em mais novo para o mais antigo',
  filtros: ({ joao }) => ({ 'situacao=em_aberto': 7, [`cliente_id=${joao}`]: 2 }),
  abaixo: ['/historico'],
  comecar(cena) {
    ({ api, fabrica, meu, alheio, chave } = cena);
  },
});
provarFiltrosPorId('/chamados', listados, () => ({ meu, alheio }));

test('GET /chamados: abertos no mesmo instante vêm do id maior para o menor', async (t) => {
  const provedor = await fabrica.provedor();
  const cliente = await fabrica.cliente(provedor);
  const ids: number[] = [];
  for (let i = 0; i < 3; i++) ids.push(await fabrica.chamado(provedor, { cliente_id: cliente }));
  const velho = await fabrica.chamado(provedor, { cliente_id: cliente, aberto_em: '2026-10-31 23:59:59.999' });
  const { texto } = await api.criarChave(provedor);
  const { dados } = (await api.get('/chamados', { chave: texto })).corpo;
  t.deepEqual(
    dados.map(({ id }: { id: number }) => id),
    [...ids.toReversed(), velho],
  );
});

for (const situacao of SITUACOES) {
  test(`GET /chamados: situacao=${situacao} traz só os chamados nessa situação`, async (t) => {
    const esperados = DO_MAIS_NOVO.filter((nome) => {
      if (nome === 'joao') return situacao === 'solucionado';
      if (nome === 'loja' || nome === 'sem contrato') return situacao === 'aberto';
      return nome === situacao;
    });
    t.deepEqual(await listados(`?situacao=${situacao}`), esperados);
    const { dados } = (await api.get(`/chamados?situacao=${situacao}`, { chave })).corpo;
    for (const chamado of dados) t.is(chamado.situacao, situacao);
  });
}

test('GET /chamados: situacao=em_aberto traz todo chamado que não foi solucionado nem cancelado', async (t) => {
  t.deepEqual(await listados('?situacao=em_aberto'), [
    'reaberto',
    'em_andamento',
    'pendente_terceiro',
    'pendente',
    'aberto',
    'sem contrato',
    'loja',
  ]);
});

test('GET /chamados: cliente_id traz só os do cliente', async (t) => {
  t.deepEqual(await listados(`?cliente_id=${meu.joao}`), ['sem contrato', 'joao']);
  t.deepEqual(await listados(`?cliente_id=${meu.maria}`), [...SITUACOES.toReversed(), 'loja']);
});

test('GET /chamados: contrato_id traz só os do contrato', async (t) => {
  t.deepEqual(await listados(`?contrato_id=${meu.loja}`), ['loja']);
  t.deepEqual(await listados(`?contrato_id=${meu.sitio}`), ['joao']);
});

test('GET /chamados: os filtros se combinam com E', async (t) => {
  t.deepEqual(await listados(`?cliente_id=${meu.maria}&situacao=aberto`), ['aberto', 'loja']);
  t.deepEqual(await listados(`?cliente_id=${meu.maria}&contrato_id=${meu.casa}&situacao=pendente`), ['pendente']);
  t.deepEqual(await listados(`?cliente_id=${meu.joao}&contrato_id=${meu.casa}`), []);
  t.deepEqual(await listados(`?cliente_id=${meu.joao}&situacao=em_aberto`), ['sem contrato']);
  t.deepEqual(await listados(`?contrato_id=${meu.sitio}&situacao=em_aberto`), []);
});

test('Chamado: todos os campos', async (t) => {
  const provedor = await fabrica.provedor();
  const plano = await fabrica.plano(provedor);
  const cliente = await fabrica.cliente(provedor);
  const contrato = await fabrica.contrato(provedor, { cliente_id: cliente, plano_id: plano });
  const id = await fabrica.chamado(provedor, {
    cliente_id: cliente,
    contrato_id: contrato,
    situacao: 'solucionado',
    prioridade: 'urgente',
    categoria: 'TECNICO',
    assunto: 'Sem conexão “desde ontem”',
    descricao: 'Linha 1\nLinha 2',
    solucao: 'Trocado o cabo.',
    aberto_em: '2026-11-18 02:59:59.001',
    fechado_em: '2026-11-18 12:00:00.000',
    agendado_para: '2026-11-18 11:30:00.000',
  });
  const { texto } = await api.criarChave(provedor);
  const esperado = {
    id,
    cliente_id: cliente,
    contrato_id: contrato,
    situacao: 'solucionado',
    prioridade: 'urgente',
    categoria: 'TECNICO',
    assunto: 'Sem conexão “desde ontem”',
    descricao: 'Linha 1\nLinha 2',
    solucao: 'Trocado o cabo.',
    aberto_em: '2026-11-18T02:59:59.001Z',
    fechado_em: '2026-11-18T12:00:00.000Z',
    agendado_para: '2026-11-18T11:30:00.000Z',
    protocolo: null,
  };
  t.deepEqual((await api.get(`/chamados/${id}`, { chave: texto })).corpo, { sucesso: true, dados: esperado });
  t.deepEqual((await api.get('/chamados', { chave: texto })).corpo.dados, [esperado]);
});

test('Chamado: contrato_id, categoria, solucao, fechado_em e agendado_para sem informação são nulos, nunca omitidos', async (t) => {
  const { dados } = (await api.get(`/chamados/${meu.linhas['sem contrato']}`, { chave })).corpo;
  for (const campo of ['contrato_id', 'categoria', 'solucao', 'fechado_em', 'agendado_para']) {
    t.is(dados[campo], null, campo);
  }
});

test('Chamado.agendado_para é data e hora ISO em texto, ou nulo', async (t) => {
  const id = await fabrica.chamado(alheio.provedor, {
    cliente_id: alheio.joao,
    aberto_em: '2026-10-01 00:00:00.000',
    agendado_para: '2026-12-01 17:00:00.000',
  });
  const { texto } = await api.criarChave(alheio.provedor);
  const pedir = async (qual: number | undefined) =>
    (await api.get(`/chamados/${qual}`, { chave: texto })).corpo.dados.agendado_para;
  t.is(await pedir(id), '2026-12-01T17:00:00.000Z');
  t.is(await pedir(alheio.linhas['aberto']), null);
});

for (const prioridade of ['baixa', 'normal', 'alta', 'urgente']) {
  test(`Chamado.prioridade pode ser ${prioridade}`, async (t) => {
    const provedor = await fabrica.provedor();
    const cliente = await fabrica.cliente(provedor);
    const id = await fabrica.chamado(provedor, { cliente_id: cliente, prioridade });
    const { texto } = await api.criarChave(provedor);
    t.is((await api.get(`/chamados/${id}`, { chave: texto })).corpo.dados.prioridade, prioridade);
  });
}

for (const categoria of ['TECNICO', 'FINANCEIRO', 'COMERCIAL', 'INSTALACAO', 'CANCELAMENTO', 'OUTRO']) {
  test(`Chamado.categoria pode ser ${categoria}, em maiúsculas`, async (t) => {
    const provedor = await fabrica.provedor();
    const cliente = await fabrica.cliente(provedor);
    const id = await fabrica.chamado(provedor, { cliente_id: cliente, categoria });
    const { texto } = await api.criarChave(provedor);
    t.is((await api.get(`/chamados/${id}`, { chave: texto })).corpo.dados.categoria, categoria);
  });
}

for (const situacao of SITUACOES) {
  test(`GET /chamados/{id}: Chamado.situacao pode ser ${situacao}`, async (t) => {
    const { corpo } = await api.get(`/chamados/${meu.linhas[situacao]}`, { chave });
    t.is(corpo.dados.situacao, situacao);
    const fechado = situacao === 'solucionado' || situacao === 'cancelado';
    t.is(corpo.dados.fechado_em, fechado ? '2026-11-19T12:30:00.250Z' : null);
  });
}

test('GET /chamados/{id}/historico: id, acao, descricao, autor e ocorrido_em, da entrada mais antiga para a mais nova', async (t) => {
  const chamado_id = meu.linhas['em_andamento'];
  const depois = await fabrica.historico(meu.provedor, {
    chamado_id,
    acao: 'comentario',
    descricao: 'Técnico a caminho',
    autor: 'URA',
    ocorrido_em: '2026-11-13 12:00:00.005',
  });
  const antes = await fabrica.historico(meu.provedor, {
    chamado_id,
    acao: 'aberto',
    descricao: 'Chamado aberto.',
    autor: 'chatbot',
    ocorrido_em: '2026-11-13 09:00:00.000',
  });
  // Of the same instant as the last: then the order is that of their ids.
  const empate = await fabrica.historico(meu.provedor, {
    chamado_id,
    acao: 'situacao',
    descricao: null,
    autor: null,
    ocorrido_em: '2026-11-13 12:00:00.005',
  });
  await fabrica.historico(meu.provedor, { chamado_id: meu.linhas['aberto'], descricao: 'de outro chamado' });
  await fabrica.historico(alheio.provedor, { chamado_id: alheio.linhas['em_andamento'], descricao: 'alheio' });

  const { status, corpo } = await api.get(`/chamados/${chamado_id}/historico`, { chave });
  t.is(status, 200);
  t.deepEqual(corpo, {
    sucesso: true,
    dados: [
      {
        id: antes,
        acao: 'aberto',
        descricao: 'Chamado aberto.',
        autor: 'chatbot',
        ocorrido_em: '2026-11-13T09:00:00.000Z',
      },
      {
        id: depois,
        acao: 'comentario',
        descricao: 'Técnico a caminho',
        autor: 'URA',
        ocorrido_em: '2026-11-13T12:00:00.005Z',
      },
      { id: empate, acao: 'situacao', descricao: null, autor: null, ocorrido_em: '2026-11-13T12:00:00.005Z' },
    ],
  });
});

test('GET /chamados/{id}/historico: chamado sem entradas tem lista vazia', async (t) => {
  const { status, corpo } = await api.get(`/chamados/${meu.linhas['joao']}/historico`, { chave });
  t.is(status, 200);
  t.deepEqual(corpo, { sucesso: true, dados: [] });
});

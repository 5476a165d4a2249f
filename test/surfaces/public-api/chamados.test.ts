import test from 'ava';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import type { Fabrica } from '../../support/fabrica.ts';
import { relogioEm } from '../../support/relogio.ts';

const SITUACOES = ['aberto', 'pendente', 'pendente_terceiro', 'em_andamento', 'reaberto', 'solucionado', 'cancelado'];

let api: Api;
let fabrica: Fabrica;
let meu: Povoado;
let alheio: Povoado;
let chave: string;

interface Povoado {
  readonly provedor: number;
  readonly maria: number;
  readonly joao: number;
  readonly casa: number;
  readonly loja: number;
  readonly sitio: number;
  readonly chamados: Record<string, number>;
}

/** One ticket in each state, of one client and contract, and a few of others; the second provider's look the same. */
async function povoar(): Promise<Povoado> {
  const provedor = await fabrica.provedor();
  const plano = await fabrica.plano(provedor);
  const maria = await fabrica.cliente(provedor, { nome: 'Maria' });
  const joao = await fabrica.cliente(provedor, { nome: 'João' });
  const casa = await fabrica.contrato(provedor, { cliente_id: maria, plano_id: plano });
  const loja = await fabrica.contrato(provedor, { cliente_id: maria, plano_id: plano });
  const sitio = await fabrica.contrato(provedor, { cliente_id: joao, plano_id: plano });
  const chamados: Record<string, number> = {};
  for (const [i, situacao] of SITUACOES.entries()) {
    const fechado = situacao === 'solucionado' || situacao === 'cancelado';
    chamados[situacao] = await fabrica.chamado(provedor, {
      cliente_id: maria,
      contrato_id: casa,
      situacao,
      aberto_em: `2026-11-${10 + i} 09:00:00.000`,
      fechado_em: fechado ? '2026-11-19 12:30:00.250' : null,
    });
  }
  chamados['loja'] = await fabrica.chamado(provedor, {
    cliente_id: maria,
    contrato_id: loja,
    aberto_em: '2026-11-01 09:00:00.000',
  });
  chamados['joao'] = await fabrica.chamado(provedor, {
    cliente_id: joao,
    contrato_id: sitio,
    situacao: 'solucionado',
    aberto_em: '2026-11-02 09:00:00.000',
  });
  chamados['sem contrato'] = await fabrica.chamado(provedor, {
    cliente_id: joao,
    contrato_id: null,
    aberto_em: '2026-11-03 09:00:00.000',
  });
  return { provedor, maria, joao, casa, loja, sitio, chamados };
}

test.before(async () => {
  api = await criarApi({ relogio: relogioEm('2026-11-20T15:00:00Z') });
  fabrica = criarFabrica(api.dono);
  meu = await povoar();
  alheio = await povoar();
  ({ texto: chave } = await api.criarChave(meu.provedor));
});
test.after.always(() => api.fechar());

/** The names of the tickets that a query lists, in its order. */
async function listados(query: string): Promise<string[]> {
  const { status, corpo } = await api.get(`/chamados${query}`, { chave });
  if (status !== 200) throw new Error(JSON.stringify(corpo));
  const nomes = new Map(Object.entries(meu.chamados).map(([nome, id]) => [id, nome]));
  return corpo.dados.map(({ id }: { id: number }) => nomes.get(id) ?? `de outro: ${id}`);
}

const DO_MAIS_NOVO = [...SITUACOES.toReversed(), 'sem contrato', 'joao', 'loja'];

test('GET /chamados: sem filtros lista todos os do provedor, do aberto_em mais novo para o mais antigo', async (t) => {
  t.deepEqual(await listados(''), DO_MAIS_NOVO);
});

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

test('GET /chamados: cliente_id e contrato_id de outro provedor ou de ninguém dão lista vazia', async (t) => {
  for (const query of [
    `cliente_id=${alheio.maria}`,
    `contrato_id=${alheio.casa}`,
    'cliente_id=999999',
    'contrato_id=999999',
    `cliente_id=${meu.maria}&contrato_id=${alheio.casa}`,
  ]) {
    t.deepEqual(await listados(`?${query}`), [], query);
  }
});

test('GET /chamados: os filtros se combinam com E', async (t) => {
  t.deepEqual(await listados(`?cliente_id=${meu.maria}&situacao=aberto`), ['aberto', 'loja']);
  t.deepEqual(await listados(`?cliente_id=${meu.maria}&contrato_id=${meu.casa}&situacao=pendente`), ['pendente']);
  t.deepEqual(await listados(`?cliente_id=${meu.joao}&contrato_id=${meu.casa}`), []);
  t.deepEqual(await listados(`?cliente_id=${meu.joao}&situacao=em_aberto`), ['sem contrato']);
  t.deepEqual(await listados(`?contrato_id=${meu.sitio}&situacao=em_aberto`), []);
});

test('GET /chamados: paginacao diz pagina, por_pagina, total e total_paginas', async (t) => {
  const { corpo } = await api.get('/chamados', { chave });
  t.deepEqual(corpo.paginacao, { pagina: 1, por_pagina: 20, total: 10, total_paginas: 1 });
});

test('GET /chamados: as páginas, juntas, são a lista, sem repetir nem pular', async (t) => {
  const vistos: string[] = [];
  for (let pagina = 1; pagina <= 4; pagina++) {
    const { paginacao } = (await api.get(`/chamados?pagina=${pagina}&por_pagina=3`, { chave })).corpo;
    t.deepEqual(paginacao, { pagina, por_pagina: 3, total: 10, total_paginas: 4 });
    vistos.push(...(await listados(`?pagina=${pagina}&por_pagina=3`)));
  }
  t.deepEqual(vistos, DO_MAIS_NOVO);
});

test('GET /chamados: o total é o dos filtros', async (t) => {
  const { corpo } = await api.get('/chamados?situacao=em_aberto&por_pagina=5', { chave });
  t.deepEqual(corpo.paginacao, { pagina: 1, por_pagina: 5, total: 7, total_paginas: 2 });
});

test('GET /chamados: página além da última é 200 com lista vazia e os totais verdadeiros', async (t) => {
  const { status, corpo } = await api.get('/chamados?pagina=9&por_pagina=4', { chave });
  t.is(status, 200);
  t.deepEqual(corpo, {
    sucesso: true,
    dados: [],
    paginacao: { pagina: 9, por_pagina: 4, total: 10, total_paginas: 3 },
  });
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
  };
  t.deepEqual((await api.get(`/chamados/${id}`, { chave: texto })).corpo, { sucesso: true, dados: esperado });
  t.deepEqual((await api.get('/chamados', { chave: texto })).corpo.dados, [esperado]);
});

test('Chamado: contrato_id, categoria, solucao, fechado_em e agendado_para sem informação são nulos, nunca omitidos', async (t) => {
  const { dados } = (await api.get(`/chamados/${meu.chamados['sem contrato']}`, { chave })).corpo;
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
  t.is(await pedir(alheio.chamados['aberto']), null);
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
    const { corpo } = await api.get(`/chamados/${meu.chamados[situacao]}`, { chave });
    t.is(corpo.dados.situacao, situacao);
    const fechado = situacao === 'solucionado' || situacao === 'cancelado';
    t.is(corpo.dados.fechado_em, fechado ? '2026-11-19T12:30:00.250Z' : null);
  });
}

test('GET /chamados/{id}: chamado que não existe, ou de outro provedor, é 404 nao_encontrado', async (t) => {
  for (const id of [999_999, alheio.chamados['aberto']]) {
    const { status, corpo } = await api.get(`/chamados/${id}`, { chave });
    t.is(status, 404);
    t.is(corpo.erro.codigo, 'nao_encontrado');
  }
});

test('GET /chamados/{id}/historico: id, acao, descricao, autor e ocorrido_em, da entrada mais antiga para a mais nova', async (t) => {
  const chamado_id = meu.chamados['em_andamento'];
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
  await fabrica.historico(meu.provedor, { chamado_id: meu.chamados['aberto'], descricao: 'de outro chamado' });
  await fabrica.historico(alheio.provedor, { chamado_id: alheio.chamados['em_andamento'], descricao: 'alheio' });

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
  const { status, corpo } = await api.get(`/chamados/${meu.chamados['joao']}/historico`, { chave });
  t.is(status, 200);
  t.deepEqual(corpo, { sucesso: true, dados: [] });
});

test('GET /chamados/{id}/historico: chamado que não existe, ou de outro provedor, é 404 nao_encontrado', async (t) => {
  const alheia = alheio.chamados['cancelado'];
  await fabrica.historico(alheio.provedor, { chamado_id: alheia });
  for (const id of [999_999, alheia]) {
    const { status, corpo } = await api.get(`/chamados/${id}/historico`, { chave });
    t.is(status, 404);
    t.is(corpo.erro.codigo, 'nao_encontrado');
  }
});

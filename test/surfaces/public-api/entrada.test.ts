import test from 'ava';
import { ROTAS } from '../../../src/surfaces/public-api/rotas.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { envioDeExemplo } from '../../support/exemplo.ts';
import { criarFabrica } from '../../support/fabrica.ts';

let api: Api;
let chave: string;

test.before(async () => {
  api = await criarApi();
  const provedor = await criarFabrica(api.dono).provedor();
  await criarFabrica(api.dono).cliente(provedor);
  ({ texto: chave } = await api.criarChave(provedor));
});
test.after.always(() => api.fechar());

/** Asks with each of the texts and expects each to be refused with the code, naming the parameter. */
const recusados = test.macro(
  async (t, caminho: string, parametro: string, textos: readonly string[], codigo = 'parametro_invalido') => {
    for (const texto of textos) {
      const { status, corpo } = await api.get(`${caminho}?${parametro}=${encodeURIComponent(texto)}`, { chave });
      t.is(status, 400, texto);
      t.is(corpo.erro.codigo, codigo, texto);
      t.true(corpo.erro.mensagem.startsWith(`${parametro}: `), corpo.erro.mensagem);
    }
  },
);

const LISTAS = ['/clientes', '/faturas', '/chamados'];
const NAO_SAO_INTEIROS = ['', ' ', 'x', '1.5', '1e3', '0x10', '+1', '01', ' 1', '1 ', '١', 'null', '9'.repeat(30)];

for (const lista of LISTAS) {
  test(`${lista}: pagina é um inteiro, no mínimo 1`, recusados, lista, 'pagina', [...NAO_SAO_INTEIROS, '0', '-1']);
  test(`${lista}: por_pagina é um inteiro de 1 a 100`, recusados, lista, 'por_pagina', [
    ...NAO_SAO_INTEIROS,
    '0',
    '101',
  ]);
  test(`${lista}: pagina tem padrão 1 e por_pagina, 20`, async (t) => {
    const { paginacao } = (await api.get(lista, { chave })).corpo;
    t.is(paginacao.pagina, 1);
    t.is(paginacao.por_pagina, 20);
  });
  test(`${lista}: a maior página possível é 200 com lista vazia`, async (t) => {
    const { status, corpo } = await api.get(`${lista}?pagina=${Number.MAX_SAFE_INTEGER}&por_pagina=100`, { chave });
    t.is(status, 200);
    t.deepEqual(corpo.dados, []);
  });
}

for (const lista of ['/faturas', '/chamados']) {
  for (const parametro of ['cliente_id', 'contrato_id']) {
    const textos = [...NAO_SAO_INTEIROS, '0', '-1', '9007199254740992'];
    test(`${lista}: ${parametro} é um inteiro de 1 a 2^53-1`, recusados, lista, parametro, textos);
  }
}

test(
  '/clientes: cpf_cnpj tem 11 dígitos ou 14 posições',
  recusados,
  '/clientes',
  'cpf_cnpj',
  [
    '',
    '1',
    '5299822472',
    '529982247255',
    '5299822472a',
    'ABCDEFGHIJKLMN',
    '12ABC34501DE3X',
    '５２９９８２２４７２５',
    '529_982_247_25',
    'ı2ABC34501DE35',
  ],
  'cpf_cnpj_invalido',
);

test('/clientes: a busca não julga dígitos verificadores do cpf_cnpj', async (t) => {
  t.is((await api.get('/clientes?cpf_cnpj=111.111.111-11', { chave })).status, 200);
});

test(
  '/clientes: telefone tem de 10 a 13 dígitos',
  recusados,
  '/clientes',
  'telefone',
  ['', '99990001', '359999000', '55359999900011', '35 9999x0001', '３５９９９９９０００１'],
  'telefone_invalido',
);

for (const [lista, valores] of Object.entries({
  '/clientes': ['', 'todas', 'Ativo', 'ativo ', 'aberta', "ativo' or 1=1"],
  '/faturas': ['', 'processando', 'ABERTA', 'aberta,paga', 'em_aberto'],
  '/chamados': ['', 'todas', 'aberta', 'fechado'],
})) {
  test(`${lista}: situacao é uma das listadas`, recusados, lista, 'situacao', valores);
}

const NAO_SAO_DATAS = [
  '',
  '2026-02-30',
  '2026-13-01',
  '2026-1-1',
  '01/02/2026',
  '2026-01-01T00:00:00Z',
  '20260101',
  'hoje',
];
test('/faturas: vencimento_de é uma data que existe', recusados, '/faturas', 'vencimento_de', NAO_SAO_DATAS);
test('/faturas: vencimento_ate é uma data que existe', recusados, '/faturas', 'vencimento_ate', NAO_SAO_DATAS);

test('/faturas: vencimento_de depois de vencimento_ate é 400', async (t) => {
  const { status, corpo } = await api.get('/faturas?vencimento_de=2026-11-02&vencimento_ate=2026-11-01', { chave });
  t.is(status, 400);
  t.regex(corpo.erro.mensagem, /^vencimento_de: /);
  t.is((await api.get('/faturas?vencimento_de=2026-11-01&vencimento_ate=2026-11-01', { chave })).status, 200);
});

for (const rota of ROTAS.filter(({ method, path }) => method === 'GET' && !path.includes('{id}'))) {
  test(`${rota.path}: um parâmetro que a rota não conhece é 400 que o nomeia`, async (t) => {
    const caminho = rota.path.replace('{protocolo}', '20261124000001');
    for (const nome of ['cpf', 'Pagina', 'situacao[]', '__proto__', 'constructor', 'toString']) {
      const { status, corpo } = await api.get(`${caminho}?${encodeURIComponent(nome)}=1`, { chave });
      t.is(status, 400, nome);
      t.is(corpo.erro.codigo, 'parametro_invalido');
      t.is(corpo.erro.mensagem, `${nome}: não é conhecido nesta rota.`);
    }
    t.is((await api.get(`${caminho}?=1`, { chave })).status, 400);
  });
}

test('um parâmetro repetido é 400, mesmo com o mesmo valor', async (t) => {
  for (const query of [
    'pagina=1&pagina=1',
    'situacao=ativo&situacao=bloqueado',
    'cpf_cnpj=52998224725&cpf%5Fcnpj=52998224725',
  ]) {
    const { status, corpo } = await api.get(`/clientes?${query}`, { chave });
    t.is(status, 400, query);
    t.regex(corpo.erro.mensagem, /não pode ser repetido/);
  }
});

for (const rota of ROTAS.filter(({ path }) => path.includes('{id}'))) {
  test(`${rota.method} ${rota.path}: id é decimal de 1 a 2^53-1, sem sinal nem zeros à esquerda`, async (t) => {
    for (const id of [
      '0',
      '-1',
      '+1',
      '01',
      '1.0',
      '1e3',
      'x',
      '%20',
      '1%20',
      '9007199254740992',
      '%ZZ',
      '%00',
      '1;2',
      '%E0%A4%A',
    ]) {
      const { status, corpo } = await api.pedir(rota.method, rota.path.replace('{id}', id), { chave });
      t.is(status, 400, id);
      t.is(corpo.erro.codigo, 'id_invalido', id);
    }
    const maior = await api.pedir(rota.method, rota.path.replace('{id}', '9007199254740991'), {
      chave,
      ...envioDeExemplo(rota),
    });
    t.is(maior.corpo.erro.codigo, 'nao_encontrado');
  });
}

test('a ordem das conferências: permissão antes da entrada, entrada antes da existência', async (t) => {
  const { id: provedor } = (await api.container.provedores.listar())[0]!;
  const { texto } = await api.criarChave(provedor, { permissoes: ['planos:leitura'] });
  t.is((await api.get('/clientes/x?y=1', { chave: texto })).corpo.erro.codigo, 'permissao_insuficiente');
  t.is((await api.get('/clientes/999999?y=1', { chave })).corpo.erro.codigo, 'parametro_invalido');
});

test('o que o chamador escreveu só volta na mensagem de erro curto e sem caracteres de controle', async (t) => {
  const { corpo } = await api.get(`/clientes?${encodeURIComponent(`\n\u0000\u202e${'a'.repeat(500)}`)}=1`, { chave });
  t.true(corpo.erro.mensagem.length < 120);
  t.notRegex(corpo.erro.mensagem, /[\p{C}]/u);
});

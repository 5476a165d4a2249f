import test from 'ava';
import type { Api } from '../../support/api.ts';
import type { Fabrica } from '../../support/fabrica.ts';
import { provarLista } from '../../support/listas.ts';
import type { Povoado } from '../../support/listas.ts';
import { relogioEm } from '../../support/relogio.ts';

const SITUACOES = ['ativo', 'bloqueado', 'cancelado', 'inativo', 'observacao', 'pre_cadastro'];
const SEM_ENDERECO = {
  cep: null,
  logradouro: null,
  numero: null,
  complemento: null,
  bairro: null,
  cidade: null,
  uf: null,
};

let api: Api;
let fabrica: Fabrica;
let meu: Povoado;
let alheio: Povoado;
let chave: string;

/** Clients that each filter tells apart; the second provider's look the same. */
async function povoar(fazer: Fabrica): Promise<Povoado> {
  const provedor = await fazer.provedor();
  const linhas: Record<string, number> = {};
  async function criar(nome: string, linha: Record<string, unknown>, telefones: string[]): Promise<void> {
    linhas[nome] = await fazer.cliente(provedor, { nome, ...linha });
    for (const numero of telefones) await fazer.telefone(provedor, { cliente_id: linhas[nome], numero });
  }
  await criar('cpf', { cpf_cnpj: '52998224725' }, ['35999990001']);
  await criar('cnpj', { cpf_cnpj: '11222333000181', tipo: 'pj' }, ['3533330002']);
  await criar('cnpj alfanumérico', { cpf_cnpj: '12ABC34501DE35', tipo: 'pj', situacao: 'bloqueado' }, []);
  await criar('mesmo cpf, cancelado', { cpf_cnpj: '52998224725', situacao: 'cancelado' }, [
    '11899990001',
    '35999990003',
  ]);
  await criar('outro ddd', { cpf_cnpj: '11144477735' }, ['5521999990001']);
  await criar('inativo', { cpf_cnpj: '39053344705', situacao: 'inativo' }, []);
  await criar('observacao', { cpf_cnpj: '39053344705', situacao: 'observacao' }, []);
  await criar('pre_cadastro', { cpf_cnpj: '39053344705', situacao: 'pre_cadastro' }, []);
  return { provedor, linhas };
}

const POR_ID = [
  'cpf',
  'cnpj',
  'cnpj alfanumérico',
  'mesmo cpf, cancelado',
  'outro ddd',
  'inativo',
  'observacao',
  'pre_cadastro',
];

const achados = provarLista({
  caminho: '/clientes',
  relogio: relogioEm('2026-11-20T15:00:00Z'),
  povoar,
  ordem: POR_ID,
  ordenada: 'por id',
  filtros: () => ({ 'situacao=ativo': 3, 'cpf_cnpj=00000000000': 0 }),
  comecar(cena) {
    ({ api, fabrica, meu, alheio, chave } = cena);
  },
});

const procura = test.macro(async (t, parametro: string, textos: readonly string[], esperados: readonly string[]) => {
  for (const texto of textos) {
    t.deepEqual(await achados(`?${parametro}=${encodeURIComponent(texto)}`), esperados, texto);
  }
});

test(
  'GET /clientes: cpf_cnpj acha por CPF, com ou sem pontuação',
  procura,
  'cpf_cnpj',
  ['52998224725', '529.982.247-25', ' 529 982 247 25 '],
  ['cpf', 'mesmo cpf, cancelado'],
);

test(
  'GET /clientes: cpf_cnpj acha por CNPJ, com ou sem pontuação',
  procura,
  'cpf_cnpj',
  ['11222333000181', '11.222.333/0001-81'],
  ['cnpj'],
);

test(
  'GET /clientes: cpf_cnpj acha o CNPJ alfanumérico, dado em maiúsculas ou minúsculas',
  procura,
  'cpf_cnpj',
  ['12ABC34501DE35', '12abc34501de35', '12.aBc.345/01dE-35'],
  ['cnpj alfanumérico'],
);

test(
  'GET /clientes: cpf_cnpj que ninguém tem dá lista vazia, não todos',
  procura,
  'cpf_cnpj',
  ['00000000000', '99999999999999'],
  [],
);

test('GET /clientes: cpf_cnpj compara o documento inteiro', procura, 'cpf_cnpj', ['00052998224725'], []);

test(
  'GET /clientes: telefone é comparado nos últimos 8 dígitos: outro DDD, o 55, o nono dígito e a pontuação não contam',
  procura,
  'telefone',
  [
    '35999990001',
    '3599990001',
    '11999990001',
    '5535999990001',
    '553599990001',
    '+55 (35) 99999-0001',
    '(35) 9999.0001',
  ],
  ['cpf', 'mesmo cpf, cancelado', 'outro ddd'],
);

test(
  'GET /clientes: telefone acha por qualquer dos telefones do cliente',
  procura,
  'telefone',
  ['3599990003'],
  ['mesmo cpf, cancelado'],
);

test('GET /clientes: telefone acha telefone fixo', procura, 'telefone', ['3533330002', '(35) 3333-0002'], ['cnpj']);

test('GET /clientes: telefone que ninguém tem dá lista vazia', procura, 'telefone', ['35999990009', '1199999000'], []);

test('GET /clientes: cliente com dois telefones de mesmo final aparece uma vez, e conta uma', async (t) => {
  const provedor = await fabrica.provedor();
  const cliente = await fabrica.cliente(provedor);
  for (const numero of ['35988887777', '3588887777', '11988887777']) {
    await fabrica.telefone(provedor, { cliente_id: cliente, numero });
  }
  const { texto } = await api.criarChave(provedor);
  const { corpo } = await api.get('/clientes?telefone=35988887777&por_pagina=1', { chave: texto });
  t.deepEqual(corpo.paginacao, { pagina: 1, por_pagina: 1, total: 1, total_paginas: 1 });
  t.deepEqual(
    corpo.dados.map(({ id }: { id: number }) => id),
    [cliente],
  );
});

for (const situacao of SITUACOES) {
  test(`GET /clientes: situacao=${situacao} traz só os clientes nessa situação`, async (t) => {
    const esperados = {
      ativo: ['cpf', 'cnpj', 'outro ddd'],
      bloqueado: ['cnpj alfanumérico'],
      cancelado: ['mesmo cpf, cancelado'],
    }[situacao] ?? [situacao];
    t.deepEqual(await achados(`?situacao=${situacao}`), esperados);
    const { dados } = (await api.get(`/clientes?situacao=${situacao}`, { chave })).corpo;
    for (const cliente of dados) t.is(cliente.situacao, situacao);
  });
}

test('GET /clientes: os filtros se combinam com E', async (t) => {
  t.deepEqual(await achados('?cpf_cnpj=52998224725&situacao=ativo'), ['cpf']);
  t.deepEqual(await achados('?cpf_cnpj=52998224725&situacao=inativo'), []);
  t.deepEqual(await achados('?telefone=35999990001&situacao=ativo'), ['cpf', 'outro ddd']);
  t.deepEqual(await achados('?telefone=35999990003&cpf_cnpj=52998224725'), ['mesmo cpf, cancelado']);
  t.deepEqual(await achados('?telefone=35999990001&cpf_cnpj=52998224725&situacao=cancelado'), ['mesmo cpf, cancelado']);
  t.deepEqual(await achados('?telefone=3533330002&cpf_cnpj=52998224725'), []);
});

test('GET /clientes: pagina tem padrão 1 e por_pagina 20', async (t) => {
  const provedor = await fabrica.provedor();
  const ids: number[] = [];
  for (let i = 0; i < 21; i++) ids.push(await fabrica.cliente(provedor));
  const { texto } = await api.criarChave(provedor);
  const { corpo } = await api.get('/clientes', { chave: texto });
  t.deepEqual(corpo.paginacao, { pagina: 1, por_pagina: 20, total: 21, total_paginas: 2 });
  t.deepEqual(
    corpo.dados.map(({ id }: { id: number }) => id),
    ids.slice(0, 20),
  );
  const segunda = (await api.get('/clientes?pagina=2', { chave: texto })).corpo;
  t.deepEqual(segunda.paginacao, { pagina: 2, por_pagina: 20, total: 21, total_paginas: 2 });
  t.deepEqual(
    segunda.dados.map(({ id }: { id: number }) => id),
    ids.slice(20),
  );
});

test('GET /clientes: por_pagina vai de 1 a 100 e pagina começa em 1; fora disso é 400', async (t) => {
  const provedor = await fabrica.provedor();
  for (let i = 0; i < 101; i++) await fabrica.cliente(provedor);
  const { texto } = await api.criarChave(provedor);
  const pedir = (query: string) => api.get(`/clientes?${query}`, { chave: texto });
  const uma = (await pedir('por_pagina=1')).corpo;
  t.is(uma.dados.length, 1);
  t.deepEqual(uma.paginacao, { pagina: 1, por_pagina: 1, total: 101, total_paginas: 101 });
  const cem = (await pedir('por_pagina=100')).corpo;
  t.is(cem.dados.length, 100);
  t.deepEqual(cem.paginacao, { pagina: 1, por_pagina: 100, total: 101, total_paginas: 2 });
  for (const query of ['por_pagina=0', 'por_pagina=101', 'pagina=0', 'pagina=-1']) {
    t.is((await pedir(query)).status, 400, query);
  }
});

test('GET /clientes: total_paginas é o total dividido por por_pagina, arredondado para cima', async (t) => {
  for (const [porPagina, paginas] of [
    [1, 8],
    [3, 3],
    [4, 2],
    [7, 2],
    [8, 1],
    [9, 1],
  ]) {
    const { paginacao } = (await api.get(`/clientes?por_pagina=${porPagina}`, { chave })).corpo;
    t.deepEqual(paginacao, { pagina: 1, por_pagina: porPagina, total: 8, total_paginas: paginas });
  }
});

test('GET /clientes: provedor sem clientes tem lista vazia, total 0 e total_paginas 0', async (t) => {
  const { texto } = await api.criarChave(await fabrica.provedor());
  t.deepEqual((await api.get('/clientes', { chave: texto })).corpo, {
    sucesso: true,
    dados: [],
    paginacao: { pagina: 1, por_pagina: 20, total: 0, total_paginas: 0 },
  });
});

test('Cliente e Endereco: todos os campos, na lista e na leitura de um', async (t) => {
  const provedor = await fabrica.provedor();
  const endereco = {
    cep: '37130001',
    logradouro: 'Rua das Acácias',
    numero: '120-A',
    complemento: 'Fundos',
    bairro: 'Centro',
    cidade: 'Alfenas',
    uf: 'MG',
  };
  const id = await fabrica.cliente(provedor, {
    nome: 'Padaria Pão & Cia Ltda',
    nome_fantasia: 'Pão "Quente"',
    tipo: 'pj',
    cpf_cnpj: '12ABC34501DE35',
    email: 'contato@example.com',
    situacao: 'observacao',
    data_nascimento: '1988-04-12',
    criado_em: '2024-02-29 23:59:59.999',
    ...endereco,
  });
  await fabrica.telefone(provedor, { cliente_id: id, numero: '35999990001' });
  const { texto } = await api.criarChave(provedor);
  const esperado = {
    id,
    nome: 'Padaria Pão & Cia Ltda',
    nome_fantasia: 'Pão "Quente"',
    tipo: 'pj',
    cpf_cnpj: '12ABC34501DE35',
    email: 'contato@example.com',
    telefones: ['35999990001'],
    situacao: 'observacao',
    data_nascimento: '1988-04-12',
    criado_em: '2024-02-29T23:59:59.999Z',
    endereco,
    contratos: [],
  };
  t.deepEqual((await api.get(`/clientes/${id}`, { chave: texto })).corpo, { sucesso: true, dados: esperado });
  t.deepEqual((await api.get('/clientes', { chave: texto })).corpo.dados, [esperado]);
});

test('Cliente: nome_fantasia, email e data_nascimento sem informação são nulos; telefones e contratos, vazios; nada é omitido', async (t) => {
  const provedor = await fabrica.provedor();
  const id = await fabrica.cliente(provedor, { criado_em: '2026-11-20 12:00:00' });
  const { texto } = await api.criarChave(provedor);
  t.deepEqual((await api.get(`/clientes/${id}`, { chave: texto })).corpo.dados, {
    id,
    nome: 'Maria da Silva',
    nome_fantasia: null,
    tipo: 'pf',
    cpf_cnpj: '52998224725',
    email: null,
    telefones: [],
    situacao: 'ativo',
    data_nascimento: null,
    criado_em: '2026-11-20T12:00:00.000Z',
    endereco: SEM_ENDERECO,
    contratos: [],
  });
});

test('Endereco: cada campo pode ser nulo sozinho', async (t) => {
  const provedor = await fabrica.provedor();
  const cheio = { cep: '1', logradouro: 'a', numero: 'b', complemento: 'c', bairro: 'd', cidade: 'e', uf: 'SP' };
  const { texto } = await api.criarChave(provedor);
  for (const campo of Object.keys(cheio)) {
    const endereco = { ...cheio, cep: '37130001', [campo]: null };
    const id = await fabrica.cliente(provedor, endereco);
    t.deepEqual((await api.get(`/clientes/${id}`, { chave: texto })).corpo.dados.endereco, endereco, campo);
  }
});

for (const tipo of ['pf', 'pj']) {
  test(`Cliente.tipo pode ser ${tipo}`, async (t) => {
    const id = meu.linhas[tipo === 'pf' ? 'cpf' : 'cnpj'];
    t.is((await api.get(`/clientes/${id}`, { chave })).corpo.dados.tipo, tipo);
  });
}

test('Cliente.telefones vem na ordem em que foram cadastrados', async (t) => {
  const provedor = await fabrica.provedor();
  const [a, b] = [await fabrica.cliente(provedor), await fabrica.cliente(provedor)];
  const numeros = ['35999990009', '3533330001', '35999990005', '11988887777'];
  for (const numero of numeros) {
    await fabrica.telefone(provedor, { cliente_id: b, numero: numero.replace(/.$/, '0') });
    await fabrica.telefone(provedor, { cliente_id: a, numero });
  }
  const { texto } = await api.criarChave(provedor);
  const { dados } = (await api.get('/clientes', { chave: texto })).corpo;
  t.deepEqual(dados[0].telefones, numeros);
  t.deepEqual(
    dados[1].telefones,
    numeros.map((numero) => numero.replace(/.$/, '0')),
  );
  t.deepEqual((await api.get(`/clientes/${a}`, { chave: texto })).corpo.dados.telefones, numeros);
});

test('GET /clientes: cada cliente traz os seus contratos, por id, iguais aos de GET /contratos/{id}', async (t) => {
  const { provedor } = alheio;
  const plano = await fabrica.plano(provedor, { nome: 'Fibra 700' });
  const [a, b] = [await fabrica.cliente(provedor), await fabrica.cliente(provedor)];
  const doA = [await fabrica.contrato(provedor, { cliente_id: a, plano_id: plano })];
  const doB = await fabrica.contrato(provedor, { cliente_id: b, plano_id: plano, situacao: 'cancelado' });
  doA.push(await fabrica.contrato(provedor, { cliente_id: a, plano_id: plano, valor: '120.00' }));
  const { texto } = await api.criarChave(provedor);
  const { dados } = (await api.get('/clientes?por_pagina=100', { chave: texto })).corpo;
  const contratosDe = (id: number) => dados.find((cliente: { id: number }) => cliente.id === id).contratos;
  const ids = (contratos: { id: number }[]) => contratos.map(({ id }) => id);
  t.deepEqual(ids(contratosDe(a)), doA);
  t.deepEqual(ids(contratosDe(b)), [doB]);
  t.deepEqual(contratosDe(alheio.linhas['cpf']!), []);
  for (const contrato of [...contratosDe(a), ...contratosDe(b)]) {
    t.deepEqual((await api.get(`/contratos/${contrato.id}`, { chave: texto })).corpo.dados, contrato);
  }
  const um = (await api.get(`/clientes/${a}`, { chave: texto })).corpo.dados;
  t.deepEqual(um.contratos, contratosDe(a));
});

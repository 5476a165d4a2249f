import test from 'ava';
import { TERMINAL } from '../../../src/domain/actor.ts';
import type { OpcoesDaBusca, ResultadoDaBusca } from '../../../src/domain/busca/busca.types.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import type { Fabrica } from '../../support/fabrica.ts';
import { relogioEm } from '../../support/relogio.ts';
import { criarMudar } from '../clientes/apoio.ts';

const relogio = relogioEm('2026-11-20T15:00:00Z');
let api: Api;
let fabrica: Fabrica;
const mudar = criarMudar(() => api);
test.before(async () => {
  api = await criarApi({ relogio });
  fabrica = criarFabrica(api.dono);
});
test.after.always(async () => api.fechar());

const CPF = '52998224725';
const OUTRO_CPF = '11144477735';

const buscar = async (provedor: number, texto: string, opcoes?: OpcoesDaBusca): Promise<ResultadoDaBusca> =>
  mudar(provedor, async (_escritas, dominio) => dominio.busca.buscar(texto, opcoes));
const criar = async (provedor: number, dados: object): Promise<number> =>
  mudar(provedor, async ({ clientes }) => clientes.criar({ cpf_cnpj: CPF, ...dados }));
const nomes = async (provedor: number, texto: string): Promise<string[]> =>
  (await buscar(provedor, texto)).clientes.map(({ nome }) => nome);
const palavras = async (cliente: number): Promise<string[]> =>
  (await api.dono('clientes_palavras').where('cliente_id', cliente).orderBy('palavra').select('palavra')).map(
    ({ palavra }: { palavra: string }) => palavra,
  );

/** A client with two phones, a contract, an invoice and a ticket. */
async function cenario() {
  const provedor = await fabrica.provedor();
  const plano = await fabrica.plano(provedor);
  const cliente = await criar(provedor, { nome: 'João Conceição de Souza', telefones: ['35999991234'] });
  const contrato = await fabrica.contrato(provedor, {
    cliente_id: cliente,
    plano_id: plano,
    login: `joao.souza${provedor}`,
    mac: '00:1a:2b:3c:4d:5e',
    ip: '100.64.3.9',
  });
  const fatura = await fabrica.fatura(provedor, { cliente_id: cliente, contrato_id: contrato });
  const chamado = await fabrica.chamado(provedor, { cliente_id: cliente });
  return { provedor, plano, cliente, contrato, fatura, chamado };
}

test.serial('acha-se por começos de palavras, sem acento, em qualquer ordem', async (t) => {
  const { provedor } = await cenario();
  await criar(provedor, { nome: 'Joana Souto', cpf_cnpj: OUTRO_CPF });
  for (const texto of ['conceicao', 'SOUZA JOÃO', 'sou conc', '  jo   conceiçã ', 'de souza']) {
    t.deepEqual(await nomes(provedor, texto), ['João Conceição de Souza'], texto);
  }
  t.deepEqual(await nomes(provedor, 'jo sou'), ['Joana Souto', 'João Conceição de Souza']);
  for (const texto of ['souza maria', 'ouza', '%', '_', '', '   ', "' OR 1=1", '\\']) {
    t.deepEqual(await nomes(provedor, texto), [], texto);
  }
});

test.serial('acha-se pelo nome fantasia, e pelo nome novo em vez do velho', async (t) => {
  const provedor = await fabrica.provedor();
  const id = await criar(provedor, { nome: 'Padaria Ltda', nome_fantasia: 'Pão Quente', cpf_cnpj: '11222333000181' });
  t.deepEqual(await nomes(provedor, 'pao quente'), ['Padaria Ltda']);
  t.deepEqual(await palavras(id), ['ltda', 'padaria', 'pao', 'quente']);
  await mudar(provedor, async ({ clientes }) => clientes.alterar(id, { nome_fantasia: 'Bolo Frio' }));
  t.deepEqual(await nomes(provedor, 'quente'), []);
  t.deepEqual(await nomes(provedor, 'bolo'), ['Padaria Ltda']);
  await mudar(provedor, async ({ clientes }) => clientes.alterar(id, { nome: 'Confeitaria Ltda' }));
  t.deepEqual(await palavras(id), ['bolo', 'confeitaria', 'frio', 'ltda']);
});

test.serial('o último pedaço de um telefone basta, e o inteiro abre o cliente', async (t) => {
  const { provedor, cliente } = await cenario();
  for (const texto of ['1234', '91234', '99991234', '(35) 9 9999-1234', '5535999991234', '+55 35 99999-1234']) {
    const { clientes, exato } = await buscar(provedor, texto);
    t.deepEqual(
      clientes.map(({ id, por }) => [id, por]),
      [[cliente, 'telefone']],
      texto,
    );
    t.deepEqual(exato, texto.length >= 8 ? { tipo: 'clientes', id: cliente } : null, texto);
  }
  t.deepEqual((await buscar(provedor, '234')).clientes, []);
  t.deepEqual((await buscar(provedor, '4321')).clientes, []);
});

test.serial('o documento abre o cliente, também com pontos; o seu começo o mostra', async (t) => {
  const { provedor, cliente } = await cenario();
  for (const texto of [CPF, '529.982.247-25']) {
    t.deepEqual((await buscar(provedor, texto)).exato, { tipo: 'clientes', id: cliente }, texto);
  }
  const { clientes, exato } = await buscar(provedor, '529.982');
  t.deepEqual(
    clientes.map(({ id, por }) => [id, por]),
    [[cliente, 'documento']],
  );
  t.is(exato, null);
});

test.serial('MAC, IP e login abrem o contrato, como quer que se escrevam', async (t) => {
  const { provedor, contrato } = await cenario();
  const login = `joao.souza${provedor}`;
  for (const texto of [
    '00:1A:2B:3C:4D:5E',
    '001a2b3c4d5e',
    '001a.2b3c.4d5e',
    '00-1a-2b-3c-4d-5e',
    '100.64.3.9',
    login,
  ]) {
    t.deepEqual((await buscar(provedor, texto)).exato, { tipo: 'contratos', id: contrato }, texto);
  }
  for (const texto of ['00:1a:2b', 'joao.sou']) {
    const { contratos, exato } = await buscar(provedor, texto);
    t.deepEqual(
      contratos.map(({ id }) => id),
      [contrato],
      texto,
    );
    t.is(exato, null);
  }
  t.deepEqual((await buscar(provedor, 'joao_sou')).contratos, []);
});

test.serial('o IP de uma sessão aberta leva ao contrato que a tem', async (t) => {
  const { provedor, contrato } = await cenario();
  await fabrica.nas(provedor, `10.8.${provedor % 256}.1`);
  const sessao = {
    username: `joao.souza${provedor}`,
    nasipaddress: `10.8.${provedor % 256}.1`,
    framedipaddress: '100.70.0.7',
    acctstarttime: '2026-11-20 10:00:00',
  };
  await fabrica.sessao({ ...sessao, acctstoptime: '2026-11-20 11:00:00' });
  t.is((await buscar(provedor, '100.70.0.7')).exato, null);
  await fabrica.sessao(sessao);
  t.deepEqual((await buscar(provedor, '100.70.0.7')).exato, { tipo: 'contratos', id: contrato });
});

test.serial(
  'um número acha o que tem esse número, de cada espécie; o que não se pode ver não se procura',
  async (t) => {
    const { provedor, fatura, chamado } = await cenario();
    const achado = await buscar(provedor, `#${fatura}`);
    t.deepEqual(
      achado.faturas.map(({ id }) => id),
      [fatura],
    );
    const semFaturas = await buscar(provedor, `#${fatura}`, { tipos: ['clientes', 'contratos', 'chamados'] });
    t.deepEqual(semFaturas.faturas, []);
    t.deepEqual(
      (await buscar(provedor, String(chamado))).chamados.map(({ id }) => id),
      [chamado],
    );
    t.deepEqual((await buscar(provedor, '#999999')).exato, null);
  },
);

test.serial('nada se acha de outro provedor', async (t) => {
  const { provedor, cliente, contrato, fatura, chamado } = await cenario();
  const outro = await fabrica.provedor();
  const textos = ['souza', CPF, '1234', '35999991234', '100.64.3.9', '00:1a:2b:3c:4d:5e', `joao.souza${provedor}`];
  for (const texto of [...textos, ...[cliente, contrato, fatura, chamado].map((id) => `#${id}`)]) {
    const { clientes, contratos, faturas, chamados, exato } = await buscar(outro, texto);
    t.deepEqual([clientes, contratos, faturas, chamados, exato], [[], [], [], [], null], texto);
  }
});

test.serial('mais de oito são ditos incompletos', async (t) => {
  const provedor = await fabrica.provedor();
  for (let n = 0; n < 9; n += 1) {
    const id = await fabrica.cliente(provedor, { nome: `Ana ${n}` });
    await api.dono('clientes_palavras').insert({ provedor_id: provedor, palavra: 'ana', cliente_id: id });
  }
  const { clientes, incompleto } = await buscar(provedor, 'ana');
  t.is(clientes.length, 8);
  t.true(incompleto);
});

test.serial('o que se gravou por SQL ganha palavras ao refazê-las, e quem foi apagado as perde', async (t) => {
  const provedor = await fabrica.provedor();
  const id = await fabrica.cliente(provedor, { nome: 'José Ávila' });
  const certo = await criar(provedor, { nome: 'Rita Lima', cpf_cnpj: OUTRO_CPF });
  t.deepEqual(await nomes(provedor, 'avila'), []);
  const refazer = async () => api.container.palavras.refazer(TERMINAL, provedor);
  t.deepEqual(await refazer(), { vistos: 2, mudados: 1 });
  t.deepEqual(await nomes(provedor, 'avila'), ['José Ávila']);
  t.deepEqual(await refazer(), { vistos: 2, mudados: 0 });
  await api.dono('clientes').where('id', certo).update({ nome: 'Rita Leal' });
  await api.dono('clientes').where('id', id).update({ apagado_em: '2026-11-20' });
  t.deepEqual(await refazer(), { vistos: 2, mudados: 2 });
  t.deepEqual(await palavras(certo), ['leal', 'rita']);
  t.deepEqual(await palavras(id), []);
});

test.serial('de quem os dados se apagam, as palavras se vão; de quem sai da tabela, também', async (t) => {
  const provedor = await fabrica.provedor();
  const id = await criar(provedor, { nome: 'Rita Lima' });
  await mudar(provedor, async ({ clientes }) => clientes.cancelar(id));
  await mudar(provedor, async ({ privacidade }) => privacidade.apagar(id));
  t.deepEqual(await palavras(id), []);
  const outro = await criar(provedor, { nome: 'Rui Lima', cpf_cnpj: OUTRO_CPF });
  await api.dono('clientes').where('id', outro).delete();
  t.deepEqual(await palavras(outro), []);
});

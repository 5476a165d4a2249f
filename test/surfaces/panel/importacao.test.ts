import test from 'ava';
import { atorDaTarefa } from '../../../src/domain/actor.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import { emCsv, emWindows1252, linhaDoIxc, linhaDoMkauth, linhaDoSgp } from '../../support/importacao.ts';
import { comProva, entrarNoPainel } from '../../support/painel.ts';
import type { PessoaNoPainel } from '../../support/painel.ts';

const IMPORTACAO = '/configuracoes/importacao';

let api: Api;
let provedorId: number;
let admin: PessoaNoPainel;
test.before(async () => {
  api = await criarApi();
  provedorId = await criarFabrica(api.dono).provedor();
  admin = await entrarNoPainel(api, provedorId);
});
test.after.always(async () => api.fechar());

const trabalhar = async (provedor = provedorId) =>
  api.container.execucaoDeImportacoes.executarPedidas(atorDaTarefa('importacao.executar'), provedor, {
    signal: new AbortController().signal,
    aoAvancar: () => {},
  });
const enviar = async (conteudo: Buffer, campos = {}) =>
  admin.enviar(`${IMPORTACAO}/nova`, { campo: 'arquivo', nome: 'clientes.csv', conteudo }, campos);
const quantos = async (): Promise<number> => (await api.dono('clientes').where({ provedor_id: provedorId })).length;

test.serial('um arquivo é recebido, mapeado, simulado, gravado e desfeito', async (t) => {
  const linhas = [linhaDoIxc(1), linhaDoIxc(2), linhaDoIxc(3, { cnpj_cpf: '111.111.111-11' })];
  const recebido = await enviar(emWindows1252(emCsv(linhas)));
  t.is(recebido.status, 303);
  const caminho = String(recebido.headers['location']).replace('/painel', '');
  const nova = await admin.get(caminho);
  for (const dito of [/IXC Provedor/, /Windows-1252/, /ponto e vírgula/, /nomes das colunas/])
    t.regex(nova.texto, dito);

  const mapa = await admin.get(`${caminho}/colunas`);
  const colunas = [...mapa.texto.matchAll(/<option value="(\d+:\w*)" selected/g)].map(([, valor = '']) => valor);
  t.true(colunas.length > 10);
  const email = colunas.findIndex((uma) => uma.endsWith(':email'));
  const duas = colunas.map((uma, n) => (n === 0 ? `0:email` : uma));
  const recusado = await admin.post(`${caminho}/colunas`, { colunas: duas });
  t.is(recusado.status, 422);
  t.regex(recusado.texto, /2 colunas dão email/);
  const semEmail = colunas.map((uma, n) => (n === email ? `${n}:` : uma));
  t.is((await admin.post(`${caminho}/colunas`, { colunas: semEmail, criar_planos: 'sim' })).status, 303);

  t.is((await admin.post(`${caminho}/simular`)).status, 303);
  t.regex((await admin.get(caminho)).texto, /hx-trigger="every[^>]*X-Por-Si/);
  await trabalhar();
  t.is(await quantos(), 0);
  t.regex((await admin.get(caminho)).texto, /2 linhas entrariam/);
  const recusadas = await comProva(admin, `${caminho}/recusadas`);
  t.regex(recusadas.texto, /erro/);
  t.regex(recusadas.texto, /111\.111\.111-11/);
  t.false(recusadas.texto.includes('Segredo#3'));
  const levadas = await api.dono('auditoria').where({ provedor_id: provedorId, acao: 'exportacao.feita' });
  t.deepEqual(
    levadas.map(({ dados, usuario_id }) => [typeof dados === 'string' ? JSON.parse(dados) : dados, usuario_id]),
    [[{ o_que: 'importacao', cliente: null, linhas: 1 }, admin.usuarioId]],
  );

  t.regex((await admin.get(`${caminho}/executar`)).texto, /2 linhas entram/);
  t.is((await comProva(admin, `${caminho}/executar`)).status, 303);
  await trabalhar();
  t.is(await quantos(), 2);
  t.regex((await admin.get(`${caminho}/rede`)).texto, /2 logins vão/);
  t.regex((await admin.get(`${caminho}/desfazer`)).texto, /Apaga do cadastro/);
  t.is((await comProva(admin, `${caminho}/desfazer`)).status, 303);
  await trabalhar();
  t.is(await quantos(), 0);

  const outro = await entrarNoPainel(api, await criarFabrica(api.dono).provedor());
  for (const fim of ['', '/colunas', '/executar', '/rede']) {
    t.is((await outro.get(`${caminho}${fim}`)).status, 404, fim);
  }
  for (const fim of ['/simular', '/recusadas', '/detalhes']) {
    t.is((await outro.post(`${caminho}${fim}`)).status, 404, fim);
  }
});

for (const { formato, dito, linha, documento } of [
  { formato: 'ixc', dito: /IXC Provedor/, linha: linhaDoIxc, documento: 'cnpj_cpf' },
  { formato: 'mkauth', dito: /MK-Auth/, linha: linhaDoMkauth, documento: 'cpf_cnpj' },
  { formato: 'sgp', dito: /SGP/, linha: linhaDoSgp, documento: 'cpfcnpj' },
]) {
  test.serial(
    `do ${formato}, em Windows-1252 e com ponto e vírgula, entra o que está certo, com acentos`,
    async (t) => {
      const fabrica = criarFabrica(api.dono);
      const provedor = await fabrica.provedor();
      // Two of the systems do not say what a plan costs.
      for (const nome of ['FIBRA 500 MEGA', 'FIBRA 1 GIGA']) await fabrica.plano(provedor, { nome });
      const pessoa = await entrarNoPainel(api, provedor);
      const linhas = [linha(1), linha(2), linha(3, { [documento]: '111.111.111-11' })];
      const arquivo = { campo: 'arquivo', nome: `${formato}.csv`, conteudo: emWindows1252(emCsv(linhas)) };
      const recebido = await pessoa.enviar(`${IMPORTACAO}/nova`, arquivo);
      t.is(recebido.status, 303);
      const caminho = String(recebido.headers['location']).replace('/painel', '');
      const { texto } = await pessoa.get(caminho);
      for (const um of [dito, /Windows-1252/, /ponto e vírgula/]) t.regex(texto, um);
      const mapa = await pessoa.get(`${caminho}/colunas`);
      const colunas = [...mapa.texto.matchAll(/<option value="(\d+:\w*)" selected/g)].map(([, valor = '']) => valor);
      t.is((await pessoa.post(`${caminho}/colunas`, { colunas, criar_planos: 'sim' })).status, 303);
      const clientes = async (): Promise<{ nome: string }[]> =>
        api.dono('clientes').where({ provedor_id: provedor }).orderBy('id').select('nome');

      await pessoa.post(`${caminho}/simular`);
      await trabalhar(provedor);
      t.deepEqual(await clientes(), []);
      t.regex((await comProva(pessoa, `${caminho}/recusadas`)).texto, /111\.111\.111-11/);
      t.is((await comProva(pessoa, `${caminho}/executar`)).status, 303);
      await trabalhar(provedor);
      t.deepEqual(await clientes(), [{ nome: 'Antônia Brandão 1' }, { nome: 'João Araújo 2' }]);
      t.is((await comProva(pessoa, `${caminho}/desfazer`)).status, 303);
      await trabalhar(provedor);
      t.deepEqual(await clientes(), []);
    },
  );
}

test.serial(
  'cada plano que não há se escolhe pelo nome que o arquivo lhe dá, e as colunas de antes se usam de novo',
  async (t) => {
    const f = criarFabrica(api.dono);
    const fibra = await f.plano(provedorId, { nome: 'Fibra da casa' });
    await f.plano(provedorId, { nome: 'Outra fibra' });
    const linhas = [
      linhaDoIxc(41, { contrato: 'PROMO "A" <500>' }),
      linhaDoIxc(42, { contrato: 'Promo "a" <500>' }),
      linhaDoIxc(43, { contrato: 'Sem nome' }),
      linhaDoIxc(44, { contrato: 'outra FIBRA' }),
    ];
    const conteudo = emWindows1252(emCsv(linhas));
    const caminho = String((await enviar(conteudo)).headers['location']).replace('/painel', '');
    t.notRegex((await admin.get(`${caminho}/colunas`)).texto, /name="planos"/);
    await admin.post(`${caminho}/simular`);
    await trabalhar();
    const pagina = await admin.get(caminho);
    t.regex(pagina.texto, /2 planos do arquivo não existem aqui/);
    t.regex(pagina.texto, /1 linha entraria/);
    const mapa = (await admin.get(`${caminho}/colunas`)).texto;
    t.is([...mapa.matchAll(/name="planos"/g)].length, 2);
    t.regex(mapa, /PROMO &quot;A&quot; &lt;500&gt;/);
    t.regex(mapa, /2 linhas/);
    t.notRegex(mapa, /outra FIBRA/);

    const colunas = [...mapa.matchAll(/<option value="(\d+:\w*)" selected/g)].map(([, valor = '']) => valor);
    const email = colunas.findIndex((uma) => uma.endsWith(':email'));
    const escolhas = { colunas: colunas.map((uma, n) => (n === email ? `${n}:` : uma)) };
    const planos = [`${fibra}:PROMO "A" <500>`, ':Sem nome'];
    t.is((await admin.post(`${caminho}/colunas`, { ...escolhas, planos: ['x:Sem nome'] })).status, 422);
    t.is((await admin.post(`${caminho}/colunas`, { ...escolhas, planos })).status, 303);
    await admin.post(`${caminho}/simular`);
    await trabalhar();
    t.regex((await admin.get(caminho)).texto, /3 linhas entrariam/);
    t.regex((await admin.get(caminho)).texto, /1 plano do arquivo não existe aqui/);
    const depois = (await admin.get(`${caminho}/colunas`)).texto;
    t.true(depois.includes(`<option value="${fibra}:PROMO &quot;A&quot; &lt;500&gt;" selected`));

    const id = /(\d+)$/.exec(caminho)?.[1] ?? '';
    const outra = String((await enviar(conteudo)).headers['location']).replace('/painel', '');
    const proposta = (await admin.get(`${outra}/colunas`)).texto;
    t.true(proposta.includes(`href="/painel${outra}/colunas?modelo=${id}"`));
    t.true(proposta.includes(`value="${email}:email" selected`));
    const comModelo = (await admin.get(`${outra}/colunas?modelo=${id}`)).texto;
    t.true(comModelo.includes(`value="${email}:" selected`));
    t.true(comModelo.includes(`<option value="${fibra}:PROMO &quot;A&quot; &lt;500&gt;" selected`));
    t.regex((await admin.get(`${outra}/colunas?modelo=999999`)).texto, /value="\d+:email" selected/);
  },
);

test.serial('o que não é um CSV é recusado em palavras, e nada fica', async (t) => {
  const antes = (await api.dono('importacoes').where({ provedor_id: provedorId })).length;
  const vazio = await enviar(Buffer.from('nada'));
  t.is(vazio.status, 422);
  t.regex(vazio.texto, /Arquivo: não tem colunas/);
  t.is((await admin.enviar(`${IMPORTACAO}/nova`, null)).status, 422);
  t.is((await api.dono('importacoes').where({ provedor_id: provedorId })).length, antes);
});

test.serial('quem não importa não vê as importações', async (t) => {
  const tecnico = await entrarNoPainel(api, provedorId, 'tecnico');
  t.is((await tecnico.get(IMPORTACAO)).status, 403);
  t.is((await tecnico.enviar(`${IMPORTACAO}/nova`, null)).status, 403);
});

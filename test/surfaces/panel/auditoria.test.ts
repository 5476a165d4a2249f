import test from 'ava';
import { criarApi } from '../../support/api.ts';
import { atorDoAssinante } from '../../../src/domain/actor.ts';
import type { Api } from '../../support/api.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import { entrarNoPainel } from '../../support/painel.ts';
import type { PessoaNoPainel } from '../../support/painel.ts';
import { vindoDe } from '../../support/autor.ts';

const AUDITORIA = '/configuracoes/auditoria';

let api: Api;
let provedorId: number;
let admin: PessoaNoPainel;
test.before(async () => {
  api = await criarApi();
  provedorId = await criarFabrica(api.dono).provedor();
  admin = await entrarNoPainel(api, provedorId);
  for (let n = 0; n < 60; n += 1) await api.criarChave(provedorId, { nome: `=chave ${n}` });
});
test.after.always(async () => api.fechar());

test('as linhas se leem página a página, e o filtro as estreita', async (t) => {
  const primeira = await admin.get(`${AUDITORIA}?acao=chave.criada`);
  t.is(primeira.texto.match(/<code>chave\.criada</g)?.length, 50);
  const proxima = /href="\/painel(\/configuracoes\/auditoria\?[^"]*antes=\d+)"/.exec(primeira.texto)?.[1] ?? '';
  const segunda = await admin.get(proxima.replaceAll('&amp;', '&'));
  t.is(segunda.texto.match(/<code>chave\.criada</g)?.length, 10);
  t.regex((await admin.get(`${AUDITORIA}?usuario=${admin.usuarioId}&acao=chave.criada`)).texto, /Nada com este filtro/);
  t.regex((await admin.get(`${AUDITORIA}?ate=2001-01-01`)).texto, /Nada com este filtro/);
  t.is((await admin.get(`${AUDITORIA}?de=ontem`)).status, 400);
});

test('o que um assinante fez leva ao seu cadastro, também nas linhas de processos da versão anterior', async (t) => {
  const fabrica = criarFabrica(api.dono);
  const provedor = await fabrica.provedor();
  const cliente = await fabrica.cliente(provedor);
  const pessoa = await entrarNoPainel(api, provedor);
  await api.container.write(atorDoAssinante({ id: cliente }, vindoDe()), provedor, async (w) =>
    Promise.resolve(w.emit('acesso.senha_trocada', 1, { cliente, sessoes: 0 })),
  );
  const linhas = () => api.dono('auditoria').where({ provedor_id: provedor, acao: 'acesso.senha_trocada' });
  t.like(await linhas().first(), { autor: 'App', cliente_id: cliente });
  const ler = async () => (await pessoa.get(`${AUDITORIA}?acao=acesso.senha_trocada`)).texto;
  t.regex(await ler(), new RegExp(`App · <a href="/painel/clientes/${cliente}">cliente ${cliente}</a>`));
  await linhas().update({ cliente_id: null });
  t.regex(await ler(), new RegExp(`/painel/clientes/${cliente}`));
});

test('o que se fez é dito em palavras, e se filtra pelo que é, sem digitar nomes', async (t) => {
  const { texto } = await admin.get(`${AUDITORIA}?recurso=chave`);
  t.regex(texto, /Chave da API criada<br \/?>/);
  t.regex(texto, /<option value="chave" selected>\s*Chave da API\s*<\/option>/);
  t.false(texto.includes('Criou-se'));
});

test('o arquivo traz o que o filtro acha, e fica anotado que se baixou', async (t) => {
  const { status, texto, headers } = await admin.post(`${AUDITORIA}/exportar`, { acao: 'chave.criada' });
  t.is(status, 200);
  t.regex(String(headers['content-disposition']), /auditoria-\d{4}-\d\d-\d\d\.csv/);
  t.is(texto.trimEnd().split('\r\n').length, 61);
  const [linha] = await api.dono('auditoria').where({ provedor_id: provedorId, acao: 'exportacao.feita' });
  t.is(linha?.usuario_id, admin.usuarioId);
});

test('diz pelo nome quem viu um cliente', async (t) => {
  const cliente = await criarFabrica(api.dono).cliente(provedorId);
  const provedor = await api.container.provedores.exigirPorId(provedorId);
  const { untracked } = await import('../../../src/platform/cache/trail.ts');
  await api.container.readTenant(provedor, untracked, { reader: 'x', whole: false }, async ({ acessos }) =>
    acessos.anotarAcesso({ usuarioId: admin.usuarioId, clienteId: cliente, oQue: 'cliente' }),
  );
  const { texto } = await admin.get(`${AUDITORIA}/quem-viu?cliente=${cliente}`);
  t.regex(texto, /abriu o cadastro/);
  t.regex(texto, /Gente \d+<\/td>/);
  const outro = await entrarNoPainel(api, await criarFabrica(api.dono).provedor());
  t.regex((await outro.get(`${AUDITORIA}/quem-viu?cliente=${cliente}`)).texto, /Ninguém abriu/);
});

test('quem não tem a permissão não vê a auditoria', async (t) => {
  const financeiro = await entrarNoPainel(api, provedorId, 'financeiro');
  t.is((await financeiro.get(AUDITORIA)).status, 403);
  t.is((await financeiro.post(`${AUDITORIA}/exportar`)).status, 403);
});

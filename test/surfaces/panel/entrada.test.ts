import test from 'ava';
import { voltaSegura } from '../../../src/surfaces/panel/pedido.ts';
import { criarApi, enviar } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import { SENHA_DO_PAINEL, abrirPainel, entrarNoPainel } from '../../support/painel.ts';

let api: Api;
test.before(async () => {
  api = await criarApi({ processos: 2 });
});
test.after.always(async () => api.fechar());

const hostDe = async (id: number): Promise<string> => (await api.container.provedores.exigirPorId(id)).panelHost;

test('sem sessão a primeira página leva à entrada, que leva de volta', async (t) => {
  const id = await criarFabrica(api.dono).provedor();
  const painel = abrirPainel(api, await hostDe(id));
  const inicio = await painel.get('');
  t.is(inicio.status, 303);
  t.is(inicio.headers['location'], '/painel/entrar');
  t.is((await painel.get('/entrar')).status, 200);
});

test('o endereço do provedor leva ao painel, e o de ninguém é da API', async (t) => {
  const id = await criarFabrica(api.dono).provedor();
  const raiz = async (host: string) => enviar({ host: '127.0.0.1', port: api.porta, path: '/', headers: { host } });
  const { status, headers } = await raiz(await hostDe(id));
  t.is(status, 302);
  t.is(headers.location, '/painel');
  t.is((await raiz('ninguem.malha.test')).status, 401);
});

test('quem entra tem uma sessão que vale em todos os processos, e que acaba em todos quando sai', async (t) => {
  const id = await criarFabrica(api.dono).provedor();
  const pessoa = await entrarNoPainel(api, id);
  const inicio = await pessoa.get('');
  t.is(inicio.status, 200);
  t.regex(inicio.texto, /<h1>Início<\/h1>/);
  t.is(inicio.headers['cache-control'], 'no-store');
  const { cookie } = pessoa;
  const noutro = abrirPainel(api, await hostDe(id), 1);
  t.is((await noutro.get('', { cookie: cookie ?? '' })).status, 200);
  t.is((await pessoa.post('/sair')).status, 303);
  t.is((await noutro.get('', { cookie: cookie ?? '' })).status, 303);
});

test('a senha errada e o e-mail desconhecido são respondidos igual, sem a senha na página', async (t) => {
  const id = await criarFabrica(api.dono).provedor();
  const { email } = await entrarNoPainel(api, id);
  const painel = abrirPainel(api, await hostDe(id));
  const errada = await painel.post('/entrar', { email, senha: 'outra senha qualquer' });
  const desconhecido = await painel.post('/entrar', { email: 'x@malha.test', senha: SENHA_DO_PAINEL });
  t.is(errada.status, 422);
  t.is(desconhecido.status, 422);
  // Each page asks passkeys another question.
  const semDesafio = (texto: string): string =>
    texto.replace(/name="desafio" value="[^"]*"/, '').replace(/data-opcoes="[^"]*"/, '');
  t.is(semDesafio(errada.texto).replaceAll(email, ''), semDesafio(desconhecido.texto).replaceAll('x@malha.test', ''));
  t.false(errada.texto.includes('outra senha'));
});

test('um pedido que muda algo e vem de outro site, ou não diz de onde vem, é recusado', async (t) => {
  const id = await criarFabrica(api.dono).provedor();
  const pessoa = await entrarNoPainel(api, id);
  for (const headers of [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': '' },
  ]) {
    t.is((await pessoa.post('/sair', {}, headers)).status, 403);
  }
  t.is((await pessoa.get('')).status, 200);
});

test('com htmx, quem perdeu a sessão recebe a entrada num diálogo, e a página fica', async (t) => {
  const id = await criarFabrica(api.dono).provedor();
  const painel = abrirPainel(api, await hostDe(id));
  const resposta = await painel.get('', { 'HX-Request': 'true' });
  t.is(resposta.status, 401);
  t.is(resposta.headers['hx-retarget'], '#entrar-de-novo');
});

test('ninguém entra por um e-mail que só se parece com o seu', async (t) => {
  const id = await criarFabrica(api.dono).provedor();
  const { email } = await entrarNoPainel(api, id);
  const painel = abrirPainel(api, await hostDe(id));
  for (const parecido of [email.replace('g', 'ǵ'), `${email.slice(0, 2)}\u200B${email.slice(2)}`]) {
    t.is((await painel.post('/entrar', { email: parecido, senha: SENHA_DO_PAINEL })).status, 422);
  }
  t.is((await painel.post('/entrar', { email: email.toUpperCase(), senha: SENHA_DO_PAINEL })).status, 303);
});

test('depois de entrar só se vai a páginas do painel', (t) => {
  for (const fora of ['/../v1/docs', '/%2e%2e/c/abc', '/..//evil.example', '//evil.example', 'https://evil.example']) {
    t.is(voltaSegura(fora), '', fora);
  }
  t.is(voltaSegura('/clientes/5?aba=conexao'), '/clientes/5?aba=conexao');
});

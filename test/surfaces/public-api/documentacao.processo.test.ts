import test from 'ava';
import type { Browser, Page } from 'playwright-core';
import { ROTAS } from '../../../src/surfaces/public-api/rotas.ts';
import { criarApi, enviar } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import { abrirNavegador } from '../../support/navegador.ts';

/** A page of the documentation, with everything that the browser asked for and complained of. */
interface Aberta {
  readonly pagina: Page;
  readonly pedidos: string[];
  readonly queixas: string[];
}

let api: Api;
let chave: string;
let navegador: Browser;
test.before(async () => {
  api = await criarApi();
  const provedor = await criarFabrica(api.dono).provedor({ nome: 'Serra Fibra' });
  ({ texto: chave } = await api.criarChave(provedor));
  navegador = await abrirNavegador();
});
test.after.always(async () => {
  await navegador.close();
  await api.fechar();
});

async function abrir(): Promise<Aberta> {
  const pagina = await navegador.newPage({ viewport: { width: 1200, height: 1000 }, locale: 'pt-BR' });
  const pedidos: string[] = [];
  const queixas: string[] = [];
  pagina.on('request', (pedido) => pedidos.push(pedido.url()));
  pagina.on('requestfailed', (pedido) => queixas.push(`não carregou: ${pedido.url()}`));
  pagina.on('response', (resposta) => {
    if (resposta.status() >= 400) queixas.push(`${resposta.status()}: ${resposta.url()}`);
  });
  pagina.on('pageerror', (erro) => queixas.push(erro.message));
  pagina.on('console', (mensagem) => {
    if (['error', 'warning'].includes(mensagem.type())) queixas.push(mensagem.text());
  });
  await pagina.exposeFunction('queixarDaCsp', (violacao: string) => queixas.push(`CSP: ${violacao}`));
  await pagina.addInitScript(`document.addEventListener('securitypolicyviolation', (e) => {
    window.queixarDaCsp(e.violatedDirective + ' ' + e.blockedURI);
  });`);
  await pagina.goto(`http://127.0.0.1:${api.porta}/api/v1/docs`);
  await pagina.locator('.opblock').first().waitFor();
  return { pagina, pedidos, queixas };
}

const daqui = (url: string): boolean =>
  url.startsWith('data:') || url.startsWith(`http://127.0.0.1:${api.porta}/api/v1/`);

test('a página mostra cada operação, em português, e nada pede fora da própria máquina', async (t) => {
  const { pagina, pedidos, queixas } = await abrir();
  t.is(await pagina.title(), 'Malha · API pública v1');
  t.is(await pagina.locator('html').getAttribute('lang'), 'pt-BR');
  t.is(
    (await pagina.locator('.info .title').innerText()).split('\n')[0]?.trim().startsWith('Malha — API pública'),
    true,
  );

  const resumos = await pagina.locator('.opblock-summary-description').allInnerTexts();
  t.deepEqual(
    resumos.toSorted(),
    [...ROTAS.map(({ summary }) => summary), 'Este documento', 'Esta documentação, para ler e experimentar'].toSorted(),
  );
  const grupos = await pagina.locator('.opblock-tag').allInnerTexts();
  for (const { group: grupo } of ROTAS)
    t.true(
      grupos.some((texto) => texto.includes(grupo)),
      grupo,
    );
  t.is(await pagina.locator('.errors-wrapper').count(), 0);

  for (const url of pedidos) t.true(daqui(url), url);
  t.true(pedidos.some((url) => url.endsWith('/openapi.json')));
  t.deepEqual(queixas, []);
  await pagina.close();
});

test('uma operação aberta mostra parâmetros, exemplo e códigos de erro, e pode ser experimentada com uma chave', async (t) => {
  const { pagina, pedidos, queixas } = await abrir();
  const lista = pagina.locator('#operations-Clientes-getClientes');
  await lista.locator('.opblock-summary-control').click();
  await lista.locator('.parameters').first().waitFor();
  const texto = await lista.innerText();
  for (const trecho of [
    'CPF (11 dígitos) ou CNPJ',
    'Itens por página.',
    'Maria da Silva',
    'cpf_cnpj_invalido',
    '429',
  ]) {
    t.true(texto.includes(trecho), trecho);
  }

  await pagina.locator('button.authorize').first().click();
  const porCabecalho = pagina.locator('.auth-container', { hasText: 'X-API-Key' });
  await porCabecalho.locator('input').fill(chave);
  await porCabecalho.locator('button.authorize').click();
  await pagina.locator('button.btn-done').first().click();
  const status = pagina.locator('#operations-Status-getStatus');
  await status.locator('.opblock-summary-control').click();
  await status.locator('.try-out__btn').click();
  await status.locator('button.execute').click();
  const resposta = status.locator('.live-responses-table .response').first();
  await resposta.waitFor();
  t.regex(await resposta.innerText(), /200[^]*"sucesso": true[^]*Serra Fibra/);

  for (const url of pedidos) t.true(daqui(url), url);
  t.deepEqual(queixas, []);
  await pagina.close();
});

test('a página proíbe o navegador de buscar, mandar ou embutir qualquer coisa de fora', async (t) => {
  const { headers } = await api.get('/docs');
  const diretivas = new Map(
    String(headers['content-security-policy'])
      .split(';')
      .map((diretiva) => diretiva.trim().split(' '))
      .map(([nome = '', ...fontes]) => [nome, fontes]),
  );
  t.deepEqual(diretivas.get('default-src'), ["'none'"]);
  t.deepEqual(diretivas.get('script-src'), ["'self'"]);
  t.deepEqual(diretivas.get('connect-src'), ["'self'"]);
  t.deepEqual(diretivas.get('frame-ancestors'), ["'none'"]);
  t.is(headers['x-content-type-options'], 'nosniff');

  const { pagina } = await abrir();
  // What the policy says, the browser does: a script of somebody else's does not run.
  const violada = await pagina.evaluate<string>(`new Promise((resolve) => {
    document.addEventListener('securitypolicyviolation', (e) => resolve(e.violatedDirective));
    const script = document.createElement('script');
    script.src = 'http://127.0.0.2:9/x.js';
    document.head.append(script);
  })`);
  t.is(violada, 'script-src-elem');
  await pagina.close();
});

test('só o que a página usa é servido: outro arquivo, outra pasta e outro método não', async (t) => {
  for (const caminho of ['/docs', '/docs/swagger-ui.css', '/docs/swagger-ui-bundle.js', '/docs/inicio.js']) {
    const { status } = await enviar({ host: '127.0.0.1', port: api.porta, path: `/api/v1${caminho}` });
    t.is(status, 200, caminho);
    t.is((await api.pedir('POST', caminho)).corpo.erro.codigo, 'chave_ausente', caminho);
  }
  for (const caminho of [
    '/docs/',
    '/docs/package.json',
    '/docs/index.html',
    '/docs/../package.json',
    '/docs/%2e%2e/package.json',
    '/docs/__proto__',
    '/docs/constructor',
    '/Docs',
  ]) {
    t.is((await api.get(caminho)).corpo.erro.codigo, 'chave_ausente', caminho);
    t.is((await api.get(caminho, { chave })).corpo.erro.codigo, 'rota_inexistente', caminho);
  }
});

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import test from 'ava';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { ROTAS } from '../../../src/surfaces/panel/rotas.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { abrirNavegador } from '../../support/navegador.ts';
import { entrarNoPainel } from '../../support/painel.ts';
import { enderecoDe, existe, povoar } from './povoado.ts';
import type { Povoado } from './povoado.ts';

/** Streams and files are no screens. */
const SEM_TELA = /^\/(?:eventos|manifesto|entrar|esqueci|senha|convite)|csv|\/arquivo|\/baixar|\/erros/;

/** Where screenshots of every screen are put, for people to look at; nowhere otherwise. */
const FOTOS = process.env['MALHA_TEST_FOTOS'];

/** What axe-core finds, as far as it is read here. */
interface Achados {
  readonly violations: readonly {
    readonly id: string;
    readonly impact: string;
    readonly nodes: readonly { readonly html: string }[];
  }[];
}

const LARGURAS = [1280, 390];
const TEMAS = ['light', 'dark'] as const;

const comTela = ROTAS.filter(({ metodo, caminho }) => metodo === 'GET' && !SEM_TELA.test(caminho));

let api: Api;
let povoado: Povoado;
let navegador: Browser;
let cookie: string;
let axe: string;
test.before(async () => {
  api = await criarApi();
  povoado = await povoar(api, { panel_host: 'povoado.localhost' });
  cookie = (await entrarNoPainel(api, povoado.provedorId)).cookie ?? '';
  navegador = await abrirNavegador();
  const { resolve } = createRequire(import.meta.url);
  axe = await readFile(path.join(path.dirname(resolve('axe-core/package.json')), 'axe.min.js'), 'utf8');
});
test.after.always(async () => {
  await navegador?.close();
  await api.fechar();
});

const base = (): string => `http://${povoado.host}:${api.porta}`;

async function abrir(
  width: number,
  colorScheme: (typeof TEMAS)[number],
  javaScriptEnabled: boolean,
): Promise<BrowserContext> {
  const contexto = await navegador.newContext({
    viewport: { width, height: width === 390 ? 844 : 800 },
    colorScheme,
    javaScriptEnabled,
  });
  const [name = '', value = ''] = cookie.split('=');
  await contexto.addCookies([{ name, value, url: base() }]);
  return contexto;
}

/** What a page complains of while it is open. */
function ouvir(pagina: Page): string[] {
  const queixas: string[] = [];
  pagina.on('console', (dito) => {
    if (dito.type() === 'error' || dito.type() === 'warning') queixas.push(dito.text());
  });
  pagina.on('pageerror', ({ message }) => void queixas.push(message));
  pagina.on('request', (pedido) => {
    const { protocol, host } = new URL(pedido.url());
    if (protocol !== 'data:' && host !== `${povoado.host}:${api.porta}`) queixas.push(`pediu a ${host}`);
  });
  return queixas;
}

for (const largura of LARGURAS) {
  for (const tema of TEMAS) {
    test.serial(
      `cada tela abre sem queixa do navegador nem do axe, a ${largura} pontos, no tema ${tema}`,
      async (t) => {
        const contexto = await abrir(largura, tema, true);
        const pagina = await contexto.newPage();
        const queixas = ouvir(pagina);
        for (const rota of comTela.filter((uma) => existe(uma, povoado))) {
          const endereco = `/painel${enderecoDe(rota, povoado)}`;
          await pagina.goto(base() + endereco, { waitUntil: 'load' });
          t.is(await pagina.locator('h1').count(), 1, endereco);
          const sobra = await pagina.evaluate<number>(
            'document.documentElement.scrollWidth - document.documentElement.clientWidth',
          );
          t.true(sobra <= 0, `${endereco}: ${sobra} pontos além da tela`);
          await pagina.evaluate(axe);
          const { violations } = await pagina.evaluate<Achados>('axe.run()');
          const achados = violations
            .filter(({ impact }) => impact === 'serious' || impact === 'critical')
            .map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`);
          t.deepEqual(achados, [], endereco);
          if (FOTOS !== undefined) {
            const nome = endereco.replaceAll('/', '_').slice('_painel'.length) || '_inicio';
            await pagina.screenshot({ path: path.join(FOTOS, `${nome}-${largura}-${tema}.png`), fullPage: true });
          }
          t.deepEqual(queixas, [], endereco);
        }
        await contexto.close();
      },
    );
  }
}

test.serial('cada tela abre também sem script', async (t) => {
  const contexto = await abrir(1280, 'light', false);
  const pagina = await contexto.newPage();
  const queixas = ouvir(pagina);
  for (const rota of comTela.filter((uma) => existe(uma, povoado))) {
    const resposta = await pagina.goto(base() + `/painel${enderecoDe(rota, povoado)}`);
    t.is(resposta?.status(), 200, rota.caminho);
    t.is(await pagina.locator('h1').count(), 1, rota.caminho);
  }
  t.deepEqual(queixas, []);
  await contexto.close();
});

import type { ExecutionContext } from 'ava';
import type { Browser, BrowserContext, Page } from 'playwright-core';

const TELEFONE = { width: 390, height: 844 };

/** A page on a phone, with everything that the browser asked for and complained of. */
export interface Aberta {
  readonly pagina: Page;
  readonly contexto: BrowserContext;
  readonly pedidos: string[];
  readonly queixas: string[];
}

export async function abrirNoTelefone(
  navegador: Browser,
  porta: number,
  caminho: string,
  { javaScript = true, permissions = [] }: { javaScript?: boolean; permissions?: string[] } = {},
): Promise<Aberta> {
  const contexto = await navegador.newContext({
    viewport: TELEFONE,
    deviceScaleFactor: 2,
    isMobile: true,
    hasTouch: true,
    locale: 'pt-BR',
    javaScriptEnabled: javaScript,
    permissions,
  });
  const pagina = await contexto.newPage();
  const pedidos: string[] = [];
  const queixas: string[] = [];
  pagina.on('request', (pedido) => pedidos.push(`${pedido.method()} ${pedido.url()}`));
  pagina.on('requestfailed', (pedido) => queixas.push(`não carregou: ${pedido.url()}`));
  pagina.on('pageerror', (erro) => queixas.push(erro.message));
  pagina.on('console', (mensagem) => {
    // The browser says of every page that is answered with 4xx that it is.
    const estado = mensagem.text().startsWith('Failed to load resource: the server responded with a status of 4');
    if (['error', 'warning'].includes(mensagem.type()) && !estado) queixas.push(mensagem.text());
  });
  await pagina.goto(`http://127.0.0.1:${porta}${caminho}`);
  return { pagina, contexto, pedidos, queixas };
}

export async function semRolagemAoLado(t: ExecutionContext, pagina: Page, onde: string): Promise<void> {
  // The layout viewport grows with what does not fit: measured from outside, so without the page's own JavaScript.
  const { cssContentSize, cssLayoutViewport } = await (
    await pagina.context().newCDPSession(pagina)
  ).send('Page.getLayoutMetrics');
  t.true(cssContentSize.width <= TELEFONE.width, `${onde}: ${cssContentSize.width} px de largura`);
  t.is(cssLayoutViewport.clientWidth, TELEFONE.width, onde);
}

interface Medidas {
  readonly pequenos: string[];
  readonly miudos: string[];
  readonly apagados: string[];
  readonly semNome: string[];
}

/** What of a page is too small to touch or to read, too faint, or without a name. */
export async function medir(pagina: Page): Promise<Medidas> {
  return pagina.evaluate<Medidas>(MEDIR);
}

/** Runs in the page. */
const MEDIR = `(() => {
  const visivel = (e) => e.getClientRects().length > 0 && e.closest('.sobra') === null;
  const todos = [...document.body.querySelectorAll('*')].filter(visivel);
  const cor = (texto) => texto.match(/[\\d.]+/g).map(Number);
  const luz = (rgb) => {
    const [r, g, b] = rgb.slice(0, 3).map((c) => (c / 255 <= 0.03928 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const fundo = (e) => {
    for (let n = e; n !== null; n = n.parentElement) {
      const c = cor(getComputedStyle(n).backgroundColor);
      if (c.length < 4 || c[3] > 0) return c;
    }
    return [255, 255, 255];
  };
  const contraste = (e) => {
    const [a, b] = [luz(cor(getComputedStyle(e).color)), luz(fundo(e))].sort((x, y) => y - x);
    return (a + 0.05) / (b + 0.05);
  };
  const temTexto = (e) => [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim() !== '') || e.matches('input, select, textarea');
  const alvo = (e) => (e.matches('[type=checkbox], [type=radio]') ? e.closest('label') : e).getBoundingClientRect();
  const nome = (e) => e.tagName + '#' + e.id + ' ' + (e.innerText ?? '').slice(0, 40);
  return {
    pequenos: todos.filter((e) => e.matches('a, button, select, textarea, input:not([type=hidden])') && (alvo(e).height < 44 || alvo(e).width < 44)).map(nome),
    miudos: todos.filter((e) => temTexto(e) && parseFloat(getComputedStyle(e).fontSize) < 16).map(nome),
    apagados: todos.filter((e) => temTexto(e) && contraste(e) < 4.5).map(nome),
    semNome: todos.filter((e) => e.matches('input:not([type=hidden]), select, textarea') && e.labels.length === 0).map(nome),
  };
})()`;

import { BASE } from './ativos.ts';

/** Its address has to stay as it is: browsers keep it, and ask for what is there from time to time. */
export const ENDERECO_DO_SERVICO = `${BASE}/servico.js`;

/**
 * It may not be kept, so that what is mended here reaches every browser at its next look. It loads nothing.
 */
export const HEADERS_DO_SERVICO = {
  'Cache-Control': 'no-cache',
  'Content-Security-Policy': "default-src 'none'",
  'X-Content-Type-Options': 'nosniff',
};

/**
 * What a browser runs where the panel is not open: it shows notices, and on a click shows the page that one is about, in a new tab unless
 * it is open, so that nobody loses what he was typing. It opens pages of the panel alone, and keeps nothing.
 */
export const SERVICO = String.raw`
const caminhoDe = (dito) => {
  try {
    const { origin, pathname, search } = new URL(dito, location.origin);
    if (origin === location.origin && (pathname === '/painel' || pathname.startsWith('/painel/'))) return pathname + search;
  } catch {}
  return '/painel';
};

addEventListener('install', () => skipWaiting());

addEventListener('push', (e) => {
  let aviso = null;
  try {
    aviso = e.data.json();
  } catch {}
  // Browsers show a text of their own where nothing is shown.
  const { titulo = 'Painel', texto = 'Há novidades no painel.', topico = '', dados } = aviso ?? {};
  const data = { caminho: caminhoDe(dados?.path) };
  e.waitUntil(registration.showNotification(titulo, { body: texto, tag: topico, lang: 'pt-BR', data }));
});

addEventListener('notificationclick', (e) => {
  e.notification.close();
  const caminho = caminhoDe(e.notification.data?.caminho);
  const mostrar = async () => {
    const abertas = await clients.matchAll({ type: 'window', includeUncontrolled: true });
    const dela = abertas.find(({ url }) => {
      const { pathname, search } = new URL(url);
      return pathname + search === caminho;
    });
    await (dela ? dela.focus() : clients.openWindow(caminho));
  };
  e.waitUntil(mostrar());
});
`;

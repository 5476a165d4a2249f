import { BASE, ativos } from './ativos.ts';

/** It stays as it is: an installed panel looks there for what is new. */
export const ENDERECO_DO_MANIFESTO = `${BASE}/manifesto.json`;

export const HEADERS_DO_MANIFESTO = { 'Cache-Control': 'no-cache', 'X-Content-Type-Options': 'nosniff' };

const png = (lado: 192 | 512) => ({
  src: ativos.address(`icone-${lado}.png`),
  sizes: `${lado}x${lado}`,
  type: 'image/png',
  purpose: 'any maskable',
});

/**
 * By this the panel is put on a phone's first screen as an app; iPhones tell notices to such apps alone. Browsers ask for it without a
 * session, so it says nothing of a provider.
 */
export const MANIFESTO = JSON.stringify({
  id: BASE,
  name: 'Malha: painel do provedor',
  short_name: 'Malha',
  lang: 'pt-BR',
  start_url: BASE,
  scope: BASE,
  display: 'standalone',
  background_color: '#ffffff',
  theme_color: '#0b4f5c',
  icons: [{ src: ativos.address('icone.svg'), sizes: 'any', type: 'image/svg+xml' }, png(192), png(512)],
});

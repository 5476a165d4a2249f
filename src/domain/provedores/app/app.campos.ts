import { bem, mal, opcional } from '../../campos/campos.ts';
import type { Leitor } from '../../campos/campos.ts';
import { lista, simOuNao } from '../../campos/leitores.ts';

const MAIS_ORIGENS = 10;

/** What a browser sends as `Origin` of a page: scheme, host and port, and nothing after them. */
const origem: Leitor<string> = (valor) => {
  const errada = mal('deve ser uma origem https, como https://app.exemplo.com.br');
  if (typeof valor !== 'string' || valor.length > 255) return errada;
  const escrita = valor.trim().toLowerCase().replace(/\/$/, '');
  if (!escrita.startsWith('https://') || !URL.canParse(escrita)) return errada;
  const { origin, hostname } = new URL(escrita);
  // No browser sends a pattern.
  if (!/^[a-z\d.-]+$|^\[[\da-f:.]+\]$/.test(hostname)) return errada;
  // A browser leaves out the port that goes without saying.
  return origin === escrita.replace(/:443$/, '') ? bem(origin) : errada;
};

/** The settings of the provider's app. `edita_cadastro`: whether subscribers change their own contacts and address there. */
export const CAMPOS_DO_APP = {
  origens: opcional(lista(origem, 0, MAIS_ORIGENS)),
  edita_cadastro: opcional(simOuNao),
} as const;

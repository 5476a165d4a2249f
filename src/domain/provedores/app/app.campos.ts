import { bem, mal, opcional } from '../../campos/campos.ts';
import type { Leitor } from '../../campos/campos.ts';
import { lista, simOuNao } from '../../campos/leitores.ts';

const MAIS_ORIGENS = 10;

/** Every name below localhost is this machine's, to browsers. */
const DESTA_MAQUINA = /^(?:[a-z\d-]+\.)*localhost$/;

/**
 * What a browser sends as `Origin` of a page: scheme, host and port, and nothing after them.
 *
 * @param local whether a page of this machine may be served by http, as who develops one has it.
 */
const origem =
  (local: boolean): Leitor<string> =>
  (valor) => {
    const errada = mal('deve ser uma origem https, como https://app.exemplo.com.br');
    if (typeof valor !== 'string' || valor.length > 255) return errada;
    const escrita = valor.trim().toLowerCase().replace(/\/$/, '');
    if (!URL.canParse(escrita)) return errada;
    const { origin, hostname, protocol } = new URL(escrita);
    if (protocol !== 'https:' && !(local && protocol === 'http:' && DESTA_MAQUINA.test(hostname))) return errada;
    // No browser sends a pattern.
    if (!/^[a-z\d.-]+$|^\[[\da-f:.]+\]$/.test(hostname)) return errada;
    // A browser leaves out the port that goes without saying.
    return origin === escrita.replace(protocol === 'https:' ? /:443$/ : /:80$/, '') ? bem(origin) : errada;
  };

/** The settings of the provider's app. `edita_cadastro`: whether subscribers change their own contacts and address there. */
export const camposDoApp = (local: boolean) =>
  ({
    origens: opcional(lista(origem(local), 0, MAIS_ORIGENS)),
    edita_cadastro: opcional(simOuNao),
  }) as const;

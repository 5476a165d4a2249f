import { createHash, randomInt } from 'node:crypto';
import { valeComoEsta } from '../../campos/leitores.ts';
import type { Item } from '../rede.types.ts';

/** Letters and digits that nobody takes for another, read out loud or on paper. */
const LEGIVEIS = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';

const TAMANHO_DA_SENHA = 10;

/** A line's password: 57 bits, in what every NAS can send. */
export function gerarSenha(): string {
  return Array.from({ length: TAMANHO_DA_SENHA }, () => LEGIVEIS[randomInt(LEGIVEIS.length)]).join('');
}

/** How many rows of `rede_travas_de_login` there are. */
const TRAVAS = 1024;

/** The row whose lock stands for a login: the same for all writings that FreeRADIUS's tables take for one. */
export function travaDoLogin(login: string): number {
  return createHash('sha256').update(simples(login)).digest().readUInt16BE(0) % TRAVAS;
}

/** Without accents, in lower case, without spaces at the end: no two texts that the tables' collation takes for one differ in it. */
export const simples = (texto: string): string => semAcentos(texto).toLowerCase().trimEnd();

const semAcentos = (texto: string): string => texto.normalize('NFD').replaceAll(/\p{Mn}/gu, '');

const MAIOR_LOGIN = 64;
/** Left for a number and a realm. */
const MAIOR_NOME = 30;
const MAIOR_REALM = 33;

/** Words of a name, as a login may have them. */
const palavras = (nome: string): string[] =>
  semAcentos(nome)
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((palavra) => palavra !== '');

/** Logins that a client may have, the nicest first: first and last name, then with the client's number. */
export function loginsPara(nome: string, clienteId: number): string[] {
  const [primeiro = 'cliente', ...resto] = palavras(nome);
  const ultimo = resto.at(-1);
  const base = (ultimo === undefined ? primeiro : `${primeiro}.${ultimo}`).slice(0, MAIOR_NOME).replace(/\.$/, '');
  return [base, `${base}${clienteId}`, ...Array.from({ length: 6 }, (_, n) => `${base}${clienteId}-${n + 2}`)];
}

/** First labels that say what a host is for, and not whose it is. */
const DE_SERVICO = /^(?:www|painel|panel|app|api|sistema|admin|central|clientes?|assinantes?|isp)\d*$/;

/**
 * What stands after the `@` of a provider's logins: its panel's host, without the label that says what it is for. It has a dot, because stock
 * FreeRADIUS refuses realms without one (`policy.d/filter`, `filter_username`).
 */
export function realmDe({ panelHost, nome }: { readonly panelHost: string; readonly nome: string }): string {
  const [primeiro = '', ...resto] = panelHost.toLowerCase().split('.');
  const partes = DE_SERVICO.test(primeiro) ? resto : [primeiro, ...resto];
  const doHost = partes.join('.');
  if (partes.length > 1 && doHost.length <= MAIOR_REALM && /^[a-z\d.-]+$/.test(doHost)) return doHost;
  return `${(palavras(nome).join('') || 'provedor').slice(0, 20)}.${partes.at(-1) ?? 'net'}`.slice(0, MAIOR_REALM);
}

/** In letters that stock FreeRADIUS does not write otherwise, and without dots that it refuses (`login` in campos/leitores.ts). */
const semSinais = (login: string): string =>
  semAcentos(login)
    .replaceAll(/[^\w.:/-]+/g, '-')
    .replaceAll(/\.{2,}/g, '.');

/** The same login with the provider's realm, which others will not ask for; then with numbers. */
export function loginsComRealm(
  login: string,
  provedor: { readonly panelHost: string; readonly nome: string },
): string[] {
  const antes = semSinais(login.split('@')[0] ?? '') || 'cliente';
  const realm = realmDe(provedor);
  return ['', ...Array.from({ length: 7 }, (_, n) => String(n + 2))].map(
    (n) => `${antes.slice(0, MAIOR_LOGIN - realm.length - 1 - n.length)}${n}@${realm}`,
  );
}

/**
 * The password of a line; null where it needs none. A NAS that identifies by MAC or circuit-id has nobody to ask for one, and what it
 * sends differs: MikroTik's DHCP server an empty text, others the name once more.
 */
export function senhaDe(
  { tipoConexao }: { readonly tipoConexao: string },
  digitada: string | null | undefined,
): { readonly senha: string; readonly gerada: boolean } | { readonly senha: null; readonly gerada: false } {
  if (typeof digitada === 'string') return { senha: digitada, gerada: false };
  return tipoConexao === 'ipoe' ? { senha: null, gerada: false } : { senha: gerarSenha(), gerada: true };
}

/**
 * What FreeRADIUS asks of a login before it lets it in. One without a password gets in by whatever is sent, but never by PPP, or
 * anybody could dial by the MAC that stands on a neighbour's device: a PPPoE server always sends `Framed-Protocol`.
 */
export function condicoesDeEntrada(senha: string | null): Item[] {
  // What is between backticks it would execute, with the rights of all providers' FreeRADIUS: no reader of passwords lets it through.
  if (senha !== null && !valeComoEsta(senha)) throw new Error('a password that FreeRADIUS would not compare as it is');
  if (senha !== null) return [{ attribute: 'Cleartext-Password', op: ':=', value: senha }];
  return [
    // Of `!*` the value says nothing, but rlm_sql refuses one that the dictionary does not know.
    { ...SEM_PPP, value: 'PPP' },
    { attribute: 'Auth-Type', op: ':=', value: 'Accept' },
  ];
}

/** The attribute must not be in the request. */
export const SEM_PPP = { attribute: 'Framed-Protocol', op: '!*' } as const;

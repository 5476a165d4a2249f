import { isIP } from 'node:net';
import { hostOf } from '../../ip.ts';
import type { AddressRules } from './addresses.ts';
import { mayConnect } from './addresses.ts';

/** What is wrong with an address to call, in Portuguese. */
export class UrlRefused extends Error {}

export interface UrlRules extends AddressRules {
  /** Whether `http:` will do, as in development. */
  readonly allowHttp: boolean;
}

const LONGEST = 2000;
const FIRST_FREE_PORT = 1024;

/** The address of a URL's host, without the brackets of IPv6; null where it is a name. */
export function literalAddress(url: URL): string | null {
  const host = hostOf(url);
  return isIP(host) === 0 ? null : host;
}

export function portOf({ port, protocol }: URL): number {
  if (port !== '') return Number(port);
  return protocol === 'http:' ? 80 : 443;
}

/**
 * Reads a URL that a tenant typed. The parser of WHATWG turns every form of an IPv4 address (decimal, octal, hexadecimal,
 * shortened) into the usual one, and that is what is judged. Names are judged when they are resolved, at each connection.
 *
 * @throws UrlRefused
 */
export function readUrl(text: string, rules: UrlRules): URL {
  if (text.length > LONGEST) throw new UrlRefused(`deve ter no máximo ${LONGEST} caracteres`);
  // The parser would take white space and control characters out.
  if (/[\s\p{Cc}\\]/u.test(text) || !URL.canParse(text)) throw new UrlRefused('não é um endereço de internet');
  const url = new URL(text);
  const secure = url.protocol === 'https:';
  if (!secure && !(rules.allowHttp && url.protocol === 'http:')) throw new UrlRefused('deve começar por https://');
  if (url.username !== '' || url.password !== '') throw new UrlRefused('não pode levar usuário nem senha');
  if (url.hash !== '' || text.includes('#')) throw new UrlRefused('não pode levar fragmento (#)');
  const port = portOf(url);
  const usual = port === (secure ? 443 : 80);
  if (!usual && port < FIRST_FREE_PORT) throw new UrlRefused('a porta deve ser 443 ou acima de 1023');
  const address = literalAddress(url);
  if (address !== null && !mayConnect({ address, port }, rules, [])) {
    throw new UrlRefused('o endereço não é público');
  }
  return url;
}

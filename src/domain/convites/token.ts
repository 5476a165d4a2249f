import { hash, randomBytes } from 'node:crypto';

/** 32 bytes in base64url. */
const FORMATO = /^[\w-]{43}$/;

/** The secret of a new invite's link. */
export function gerarToken(): string {
  return randomBytes(32).toString('base64url');
}

/** The only form in which a token is stored or looked up: how long a look-up takes says nothing of any token. */
export function resumoDoToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}

/** Whether a text could be a token; no other is looked up. */
export function pareceToken(texto: string): boolean {
  return FORMATO.test(texto);
}

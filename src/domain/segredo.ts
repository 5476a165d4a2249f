import { hash, randomBytes } from 'node:crypto';

/** 32 bytes in base64url. */
const FORMATO = /^[\w-]{43}$/;

/** A secret to stand in an address. */
export function gerarSegredo(): string {
  return randomBytes(32).toString('base64url');
}

/** The only form in which a secret is stored or looked up: how long a look-up takes says nothing of any secret. */
export function resumoDoSegredo(segredo: string): Buffer {
  return hash('sha256', segredo, 'buffer');
}

/** Whether a text could be a secret; no other is looked up. */
export function pareceSegredo(texto: string): boolean {
  return FORMATO.test(texto);
}

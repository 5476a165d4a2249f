import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

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

const ALFABETO = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** So many digits of base 62, the last ones of a number. */
export function base62(numero: bigint, digitos: number): string {
  let resto = numero;
  let texto = '';
  for (let i = 0; i < digitos; i += 1) {
    texto = `${ALFABETO[Number(resto % 62n)]}${texto}`;
    resto /= 62n;
  }
  return texto;
}

/** What a text of base 62 stands for, as a number that JavaScript counts exactly; null where it is greater. */
export function deBase62(texto: string): number | null {
  let numero = 0n;
  for (const digito of texto) numero = numero * 62n + BigInt(ALFABETO.indexOf(digito));
  return numero <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(numero) : null;
}

/** A provider's number as it stands in keys, tokens and sessions, by which a proxy knows whose they are. */
export const numeroNoTexto = (provedorId: number): string => provedorId.toString(36);

/** Six digits by which a mistyped key or token is known without a look-up. */
export const digitosDeControle = (corpo: string): string => base62(BigInt(crc32(corpo)), 6);

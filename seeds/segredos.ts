import { randomBytes } from 'node:crypto';

let reserva = Buffer.alloc(0);
let usados = 0;

/**
 * A base64url text of `bytes` that are truly random. Many are drawn at once: a call for each token would take seconds.
 */
export function segredo(bytes: number): string {
  if (usados + bytes > reserva.length) {
    reserva = randomBytes(65_536);
    usados = 0;
  }
  usados += bytes;
  return reserva.toString('base64url', usados - bytes, usados);
}

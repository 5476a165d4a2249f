import { randomBytes } from 'node:crypto';

let reserva = Buffer.alloc(0);
let usados = 0;

/** Texto base64url de `bytes` aleatórios de verdade. Sorteia muitos de uma vez: uma chamada por token custaria segundos. */
export function segredo(bytes: number): string {
  if (usados + bytes > reserva.length) {
    reserva = randomBytes(65_536);
    usados = 0;
  }
  usados += bytes;
  return reserva.toString('base64url', usados - bytes, usados);
}

import { randomBytes } from 'node:crypto';

/** Crockford's base 32, as ULIDs are written. */
const ALGARISMOS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** An id of an instant that nobody else makes: a ULID. */
export function novoUlid(agora: Date): string {
  let tempo = agora.getTime();
  let escrito = '';
  for (let n = 0; n < 10; n += 1) {
    escrito = (ALGARISMOS[tempo % 32] ?? '') + escrito;
    tempo = Math.floor(tempo / 32);
  }
  return escrito + Array.from(randomBytes(16), (byte) => ALGARISMOS[byte % 32]).join('');
}

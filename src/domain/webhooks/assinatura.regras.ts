import { createHmac, randomBytes } from 'node:crypto';

// Standard Webhooks 1.0, https://github.com/standard-webhooks/standard-webhooks: symmetric signatures.

const PREFIXO = 'whsec_';
const BYTES = 32;
/** Crockford's base 32, as ULIDs are written. */
const ALGARISMOS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

export const novoSegredo = (): string => PREFIXO + randomBytes(BYTES).toString('base64');

/** The end of a secret by which a person knows it again: of its last bytes, and not of the padding that all have. */
export const fimDoSegredo = (segredo: string): string => segredo.replace(/=+$/, '').slice(-4);

/** Id of a message: a ULID of an instant. */
export function novoUlid(agora: Date): string {
  let tempo = agora.getTime();
  let escrito = '';
  for (let n = 0; n < 10; n += 1) {
    escrito = (ALGARISMOS[tempo % 32] ?? '') + escrito;
    tempo = Math.floor(tempo / 32);
  }
  return escrito + Array.from(randomBytes(16), (byte) => ALGARISMOS[byte % 32]).join('');
}

/**
 * Headers of one attempt.
 *
 * @param segundos Unix time of the attempt.
 * @param segredos every secret that signs, the current one first.
 */
export function cabecalhos(
  msgId: string,
  segundos: number,
  corpo: string,
  segredos: readonly string[],
): Readonly<Record<string, string>> {
  const id = `msg_${msgId}`;
  const assinar = (segredo: string): string => {
    const chave = Buffer.from(segredo.slice(PREFIXO.length), 'base64');
    return `v1,${createHmac('sha256', chave).update(`${id}.${segundos}.${corpo}`).digest('base64')}`;
  };
  return {
    'content-type': 'application/json',
    'user-agent': 'Malha-Webhooks/1',
    'webhook-id': id,
    'webhook-timestamp': String(segundos),
    'webhook-signature': segredos.map(assinar).join(' '),
  };
}

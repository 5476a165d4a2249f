import { createHmac, randomBytes } from 'node:crypto';

// Standard Webhooks 1.0, https://github.com/standard-webhooks/standard-webhooks: symmetric signatures.

const PREFIXO = 'whsec_';
const BYTES = 32;

export const novoSegredo = (): string => PREFIXO + randomBytes(BYTES).toString('base64');

/** The end of a secret by which a person knows it again: of its last bytes, and not of the padding that all have. */
export const fimDoSegredo = (segredo: string): string => segredo.replace(/=+$/, '').slice(-4);

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

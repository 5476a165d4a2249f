import { randomBytes } from 'node:crypto';
import type { Secrets } from '../../../platform/secrets/secrets.ts';

/** How long a person may take at his device. */
const VALE_MS = 5 * 60_000;

/** What a challenge may be answered for, and nothing else: signing in, or in a session of one user. */
export type Fim = 'entrar' | `cadastrar:${number}` | `confirmar:${number}`;

export interface Desafio {
  /** Base64url, as devices sign it. */
  readonly desafio: string;
  /** Milliseconds; a passkey that answered one takes none from before it any more, so each is answered once. */
  readonly emitidoEm: number;
}

const lugar = (provedorId: number, fim: Fim) => ({
  tenant: provedorId,
  table: 'usuarios_fatores',
  column: 'desafio',
  row: fim,
});

/** A new challenge, and the encrypted text that comes back with the answer: it is kept nowhere here. */
export function emitirDesafio(segredos: Secrets, provedorId: number, fim: Fim, agora: Date) {
  const feito: Desafio = { desafio: randomBytes(32).toString('base64url'), emitidoEm: agora.getTime() };
  const cifrado = segredos.seal(lugar(provedorId, fim), Buffer.from(JSON.stringify(feito)));
  return { ...feito, cifrado: cifrado.toString('base64url') };
}

/** Null where it is not ours, for something else, or too old. */
export function abrirDesafio(
  segredos: Secrets,
  provedorId: number,
  fim: Fim,
  cifrado: string,
  agora: Date,
): Desafio | null {
  try {
    const aberto = segredos.open(lugar(provedorId, fim), Buffer.from(cifrado, 'base64url'));
    const desafio = JSON.parse(aberto.toString()) as Desafio;
    return agora.getTime() - desafio.emitidoEm < VALE_MS ? desafio : null;
  } catch {
    return null;
  }
}

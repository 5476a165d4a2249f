import { createHash } from 'node:crypto';
import type { Secrets } from '../../../platform/secrets/secrets.ts';
import type { Inscricao } from '../canais/webpush.ts';
import type { TipoDeCanal } from '../push.types.ts';
import type { Destino } from './dispositivos.campos.ts';

/** Of its hash: a token's place is known before its row is. */
const lugar = (provedorId: number, hash: Buffer) => ({
  tenant: provedorId,
  table: 'push_dispositivos',
  column: 'token',
  row: hash.toString('hex'),
});

/** By which a device is known again: of a subscription its address, which no other has. */
export function resumoDoDestino(destino: Destino): Buffer {
  const texto = destino.tipo === 'fcm' ? destino.token : destino.inscricao.endpoint;
  return createHash('sha256').update(texto).digest();
}

export function cifrarDestino(segredos: Secrets, provedorId: number, destino: Destino): Buffer {
  const claro = destino.tipo === 'fcm' ? destino.token : JSON.stringify(destino.inscricao);
  return segredos.seal(lugar(provedorId, resumoDoDestino(destino)), Buffer.from(claro));
}

/** @throws SecretUnreadable */
export function abrirDestino(
  segredos: Secrets,
  provedorId: number,
  { tipo, hash, token }: { readonly tipo: TipoDeCanal; readonly hash: Buffer; readonly token: Buffer },
): Destino {
  const claro = segredos.open(lugar(provedorId, hash), token).toString();
  // It was written above, and nowhere else.
  return tipo === 'fcm' ? { tipo, token: claro } : { tipo, inscricao: JSON.parse(claro) as Inscricao };
}

import { randomBytes } from 'node:crypto';
import type { Secrets } from '../../../platform/secrets/secrets.ts';

const FORMATO = /^malha_dt_([\w-]{22})_([\w-]{43})$/;

const lugar = (provedorId: number) => ({ tenant: provedorId, table: 'app_acessos', column: 'aparelho' });
const texto = (documento: string, id: string): string => `${documento} ${id}`;

/** What a device shows at its next login, which says that somebody signed in there by this tax id before. It is kept nowhere here. */
export function emitirAparelho(segredos: Secrets, provedorId: number, documento: string): string {
  const id = randomBytes(16).toString('base64url');
  return `malha_dt_${id}_${segredos.sign(lugar(provedorId), texto(documento, id)).toString('base64url')}`;
}

/** The device's name, where it is one of this tax id's; null where it is not, or it was made up. */
export function lerAparelho(
  segredos: Secrets,
  provedorId: number,
  documento: string,
  escrito: string | undefined,
): string | null {
  const [, id, assinatura] = FORMATO.exec(escrito ?? '') ?? [];
  if (id === undefined || assinatura === undefined) return null;
  const assinado = segredos.isSigned(lugar(provedorId), texto(documento, id), Buffer.from(assinatura, 'base64url'));
  return assinado ? id : null;
}

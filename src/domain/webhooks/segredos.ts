import { fromDatabaseTime } from '../../platform/mysql/database.ts';
import type { Secrets } from '../../platform/secrets/secrets.ts';

/** The secret of before is the same secret in another column: it stays sealed as it was. */
const lugar = (provedorId: number, id: number) => ({
  tenant: provedorId,
  table: 'webhooks',
  column: 'segredo',
  row: String(id),
});

export const cifrar = (segredos: Secrets, provedorId: number, id: number, texto: string): Buffer =>
  segredos.seal(lugar(provedorId, id), Buffer.from(texto));

/** @throws SecretUnreadable */
const abrir = (segredos: Secrets, provedorId: number, id: number, cifrado: Uint8Array): string =>
  segredos.open(lugar(provedorId, id), cifrado).toString();

export interface SegredosRow {
  segredo: Buffer;
  segredo_anterior: Buffer | null;
  anterior_ate: string | null;
}

/** The secrets that sign at a moment, the current one first. @throws SecretUnreadable */
export function segredosQueAssinam(
  segredos: Secrets,
  provedorId: number,
  { id, segredo, segredo_anterior, anterior_ate }: SegredosRow & { readonly id: number },
  agora: Date,
): readonly string[] {
  const vale = segredo_anterior !== null && anterior_ate !== null && fromDatabaseTime(anterior_ate) > agora;
  return [segredo, ...(vale ? [segredo_anterior] : [])].map((um) => abrir(segredos, provedorId, id, um));
}

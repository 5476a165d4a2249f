import type { Secrets } from '../../../platform/secrets/secrets.ts';

const PERIODO_SEGUNDOS = 30;

/** Read at the first use: few processes ever see a code. */
const biblioteca = async () => import('otplib');

/** Twenty bytes in base 32, as RFC 4226 recommends. */
export const gerarSegredoTotp = async (): Promise<string> => (await biblioteca()).generateSecret();

/** What a QR code holds for an authenticator. */
export const enderecoTotp = async (emissor: string, conta: string, segredo: string): Promise<string> =>
  (await biblioteca()).generateURI({ issuer: emissor, label: conta, secret: segredo });

/** The step that a code is of, one before or after this one at most; null where it is of none, or of one that was used. */
export async function passoDoCodigo(
  segredo: string,
  codigo: string,
  agora: Date,
  ultimoPasso: number,
): Promise<number | null> {
  const token = codigo.replace(/\s/g, '');
  if (!/^\d{6}$/.test(token)) return null;
  const { verifySync } = await biblioteca();
  const lido = verifySync({
    secret: segredo,
    token,
    epoch: Math.floor(agora.getTime() / 1000),
    epochTolerance: PERIODO_SEGUNDOS,
  });
  if (!lido.valid || !('epoch' in lido)) return null;
  const passo = Math.floor(lido.epoch / PERIODO_SEGUNDOS);
  return passo > ultimoPasso ? passo : null;
}

const lugar = (provedorId: number, usuarioId: number) => ({
  tenant: provedorId,
  table: 'usuarios_fatores',
  column: 'segredo',
  row: String(usuarioId),
});

export const cifrarSegredo = (segredos: Secrets, provedorId: number, usuarioId: number, segredo: string): Buffer =>
  segredos.seal(lugar(provedorId, usuarioId), Buffer.from(segredo));

export const abrirSegredo = (segredos: Secrets, provedorId: number, usuarioId: number, cifrado: Buffer): string =>
  segredos.open(lugar(provedorId, usuarioId), cifrado).toString();

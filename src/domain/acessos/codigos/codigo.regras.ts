import { randomInt } from 'node:crypto';
import type { Secrets } from '../../../platform/secrets/secrets.ts';

const MINUTO_MS = 60_000;
const HORA_MS = 60 * MINUTO_MS;

export type Canal = 'email' | 'equipe' | 'integracao';

/** How long a code holds. Staff tell theirs to somebody who may not have the app yet. */
const VALIDADES_MS: Readonly<Record<Canal, number>> = {
  email: 15 * MINUTO_MS,
  equipe: 24 * HORA_MS,
  integracao: 15 * MINUTO_MS,
};

const DIGITOS = 8;

/** Tries at one code, of which the last right one counts. */
export const MAIS_TENTATIVAS = 5;

/** Codes of a tax id in an hour and in a day. */
const MAIS_NA_HORA = 3;
const MAIS_NO_DIA = 10;
export const DIA_MS = 24 * HORA_MS;

/** Eight digits, of which none is likelier than another. */
export const sortearCodigo = (): string => String(randomInt(10 ** DIGITOS)).padStart(DIGITOS, '0');

/** The eight digits of what somebody typed; null where it is no code. */
export function lerCodigo(texto: string): string | null {
  const limpo = texto.replace(/[\s.-]/g, '');
  return /^\d{8}$/.test(limpo) ? limpo : null;
}

export const validadeDoCodigo = (canal: Canal, agora: Date): Date => new Date(agora.getTime() + VALIDADES_MS[canal]);

/** Whether there were as many codes lately as there may be. */
export function passouDoLimite(feitosEm: readonly Date[], agora: Date): boolean {
  const depois = (ms: number): number => feitosEm.filter((um) => agora.getTime() - um.getTime() < ms).length;
  return depois(HORA_MS) >= MAIS_NA_HORA || depois(DIA_MS) >= MAIS_NO_DIA;
}

const lugar = (provedorId: number, acessoId: number) => ({
  tenant: provedorId,
  table: 'app_codigos',
  column: 'codigo_hmac',
  row: String(acessoId),
});

/** The only form in which a code is stored: so few digits are found by trying, so a key is part of it. */
export const resumoDoCodigo = (segredos: Secrets, provedorId: number, acessoId: number, codigo: string): Buffer =>
  segredos.sign(lugar(provedorId, acessoId), codigo);

export const eOCodigo = (
  segredos: Secrets,
  provedorId: number,
  acessoId: number,
  codigo: string,
  resumo: Buffer,
): boolean => segredos.isSigned(lugar(provedorId, acessoId), codigo, resumo);

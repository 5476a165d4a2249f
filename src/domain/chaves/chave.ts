import { hash, randomBytes } from 'node:crypto';
import { base62, digitosDeControle, numeroNoTexto } from '../segredo.ts';

const FORMATO = /^malha_([0-9a-z]{1,11})_([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/;

/** What a key's text says by itself, before any look-up. */
export interface ChaveLida {
  readonly provedorId: number;
  /** SHA-256 of the text, hexadecimal: the only form in which a key is stored or named. */
  readonly hash: string;
  /** Name of the key's tag and window in its tenant's slot; of its hash no more than tells keys apart. */
  readonly nome: string;
}

/**
 * A new key: `malha_<provider, base 36>_<32 random base-62 characters><6 of CRC-32>`.
 *
 * The provider stands in the text so that the gate knows the tenant's Redis slot before the key is looked up; the
 * checksum lets typing errors and junk be refused without asking anyone.
 */
export function gerarChave(provedorId: number): string {
  // Of twice the bytes that 32 digits hold, so that none of them is likelier than another.
  const segredo = base62(BigInt(`0x${randomBytes(48).toString('hex')}`), 32);
  const corpo = `malha_${numeroNoTexto(provedorId)}_${segredo}`;
  return corpo + digitosDeControle(corpo);
}

/** Judges shape and checksum; null when either is wrong. */
export function lerChave(texto: string): ChaveLida | null {
  const partes = FORMATO.exec(texto);
  if (partes === null || partes[3] !== digitosDeControle(texto.slice(0, -6))) return null;
  const provedorId = Number.parseInt(partes[1] ?? '', 36);
  if (!Number.isSafeInteger(provedorId) || provedorId < 1) return null;
  const sha256 = hash('sha256', texto, 'hex');
  return { provedorId, hash: sha256, nome: nomeDaChave(sha256) };
}

/** See `ChaveLida`. */
export const nomeDaChave = (sha256: string): string => `chave:${sha256.slice(0, 32)}`;

/** The start of a key, by which people tell their keys apart; too short to be of use to anyone else. */
export function inicioDaChave(texto: string): string {
  return texto.slice(0, texto.indexOf('_', 6) + 5);
}

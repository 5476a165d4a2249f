import { hash } from 'node:crypto';
import { gerarSegredo, numeroNoTexto } from '../../segredo.ts';

const FORMATO = /^sessao_([0-9a-z]{1,11})_([\w-]{43})$/;

/** What a session's text says by itself, before any look-up. */
export interface SessaoLida {
  readonly provedorId: number;
  /** SHA-256 of the text, hexadecimal: the only form in which it is stored. */
  readonly hash: string;
  /** Name of the session's tag and window in its tenant's slot. */
  readonly nome: string;
}

/** A new session: `sessao_<provider, base 36>_<32 random bytes, base64url>`. The provider stands in it as in a key; see `gerarChave`. */
export const gerarSessao = (provedorId: number): string => `sessao_${numeroNoTexto(provedorId)}_${gerarSegredo()}`;

/** Judges the shape; null when no session can have that text. */
export function lerSessao(texto: string): SessaoLida | null {
  const partes = FORMATO.exec(texto);
  if (partes === null) return null;
  const provedorId = Number.parseInt(partes[1] ?? '', 36);
  if (!Number.isSafeInteger(provedorId) || provedorId < 1) return null;
  const sha256 = hash('sha256', texto, 'hex');
  return { provedorId, hash: sha256, nome: nomeDaSessao(sha256) };
}

/** See `SessaoLida`. */
export const nomeDaSessao = (sha256: string): string => `sessao:${sha256.slice(0, 32)}`;

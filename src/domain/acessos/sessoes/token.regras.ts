import { createHmac, hash, randomBytes } from 'node:crypto';
import { base62, deBase62, digitosDeControle, numeroNoTexto } from '../../segredo.ts';
import { nomeDaSessaoDoApp } from './sessoes.regras.ts';

const FORMATO = /^malha_(at|rt)_([0-9a-z]{1,11})_([0-9A-Za-z]{11})[0-9A-Za-z]{21}([0-9A-Za-z]{6})$/;

/** `at` lets in, `rt` makes the next pair. */
export type TipoDeToken = 'at' | 'rt';

/** Of 32 digits the first say which session it is, so that its window and its tag are known before any look-up. */
const DIGITOS_DA_SESSAO = 11;
/** 125 bits. */
const DIGITOS_DO_SEGREDO = 21;

/** What a token's text says by itself, before any look-up. */
export interface TokenLido {
  readonly provedorId: number;
  readonly sessaoId: number;
  /** SHA-256 of the text, hexadecimal: the only form in which it is stored. */
  readonly hash: string;
  /** Name of its session's tag and window in its tenant's slot. */
  readonly nome: string;
}

/** The two texts of a generation, which are nowhere else. */
export interface ParDeTokens {
  readonly access: string;
  readonly refresh: string;
}

function escrever(tipo: TipoDeToken, provedorId: number, sessaoId: number, segredo: Buffer): string {
  const digitos =
    base62(BigInt(sessaoId), DIGITOS_DA_SESSAO) + base62(BigInt(`0x${segredo.toString('hex')}`), DIGITOS_DO_SEGREDO);
  const corpo = `malha_${tipo}_${numeroNoTexto(provedorId)}_${digitos}`;
  return corpo + digitosDeControle(corpo);
}

/** The tokens of a session that begins: `malha_at_<provider, base 36>_<32 base-62 characters><6 of CRC-32>`, and `malha_rt_…`. */
export const sortearTokens = (provedorId: number, sessaoId: number): ParDeTokens => ({
  access: escrever('at', provedorId, sessaoId, randomBytes(32)),
  refresh: escrever('rt', provedorId, sessaoId, randomBytes(32)),
});

/**
 * The tokens of the generation after the one of a refresh token. The same text and nonce give the same tokens again, and neither of them
 * alone gives anything.
 */
export function derivarTokens(refresh: string, nonce: Buffer, { provedorId, sessaoId }: TokenLido): ParDeTokens {
  const segredo = (tipo: TipoDeToken): Buffer =>
    createHmac('sha256', refresh)
      .update(Buffer.concat([nonce, Buffer.from(tipo)]))
      .digest();
  return {
    access: escrever('at', provedorId, sessaoId, segredo('at')),
    refresh: escrever('rt', provedorId, sessaoId, segredo('rt')),
  };
}

/** Judges shape and checksum; null when no token of this kind can have that text. */
export function lerToken(tipo: TipoDeToken, texto: string): TokenLido | null {
  const partes = FORMATO.exec(texto);
  if (partes === null || partes[1] !== tipo || partes[4] !== digitosDeControle(texto.slice(0, -6))) return null;
  const provedorId = Number.parseInt(partes[2] ?? '', 36);
  const sessaoId = deBase62(partes[3] ?? '');
  if (!Number.isSafeInteger(provedorId) || provedorId < 1 || sessaoId === null || sessaoId < 1) return null;
  return { provedorId, sessaoId, hash: resumoDoToken(texto).toString('hex'), nome: nomeDaSessaoDoApp(sessaoId) };
}

export const resumoDoToken = (texto: string): Buffer => hash('sha256', texto, 'buffer');

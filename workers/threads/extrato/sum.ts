import { createHash } from 'node:crypto';
import type { SomaDoArquivo } from './contract.ts';

/** Counts the rows and bytes of a file, and calculates its digest. */
export interface Sum {
  /** Returns the same bytes. */
  bytes(piece: Uint8Array): Uint8Array;
  rows(count: number): void;
  /** To be called once, after the last piece. */
  total(): SomaDoArquivo;
}

export function createSum(): Sum {
  const hash = createHash('sha256');
  let bytes = 0;
  let rows = 0;
  return {
    bytes(piece) {
      hash.update(piece);
      bytes += piece.length;
      return piece;
    },
    rows(count) {
      rows += count;
    },
    total: () => ({ linhas: rows, bytes, sha256: hash.digest('hex') }),
  };
}

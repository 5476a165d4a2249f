import { createHash } from 'node:crypto';
import type { SomaDoArquivo } from './contract.ts';

/** Counts what passes to a file. */
export interface Soma {
  /** Returns the same bytes. */
  bytes(pedaco: Uint8Array): Uint8Array;
  linhas(quantas: number): void;
  /** After the last piece, once. */
  total(): SomaDoArquivo;
}

export function criarSoma(): Soma {
  const hash = createHash('sha256');
  let bytes = 0;
  let linhas = 0;
  return {
    bytes(pedaco) {
      hash.update(pedaco);
      bytes += pedaco.length;
      return pedaco;
    },
    linhas(quantas) {
      linhas += quantas;
    },
    total: () => ({ linhas, bytes, sha256: hash.digest('hex') }),
  };
}

import { createHash } from 'node:crypto';
import type { SomaDoArquivo } from './contract.ts';

/** Conta o que passa por um arquivo. */
export interface Soma {
  /** Devolve os próprios bytes. */
  bytes(pedaco: Uint8Array): Uint8Array;
  linhas(quantas: number): void;
  /** Depois do último pedaço, uma vez. */
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

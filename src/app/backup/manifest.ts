import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What stands in the folder of a backup. */
export const FILES = { manifest: 'manifesto.json', dump: 'banco.sql.gz', keys: 'chaves-mestras' } as const;

/** Where the binary log stood at the moment of the dump. */
export interface LogPosition {
  readonly arquivo: string;
  readonly posicao: number;
}

/** What a backup says of itself. It is written last, so a backup without one is not whole. */
export interface Manifest {
  readonly formato: 1;
  readonly feito_em: string;
  /** The name of the database, by which its changes are found in the binary logs. */
  readonly banco: string;
  readonly servidor: string;
  readonly migracoes: readonly string[];
  readonly bytes: number;
  readonly sha256: string;
  /** Null where the server keeps no binary log: then there is no way to a later point in time. */
  readonly log_binario: LogPosition | null;
  /** The names of the master keys of the settings, and whether the keys themselves are in the folder. */
  readonly chaves_mestras: { readonly ids: readonly string[]; readonly incluidas: boolean };
}

/** @throws Error with a line for the person at the terminal. */
export function readManifest(folder: string): Manifest {
  let text: string;
  try {
    text = readFileSync(join(folder, FILES.manifest), 'utf8');
  } catch (error) {
    throw new Error(`${folder} não é um backup inteiro: não há ${FILES.manifest}.`, { cause: error });
  }
  const read = JSON.parse(text) as Manifest;
  if (read.formato !== 1) throw new Error(`${folder}: o backup é de um formato que esta versão não conhece.`);
  return read;
}

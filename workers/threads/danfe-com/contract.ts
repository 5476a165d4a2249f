import type { Logo } from '../paper/logo.ts';

/** What is drawn as the DANFE-COM of a note. It is plain data, because it is sent between threads. */
export interface DanfeParaImprimir {
  /** The authorised document with its protocol (`nfcomProc`), in UTF-8; of a note issued offline that has none yet, the signed one. */
  readonly xml: Uint8Array;
  /** What became of the note since: it is marked on each page. */
  readonly situacao: 'autorizada' | 'cancelada' | 'substituida';
  /** Where anybody can look the note up by its key. */
  readonly consulta: string | null;
  readonly logo: Logo | null;
}

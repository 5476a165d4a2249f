import type { ArquivoPfx, CertificadoLido } from './certificado-a1/contract.ts';
import { readPfx } from './certificado-a1/pfx.ts';

/** Reads a certificate file with its key. In a thread, because a file says itself how long its password is hashed. */
export default function certificadoA1(arquivo: ArquivoPfx): CertificadoLido {
  return readPfx(arquivo);
}

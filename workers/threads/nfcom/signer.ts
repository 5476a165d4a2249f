import { createPrivateKey, hash, sign, X509Certificate } from 'node:crypto';
import type { Assinador } from '../../../src/brazil/nfcom/assinatura/assinador.ts';
import type { ChaveQueAssina } from './contract.ts';

/** Parsing a key takes as long as some signatures, so that of the last batch is remembered. */
let last: { readonly chave: ChaveQueAssina; readonly signer: Assinador } | undefined;

/**
 * What signs with the key of a certificate.
 * @throws what OpenSSL says when the key or the certificate cannot be read.
 */
export function signerOf(chave: ChaveQueAssina): Assinador {
  if (last?.chave.chavePem === chave.chavePem && last.chave.certificadoPem === chave.certificadoPem) return last.signer;
  const key = createPrivateKey(chave.chavePem);
  const signer: Assinador = {
    resumir: (texto) => hash('sha1', texto, 'base64'),
    assinar: (texto) => sign('sha1', Buffer.from(texto), key).toString('base64'),
    certificado: new X509Certificate(chave.certificadoPem).raw.toString('base64'),
  };
  last = { chave, signer };
  return signer;
}

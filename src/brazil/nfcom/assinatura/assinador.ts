/**
 * What signs. It is handed in, because this folder has no I/O and no `node:crypto`; the thread `nfcom` makes it of a
 * certificate's key.
 */
export interface Assinador {
  /** SHA-1 of the text in UTF-8, in Base64. */
  readonly resumir: (texto: string) => string;
  /** RSA-SHA1 (PKCS #1 v1.5) of the text in UTF-8, in Base64 without line breaks. */
  readonly assinar: (texto: string) => string;
  /** The signer's certificate, DER in Base64 without line breaks. */
  readonly certificado: string;
}

/** What a PFX says: whose it is, until when, and what signs. */
export interface CertificadoLido {
  readonly titular: string;
  /** By the SAN of ICP-Brasil (2.16.76.1.3.3), else by the name; null where neither says one. */
  readonly cnpj: string | null;
  readonly validoDe: Date;
  readonly validoAte: Date;
  /** PKCS #8, PEM. */
  readonly chavePem: string;
  /** The certificate of that key alone, PEM. */
  readonly certificadoPem: string;
  /** The certificate and those that it came with, PEM, for TLS. */
  readonly cadeiaPem: string;
}

/**
 * Reads an A1 certificate.
 *
 * @throws CamposInvalidos of `senha` or `certificado`, in words for people
 */
export type LerPfx = (pfx: Buffer, senha: string) => CertificadoLido;

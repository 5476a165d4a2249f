/** A certificate file as somebody uploaded it. */
export interface ArquivoPfx {
  /** PKCS #12, of any cipher that banks and authorities issue, RC2-40 included. */
  readonly pfx: Uint8Array;
  readonly senha: string;
}

/** What the thread `certificado-a1` finds in a file, or why it finds nothing. */
export type CertificadoLido =
  | { readonly certo: true; readonly certificado: CertificadoA1 }
  | { readonly certo: false; readonly motivo: MotivoDoPfx };

/**
 * - `arquivo_invalido`: no PKCS #12, or larger than any certificate is.
 * - `senha_errada`: the password does not open it.
 * - `sem_chave`: no private RSA key, or no certificate of that key.
 */
export type MotivoDoPfx = 'arquivo_invalido' | 'senha_errada' | 'sem_chave';

/** A certificate with its key. The key and the password are secrets. */
export interface CertificadoA1 {
  /** The private key, PEM (PKCS #8). */
  readonly chavePem: string;
  /** The certificate of the key, PEM. */
  readonly certificadoPem: string;
  /** The certificate of the key and those of its issuers that the file has, PEM: what TLS shows. */
  readonly cadeiaPem: string;
  /** The CN: 'RAZAO SOCIAL:CNPJ'. */
  readonly titular: string;
  /** Normalized, from the extension of ICP-Brasil (2.16.76.1.3.3), else from the CN; null when neither has one. */
  readonly cnpj: string | null;
  readonly emissor: string;
  readonly validoDesde: Date;
  readonly validoAte: Date;
}

/** A provider's A1 certificate, without what is secret of it. */
export interface CertificadoNfcom {
  readonly id: number;
  readonly titular: string;
  /** As its SAN says, or its name; null where neither does. */
  readonly cnpj: string | null;
  readonly validoDe: Date;
  readonly validoAte: Date;
  readonly criadoEm: Date;
  /** Days until it ends, today's included; negative once it has. */
  readonly diasRestantes: number;
}

/** How many days before its end administrators are told. */
export const AVISOS_DE_FIM = [30, 15, 7, 1] as const;

import type { Provedor } from '../provedores/provedores.types.ts';

/** Who may tell a provider of PIX payments: a PSP, at an address of its own. */
export interface Receptor {
  readonly id: number;
  readonly nome: string;
  /** Addresses and ranges it may call from; null: it may call from everywhere. */
  readonly ipsPermitidos: readonly string[] | null;
  readonly criadoEm: Date;
  readonly revogadoEm: Date | null;
}

export interface ReceptorComProvedor {
  readonly receptor: Receptor;
  readonly provedor: Provedor;
}

export interface NovoReceptor {
  readonly nome: string;
  readonly ipsPermitidos?: readonly string[] | null;
}

/** Billing rules of a provider, as `regras_cobranca` holds them. */
export interface RegrasCobranca {
  /** Hundredths of a percent: 200 is 2.00 %. At most 200 (CDC, art. 52 §1). */
  readonly multaPercentual: number;
  /** Hundredths of a percent a month: 100 is 1.00 %. */
  readonly jurosMensalPercentual: number;
  readonly carenciaDias: number;
  readonly desbloqueioHabilitado: boolean;
  /** Days that a trust unblock lasts. */
  readonly desbloqueioDias: number;
}

/** A tenant. */
export interface Provedor {
  readonly id: number;
  readonly nome: string;
  /** Host of the panel, the API and the subscriber's pages, in lower case and without port. */
  readonly panelHost: string;
  /** IANA zone that decides what "today" is. */
  readonly fusoHorario: string;
  readonly regras: RegrasCobranca;
}

export interface NovoProvedor {
  readonly nome: string;
  readonly panelHost: string;
  readonly fusoHorario: string;
}

export interface Resposta {
  readonly status: number;
  /** Null: no body. */
  readonly corpo: unknown;
}

/** A refusal as the API Pix writes it (RFC 7807). */
export const problema = (status: number, tipo: string, detail: string): Resposta => ({
  status,
  corpo: { type: `https://pix.bcb.gov.br/api/v2/error/${tipo}`, title: tipo, status, detail },
});

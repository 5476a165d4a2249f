/** A table whose rows go once they are old. */
export interface Guarda {
  readonly tabela: string;
  /** When a row became what it is kept for; null in rows that are kept. */
  readonly coluna: string;
  /** Led by `coluna`, and made for it. */
  readonly indice: string;
  /** Primary key; `binaria` has no text form. */
  readonly chave: readonly { readonly nome: string; readonly tipo: 'id' | 'data' | 'instante' | 'nome' | 'binaria' }[];
  readonly horas: number;
}

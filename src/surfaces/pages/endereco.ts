/** Which page was asked for. */
export interface Endereco {
  readonly pagina: string;
  /** What stands behind the page's name. */
  readonly token: string;
  /** Whether what is asked for is only its state. */
  readonly consulta: boolean;
}

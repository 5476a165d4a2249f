/** What is set of a provider's app. */
export interface DoApp {
  readonly origens: readonly string[];
  /** Whether subscribers change their own contacts and address there. */
  readonly editaCadastro: boolean;
}

/** As the form of the settings shows it, by the names of its fields; see `versaoDe`. */
export const lidosDoApp = ({ origens, editaCadastro: edita_cadastro }: DoApp) => ({ origens, edita_cadastro });

/** Through what somebody came. */
export const CANAIS = ['chatbot', 'ura', 'app', 'telefone', 'loja', 'outro'] as const;
export type Canal = (typeof CANAIS)[number];

/** What a contact was: one that somebody noted, or one that something was done in. */
export const TIPOS_DE_ATENDIMENTO = ['contato', 'chamado', 'desbloqueio', 'desconexao'] as const;
export type TipoDeAtendimento = (typeof TIPOS_DE_ATENDIMENTO)[number];

interface Registro {
  readonly clienteId: number | null;
  readonly contratoId: number | null;
  /** Null where nobody said. */
  readonly canal?: Canal | null;
}

/** A contact as it is written down. What was done is named by its id. */
export type NovoRegistro = Registro &
  (
    | { readonly tipo: 'contato'; readonly assunto: string; readonly resumo: string | null }
    | { readonly tipo: 'chamado'; readonly chamadoId: number }
    | { readonly tipo: 'desbloqueio'; readonly desbloqueioId: number }
    | { readonly tipo: 'desconexao'; readonly pedidoId: number; readonly motivo: string | null }
  );

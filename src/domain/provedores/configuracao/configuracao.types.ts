import type { Campo } from './configuracao.regras.ts';
import type { Identidade } from '../identidade.types.ts';
import type { Provedor } from '../provedores.types.ts';

/** All that a provider may set, as it stands. */
export interface Configuracao {
  readonly provedor: Provedor;
  readonly identidade: Identidade;
  /** As set, whether or not it makes a recipient. */
  readonly pix: { readonly chave: string | null; readonly nome: string | null; readonly cidade: string | null };
}

export interface Configurado {
  /** What is not as it was before. */
  readonly mudados: readonly Campo[];
  /** What is still missing of a PIX recipient of which something is there. */
  readonly pixFalta: readonly Campo[];
}

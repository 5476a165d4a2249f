import type { CobrancaLida } from '../../../brazil/pix/cobranca/resposta.ts';
import type { Resposta } from '../cliente/cliente.ts';
import type { CobrancaRow } from '../psp.types.ts';

/** What is done of one agreement at a time, each with an id of its own. */
export type Tarefa =
  | { readonly id: number; readonly fazer: 'cobranca'; readonly cobranca: CobrancaRow }
  | { readonly id: typeof DA_LEITURA; readonly fazer: 'ler'; readonly de: Date; readonly ate: Date }
  | { readonly id: typeof DA_LEITURA; readonly fazer: 'reler' }
  | { readonly id: typeof DO_WEBHOOK; readonly fazer: 'webhook' };

/** No charge has these. */
export const DA_LEITURA = 0;
export const DO_WEBHOOK = -1;

/** Why a PSP could not be asked, or said nothing of the matter. */
export interface Falha {
  readonly tipo: 'falha';
  readonly codigo: string;
  readonly esperaMs: number | null;
  /** The PSP has answered, and refused this charge alone: it keeps nothing else of the agreement waiting. */
  readonly soDela?: true;
}

export const falhaDe = ({ erro, esperaMs }: Extract<Resposta, { veio: false }>): Falha => ({
  tipo: 'falha',
  codigo: erro,
  esperaMs,
});

/** What a PSP made of a charge. `passou`: it was never made, and its day is over. */
export type Desfecho =
  | { readonly tipo: 'ativa'; readonly lida: CobrancaLida; readonly codigo: string }
  | { readonly tipo: 'concluida' | 'removida' | 'passou' }
  | { readonly tipo: 'recusada'; readonly codigo: string; readonly motivo: string }
  | Falha;

export type Feita =
  | { readonly fez: 'cobranca'; readonly cobranca: CobrancaRow; readonly desfecho: Desfecho }
  | {
      readonly fez: 'ler';
      readonly ate: Date;
      readonly falha: Falha | null;
      /** PIX that were told and that the PSP does not have. */
      readonly foraDaLista: readonly number[];
    }
  | { readonly fez: 'reler'; readonly falha: Falha | null }
  | { readonly fez: 'webhook'; readonly esta: boolean | null; readonly falha: Falha | null };

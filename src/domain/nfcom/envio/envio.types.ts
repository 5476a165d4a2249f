import type { AmbienteNfcom } from '../nfcom.types.ts';
import type { Desfecho, DesfechoDoCancelamento } from './desfecho.regras.ts';

/** A provider whose notes are sent. */
export interface Alvo {
  readonly provedorId: number;
}

/** What the worker has to do next of a note. */
export const ETAPAS = ['conferir_cancelamento', 'consultar', 'conferir', 'cancelar', 'enviar', 'montar'] as const;
export type Etapa = (typeof ETAPAS)[number];
/** Stages of a note that is signed. */
export const ASSINADAS = ETAPAS.filter((etapa) => etapa !== 'montar');

/** A note as it is taken to be sent, or asked about. */
export interface Tomada {
  readonly id: number;
  readonly etapa: Exclude<Etapa, 'montar'>;
  readonly chave: string;
  readonly ambiente: AmbienteNfcom;
  readonly protocolo: string | null;
  /** What was signed; null of a note that another system left with a key alone: it can be asked about. */
  readonly xml: Buffer | null;
  readonly digest: string | null;
}

/** One thing to do for a provider. `id` names it among those under way. */
export type Tarefa =
  | { readonly id: number; readonly fazer: 'montar'; readonly ids: readonly number[] }
  | { readonly id: number; readonly fazer: 'status' }
  | { readonly id: number; readonly fazer: 'nota'; readonly nota: Tomada };

/** What came of it. */
export type Feita =
  | {
      readonly fez: 'montar';
      readonly ids: readonly number[];
      readonly parar: { readonly codigo: string; readonly motivo: string } | null;
    }
  | {
      readonly fez: 'status';
      /** Of whose authority. */
      readonly ambiente: AmbienteNfcom;
      readonly cStat: string | null;
      readonly motivo: string;
      readonly em: Date;
    }
  | {
      readonly fez: 'nota';
      readonly nota: Tomada;
      readonly desfecho: Desfecho;
      readonly duracaoMs: number;
    }
  | {
      readonly fez: 'cancelamento';
      readonly nota: Tomada;
      readonly desfecho: DesfechoDoCancelamento;
      readonly duracaoMs: number;
    }
  /** Nothing could be asked: there is no certificate, say. */
  | { readonly fez: 'nada'; readonly nota: Tomada | null; readonly codigo: string; readonly motivo: string };

import type { Ambiente, DataHora } from './nota.types.ts';

/** The event 110111, which cancels an authorised note. */
export interface DadosDoCancelamento {
  readonly ambiente: Ambiente;
  readonly cnpj: string;
  readonly chave: string;
  /** The 16 digits of the note's protocol. */
  readonly protocolo: string;
  readonly quando: DataHora;
  /** 15 to 255 characters. */
  readonly justificativa: string;
}

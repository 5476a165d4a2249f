import type { Data } from '../../../src/brazil/calendario/datas.ts';
import type { Convenio, Ocorrencia, Remessa, Titulo } from '../../../src/brazil/cnab/convenio.types.ts';

/** What the thread `cnab` is asked for. */
export type PedidoDeCnab =
  | { readonly o: 'conferir'; readonly convenio: Convenio; readonly hoje: Data; readonly titulos: readonly Titulo[] }
  | { readonly o: 'escrever'; readonly remessa: Remessa; readonly doDia: number }
  | {
      readonly o: 'ler';
      readonly arquivo: Uint8Array;
      readonly convenios: readonly Convenio[];
      readonly porParte: number;
    };

/** Which titles a bank's file cannot hold, by their place in the list. */
export type Conferidos = readonly { readonly indice: number; readonly campo: string; readonly motivo: string }[];

/** A file for the bank, compressed. */
export interface Escrita {
  readonly nome: string;
  readonly conteudo: Uint8Array;
}

/** A file of a bank's, or in which of its lines it is none. */
export type Lida =
  | {
      readonly certa: true;
      /** Which of the agreements it may be of: nothing in it contradicts them. At least one. */
      readonly convenios: readonly number[];
      readonly gravadoEm: Data | null;
      readonly ocorrencias: number;
      /** Each with the JSON of so many {@link Ocorrencia}, compressed. */
      readonly partes: readonly Uint8Array[];
      /** The file, compressed. */
      readonly conteudo: Uint8Array;
    }
  | { readonly certa: false; readonly linha: number; readonly motivo: string };

export type OcorrenciasDaParte = readonly Ocorrencia[];

import type { DadosDoCancelamento } from '../../../src/brazil/nfcom/autoridade/cancelamento.ts';
import type { DadosDaNota } from '../../../src/brazil/nfcom/base/nota.types.ts';
import type { Recusa } from '../../../src/brazil/nfcom/base/recusas.ts';
import type { TotaisDaNota } from '../../../src/brazil/nfcom/itens/totais.ts';

/**
 * What the thread `nfcom` builds, signs and validates: notes or cancellations of one emitter. Twenty at a time are
 * enough for a thread to be worth its while; handing over more would hold the event loop up.
 */
export interface LoteDeNotas {
  readonly chave: ChaveQueAssina;
  readonly esquema: EsquemaDaNota;
  readonly documentos: readonly DocumentoParaAssinar[];
}

/** Notes that somebody else signed, of which the thread `nfcom` says what their schema has against each. */
export interface NotasParaConferir {
  readonly esquema: EsquemaDaNota;
  /** Whole documents, as they came. */
  readonly xmls: readonly string[];
}

export type DocumentoParaAssinar =
  | { readonly tipo: 'nota'; readonly dados: DadosDaNota }
  | { readonly tipo: 'cancelamento'; readonly dados: DadosDoCancelamento };

/** Which of the authority's schema packages judges. */
export type EsquemaDaNota = 'NT2025.001' | 'NT2026.002';

export interface ChaveQueAssina {
  /** The private key, PEM. */
  readonly chavePem: string;
  /** The certificate of that key, PEM; what follows the first certificate is not written. */
  readonly certificadoPem: string;
}

/** One for each document, in the same order. A refused one does not stop the others. */
export type DocumentoAssinado =
  | {
      readonly certo: true;
      /** The 44 characters of the note's key, of the cancelled note when it is a cancellation. */
      readonly chave: string;
      /** The whole signed document: these bytes (UTF-8) are kept, sent and resent. */
      readonly xml: string;
      /** DigestValue of the signature, which the authority's protocol repeats. */
      readonly digest: string;
      /** Null of a cancellation. */
      readonly totais: TotaisDaNota | null;
    }
  | { readonly certo: false; readonly recusas: readonly Recusa[] };

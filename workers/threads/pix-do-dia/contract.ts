import type { Data } from '../../../src/brazil/calendario/datas.ts';
import type { Centavos } from '../../../src/brazil/dinheiro/dinheiro.ts';
import type { RegrasEncargos } from '../../../src/brazil/dinheiro/encargos.ts';
import type { RecebedorPix } from '../../../src/brazil/pix/pix.ts';

/** Open invoices of a provider, for one day. They are sent as columns, which cost less between threads than objects. */
export interface LoteDoDia {
  /** Null when the provider does not receive PIX. */
  readonly recebedor: RecebedorPix | null;
  readonly regras: RegrasEncargos;
  /** The local date of the provider. */
  readonly hoje: Data;
  /** As MySQL writes them. */
  readonly valores: readonly string[];
  readonly vencimentos: readonly Data[];
  /** The txid of each invoice's static code; null when no code is made. */
  readonly txids: readonly (string | null)[];
  /** What is left to pay of those with payments, by their index in the batch. */
  readonly sabidos: ReadonlyMap<number, Centavos>;
}

/** The results for each invoice of the batch, in the same order. */
export interface ApuradasDoDia {
  /** The amount of the day; null when it equals `valor`, or is too large for the table. */
  readonly atualizados: readonly (string | null)[];
  /** The invoice's own parts of the PIX code, as in `PixEmPartes`; null when there is no code. */
  readonly camposValor: readonly (string | null)[];
  readonly crcs: readonly (string | null)[];
}

import type { Data } from '../../../src/brazil/calendario/datas.ts';
import type { Centavos } from '../../../src/brazil/dinheiro/dinheiro.ts';
import type { RegrasEncargos } from '../../../src/brazil/dinheiro/encargos.ts';
import type { RecebedorPix } from '../../../src/brazil/pix/pix.ts';

/**
 * Open invoices of one provider, to be reckoned on one day; in columns, which cost less between threads than objects.
 */
export interface LoteDoDia {
  /** Null where the provider receives no PIX. */
  readonly recebedor: RecebedorPix | null;
  readonly regras: RegrasEncargos;
  /** Local date of the provider. */
  readonly hoje: Data;
  /** As MySQL writes them. */
  readonly valores: readonly string[];
  readonly vencimentos: readonly Data[];
  /** Txid of each one's static code; null where there is none to be made. */
  readonly txids: readonly (string | null)[];
  /** What is left to pay of those that had payments, by their place in the batch. */
  readonly sabidos: ReadonlyMap<number, Centavos>;
}

/** Of each invoice of the batch, in the same order. */
export interface ApuradasDoDia {
  /** What it asks for on the day; null where that is its amount, and where it would not fit the table. */
  readonly atualizados: readonly (string | null)[];
  /** What the PIX code has of its own, as in `PixEmPartes`; null where there is no code. */
  readonly camposValor: readonly (string | null)[];
  readonly crcs: readonly (string | null)[];
}

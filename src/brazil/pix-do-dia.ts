import type { Data } from './datas.ts';
import type { Centavos } from './dinheiro.ts';
import type { RegrasEncargos } from './encargos.ts';
import type { RecebedorPix } from './pix.ts';

/** Faturas em aberto de um provedor, a apurar em um dia. */
export interface LoteDoDia {
  /** Null onde o provedor não recebe PIX. */
  readonly recebedor: RecebedorPix | null;
  readonly regras: RegrasEncargos;
  /** Data local do provedor. */
  readonly hoje: Data;
  readonly faturas: readonly FaturaDoDia[];
}

export interface FaturaDoDia {
  readonly valor: Centavos;
  readonly vencimento: Data;
  /** O que falta pagar, onde já se sabe; senão, valor, multa e juros. */
  readonly aPagar: Centavos | null;
  /** Txid de um código estático; null onde não há o que gerar. */
  readonly txid: string | null;
}

/** De cada fatura do lote, na mesma ordem. */
export interface ApuradasDoDia {
  readonly aPagar: Centavos[];
  readonly pix: (string | null)[];
}

import type { Data } from '../../../src/brazil/calendario/datas.ts';
import type { Centavos } from '../../../src/brazil/dinheiro/dinheiro.ts';
import type { RegrasEncargos } from '../../../src/brazil/dinheiro/encargos.ts';
import type { RecebedorPix } from '../../../src/brazil/pix/pix.ts';

/** Faturas em aberto de um provedor, a apurar em um dia; em colunas, que entre threads custam menos que objetos. */
export interface LoteDoDia {
  /** Null onde o provedor não recebe PIX. */
  readonly recebedor: RecebedorPix | null;
  readonly regras: RegrasEncargos;
  /** Data local do provedor. */
  readonly hoje: Data;
  /** Como o MySQL os escreve. */
  readonly valores: readonly string[];
  readonly vencimentos: readonly Data[];
  /** Txid do código estático de cada uma; null onde não há o que gerar. */
  readonly txids: readonly (string | null)[];
  /** O que falta pagar das que tiveram pagamentos, pelo lugar no lote. */
  readonly sabidos: ReadonlyMap<number, Centavos>;
}

/** De cada fatura do lote, na mesma ordem. */
export interface ApuradasDoDia {
  /** O que pede no dia; null onde é o seu valor, e onde não caberia na tabela. */
  readonly atualizados: readonly (string | null)[];
  /** O que o código PIX tem de seu, como em `PixEmPartes`; null onde não há código. */
  readonly camposValor: readonly (string | null)[];
  readonly crcs: readonly (string | null)[];
}

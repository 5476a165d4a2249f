import type { Data } from './datas.ts';
import type { Centavos } from './dinheiro.ts';
import type { RegrasEncargos } from './encargos.ts';

/**
 * O que uma coluna guarda, e como chega do banco: `inteiro` e `booleano` como número, `dinheiro` em centavos inteiros, e também
 * `apurado`, que com multa e juros pode passar do que cabe em `dinheiro`; `textos` entre vírgulas, `data` e `instante` como o MySQL
 * os escreve.
 */
export type TipoDeColuna = 'inteiro' | 'booleano' | 'texto' | 'textos' | 'dinheiro' | 'apurado' | 'data' | 'instante';

export interface ColunaDoExtrato {
  readonly nome: string;
  readonly tipo: TipoDeColuna;
  readonly nulo: boolean;
}

/** Uma tabela a escrever: o que a thread sabe dela antes da primeira linha. */
export interface TabelaDoExtrato {
  readonly nome: string;
  readonly colunas: readonly ColunaDoExtrato[];
  /** Vai nos metadados de cada Parquet. */
  readonly versaoDoEsquema: number;
  /** Instante do retrato, ISO 8601. */
  readonly consistenteEm: string;
  /** De faturas: o que a situação e o valor do dia pedem. Null nas outras tabelas. */
  readonly apuracao: { readonly hoje: Data; readonly regras: RegrasEncargos } | null;
}

/** Linhas seguidas da tabela, ou o pedido de que termine. */
export type OrdemDoExtrato =
  | {
      readonly tipo: 'lote';
      /** Quantas são: texto cortado não passa por texto inteiro. */
      readonly quantas: number;
      /** Vetores JSON separados por vírgulas, em UTF-8, na ordem das colunas. */
      readonly linhas: Uint8Array;
      /** O que falta pagar das faturas pagas em parte, pelo id. */
      readonly sabidos: ReadonlyMap<number, Centavos>;
    }
  | { readonly tipo: 'fim' };

export const FORMATOS = ['parquet', 'ndjson'] as const;
export type FormatoDoExtrato = (typeof FORMATOS)[number];

/** De um formato: bytes que se seguem aos anteriores. */
export type PedacosDoExtrato = Readonly<Record<FormatoDoExtrato, Uint8Array | null>>;

/** De um arquivo inteiro. */
export interface SomaDoArquivo {
  readonly linhas: number;
  readonly bytes: number;
  /** Em hexadecimal. */
  readonly sha256: string;
}

export interface RespostaDoExtrato {
  readonly pedacos: PedacosDoExtrato;
  /** Só da resposta ao fim. */
  readonly somas: Readonly<Record<FormatoDoExtrato, SomaDoArquivo>> | null;
}

import type { Data } from '../../../src/brazil/calendario/datas.ts';
import type { Centavos } from '../../../src/brazil/dinheiro/dinheiro.ts';
import type { RegrasEncargos } from '../../../src/brazil/dinheiro/encargos.ts';

/** Acaba cada campo de uma linha; em UTF-8 não há este byte, nem o seguinte (RFC 3629, seção 1). */
export const FIM_DO_CAMPO = 0xff;

/** O campo inteiro de quem não tem valor. */
export const NULO = 0xfe;

/**
 * O que uma coluna guarda, e como o MySQL o escreve: `inteiro` em algarismos, `booleano` como 0 ou 1, `dinheiro` com duas casas,
 * `textos` entre vírgulas, `data` e `instante` como DATE e DATETIME. `apurado` é dinheiro que não vem do banco: com multa e juros pode
 * passar do que cabe em `dinheiro`.
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
      readonly quantas: number;
      /** Os campos de todas as linhas, na ordem das colunas. */
      readonly linhas: Uint8Array;
      /** O que falta pagar das faturas pagas em parte, pelo id. */
      readonly sabidos: ReadonlyMap<number, Centavos>;
    }
  | { readonly tipo: 'fim' };

/** Bytes seguidos, em memória só deles: a transferência a outra thread leva o ArrayBuffer inteiro. */
export function emMemoriaPropria(partes: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const juntas = new Uint8Array(partes.reduce((total, { length }) => total + length, 0));
  let onde = 0;
  for (const parte of partes) {
    juntas.set(parte, onde);
    onde += parte.length;
  }
  return juntas;
}

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

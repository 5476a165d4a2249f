import type { Data } from '../../../src/brazil/calendario/datas.ts';
import type { Centavos } from '../../../src/brazil/dinheiro/dinheiro.ts';
import type { RegrasEncargos } from '../../../src/brazil/dinheiro/encargos.ts';

/** The byte that ends each field of a row. UTF-8 has neither this byte nor the next one (RFC 3629, section 1). */
export const FIM_DO_CAMPO = 0xff;

/** The whole content of a field without a value. */
export const NULO = 0xfe;

/**
 * What a column holds, and how MySQL writes it: `inteiro` in digits, `booleano` as 0 or 1, `dinheiro` with two
 * decimals, `textos` separated by commas, `data` and `instante` as DATE and DATETIME. `apurado` is money that is
 * calculated here and not in the database: with late charges it may be larger than `dinheiro` allows.
 */
export type TipoDeColuna = 'inteiro' | 'booleano' | 'texto' | 'textos' | 'dinheiro' | 'apurado' | 'data' | 'instante';

export interface ColunaDoExtrato {
  readonly nome: string;
  readonly tipo: TipoDeColuna;
  readonly nulo: boolean;
}

/** A table to be written: what the thread knows about it before the first row. */
export interface TabelaDoExtrato {
  readonly nome: string;
  readonly colunas: readonly ColunaDoExtrato[];
  /** Goes into the metadata of each Parquet file. */
  readonly versaoDoEsquema: number;
  /** Instant of the snapshot, ISO 8601. */
  readonly consistenteEm: string;
  /** For invoices: what is needed to calculate their state and the day's amount. Null for other tables. */
  readonly apuracao: { readonly hoje: Data; readonly regras: RegrasEncargos } | null;
}

/** The next rows of the table, or the order to finish. */
export type OrdemDoExtrato =
  | {
      readonly tipo: 'lote';
      readonly quantas: number;
      /** The fields of all rows, in the order of the columns. */
      readonly linhas: Uint8Array;
      /** What is left to pay of partially paid invoices, by id. */
      readonly sabidos: ReadonlyMap<number, Centavos>;
    }
  | { readonly tipo: 'fim' };

/** Joins bytes in memory of their own, because a transfer to another thread takes the whole ArrayBuffer. */
export function emMemoriaPropria(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(parts.reduce((total, { length }) => total + length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

export const FORMATOS = ['parquet', 'ndjson'] as const;
export type FormatoDoExtrato = (typeof FORMATOS)[number];

/** For each format, the bytes that follow the previous ones. */
export type PedacosDoExtrato = Readonly<Record<FormatoDoExtrato, Uint8Array | null>>;

/** The numbers of a whole file. */
export interface SomaDoArquivo {
  readonly linhas: number;
  readonly bytes: number;
  /** In hexadecimal. */
  readonly sha256: string;
}

export interface RespostaDoExtrato {
  readonly pedacos: PedacosDoExtrato;
  /** Only in the answer to the order to finish. */
  readonly somas: Readonly<Record<FormatoDoExtrato, SomaDoArquivo>> | null;
}

import type { Data } from '../../../src/brazil/calendario/datas.ts';
import type { Centavos } from '../../../src/brazil/dinheiro/dinheiro.ts';
import type { RegrasEncargos } from '../../../src/brazil/dinheiro/encargos.ts';

/** Ends each field of a row; UTF-8 has neither this byte nor the next (RFC 3629, section 1). */
export const FIM_DO_CAMPO = 0xff;

/** The whole field of what has no value. */
export const NULO = 0xfe;

/**
 * What a column holds, and how MySQL writes it: `inteiro` in digits, `booleano` as 0 or 1, `dinheiro` with two places,
 * `textos` between commas, `data` and `instante` as DATE and DATETIME. `apurado` is money that is not from the
 * database: with fine and interest it may be more than fits `dinheiro`.
 */
export type TipoDeColuna = 'inteiro' | 'booleano' | 'texto' | 'textos' | 'dinheiro' | 'apurado' | 'data' | 'instante';

export interface ColunaDoExtrato {
  readonly nome: string;
  readonly tipo: TipoDeColuna;
  readonly nulo: boolean;
}

/** A table to be written: what the thread knows of it before the first row. */
export interface TabelaDoExtrato {
  readonly nome: string;
  readonly colunas: readonly ColunaDoExtrato[];
  /** Goes into the metadata of each Parquet file. */
  readonly versaoDoEsquema: number;
  /** Instant of the snapshot, ISO 8601. */
  readonly consistenteEm: string;
  /** Of invoices: what state and amount of the day ask for. Null for other tables. */
  readonly apuracao: { readonly hoje: Data; readonly regras: RegrasEncargos } | null;
}

/** Consecutive rows of the table, or the request to end it. */
export type OrdemDoExtrato =
  | {
      readonly tipo: 'lote';
      readonly quantas: number;
      /** The fields of all rows, in the order of the columns. */
      readonly linhas: Uint8Array;
      /** What is left to pay of invoices paid in part, by id. */
      readonly sabidos: ReadonlyMap<number, Centavos>;
    }
  | { readonly tipo: 'fim' };

/** Consecutive bytes, in memory of their own: a transfer to another thread takes the whole ArrayBuffer. */
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

/** Of one format: bytes that follow those before. */
export type PedacosDoExtrato = Readonly<Record<FormatoDoExtrato, Uint8Array | null>>;

/** Of a whole file. */
export interface SomaDoArquivo {
  readonly linhas: number;
  readonly bytes: number;
  /** In hexadecimal. */
  readonly sha256: string;
}

export interface RespostaDoExtrato {
  readonly pedacos: PedacosDoExtrato;
  /** Only of the answer to the end. */
  readonly somas: Readonly<Record<FormatoDoExtrato, SomaDoArquivo>> | null;
}

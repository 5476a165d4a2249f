import { createHash } from 'node:crypto';
import { EntradaInvalida } from '../../erros.ts';
import { FORMA, ehCabecalho, ehObjeto } from './cabecalho.ts';
import type { Cabecalho } from './cabecalho.ts';

/*
 * The file of one provider: lines of JSON. The first says what it is; then each slice has a line with its table and columns and one line, a text,
 * for each row; the last has the counts and digests of all slices, and
 * the digest of the first line. Rows are SQL values as the server wrote them, and nothing but values.
 */

/** Of a slice: in which table, and what its rows hold, in this order. */
export interface Parte {
  readonly parte: number;
  readonly tabela: string;
  readonly colunas: readonly string[];
}

export interface Soma {
  readonly tabela: string;
  readonly linhas: number;
  /** The XOR of 64 bits of each row's SHA-256, as decimal digits. */
  readonly digest: string;
}

export type Registro =
  | { readonly tipo: 'cabecalho'; readonly cabecalho: Cabecalho }
  | { readonly tipo: 'parte'; readonly parte: Parte }
  | { readonly tipo: 'linha'; readonly literal: string }
  | { readonly tipo: 'fim'; readonly somas: readonly Soma[] };

export const escreverCabecalho = (dados: Omit<Cabecalho, 'forma'>): string =>
  JSON.stringify({ forma: FORMA, ...dados });
export const escreverParte = (parte: Parte): string => JSON.stringify(parte);
export const escreverLinha = (literal: string): string => JSON.stringify(literal);
export const escreverFim = (somas: readonly Soma[], cabecalho: string): string =>
  JSON.stringify({ fim: somas, cabecalho: resumir(cabecalho) });
const resumir = (linha: string): string => createHash('sha256').update(linha).digest('hex');

/** NULL, bytes in hexadecimal, or text in quotes, between commas: nothing that a server would do something for. */
const VALOR = /(?:NULL|X'[0-9A-F]*'|'(?:[^'\\]|\\[\s\S])*')(,|$)/y;

/** How many values a row has; null where it is not made of values alone. */
export function contarValores(literal: string): number | null {
  VALOR.lastIndex = 0;
  for (let valores = 1; ; valores += 1) {
    const achado = VALOR.exec(literal);
    if (achado === null) return null;
    if (achado[1] === '') return valores;
  }
}

/** Sums rows as the server does; see platform/mysql/copy. */
export function createSomador(): { somar(literal: string): void; soma(tabela: string): Soma } {
  let linhas = 0;
  let digest = 0n;
  return {
    somar(literal) {
      linhas += 1;
      digest ^= createHash('sha256').update(literal).digest().readBigUInt64BE(0);
    },
    soma: (tabela) => ({ tabela, linhas, digest: digest.toString() }),
  };
}

const cortado = (linha: number): EntradaInvalida =>
  new EntradaInvalida(`arquivo: está cortado ou estragado na linha ${linha}; exporte-o de novo`);

/**
 * The records of a file, one after the other.
 *
 * @throws EntradaInvalida, with the line, where it is torn, or not what `exportar` writes.
 */
export async function* lerRegistros(linhas: AsyncIterable<string>): AsyncGenerator<Registro> {
  let n = 0;
  let acabou = false;
  let colunas = 0;
  let resumo = '';
  try {
    for await (const linha of linhas) {
      n += 1;
      if (acabou) throw new EntradaInvalida(`arquivo: a linha ${n} vem depois do fim`);
      const valor: unknown = JSON.parse(linha);
      if (n === 1) {
        if (!ehCabecalho(valor)) {
          throw new EntradaInvalida('arquivo: a linha 1 não é a de um provedor exportado por esta versão');
        }
        resumo = resumir(linha);
        yield { tipo: 'cabecalho', cabecalho: valor };
      } else if (typeof valor === 'string') {
        if (colunas === 0 || contarValores(valor) !== colunas) throw cortado(n);
        yield { tipo: 'linha', literal: valor };
      } else if (ehObjeto(valor) && Array.isArray(valor['fim'])) {
        acabou = true;
        if (valor['cabecalho'] !== resumo) throw new EntradaInvalida('arquivo: a linha 1 não é a que foi exportada');
        yield { tipo: 'fim', somas: valor['fim'] as Soma[] };
      } else if (ehObjeto(valor) && Array.isArray(valor['colunas'])) {
        colunas = valor['colunas'].length;
        yield { tipo: 'parte', parte: valor as unknown as Parte };
      } else throw cortado(n);
    }
  } catch (error) {
    if (error instanceof SyntaxError || ehDeCompressao(error))
      throw cortado(n + (error instanceof SyntaxError ? 0 : 1));
    throw error;
  }
  if (!acabou) throw cortado(n + 1);
}

/** Of zlib: its end is missing, or its bytes are others. */
const ehDeCompressao = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && error.code.startsWith('Z_');

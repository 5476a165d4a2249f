import { createHash } from 'node:crypto';
import { limparDigitado } from '../../../brazil/pessoa/digitado.ts';
import { grupo } from '../../campos/campos.ts';
import type { Forma, ValoresDe } from '../../campos/campos.ts';
import type { Linha } from '../arquivo/linhas.ts';
import { VARIAS } from '../formatos/colunas.regras.ts';
import { ehVazio } from '../formatos/valores.regras.ts';
import type { Erro, Formato, Leitura, Mapa, Nota } from '../importacoes.types.ts';

/** How all lines of a file are read. */
export interface Contexto {
  readonly formato: Formato;
  readonly leitura: Leitura;
  readonly mapa: Mapa;
}

/** Fields whose values appear nowhere but where they are kept. */
export const SECRETOS: readonly string[] = ['senha', 'senha_app'];

interface Celula {
  readonly coluna: string;
  readonly texto: string;
}

/** Whether a line has cells more or fewer than the file: a cell may then be any column's, and the next one's a password. */
export const desalinhada = (celulas: readonly string[], { colunas }: Pick<Leitura, 'colunas'>): boolean =>
  celulas.length !== colunas.length;

/** What a spreadsheet takes for a formula, at the beginning of a cell. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

/** A cell as it is written into a file for spreadsheets: what begins as a formula is a text. */
export const protegida = (celula: string): string => (FORMULA.test(celula) ? `'${celula}` : celula);

/** The same as it was: refused lines are mended in the file that we wrote, and come in by it. */
const semProtecao = (celula: string): string =>
  celula.startsWith("'") && FORMULA.test(celula.slice(1)) ? celula.slice(1) : celula;

/** Cells of a line by the field that they give, without those that say nothing; and what was noted in reading them. */
export interface Registro {
  readonly linha: number;
  /** Of all that the line says, so that the same line is known again. */
  readonly resumo: Buffer;
  readonly notas: Nota[];
  readonly erros: Erro[];
  texto(campo: string): string | undefined;
  textos(campo: string): readonly string[];
  /** What was made of a field's text, noted where it is another. */
  convertido(campo: string, converter: (texto: string) => string | undefined): string | undefined;
  colunaDe(campo: string): string | null;
  errar(campo: string, mensagem: string): void;
  deixar(campo: string, motivo: string): void;
  avisar(campo: string, aviso: string): void;
}

/** Where the cells of each field stand. Made once a file. */
export function posicoesDe({
  leitura,
  mapa,
}: Pick<Contexto, 'leitura' | 'mapa'>): ReadonlyMap<string, readonly number[]> {
  const posicoes = new Map<string, number[]>();
  for (const [n, coluna] of leitura.colunas.entries()) {
    const campo = mapa.colunas[coluna];
    if (campo === null || campo === undefined) continue;
    const ja = posicoes.get(campo);
    if (ja === undefined) posicoes.set(campo, [n]);
    else if (VARIAS.includes(campo)) ja.push(n);
  }
  return posicoes;
}

const RESUMO_BYTES = 16;
/** Between cells, where no text of a line is. */
const FIM_DE_CELULA = '\u001f';

export function criarRegistro(
  { linha, celulas }: Linha,
  leitura: Leitura,
  posicoes: ReadonlyMap<string, readonly number[]>,
): Registro {
  const porCampo = new Map<string, Celula[]>();
  for (const [campo, onde] of posicoes) {
    for (const n of onde) {
      const cru = celulas[n] ?? '';
      // A password is as it is, spaces and all; the form says what it may not have.
      const texto = SECRETOS.includes(campo) ? cru : limparDigitado(semProtecao(cru));
      if (ehVazio(texto)) continue;
      const celula = { coluna: leitura.colunas[n] ?? '', texto };
      porCampo.set(campo, [...(porCampo.get(campo) ?? []), celula]);
    }
  }
  const notas: Nota[] = [];
  const erros: Erro[] = [];
  const primeira = (campo: string): Celula | undefined => porCampo.get(campo)?.[0];
  const colunaDe = (campo: string): string | null =>
    primeira(campo)?.coluna ?? leitura.colunas[posicoes.get(campo)?.[0] ?? -1] ?? null;
  const torta = desalinhada(celulas, leitura);
  if (torta) {
    const mensagem = `a linha tem ${celulas.length} colunas, e o arquivo ${leitura.colunas.length}`;
    erros.push({ coluna: null, campo: null, mensagem });
  }
  return {
    linha,
    resumo: createHash('sha256').update(celulas.join(FIM_DE_CELULA)).digest().subarray(0, RESUMO_BYTES),
    notas,
    erros,
    texto: (campo) => primeira(campo)?.texto,
    textos: (campo) => (porCampo.get(campo) ?? []).map(({ texto }) => texto),
    convertido(campo, converter) {
      const celula = primeira(campo);
      if (celula === undefined) return undefined;
      const para = converter(celula.texto);
      if (para !== celula.texto && !torta)
        notas.push({ coluna: celula.coluna, campo, de: celula.texto, para: para ?? '' });
      return para;
    },
    colunaDe,
    errar(campo, mensagem) {
      // Of a line whose cells are not where they belong nothing else is true, and a message may name what it found.
      if (!torta) erros.push({ coluna: colunaDe(campo), campo, mensagem });
    },
    avisar(campo, aviso) {
      notas.push({ coluna: colunaDe(campo) ?? campo, campo, de: '', para: '', aviso });
    },
    deixar(campo, motivo) {
      if (torta) return;
      notas.push({ coluna: colunaDe(campo) ?? campo, campo, de: primeira(campo)?.texto ?? '', para: `(${motivo})` });
    },
  };
}

/**
 * Reads values by a form; what is wrong is said of the columns that they come from. A field that may be left out (`tolerar`) is, and
 * noted, where it cannot be read. Null where something is wrong.
 */
export function lerPelaForma<F extends Forma>(
  registro: Registro,
  forma: F,
  dados: Readonly<Record<string, unknown>>,
  {
    tolerar = [],
    campoDe = (campo: string) => campo,
  }: { tolerar?: readonly string[]; campoDe?: (campo: string) => string } = {},
): ValoresDe<F> | null {
  const lido = grupo(forma)(dados);
  if ('valor' in lido) return lido.valor;
  const raiz = (campo: string | null): string => (campo ?? '').split('.')[0] ?? '';
  const ruins = new Set(lido.faltas.map(({ campo }) => raiz(campo)));
  const dispensaveis = [...ruins].filter((campo) => tolerar.includes(campo) && dados[campo] !== undefined);
  if (dispensaveis.length > 0) {
    for (const campo of dispensaveis) registro.deixar(campoDe(campo), 'não se lê; fica de fora');
    const resto = Object.fromEntries(Object.entries(dados).filter(([campo]) => !dispensaveis.includes(campo)));
    return lerPelaForma(registro, forma, resto, { campoDe });
  }
  for (const { campo, mensagem } of lido.faltas) {
    // Of a list or a group, the name of the part is ours and says nothing of the file.
    const [primeiro = '', parte] = (campo ?? '').split('.');
    registro.errar(campoDe(parte !== undefined && /^\D/.test(parte) ? `${primeiro}.${parte}` : primeiro), mensagem);
  }
  return null;
}

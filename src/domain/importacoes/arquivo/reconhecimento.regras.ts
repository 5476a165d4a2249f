import { faltaEm } from '../../erros.ts';
import { nomeDeColuna, proporColunas, reconhecerFormato, temNomesConhecidos } from '../formatos/colunas.regras.ts';
import type { Codificacao, Formato, Leitura, Mapa, Tipo } from '../importacoes.types.ts';

/** What somebody says of a file instead of leaving it to be recognised. */
export interface Dito {
  readonly formato?: Formato;
  readonly tipo?: Tipo;
  readonly codificacao?: Codificacao;
  readonly separador?: string;
  readonly cabecalho?: boolean;
  readonly aspas?: boolean;
}

export interface Reconhecido {
  readonly formato: Formato;
  readonly tipo: Tipo;
  readonly leitura: Leitura;
  readonly colunas: Mapa['colunas'];
}

export const SEPARADORES = [';', ',', '\t', '|'] as const;

const MAIS_COLUNAS = 300;
const LINHAS_VISTAS = 20;

/**
 * How the beginning of a file is to be read, and what its columns are.
 *
 * @param utf8 whether the whole file is valid UTF-8.
 * @throws CamposInvalidos of `arquivo` where it is no text in columns, or of `formato` where nobody knows what it is.
 */
export function reconhecer(amostra: Buffer, utf8: boolean, dito: Dito = {}): Reconhecido {
  const codificacao = dito.codificacao ?? codificacaoDe(amostra, utf8);
  const texto = new TextDecoder(codificacao).decode(amostra);
  const linhas = texto
    .split(/\r\n|\n|\r/)
    .filter((linha) => linha.trim() !== '')
    .slice(0, LINHAS_VISTAS);
  const [primeira] = linhas;
  if (primeira === undefined) faltaEm('arquivo', 'está vazio');
  const separador = dito.separador ?? separadorDe(linhas);
  const celulas = celulasDe(primeira, separador);
  if (celulas.length < 2) faltaEm('arquivo', 'não tem colunas separadas por ; , | ou tabulação');
  if (celulas.length > MAIS_COLUNAS) faltaEm('arquivo', `tem mais de ${MAIS_COLUNAS} colunas`);
  const cabecalho = dito.cabecalho ?? (temNomesConhecidos(celulas) || celulas.every(pareceNome));
  const colunas = cabecalho ? semRepetir(celulas) : celulas.map((_, n) => `coluna_${n + 1}`);
  const leitura = { codificacao, separador, cabecalho, aspas: dito.aspas ?? true, colunas };
  const achado = reconhecerFormato(colunas, dito);
  const { formato, tipo } = { ...achado, ...dito };
  if (formato === undefined || tipo === undefined) {
    faltaEm('formato', 'não se reconhece pelas colunas; diga formato e tipo, e o mapa das colunas');
  }
  return { formato, tipo, leitura, colunas: proporColunas(formato, tipo, colunas) };
}

function codificacaoDe(amostra: Buffer, utf8: boolean): Codificacao {
  if (amostra[0] === 0xff && amostra[1] === 0xfe) return 'utf-16le';
  if (amostra.subarray(0, 4).equals(Buffer.from('PK\u0003\u0004'))) {
    faltaEm('arquivo', 'é uma planilha; salve-a como CSV');
  }
  if (amostra.filter(ehControle).length > amostra.length / 1000) faltaEm('arquivo', 'não é um texto');
  return utf8 ? 'utf-8' : 'windows-1252';
}

/** A byte that no text has in either encoding: a control character other than tabs, line breaks and ESC. */
const ehControle = (byte: number): boolean =>
  byte === 0x7f || (byte < 0x20 && byte !== 0x1b && (byte < 0x09 || byte > 0x0d));

/** The separator that divides the first lines most often, and most evenly. */
function separadorDe(linhas: readonly string[]): string {
  const pontos = SEPARADORES.map((separador) => {
    const colunas = linhas.map((linha) => celulasDe(linha, separador).length);
    const [primeira = 1] = colunas;
    const iguais = colunas.filter((n) => n === primeira).length / colunas.length;
    return { separador, pontos: primeira < 2 ? 0 : primeira * iguais };
  });
  return pontos.toSorted((a, b) => b.pontos - a.pontos)[0]?.separador ?? ';';
}

/** Cells of one line, for looking at it alone: what holds line breaks is read by the parser. */
function celulasDe(linha: string, separador: string): string[] {
  const celulas: string[] = [''];
  let dentro = false;
  for (const letra of linha) {
    if (letra === '"') dentro = !dentro;
    else if (letra === separador && !dentro) celulas.push('');
    else celulas[celulas.length - 1] += letra;
  }
  return celulas.map((celula) => celula.trim());
}

const pareceNome = (celula: string): boolean => /\p{L}/u.test(celula) && !/[@]|\d{4,}|\d[.,]\d/.test(celula);

/** Names as they are shown and mapped; a second `id` is `id_2`. */
function semRepetir(celulas: readonly string[]): string[] {
  const vistos = new Map<string, number>();
  return celulas.map((celula, n) => {
    const nome = nomeDeColuna(celula).slice(0, 64) || `coluna_${n + 1}`;
    const vezes = (vistos.get(nome) ?? 0) + 1;
    vistos.set(nome, vezes);
    return vezes === 1 ? nome : `${nome}_${vezes}`;
  });
}

import { diasEntre, hojeEm, inicioDoDiaEm, lerData, somarDias } from '../../brazil/calendario/datas.ts';
import type { Data } from '../../brazil/calendario/datas.ts';
import type { Bytes } from './trafego.service.ts';

/** Bytes are kept for so many days; see retencao. */
export const DIAS_GUARDADOS = 400;
/** The longest that is told by the hour. */
export const MAIS_DIAS_POR_HORA = 31;
/** Months before this one of which days are told. */
const MESES_ATRAS = 13;
const HORA_MS = 3_600_000;

export type Intervalo = 'hora' | 'dia';

/** An hour (UTC) or a local day, from its first instant to that of the next. */
export interface Trecho extends Bytes {
  readonly inicio: Date;
  readonly fim: Date;
}

/** Days of a month, both included; those that are to come and those that are kept no more are not among them. */
export interface DiasDoMes {
  /** `YYYY-MM`. */
  readonly mes: string;
  readonly primeiro: Data;
  readonly ultimo: Data;
}

/** @param mes `YYYY-MM`, or null for the one that has `hoje`. @returns null of a month to come, and of one that is too long ago */
export function diasDoMes(mes: string | null, hoje: Data): DiasDoMes | null {
  const este = mes ?? hoje.slice(0, 7);
  const primeiro = lerData(`${este}-01`);
  if (primeiro === null) return null;
  const atras = numeroDoMes(hoje) - numeroDoMes(primeiro);
  if (atras < 0 || atras > MESES_ATRAS) return null;
  const seguinte = somarDias(primeiro, 31);
  const fim = somarDias(primeiro, 31 - Number(seguinte.slice(8)));
  const guardado = somarDias(hoje, -DIAS_GUARDADOS);
  return { mes: este, primeiro: primeiro < guardado ? guardado : primeiro, ultimo: fim > hoje ? hoje : fim };
}

const numeroDoMes = (data: string): number => Number(data.slice(0, 4)) * 12 + Number(data.slice(5, 7));

/** All days from one to another, both included. */
export const diasDe = (primeiro: Data, ultimo: Data): Data[] =>
  Array.from({ length: diasEntre(primeiro, ultimo) + 1 }, (_, n) => somarDias(primeiro, n));

/** The hours or local days of which any instant is in `[de, ate)`, in order, without bytes. */
export function trechosDe(intervalo: Intervalo, de: Date, ate: Date, fuso: string): Trecho[] {
  if (intervalo === 'hora') {
    const primeira = Math.floor(de.getTime() / HORA_MS) * HORA_MS;
    const quantas = Math.ceil((ate.getTime() - primeira) / HORA_MS);
    return Array.from({ length: quantas }, (_, n) => vazio(primeira + n * HORA_MS, primeira + (n + 1) * HORA_MS));
  }
  const dias = diasDe(hojeEm(fuso, de), hojeEm(fuso, new Date(ate.getTime() - 1)));
  return dias.map((dia) => vazio(inicioDoDiaEm(fuso, dia).getTime(), inicioDoDiaEm(fuso, somarDias(dia, 1)).getTime()));
}

const vazio = (inicio: number, fim: number): Trecho => ({
  inicio: new Date(inicio),
  fim: new Date(fim),
  download: 0,
  upload: 0,
});

/** Puts bytes into the parts of time that they are of. @param linhas in order of `em`, their first instant in milliseconds */
export function preencher(trechos: readonly Trecho[], linhas: readonly (Bytes & { readonly em: number })[]): Trecho[] {
  let n = 0;
  return trechos.map((trecho) => {
    let { download, upload } = trecho;
    for (let linha = linhas[n]; linha !== undefined && linha.em < trecho.fim.getTime(); linha = linhas[(n += 1)]) {
      if (linha.em < trecho.inicio.getTime()) continue;
      download += linha.download;
      upload += linha.upload;
    }
    return { ...trecho, download, upload };
  });
}

import { diaDaSemana, somarDias, type Data } from './datas.ts';
import { NACIONAIS, ESTADUAIS, type Feriado } from './feriados.tabela.ts';

/** Dates of a year, each with the name of its holiday. */
type Feriados = ReadonlyMap<string, string>;

/**
 * Whether the date is a national bank holiday: 1 January, Monday and Tuesday of Carnival, Good Friday, 21 April, 1 May,
 * Corpus Christi, 7 September, 12 October, 2, 15 and 20 November (the last since 2024) and 25 December (CMN Resolution
 * 4.880/2020; Law 14.759/2023). Local holidays, weekends and the last business day of the year are not among them.
 */
export function feriadoBancario(d: Data): boolean {
  return feriadosNacionais(anoDe(d)).has(d);
}

/** The national bank holidays of a year. */
export function feriadosNacionais(ano: number): Feriados {
  return doAno('', ano, () => datasDe(NACIONAIS, ano));
}

/**
 * The holidays that a state adds to the national ones in a year. Banks of the state do not open on them; days off that
 * are optional (pontos facultativos) are not among them.
 */
export function feriadosDoEstado(uf: string, ano: number): Feriados {
  return doAno(uf, ano, () => {
    const nacionais = feriadosNacionais(ano);
    return datasDe(ESTADUAIS[uf] ?? [], ano).filter(([dia]) => !nacionais.has(dia));
  });
}

/**
 * The last business day of the year, 31 December or the Friday before it. Banks do not attend to the public on it (CMN
 * Resolution 2.596/1999), so what is due then may be paid on the next business day.
 */
export function ultimoDiaUtilDoAno(ano: number): Data {
  let dia = ultimos.get(ano);
  if (dia === undefined) {
    dia = `${ano}-12-31` as Data;
    while (diaDaSemana(dia) % 6 === 0) dia = somarDias(dia, -1);
    ultimos.set(ano, dia);
  }
  return dia;
}

/** The year of a date. */
export function anoDe(d: Data): number {
  return Number(d.slice(0, 4));
}

const ultimos = new Map<number, Data>();
const porAno = new Map<string, Feriados>();

function doAno(uf: string, ano: number, datas: () => readonly (readonly [string, string])[]): Feriados {
  const chave = `${uf}${ano}`;
  let feriados = porAno.get(chave);
  if (!feriados) {
    feriados = new Map(datas());
    porAno.set(chave, feriados);
  }
  return feriados;
}

function datasDe(feriados: readonly Feriado[], ano: number): (readonly [string, string])[] {
  // A year that was typed wrong, 0026 for 2026, has none.
  if (ano < 1583) return [];
  return feriados
    .filter(({ desde = 0, ate = 9999 }) => ano >= desde && ano <= ate)
    .map(({ dia, nome }) => [typeof dia === 'number' ? somarDias(pascoa(ano), dia) : `${ano}-${dia}`, nome] as const)
    .toSorted(([a], [b]) => a.localeCompare(b));
}

/** Easter Sunday of a year of the Gregorian calendar (Meeus, Astronomical Algorithms, chapter 8). */
function pascoa(ano: number): Data {
  const a = ano % 19;
  const seculo = Math.floor(ano / 100);
  const d = (19 * a + seculo - Math.floor(seculo / 4) - Math.floor((8 * seculo + 13) / 25) + 15) % 30;
  const h = d - Math.floor((d + Math.floor(a / 11)) / 29);
  const resto = ano % 100;
  const domingo = (32 + 2 * (seculo % 4) + 2 * Math.floor(resto / 4) - h - (resto % 4)) % 7;
  return somarDias(`${ano}-03-22` as Data, h + domingo);
}

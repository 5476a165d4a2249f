import { createRequire } from 'node:module';
import type Holidays from 'date-holidays';
import { diaDaSemana, somarDias, type Data } from './datas.ts';

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
  return doAno(null, ano);
}

/**
 * The holidays that a state adds to the national ones in a year. Banks of the state do not open on them; days off that
 * are optional (pontos facultativos) are not among them.
 */
export function feriadosDoEstado(uf: string, ano: number): Feriados {
  return doAno(uf, ano);
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

/**
 * What the library still takes for a holiday though a law of the state has ended it: in Paraíba Law 10.601/2015, in
 * Paraná Law 18.384/2014.
 */
const REVOGADOS: Readonly<Record<string, string>> = { PB: '07-26', PR: '12-19' };

const TIPOS: { types: ['public', 'bank'] } = { types: ['public', 'bank'] };
const ultimos = new Map<number, Data>();
const porAno = new Map<string, Feriados>();
const calendarios = new Map<string | null, Holidays>();

function doAno(uf: string | null, ano: number): Feriados {
  const chave = `${uf ?? ''}${ano}`;
  let feriados = porAno.get(chave);
  if (!feriados) {
    feriados = uf === null ? daBiblioteca(null, ano) : soDoEstado(uf, ano);
    porAno.set(chave, feriados);
  }
  return feriados;
}

function soDoEstado(uf: string, ano: number): Feriados {
  const nacionais = feriadosNacionais(ano);
  return new Map([...daBiblioteca(uf, ano)].filter(([dia]) => !nacionais.has(dia) && dia.slice(5) !== REVOGADOS[uf]));
}

/**
 * The library's types `public` and `bank` are the banks' list and election days besides. Those are always Sundays, and
 * no bank holidays. It gives a date twice when two holidays meet (21 April 2000), hence a map.
 */
function daBiblioteca(uf: string | null, ano: number): Feriados {
  let calendario = calendarios.get(uf);
  if (calendario === undefined) {
    calendario = carregarCalendario(uf);
    calendarios.set(uf, calendario);
  }
  const lista = calendario.getHolidays(ano).filter((feriado) => !feriado.rule.includes('sunday'));
  return new Map(lista.map((feriado) => [feriado.date.slice(0, 10), feriado.name]));
}

function carregarCalendario(uf: string | null): Holidays {
  // Loaded at first use: the library brings the holidays of the whole world, which takes more than 100 ms.
  const Calendario = createRequire(import.meta.url)('date-holidays') as typeof Holidays;
  return uf === null ? new Calendario('BR', TIPOS) : new Calendario('BR', uf, TIPOS);
}

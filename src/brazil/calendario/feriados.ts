import { createRequire } from 'node:module';
import type Holidays from 'date-holidays';
import { diaDaSemana, somarDias, type Data } from './datas.ts';

/** Datas de um ano, cada uma com o nome do feriado. */
type Feriados = ReadonlyMap<string, string>;

/**
 * Diz se a data é feriado bancário nacional: 1/1, segunda e terça de Carnaval, Sexta-feira Santa, 21/4, 1/5, Corpus
 * Christi, 7/9, 12/10, 2/11, 15/11, 20/11 (desde 2024) e 25/12 (Resolução CMN 4.880/2020; Lei 14.759/2023). Feriados
 * locais, fins de semana e o último dia útil do ano não entram.
 */
export function feriadoBancario(d: Data): boolean {
  return feriadosNacionais(anoDe(d)).has(d);
}

/** Os feriados bancários nacionais de um ano. */
export function feriadosNacionais(ano: number): Feriados {
  return doAno(null, ano);
}

/**
 * Os feriados que um estado acrescenta aos nacionais em um ano. Neles os bancos do estado não abrem; pontos
 * facultativos não entram.
 */
export function feriadosDoEstado(uf: string, ano: number): Feriados {
  return doAno(uf, ano);
}

/**
 * O último dia útil do ano, em que os bancos não atendem o público (Resolução CMN 2.596/1999) e o que vence pode ser
 * pago no dia útil seguinte: 31/12, ou a sexta-feira antes dele.
 */
export function ultimoDiaUtilDoAno(ano: number): Data {
  let dia = ultimos.get(ano);
  if (dia === undefined) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- 31 de dezembro existe em todo ano
    dia = `${ano}-12-31` as Data;
    while (diaDaSemana(dia) % 6 === 0) dia = somarDias(dia, -1);
    ultimos.set(ano, dia);
  }
  return dia;
}

/** O ano de uma data. */
export function anoDe(d: Data): number {
  return Number(d.slice(0, 4));
}

/**
 * O que a biblioteca ainda tem por feriado e uma lei do estado revogou: na Paraíba a Lei 10.601/2015, no Paraná a Lei
 * 18.384/2014.
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
 * Os tipos `public` e `bank` da biblioteca são a lista bancária e mais os dias de eleição, sempre domingos, que não são
 * feriado dos bancos. Ela repete a data quando dois feriados coincidem (21/4/2000): por isso um mapa.
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
  // Carregada só no primeiro uso: a biblioteca traz os feriados do mundo todo e custa mais de 100 ms.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- require devolve any; o tipo é o do próprio pacote
  const Calendario = createRequire(import.meta.url)('date-holidays') as typeof Holidays;
  return uf === null ? new Calendario('BR', TIPOS) : new Calendario('BR', uf, TIPOS);
}

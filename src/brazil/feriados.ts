import { createRequire } from 'node:module';
import type Holidays from 'date-holidays';
import { diaDaSemana, somarDias, type Data } from './datas.ts';

/**
 * Diz se a data é feriado bancário nacional: 1/1, segunda e terça de Carnaval, Sexta-feira Santa, 21/4, 1/5, Corpus
 * Christi, 7/9, 12/10, 2/11, 15/11, 20/11 (desde 2024) e 25/12 (Resolução CMN 4.880/2020; Lei 14.759/2023). Feriados
 * locais e fins de semana não entram.
 */
export function feriadoBancario(d: Data): boolean {
  const ano = Number(d.slice(0, 4));
  let feriados = porAno.get(ano);
  if (!feriados) {
    feriados = feriadosDe(ano);
    porAno.set(ano, feriados);
  }
  return feriados.has(d);
}

/** O próprio dia, se for dia útil bancário; senão o primeiro dia útil depois dele. */
export function proximoDiaUtil(d: Data): Data {
  const guardado = diasUteis.get(d);
  if (guardado !== undefined) return guardado;
  let dia = d;
  while (diaDaSemana(dia) % 6 === 0 || feriadoBancario(dia)) dia = somarDias(dia, 1);
  if (diasUteis.size === MAXIMO_DE_DIAS) diasUteis.clear();
  diasUteis.set(d, dia);
  return dia;
}

/** Quem apura um milhão de faturas pergunta por poucas centenas de vencimentos. */
const diasUteis = new Map<Data, Data>();
const MAXIMO_DE_DIAS = 4000;

const porAno = new Map<number, ReadonlySet<string>>();
let calendario: Holidays | undefined;

/**
 * Os tipos `public` e `bank` da biblioteca são a lista bancária e mais os dias de eleição, sempre domingos, que não são
 * feriado dos bancos. Ela repete a data quando dois feriados coincidem (21/4/2000): por isso um conjunto.
 */
function feriadosDe(ano: number): ReadonlySet<string> {
  calendario ??= carregarCalendario();
  const lista = calendario.getHolidays(ano).filter((feriado) => !feriado.rule.includes('sunday'));
  return new Set(lista.map((feriado) => feriado.date.slice(0, 10)));
}

function carregarCalendario(): Holidays {
  // Carregada só no primeiro uso: a biblioteca traz os feriados do mundo todo e custa mais de 100 ms.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- require devolve any; o tipo é o do próprio pacote
  const Calendario = createRequire(import.meta.url)('date-holidays') as typeof Holidays;
  return new Calendario('BR', { types: ['public', 'bank'] });
}

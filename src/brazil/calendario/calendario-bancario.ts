import { diaDaSemana, somarDias, type Data } from './datas.ts';
import { UFS } from '../pessoa/endereco.ts';
import { anoDe, feriadosDoEstado, feriadosNacionais, ultimoDiaUtilDoAno } from './feriados.ts';

/**
 * The days without banks of one place: what its country, its state and its own list say. Pure data, which also goes to
 * threads; that of a provider is part of its rules, so that everything that is charged, and everybody who is late, is
 * judged by the same one.
 */
export interface CalendarioBancario {
  /** The state whose holidays count; null where only the nation's do. */
  readonly uf: string | null;
  /** Holidays of its own: 'AAAA-MM-DD', or 'MM-DD' of every year. */
  readonly feriados: ReadonlySet<string>;
  /** Days on which banks open although its state's list has them as holidays, written alike. */
  readonly uteis: ReadonlySet<string>;
  /** The same for equal calendars only, also in another thread. */
  readonly chave: string;
}

/**
 * The calendar of a place; a state that there is not counts as none. `proprios` has the days of its own, 'AAAA-MM-DD'
 * or 'MM-DD', each with whether banks open on it though its state's list says they do not.
 */
export function criarCalendarioBancario(
  sigla: string | null,
  proprios: Iterable<readonly [dia: string, util: boolean]> = [],
): CalendarioBancario {
  const uf = UFS.find((estado) => estado === sigla) ?? null;
  const [feriados, uteis] = [new Set<string>(), new Set<string>()];
  for (const [dia, util] of proprios) (util ? uteis : feriados).add(dia);
  const chave = [uf ?? '', ...feriados, '', ...uteis].join(' ');
  return { uf, feriados, uteis, chave };
}

/** Whether banks attend to the public: no weekend, no holiday, and not the last business day of the year. */
export function diaUtil(d: Data, { uf, feriados, uteis }: CalendarioBancario): boolean {
  const ano = anoDe(d);
  if (diaDaSemana(d) % 6 === 0 || feriadosNacionais(ano).has(d) || d === ultimoDiaUtilDoAno(ano)) return false;
  const diaDoAno = d.slice(5);
  if (feriados.has(d) || feriados.has(diaDoAno)) return false;
  return uf === null || !feriadosDoEstado(uf, ano).has(d) || uteis.has(d) || uteis.has(diaDoAno);
}

/**
 * The day itself where banks are open, else the first day after it on which they are: until when it may be paid as if
 * in time.
 */
export function proximoDiaUtil(d: Data, calendario: CalendarioBancario): Data {
  let diasUteis = lembrados.get(calendario.chave);
  if (diasUteis === undefined) {
    diasUteis = new Map();
    if (lembrados.size === MAXIMO_DE_CALENDARIOS) lembrados.clear();
    lembrados.set(calendario.chave, diasUteis);
  }
  const guardado = diasUteis.get(d);
  if (guardado !== undefined) return guardado;
  const dia = primeiroUtil(d, 1, calendario);
  if (diasUteis.size === MAXIMO_DE_DIAS) diasUteis.clear();
  diasUteis.set(d, dia);
  return dia;
}

/** A charge of a million invoices asks for a few hundred due dates of one calendar. */
const lembrados = new Map<string, Map<Data, Data>>();
const MAXIMO_DE_CALENDARIOS = 64;
const MAXIMO_DE_DIAS = 2000;

/**
 * Whether an open invoice is late, which is what charges, blocks and all that follows from being late go by: the first
 * business day from its due date on is over. Its state is another thing: it is `vencida` from the day after its due
 * date, whatever day that is.
 */
export function emAtraso(vencimento: Data, hoje: Data, calendario: CalendarioBancario): boolean {
  return hoje > vencimento && hoje > proximoDiaUtil(vencimento, calendario);
}

/** The last due date of which invoices are late: `vencimento <= corte` is `emAtraso`, in words that an index serves. */
export function corteDoAtraso(hoje: Data, calendario: CalendarioBancario): Data {
  return primeiroUtil(somarDias(hoje, -1), -1, calendario);
}

/**
 * Until which day it is said that what is owed today holds: the due date; once that is past, the first business day
 * from it on; and of an invoice that is late, which may owe more each day, today.
 */
export function valeAte(vencimento: Data, hoje: Data, calendario: CalendarioBancario): Data {
  if (hoje <= vencimento) return vencimento;
  const util = proximoDiaUtil(vencimento, calendario);
  return hoje > util ? hoje : util;
}

/**
 * Longer than banks are ever closed: the search ends even for a provider that lists every day of the year as a holiday.
 */
const MAXIMO_DE_DIAS_FECHADOS = 31;

function primeiroUtil(d: Data, passo: 1 | -1, calendario: CalendarioBancario): Data {
  let dia = d;
  for (let n = 0; n < MAXIMO_DE_DIAS_FECHADOS && !diaUtil(dia, calendario); n += 1) dia = somarDias(dia, passo);
  return dia;
}

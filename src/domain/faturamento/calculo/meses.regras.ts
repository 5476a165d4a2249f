import type { Data } from '../../../brazil/calendario/datas.ts';
import { somarDias } from '../../../brazil/calendario/datas.ts';
import type { TipoCobranca } from '../../contratos/contratos.types.ts';

const dois = (n: number): string => String(n).padStart(2, '0');

/** The first day of the month that a day is in. */
export const mesDe = (dia: Data): Data => `${dia.slice(0, 8)}01` as Data;

/** The first day of the month `n` months after that of a day. */
export function somarMeses(dia: Data, n: number): Data {
  const meses = Number(dia.slice(0, 4)) * 12 + Number(dia.slice(5, 7)) - 1 + n;
  return `${Math.floor(meses / 12)}-${dois((meses % 12) + 1)}-01` as Data;
}

export const ultimoDia = (mes: Data): Data => somarDias(somarMeses(mes, 1), -1);

/** How many days a month has. */
export function diasDoMes(mes: Data): number {
  return new Date(Date.UTC(Number(mes.slice(0, 4)), Number(mes.slice(5, 7)), 0)).getUTCDate();
}

/** The due day of a month; a day that it does not have is its last. */
export const vencimentoNoMes = (mes: Data, dia: number): Data =>
  `${mes.slice(0, 8)}${dois(Math.min(dia, diasDoMes(mes)))}` as Data;

/** Months between that of the service and that of the due day: who pays afterwards pays in the month after. */
export const mesesAteVencer = (tipo: TipoCobranca): 0 | 1 => (tipo === 'pos_pago' ? 1 : 0);

/** The newest month of service whose charge is due by a day, and when it is due. */
export function competenciaAte(tipo: TipoCobranca, diaVencimento: number, ate: Data): { mes: Data; vencimento: Data } {
  const desteMes = vencimentoNoMes(ate, diaVencimento);
  const vencimento = desteMes <= ate ? desteMes : vencimentoNoMes(somarMeses(ate, -1), diaVencimento);
  return { mes: somarMeses(vencimento, -mesesAteVencer(tipo)), vencimento };
}

/** What was cancelled this long ago has had its last charge. */
const DIAS_DEPOIS_DO_FIM = 70;

/** Of contracts that are over, those cancelled from this instant on have a charge that is due by a day. */
export const primeiroFimCobrado = (ate: Data): Date => new Date(Date.parse(ate) - DIAS_DEPOIS_DO_FIM * 86_400_000);

import { hojeEm, inicioDoDiaEm, lerData, somarDias } from '../src/brazil/calendario/datas.ts';
import type { Data } from '../src/brazil/calendario/datas.ts';

export const SEGUNDO = 1000;
export const MINUTO = 60 * SEGUNDO;
export const HORA = 60 * MINUTO;
export const DIA = 24 * HORA;

/** A provider's dates, all counted from the instant of the seeding. */
export interface Calendario {
  readonly agora: Date;
  readonly hoje: Data;
  /** The instant `ms` after the beginning of the local day. */
  instante(dia: Data, ms: number): Date;
  /** The local date of an instant. */
  diaDe(instante: Date): Data;
  /** The local date `dias` before today. */
  diasAtras(dias: number): Data;
  /** The last `quantos` monthly due dates up to and including `ate`, oldest first. */
  vencimentos(diaDoMes: number, quantos: number, ate: Data): Data[];
}

export function createCalendario(fuso: string, agora: Date): Calendario {
  const hoje = hojeEm(fuso, agora);
  // The beginning of a local day takes tens of date formattings, and there are a few hundred days only.
  const comecos = new Map<Data, number>();
  function comeco(dia: Data): number {
    let ms = comecos.get(dia);
    if (ms === undefined) {
      ms = inicioDoDiaEm(fuso, dia).getTime();
      comecos.set(dia, ms);
    }
    return ms;
  }
  return {
    agora,
    hoje,
    instante: (dia, ms) => new Date(comeco(dia) + ms),
    diaDe: (instante) => hojeEm(fuso, instante),
    diasAtras: (dias) => somarDias(hoje, -dias),
    vencimentos(diaDoMes, quantos, ate) {
      const datas: Data[] = [];
      let mes = Number(ate.slice(0, 4)) * 12 + Number(ate.slice(5, 7)) - 1;
      for (; datas.length < quantos; mes -= 1) {
        const vencimento = noMes(mes, diaDoMes);
        if (vencimento <= ate) datas.unshift(vencimento);
      }
      return datas;
    },
  };
}

/** The day of the month, or its last day; `mes` counts months from year zero. */
function noMes(mes: number, dia: number): Data {
  const prefixo = `${Math.floor(mes / 12)}-${String((mes % 12) + 1).padStart(2, '0')}-`;
  for (let ultimo = dia; ultimo > 27; ultimo -= 1) {
    const data = lerData(`${prefixo}${ultimo}`);
    if (data !== null) return data;
  }
  const data = lerData(`${prefixo}${String(dia).padStart(2, '0')}`);
  if (data === null) throw new RangeError(`dia de vencimento inválido: ${dia}`);
  return data;
}

import { hojeEm } from '../../brazil/calendario/datas.ts';
import { horaEm } from '../../brazil/calendario/horario.ts';
import type { Data } from '../../brazil/calendario/datas.ts';

/** The work of a day begins this long after the day itself: at 00:05, or 01:05 where the day begins at 01:00. */
const CARENCIA_MS = 5 * 60_000;

/** The local day whose work is due at an instant: the newest whose 00:05 has passed. */
export function diaDaTarefa(fuso: string, agora: Date): Data {
  return hojeEm(fuso, new Date(agora.getTime() - CARENCIA_MS));
}

/**
 * Whether a day's ladder should have been done by now: an hour after the one that its provider has set. It waits until then, so that the
 * morning is not late.
 */
export function reguaAtrasada(fuso: string, dia: Data, hora: number, agora: Date): boolean {
  return hojeEm(fuso, agora) > dia || horaEm(fuso, agora) > hora;
}

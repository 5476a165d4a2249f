import type { Data } from '../../calendario/datas.ts';
import { lerData } from '../../calendario/datas.ts';
import type { DataHora } from './nota.types.ts';

const DATA_HORA = /^(20\d{2}-\d{2}-\d{2})T([01]\d|2[0-3]):[0-5]\d:[0-5]\d[-+](?:0\d|1[0-2]):[0-5]\d$/;
const formatadores = new Map<string, Intl.DateTimeFormat>();

/**
 * An instant as the authority writes it, in an IANA time zone, without fractions: '2026-11-20T10:00:00-03:00'.
 * @throws {RangeError} when there is no such zone or the instant is invalid.
 */
export function dataHoraEm(fuso: string, instante: Date): DataHora {
  let formatador = formatadores.get(fuso);
  if (formatador === undefined) {
    // Swedish instants are written YYYY-MM-DD HH:mm:ss.
    formatador = new Intl.DateTimeFormat('sv-SE', { timeZone: fuso, dateStyle: 'short', timeStyle: 'medium' });
    formatadores.set(fuso, formatador);
  }
  const local = formatador.format(instante).replace(' ', 'T');
  const segundos = Math.floor(instante.getTime() / 1000) * 1000;
  const minutos = Math.round((Date.parse(`${local}Z`) - segundos) / 60_000);
  const modulo = Math.abs(minutos);
  const dois = (n: number): string => String(n).padStart(2, '0');
  return `${local}${minutos < 0 ? '-' : '+'}${dois(Math.trunc(modulo / 60))}:${dois(modulo % 60)}`;
}

/** The local date of a date and time; null when the text is none that the schema takes. */
export function dataDe(quando: DataHora): Data | null {
  const [, dia = ''] = DATA_HORA.exec(quando) ?? [];
  return lerData(dia);
}

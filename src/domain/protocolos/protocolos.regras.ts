import type { Data } from '../../brazil/calendario/datas.ts';

/** Digits of the running number. */
const DIGITOS = 6;

/** Of a number that a subscriber names. */
export const FORMA_DO_PROTOCOLO = '^[0-9]{14}$';

/** `AAAAMMDD` and the running number of that day. @throws once a provider has had a million contacts in a day */
export function protocoloDe(dia: Data, numero: number): string {
  if (numero >= 10 ** DIGITOS) throw new Error('os protocolos do dia acabaram');
  return dia.replaceAll('-', '') + String(numero).padStart(DIGITOS, '0');
}

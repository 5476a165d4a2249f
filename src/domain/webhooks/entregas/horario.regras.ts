import { retryAfterMs } from '../../../platform/http/outbound/retry-after.ts';

const SEGUNDO = 1000;
const MINUTO = 60 * SEGUNDO;
const HORA = 60 * MINUTO;

/** What is waited for after each failed attempt of a schedule: ten attempts over some three days. */
const ESPERAS_MS = [
  5 * SEGUNDO,
  5 * MINUTO,
  30 * MINUTO,
  2 * HORA,
  5 * HORA,
  10 * HORA,
  14 * HORA,
  20 * HORA,
  24 * HORA,
] as const;

/** Attempts of one schedule. */
export const TENTATIVAS = ESPERAS_MS.length + 1;

/** How far a wait may be from what it is, so that what failed together is not tried again together. */
const ESPALHAR = 0.2;
const MAIOR_ESPERA_PEDIDA_MS = 24 * HORA;

/** Statuses with which a receiver may say when to come again. */
const PEDEM_ESPERA: readonly number[] = [429, 502, 503, 504];

/**
 * How long after a failed attempt the next one is made, in milliseconds; null after the last one.
 *
 * @param vez which attempt of the schedule it was, from 1.
 * @param sorte from 0 to 1.
 * @param pedida what the receiver asked for, see `esperaPedida`.
 */
export function esperaDepois(vez: number, sorte: number, pedida: number | null): number | null {
  const espera = ESPERAS_MS[vez - 1];
  if (espera === undefined) return null;
  return pedida ?? Math.round(espera * (1 - ESPALHAR + 2 * ESPALHAR * sorte));
}

/** What `Retry-After` (RFC 9110, 10.2.3) of an answer asks for, in milliseconds, up to a day; null where it asks for nothing. */
export function esperaPedida(status: number, retryAfter: string | undefined, agora: Date): number | null {
  const pedida = PEDEM_ESPERA.includes(status) ? retryAfterMs(retryAfter, agora) : null;
  return pedida === null ? null : Math.min(pedida, MAIOR_ESPERA_PEDIDA_MS);
}

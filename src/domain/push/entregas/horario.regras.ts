const MINUTO_MS = 60_000;
const MAIOR_ESPERA_MIN = 60;

/**
 * How long after a failed attempt the next one is made, in milliseconds: 1, 2, 4 … 60 min, or what the push service asked for.
 *
 * @param tentativas made so far, from 1.
 */
export function esperaDepois(tentativas: number, pedidaMs: number | null): number {
  // The number of attempts has no bound of its own: the notice's time has.
  return pedidaMs ?? Math.min(2 ** Math.min(tentativas - 1, 10), MAIOR_ESPERA_MIN) * MINUTO_MS;
}

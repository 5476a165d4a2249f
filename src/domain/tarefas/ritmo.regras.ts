/** How fast a daily task may go at the moment. */
export interface Ritmo {
  /** Of a chunk. */
  readonly linhas: number;
  /** After each chunk; 0 lets the next one begin before it is written. */
  readonly descansoMs: number;
}

const DEPRESSA: Ritmo = { linhas: 2000, descansoMs: 0 };
const DEVAGAR: Ritmo = { linhas: 50, descansoMs: 50 };
/**
 * Some 120 invoices a second, each of which makes what is kept of its client's invoices stale: 80,000 take eleven minutes so. Measured beside
 * a thousand look-ups a second: with a rest of 200 ms their p99 is more than twice what it is without billing.
 */
const COM_CALMA: Ritmo = { linhas: 50, descansoMs: 350 };

/** Beside requests of its own process, chunks are small and far between, so that hardly a request meets one. */
export const ritmoDe = (semPedidos: boolean): Ritmo => (semPedidos ? DEPRESSA : DEVAGAR);

/** As `ritmoDe`; of what makes kept answers stale row by row, also while its provider is asked much, by whichever process. */
export const ritmoDoQueEsfria = (semPedidos: boolean, muitosPedidos: boolean): Ritmo =>
  muitosPedidos ? COM_CALMA : ritmoDe(semPedidos);

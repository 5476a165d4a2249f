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
 * Some 200 invoices a second, each of which makes its client's kept answers stale: by then some 200 look-ups a second are read anew at most.
 * 80,000 invoices take less than seven minutes so.
 */
const COM_CALMA: Ritmo = { linhas: 50, descansoMs: 200 };

/** Beside requests of its own process, chunks are small and far between, so that hardly a request meets one. */
export const ritmoDe = (semPedidos: boolean): Ritmo => (semPedidos ? DEPRESSA : DEVAGAR);

/** As `ritmoDe`; of what makes kept answers stale row by row, also while its provider is asked much, by whichever process. */
export const ritmoDoQueEsfria = (semPedidos: boolean, muitosPedidos: boolean): Ritmo =>
  muitosPedidos ? COM_CALMA : ritmoDe(semPedidos);

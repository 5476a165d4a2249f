/** How fast a daily task may go at the moment. */
export interface Ritmo {
  /** Of a chunk. */
  readonly faturas: number;
  /** After each chunk; 0 lets the next one begin before it is written. */
  readonly descansoMs: number;
}

const DEPRESSA: Ritmo = { faturas: 2000, descansoMs: 0 };
const DEVAGAR: Ritmo = { faturas: 50, descansoMs: 50 };

/** Beside requests of its own process, chunks are small and far between, so that hardly a request meets one. */
export const ritmoDe = (semPedidos: boolean): Ritmo => (semPedidos ? DEPRESSA : DEVAGAR);

/** How fast a daily task may go at the moment. */
export interface Ritmo {
  /** Of a chunk. */
  readonly linhas: number;
  /** After each chunk; 0 lets the next one begin before it is written. */
  readonly descansoMs: number;
}

const DEPRESSA: Ritmo = { linhas: 2000, descansoMs: 0 };
const DEVAGAR: Ritmo = { linhas: 50, descansoMs: 50 };

/** Beside requests of its own process, chunks are small and far between, so that hardly a request meets one. */
export const ritmoDe = (semPedidos: boolean): Ritmo => (semPedidos ? DEPRESSA : DEVAGAR);

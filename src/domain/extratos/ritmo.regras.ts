/** How fast an extract may be taken at the moment. */
export interface RitmoDoExtrato {
  /** Part of the rows that a batch may hold. */
  readonly parte: number;
  /** After each batch. */
  readonly descansoMs: number;
}

const DEPRESSA: RitmoDoExtrato = { parte: 1, descansoMs: 0 };
const DEVAGAR: RitmoDoExtrato = { parte: 0.125, descansoMs: 4 };

/** Beside requests of its own process, batches are shorter, with room between them. */
export const ritmoDoExtrato = (semPedidos: boolean): RitmoDoExtrato => (semPedidos ? DEPRESSA : DEVAGAR);

/** How fast an extract may be taken at the moment. */
export interface RitmoDoExtrato {
  /** Part of the rows that a statement may read. */
  readonly parte: number;
  /** After each statement. */
  readonly descansoMs: number;
}

const DEPRESSA: RitmoDoExtrato = { parte: 1, descansoMs: 0 };
const DEVAGAR: RitmoDoExtrato = { parte: 0.5, descansoMs: 4 };

/** Beside requests of its own process, statements are shorter, with room between them. */
export const ritmoDoExtrato = (semPedidos: boolean): RitmoDoExtrato => (semPedidos ? DEPRESSA : DEVAGAR);

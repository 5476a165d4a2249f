/** How fast an extract may be taken at the moment. */
export interface RitmoDoExtrato {
  /** Most rows to a batch. */
  readonly linhasPorLote: number;
  /** After each batch. */
  readonly descansoMs: number;
}

const DEPRESSA: RitmoDoExtrato = { linhasPorLote: Infinity, descansoMs: 0 };
const DEVAGAR: RitmoDoExtrato = { linhasPorLote: 250, descansoMs: 4 };

/** Beside requests of its own process, batches are shorter, with room between them. */
export const ritmoDoExtrato = (semPedidos: boolean): RitmoDoExtrato => (semPedidos ? DEPRESSA : DEVAGAR);

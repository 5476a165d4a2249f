import type { Trabalho } from '../tarefas/tarefas.types.ts';
import { FATURAS_TAG } from '../tags.ts';
import { contarAVencer, proximasAVencer } from './noturno.queries.ts';
import type { FaturaDoLote, LugarDaFatura } from './noturno.queries.ts';

/** Marks invoices that are overdue from this day on. Requests judge by the date themselves; this is for those who read the table. */
export const vencimento: Trabalho<FaturaDoLote, LugarDaFatura> = {
  evento: 'faturas.vencidas',
  etiquetas: [FATURAS_TAG],
  lugar: ({ vencimento: dia, id }) => [dia, id],
  // Those that are marked are no longer among them.
  retoma: false,
  contar: contarAVencer,
  proximas: proximasAVencer,
  preparar: async (_tenant, _provedor, _dia, faturas) => async (w) =>
    w.updateEach(
      'faturas',
      faturas.map(({ id }) => id),
      { situacao: 'vencida' },
      { where: { situacao: 'pendente' } },
    ),
};

import type { Trabalho } from '../tarefas/tarefas.types.ts';
import { contarVencidas, proximasVencidas } from './noturno.queries.ts';

/** Marks invoices that are overdue. Requests judge by the date themselves; this is for those who read the table. */
export const vencimento: Trabalho = {
  evento: 'faturas.vencidas',
  contar: async (tenant, dia, depoisDe) => contarVencidas(tenant, dia, depoisDe, 'pendente'),
  proximas: async (tenant, dia, depoisDe, limite) => proximasVencidas(tenant, dia, depoisDe, limite, 'pendente'),
  preparar: async (_tenant, _provedor, _dia, faturas) => async (w) =>
    w.updateEach(
      'faturas',
      faturas.map(({ id }) => id),
      { situacao: 'vencida' },
      { where: { situacao: 'pendente' } },
    ),
};

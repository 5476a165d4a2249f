import type { Trabalho } from '../tarefas/tarefas.types.ts';
import { contarVencidas, proximasVencidas } from './noturno.queries.ts';

/** Marks invoices that are overdue. Requests judge by the date themselves; this is for those who read the table. */
export const vencimento: Trabalho = {
  evento: 'faturas.vencidas',
  contar: async (tenant, dia, depoisDe) => contarVencidas(tenant, dia, depoisDe, 'pendente'),
  proximo: async (tenant, dia, depoisDe, limite) => proximasVencidas(tenant, dia, depoisDe, limite, 'pendente'),

  async fazer(w, _provedor, dia, ids) {
    return w.update(
      'faturas',
      (query) =>
        void query
          .whereIn('id', [...ids])
          .where('situacao', 'pendente')
          .where('vencimento', '<', dia),
      { situacao: 'vencida' },
    );
  },
};

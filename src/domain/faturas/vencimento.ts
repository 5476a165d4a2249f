import type { Data } from '../../brazil/calendario/datas.ts';
import { columns, rowsOf } from '../../platform/mysql/columns.ts';
import type { Write } from '../escrita.ts';
import type { Trabalho } from '../tarefas/tarefas.types.ts';
import { FATURAS_TAG } from '../tags.ts';
import { contarAVencer, proximasAVencer } from './noturno.queries.ts';
import type { LugarDaFatura } from './faturas.types.ts';
import type { FaturaDoLote } from './noturno.queries.ts';

const DA_PENDENTE = columns<{ id: number; cliente_id: number; vencimento: string }>('faturas', {
  id: true,
  cliente_id: true,
  vencimento: true,
});

/**
 * Marks invoices that are overdue from this day on, and says so of each; says of others that they are due soon. Requests judge by the date
 * themselves; the mark is for those who read the table.
 */
export const vencimento: Trabalho<FaturaDoLote, LugarDaFatura> = {
  evento: 'faturas.vencidas',
  etiquetas: [FATURAS_TAG],
  lugar: ({ vencimento: dia, id }) => [dia, id],
  // Those that are marked are no longer among them.
  retoma: false,
  contar: contarAVencer,
  proximas: proximasAVencer,
  preparar: async (_tenant, _provedor, dia, faturas) => async (w) => {
    const ids = faturas.map(({ id }) => id);
    // Locked: what was paid meanwhile is not told of.
    const pendentes = w.from('faturas').whereIn('id', ids).where('situacao', 'pendente').orderBy('id').forUpdate();
    const rows = await rowsOf(pendentes, DA_PENDENTE);
    const vencidas = rows.filter((row) => row.vencimento < dia);
    await anunciar(w, dia, rows);
    for (const { id, cliente_id: cliente, vencimento: em } of vencidas) {
      w.emit('fatura.vencida', id, { cliente, vencimento: em });
    }
    if (vencidas.length === 0) return 0;
    return w.updateEach(
      'faturas',
      vencidas.map(({ id }) => id),
      { situacao: 'vencida' },
      { where: { situacao: 'pendente' } },
    );
  },
};

/** Says of invoices that they are due soon, once for each due date. */
async function anunciar(
  w: Write,
  dia: Data,
  rows: readonly { readonly id: number; readonly cliente_id: number; readonly vencimento: string }[],
): Promise<void> {
  const proximas = rows.filter((row) => row.vencimento >= dia);
  if (proximas.length === 0) return;
  const { db } = w.tenant;
  // Named, `atualizado_em` is not moved by the server: nothing that others read has changed.
  await w.update(
    'faturas',
    (q) =>
      void q.whereIn(
        'id',
        proximas.map(({ id }) => id),
      ),
    { aviso_vencimento: db.ref('vencimento'), atualizado_em: db.ref('atualizado_em') },
  );
  for (const { id, cliente_id: cliente, vencimento: em } of proximas) {
    w.emit('fatura.a_vencer', id, { cliente, vencimento: em });
  }
}

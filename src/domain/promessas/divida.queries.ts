import type { Data } from '../../brazil/calendario/datas.ts';
import { columns, rowsOf } from '../../platform/mysql/columns.ts';
import type { TenantDb } from '../../platform/mysql/tenant.ts';

interface PromessaDevidaRow {
  id: number;
}

const DA_PROMESSA = columns<PromessaDevidaRow>('promessas_pagamento', { id: true });

/** Whose debt is looked at: of a contract, and of its client where it is of no contract. */
export interface Devedor {
  readonly clienteId: number;
  readonly contratoId: number;
}

/** Open invoices that a contract's promise to pay by a day is about: due by it, its own, and those of its client that are of no contract. */
export const devidas = (de: Pick<TenantDb, 'from'>, { clienteId, contratoId }: Devedor, data: Data) =>
  de
    .from('faturas')
    .where('faturas.cliente_id', clienteId)
    .where('faturas.grupo', 'aberta')
    .where('faturas.vencimento', '<=', data)
    .where((q) => void q.where('faturas.contrato_id', contratoId).orWhereNull('faturas.contrato_id'));

/**
 * Of these, those that are promised already, each once: by a promise that was broken, of whichever contract of the client; or, of no contract, by
 * an open one of another contract that ends before this day. Else contracts that owe one invoice together would put it off one after the other.
 */
export const jaPrometidas = (de: Pick<TenantDb, 'db' | 'from'>, devedor: Devedor, data: Data) =>
  devidas(de, devedor, data).whereExists(
    de
      .from('promessas_pagamento as p')
      .whereRaw('p.cliente_id = faturas.cliente_id AND p.data >= faturas.vencimento')
      .whereRaw('(faturas.contrato_id IS NULL OR p.contrato_id = faturas.contrato_id)')
      .where((q) => {
        void q.where('p.situacao', 'quebrada').orWhere((outra) => {
          void outra.where('p.em_aberto', 1).whereNot('p.contrato_id', devedor.contratoId).where('p.data', '<', data);
        });
      })
      .select(de.db.raw('1')),
  );

/** Of some promises, those of which something that was due by their day is open still; one statement. */
export async function quebradas(de: TenantDb, ids: readonly number[]): Promise<ReadonlySet<number>> {
  if (ids.length === 0) return new Set();
  const devidasDela = de
    .from('faturas as f')
    .whereRaw('f.cliente_id = promessas_pagamento.cliente_id AND f.vencimento <= promessas_pagamento.data')
    .where('f.grupo', 'aberta')
    .whereRaw('(f.contrato_id = promessas_pagamento.contrato_id OR f.contrato_id IS NULL)')
    .select(de.db.raw('1'));
  const rows = await rowsOf(
    de
      .from('promessas_pagamento')
      .whereIn('promessas_pagamento.id', [...ids])
      .whereExists(devidasDela),
    DA_PROMESSA,
  );
  return new Set(rows.map(({ id }) => id));
}

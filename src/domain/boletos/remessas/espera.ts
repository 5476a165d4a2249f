import type { Write } from '../../escrita.ts';
import { contasQueRegistram } from '../../faturas/emissao/contas.service.ts';

/**
 * Of some invoices that are to wait for a boleto again, leaves those without one whose account has no agreement that issues any more: nobody
 * would register it, and their fiscal notes would wait for it without end.
 */
export async function soltarSemQuemRegistre(w: Write, faturaIds: readonly number[]): Promise<void> {
  if (faturaIds.length === 0) return;
  const contas = [...(await contasQueRegistram(w))];
  for (let n = 0; n < faturaIds.length; n += LOTE) {
    const ids = faturaIds.slice(n, n + LOTE);
    await w.update(
      'faturas',
      (q) => void q.whereIn('id', ids).where('boleto_situacao', 'a_registrar').whereNotIn('cobrador_id', contas),
      { boleto_situacao: null },
    );
  }
}

const LOTE = 500;

import { expressions, rowsOf } from '../../../platform/mysql/columns.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import { sameTenant } from '../../../platform/mysql/tenant.ts';

interface UltimosRow {
  emitida_em: string | null;
  vencimento: string | null;
  pago_em: string | null;
}

const DAS_FATURAS = expressions<UltimosRow>({
  emitida_em: 'MAX(emitida_em)',
  vencimento: 'MAX(vencimento)',
  pago_em: 'MAX(pago_em)',
});
const DO_PIX = expressions<{ pago_em: string | null }>({ pago_em: 'MAX(r.pago_em)' });

/** The last of what a client was charged and paid: instants and dates, as the database writes them. Invoices that were cancelled asked for nothing. */
export async function ultimosFatos(
  tenant: Pick<TenantDb, 'from'>,
  clienteId: number,
): Promise<{ readonly instantes: readonly string[]; readonly vencimento: string | null }> {
  const faturas = tenant.from('faturas').where('cliente_id', clienteId).whereNot('situacao', 'cancelada');
  const [cobrado] = await rowsOf(faturas, DAS_FATURAS);
  const recebidos = tenant
    .from('pix_recebidos as r')
    .join('faturas as f', sameTenant('r', 'fatura_id', 'f', 'id'))
    .where('f.cliente_id', clienteId);
  const [pago] = await rowsOf(recebidos, DO_PIX);
  const instantes = [cobrado?.emitida_em, cobrado?.pago_em, pago?.pago_em];
  return { instantes: instantes.filter((um) => typeof um === 'string'), vencimento: cobrado?.vencimento ?? null };
}

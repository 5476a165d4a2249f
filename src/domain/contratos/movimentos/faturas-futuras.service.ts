import type { Data } from '../../../brazil/calendario/datas.ts';
import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import type { Write } from '../../escrita.ts';
import { cancelarFaturas } from '../../faturas/cancelamento.service.ts';
import type { FaturaACancelar } from '../../faturas/cancelamento.service.ts';

const DA_FATURA = columns<FaturaACancelar>('faturas', { id: true, cliente_id: true, contrato_id: true });

/** Cancels a contract's open invoices that are due after today and of which nothing was paid; the caller holds the contract's lock. */
export async function cancelarFaturasFuturas(
  w: Write,
  contratoId: number,
  { hoje, motivo, agora }: { hoje: Data; motivo: string | null; agora: Date },
): Promise<void> {
  const futuras = w
    .from('faturas')
    .where({ contrato_id: contratoId, grupo: 'aberta', valor_pago: 0 })
    .where('vencimento', '>', hoje)
    .orderBy('id')
    .forUpdate();
  const faturas = await rowsOf(futuras, DA_FATURA);
  await cancelarFaturas(w, faturas, { motivo, motivoCodigo: 'cancelamento', agora });
}

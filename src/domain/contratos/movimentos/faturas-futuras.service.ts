import type { Data } from '../../../brazil/calendario/datas.ts';
import type { Write } from '../../escrita.ts';
import { cancelarFaturas } from '../../faturas/cancelamento/cancelamento.service.ts';
import { travarFaturasFuturas } from '../../faturas/cancelamento/futuras.service.ts';

/** Cancels a contract's open invoices by {@link travarFaturasFuturas}; the caller holds the contract's lock. */
export async function cancelarFaturasFuturas(
  w: Write,
  contratoId: number,
  { hoje, motivo, agora }: { hoje: Data; motivo: string | null; agora: Date },
): Promise<void> {
  const faturas = await travarFaturasFuturas(w, { contrato_id: contratoId }, hoje);
  await cancelarFaturas(w, faturas, { motivo, motivoCodigo: 'cancelamento', agora });
}

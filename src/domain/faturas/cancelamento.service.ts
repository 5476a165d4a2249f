import { toDatabaseTime } from '../../platform/mysql/database.ts';
import type { Write } from '../escrita.ts';
import { FATURAS_TAG, clienteTag, faturaTag } from '../tags.ts';

export interface FaturaACancelar {
  readonly id: number;
  readonly cliente_id: number;
  readonly contrato_id: number | null;
}

/** Cancels invoices that are locked, open, and of which nothing was paid. */
export async function cancelarFaturas(
  w: Write,
  faturas: readonly FaturaACancelar[],
  { motivo, motivoCodigo, agora }: { motivo: string | null; motivoCodigo: string; agora: Date },
): Promise<void> {
  if (faturas.length === 0) return;
  const ids = faturas.map(({ id }) => id);
  await w.update('faturas', (q) => void q.whereIn('id', ids), {
    situacao: 'cancelada',
    cancelada_em: toDatabaseTime(agora),
    motivo,
    motivo_codigo: motivoCodigo,
  });
  w.touch(FATURAS_TAG, ...ids.map(faturaTag), ...faturas.map(({ cliente_id }) => clienteTag(cliente_id)));
}

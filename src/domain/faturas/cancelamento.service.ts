import { toDatabaseTime } from '../../platform/mysql/database.ts';
import type { Write } from '../escrita.ts';
import { FATURAS_TAG, clienteTag, faturaTag } from '../tags.ts';

/** Cancels invoices that are open and of which nothing was paid; the caller holds their locks and says why. */
export async function cancelarFaturas(
  w: Write,
  faturas: readonly { readonly id: number; readonly cliente_id: number; readonly contrato_id: number | null }[],
  { motivo, motivoCodigo, agora }: { motivo: string | null; motivoCodigo: string; agora: Date },
): Promise<void> {
  if (faturas.length === 0) return;
  await w.update(
    'faturas',
    (q) =>
      void q.whereIn(
        'id',
        faturas.map(({ id }) => id),
      ),
    { situacao: 'cancelada', motivo, motivo_codigo: motivoCodigo, cancelada_em: toDatabaseTime(agora) },
  );
  w.touch(FATURAS_TAG, ...faturas.flatMap(({ id, cliente_id }) => [faturaTag(id), clienteTag(cliente_id)]));
}

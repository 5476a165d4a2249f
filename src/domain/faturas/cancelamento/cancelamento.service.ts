import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Write } from '../../escrita.ts';
import { FATURAS_TAG, tagsDaFatura } from '../../tags.ts';
import { createLivroDeAjustes, devolvidosDe } from '../ajustes/livro.service.ts';
import type { MotivoDeCancelamento } from '../emissao/emissao.types.ts';

/** An invoice, by whom it is of. */
export interface FaturaACancelar {
  readonly id: number;
  readonly cliente_id: number;
  readonly contrato_id: number | null;
}

/**
 * Cancels invoices, in statements that do not grow with them: the caller holds their locks, and they are open without payments. Discounts
 * and credits that they had are undone, so that the surplus a credit was made of is the client's again. Releases nobody: that is for
 * whoever cancels a debt and not a client.
 */
export async function cancelarFaturas(
  w: Write,
  faturas: readonly FaturaACancelar[],
  { motivo, motivoCodigo, agora }: { motivo: string | null; motivoCodigo: MotivoDeCancelamento; agora: Date },
): Promise<void> {
  if (faturas.length === 0) return;
  const ids = faturas.map(({ id }) => id);
  const ajustes = createLivroDeAjustes(w);
  // What an agreement that was broken had been paid is the client's money, and stays.
  const emVigor = (await ajustes.emVigor(ids)).filter(({ tipo }) => tipo !== 'renegociacao');
  if (emVigor.length > 0) {
    const deles = emVigor.map(({ id }) => id);
    await ajustes.desfazer(deles, 'A fatura foi cancelada.', agora);
    await ajustes.usar(devolvidosDe(emVigor));
    await ajustes.reapurar(ids);
  }
  await w.update('faturas', (q) => void q.whereIn('id', ids), {
    situacao: 'cancelada',
    cancelada_em: toDatabaseTime(agora),
    motivo,
    motivo_codigo: motivoCodigo,
    valor_atualizado: null,
    apurada_em: null,
  });
  for (const { id, cliente_id: cliente } of faturas) {
    w.emit('fatura.cancelada', id, { cliente, motivo_codigo: motivoCodigo });
    w.touch(...tagsDaFatura(id, cliente));
  }
  w.touch(FATURAS_TAG);
}

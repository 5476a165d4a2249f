import type { Data } from '../../../brazil/calendario/datas.ts';
import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import type { Write } from '../../escrita.ts';
import { createLivroDeAjustes } from '../ajustes/livro.service.ts';
import type { FaturaACancelar } from './cancelamento.service.ts';
import { createEmissaoQueries } from '../emissao/emissao.queries.ts';

const DA_FATURA = columns<FaturaACancelar>('faturas', { id: true, cliente_id: true, contrato_id: true });

/**
 * Open invoices of a contract or client that are due after a day and may be cancelled with it, locked until the transaction ends: those of
 * which nothing was paid. What an agreement has to do with is no service of days to come, but debt of before: its instalments stay owed
 * for as long as it was not broken, and so does what it has taken over or paid in part. The caller holds the owner's lock.
 */
export async function travarFaturasFuturas(
  w: Write,
  dono: { readonly contrato_id: number } | { readonly cliente_id: number },
  hoje: Data,
): Promise<readonly FaturaACancelar[]> {
  const abertas = w.from('faturas').where({ ...dono, grupo: 'aberta', valor_pago: 0 });
  const futuras = await rowsOf(abertas.where('vencimento', '>', hoje).orderBy('id').forUpdate(), DA_FATURA);
  if (futuras.length === 0) return futuras;
  const ids = futuras.map(({ id }) => id);
  const membros = await createEmissaoQueries(w).membrosDeAcordos(ids);
  const ajustes = await createLivroDeAjustes(w).emVigor(ids);
  const deAcordos = new Set([
    ...membros.map(({ fatura_id }) => fatura_id),
    ...ajustes.filter(({ tipo }) => tipo === 'renegociacao').map(({ fatura_id }) => fatura_id),
  ]);
  return futuras.filter(({ id }) => !deAcordos.has(id));
}

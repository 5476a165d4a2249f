import { donosDosContratos, travarClientes, travarContratos } from '../../contratos/movimentos/travas.service.ts';
import type { ContratoTravado } from '../../contratos/movimentos/travas.service.ts';
import type { Write } from '../../escrita.ts';
import { lerFaturas } from './fatos.queries.ts';
import type { FaturaDaRegua } from './fatos.queries.ts';
import { contratosQueRespondem } from './respondem.queries.ts';

/**
 * Locks some invoices with all that their steps are written of: clients, then contracts, then the invoices, each by id. Payments take the
 * same in the same order. A step's row holds its client and its contract by foreign keys, so even one that only says something would meet a
 * payment crosswise if it had the invoice first.
 */
export async function travarDasFaturas(
  w: Write,
  ids: readonly number[],
): Promise<{ readonly contratos: readonly ContratoTravado[]; readonly faturas: readonly FaturaDaRegua[] }> {
  const previas = await lerFaturas(w.tenant, ids, false);
  const possiveis = (await contratosQueRespondem(w, previas)).contratos.map(({ id }) => id);
  // Nothing keeps an invoice from being of another client's contract.
  const clientes = previas.map(({ cliente_id }) => cliente_id);
  await travarClientes(w, [...clientes, ...(await donosDosContratos(w, possiveis))]);
  const { contratos } = await travarContratos(w, possiveis);
  return { contratos, faturas: await lerFaturas(w.tenant, ids, true) };
}

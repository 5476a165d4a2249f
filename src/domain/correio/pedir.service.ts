import { columns, rowsOf } from '../../platform/mysql/columns.ts';
import { toDatabaseTime } from '../../platform/mysql/database.ts';
import type { TenantWriter } from '../../platform/mysql/tenant.ts';
import type { OrigemDeCorreio, PedidoDeCorreio } from './correio.types.ts';

const MAIOR_ASSUNTO = 200;
const DIA_MS = 86_400_000;
/** What somebody waits for, or has to know at once: it does not queue behind tens of thousands of notices. */
const ESPERADAS: ReadonlySet<OrigemDeCorreio> = new Set(['segunda_via', 'seguranca']);
const PEDIDO = columns<{ id: number; chave: string }>('correio_pedidos', { id: true, chave: true });

/**
 * Writes down e-mails that are to be sent, in the transaction that decides it; the worker sends them once it is committed. What was asked
 * for before, by the same key, stays as it is. Three statements, however many they are.
 *
 * @returns the ids, by key
 */
export async function pedirCorreio(
  w: TenantWriter,
  origem: OrigemDeCorreio,
  pedidos: readonly PedidoDeCorreio[],
  agora: Date,
): Promise<ReadonlyMap<string, number>> {
  if (pedidos.length === 0) return new Map();
  const chaves = pedidos.map(({ chave }) => chave);
  const escritos = async () => {
    const rows = await rowsOf(w.from('correio_pedidos').where({ origem }).whereIn('chave', chaves), PEDIDO);
    return new Map(rows.map(({ id, chave }) => [chave, id]));
  };
  const antes = await escritos();
  const novos = pedidos.filter(({ chave }) => !antes.has(chave));
  if (novos.length === 0) return antes;
  const instante = toDatabaseTime(agora);
  // The queue goes by this instant: one that has been due for a day comes before all that the day's ladder asks for.
  const proxima_em = ESPERADAS.has(origem) ? toDatabaseTime(new Date(agora.getTime() - DIA_MS)) : instante;
  await w.insert(
    'correio_pedidos',
    novos.map(({ chave, clienteId, para, assunto, texto, expiraEm }) => ({
      origem,
      chave,
      cliente_id: clienteId,
      para,
      assunto: assunto.slice(0, MAIOR_ASSUNTO),
      texto,
      proxima_em,
      expira_em: toDatabaseTime(expiraEm),
      criado_em: instante,
    })),
  );
  return escritos();
}

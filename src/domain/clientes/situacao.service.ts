import type { Write } from '../escrita.ts';
import { CLIENTES_TAG, clienteTag } from '../tags.ts';

/**
 * Has clients follow their contracts: from `ativo` to `bloqueado` when all contracts that are not cancelled are blocked, and back with the
 * first that is not. The caller holds the clients' locks.
 */
export async function acompanharContratos(w: Write, clienteIds: readonly number[], _agora: Date): Promise<void> {
  if (clienteIds.length === 0) return;
  const vivos = (onde: string): string =>
    `SELECT 1 FROM contratos c WHERE c.provedor_id = clientes.provedor_id AND c.cliente_id = clientes.id
       AND c.situacao NOT IN ('cancelado', 'cancelado_definitivo') ${onde}`;
  const livres = vivos(`AND c.situacao <> 'bloqueado'`);
  const presos = await w.update(
    'clientes',
    (q) =>
      void q
        .whereIn('id', clienteIds)
        .where('situacao', 'ativo')
        .whereRaw(`EXISTS (${vivos('')}) AND NOT EXISTS (${livres})`),
    { situacao: 'bloqueado' },
  );
  const soltos = await w.update(
    'clientes',
    (q) => void q.whereIn('id', clienteIds).where('situacao', 'bloqueado').whereRaw(`EXISTS (${livres})`),
    { situacao: 'ativo' },
  );
  if (presos + soltos > 0) w.touch(CLIENTES_TAG, ...clienteIds.map(clienteTag));
}

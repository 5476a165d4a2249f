import type { Db } from '../../platform/mysql/database.ts';
import { groupBy } from '../../platform/group-by.ts';
import { createTenantWriter } from '../../platform/mysql/tenant.ts';
import { CONEXOES_AGREGADAS } from '../eventos/eventos.types.ts';
import { CLIENTES_TAG, clienteTag, contratoTag } from '../tags.ts';
import type { ContratoAfetado } from './agregacao.ts';

/**
 * Puts into the outbox, one event a provider and batch, what recomputed connections make stale. RADIUS waits for no answer, so
 * the relay's bump, within a second, is enough.
 */
export async function avisarMudancas(trx: Db, contratos: readonly ContratoAfetado[]): Promise<void> {
  for (const [provedorId, doProvedor] of groupBy(contratos, (contrato) => contrato.provedorId)) {
    const etiquetas = new Set([CLIENTES_TAG]);
    for (const { contratoId, clienteId } of doProvedor) {
      etiquetas.add(contratoTag(contratoId));
      etiquetas.add(clienteTag(clienteId));
    }
    await createTenantWriter(trx, provedorId).insert('eventos', {
      tipo: CONEXOES_AGREGADAS,
      etiquetas: JSON.stringify([...etiquetas]),
    });
  }
}

import { expressions, rowsOf } from '../../platform/mysql/columns.ts';
import type { TenantDb } from '../../platform/mysql/tenant.ts';

const DA_LINHA = expressions<{ requisicao_id: string | null }>({ requisicao_id: 'requisicao_id' });

/**
 * Id of the request in which something was last asked for that a job does later, as the audit log has it; null where it was asked for at
 * the terminal.
 */
export async function requisicaoDoPedido(
  tenant: TenantDb,
  acao: 'importacao.pedida' | 'faturamento.mandado',
  recursoId: number,
): Promise<string | null> {
  const [recurso] = acao.split('.');
  const ultima = tenant
    .from('auditoria', 'auditoria_recurso')
    .where({ recurso, recurso_id: recursoId, acao })
    .orderBy('id', 'desc')
    .limit(1);
  const [row] = await rowsOf(ultima, DA_LINHA);
  return row?.requisicao_id ?? null;
}

import type { Dominio } from '../../../domain/dominio.ts';
import { createLeituraDoPspService } from '../../../domain/psp/convenios/leitura.service.ts';
import type { Provedor } from '../../../domain/provedores/provedores.types.ts';
import { createLivroService } from '../../../domain/recebimentos/conciliacao/livro.service.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';

/** What there is to read of money that came in, and of the PSPs by which it does. */
export function composeMoneyReads(tenant: TenantDb, provedor: Provedor): Pick<Dominio, 'livro' | 'psp'> {
  return { livro: createLivroService(tenant, provedor), psp: createLeituraDoPspService({ tenant }) };
}

import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import { lerConfiguracaoNfcom } from '../configuracao/leitura.service.ts';
import type { Cancelaveis } from './cancelaveis.queries.ts';
import { cancelaveisDesde } from '../emissao/prazos.regras.ts';

/** Of which environment, and authorised since when, notes may be cancelled together now. */
export async function cancelaveisAgora(tenant: TenantDb, fuso: string, agora: Date): Promise<Cancelaveis> {
  const { ambiente, cancelamentoHoras } = await lerConfiguracaoNfcom(tenant);
  return { ambiente, desde: cancelaveisDesde(fuso, agora, cancelamentoHoras) };
}

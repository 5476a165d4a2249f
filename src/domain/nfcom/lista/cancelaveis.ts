import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import { recusarSeNao } from '../../erros.ts';
import { lerConfiguracaoNfcom } from '../configuracao/leitura.service.ts';
import type { Cancelaveis } from './cancelaveis.queries.ts';
import type { AmbienteNfcom } from '../nfcom.types.ts';
import { cancelaveisDesde } from '../emissao/prazos.regras.ts';

/** In the middle of a sentence. */
export const AMBIENTES_DITOS = { producao: 'produção', homologacao: 'homologação' } as const;

/** Of which environment, and authorised since when, notes may be cancelled together now. */
export async function cancelaveisAgora(tenant: TenantDb, fuso: string, agora: Date): Promise<Cancelaveis> {
  const { ambiente, cancelamentoHoras } = await lerConfiguracaoNfcom(tenant);
  return { ambiente, desde: cancelaveisDesde(fuso, agora, cancelamentoHoras) };
}

/**
 * Of notes that are corrected together in the environment in which they were shown.
 *
 * @throws Recusa `nfcom_nao_autorizada`
 */
export function exigirAmbiente(delas: AmbienteNfcom, deAgora: AmbienteNfcom): void {
  recusarSeNao(delas === deAgora, 'nfcom_nao_autorizada', {
    dito: `as notas são de ${AMBIENTES_DITOS[delas]}, e o provedor passou a emitir em ${AMBIENTES_DITOS[deAgora]}`,
  });
}

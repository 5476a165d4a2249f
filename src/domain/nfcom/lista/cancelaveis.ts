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
 * Of notes that something is done with together, in the environment in which they were shown.
 *
 * @throws Recusa of that code
 */
export function exigirAmbiente(
  delas: AmbienteNfcom,
  deAgora: AmbienteNfcom,
  codigo: 'nfcom_nao_autorizada' | 'transicao_invalida' = 'nfcom_nao_autorizada',
): void {
  recusarSeNao(delas === deAgora, codigo, {
    dito: `as notas são de ${AMBIENTES_DITOS[delas]}, e o provedor passou a emitir em ${AMBIENTES_DITOS[deAgora]}`,
  });
}

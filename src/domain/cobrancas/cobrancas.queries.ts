import { sameTenant } from '../../platform/tenant.ts';
import type { TenantDb } from '../../platform/tenant.ts';
import { COLUNAS_DE_COBRANCA } from './cobrancas.types.ts';
import type { CobrancaRow } from './cobrancas.types.ts';

export interface ParcelaRow extends CobrancaRow {
  /** Of how many the carnê is. */
  parcelas: number;
}

/** What is still open of a carnê and has a boleto, in its order. */
export async function listarParcelas(tenant: TenantDb, carneId: number): Promise<ParcelaRow[]> {
  return tenant
    .from('faturas')
    .join('carnes', sameTenant('faturas', 'carne_id', 'carnes', 'id'))
    .where('faturas.carne_id', carneId)
    .where('faturas.grupo', 'aberta')
    .whereNotNull('faturas.codigo_barras')
    .orderBy('faturas.parcela')
    .select(COLUNAS_DE_COBRANCA)
    .select<ParcelaRow[]>('carnes.parcelas');
}

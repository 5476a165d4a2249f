import { columns, rowsOf } from '../../platform/mysql/columns.ts';
import { sameTenant } from '../../platform/mysql/tenant.ts';
import type { TenantDb } from '../../platform/mysql/tenant.ts';
import { COLUNAS_DE_COBRANCA } from './cobrancas.types.ts';
import type { CobrancaRow } from './cobrancas.types.ts';

export interface ParcelaRow extends CobrancaRow {
  /** Of how many the carnê is. */
  parcelas: number;
}

const DA_PARCELA = columns<ParcelaRow>('faturas', { ...COLUNAS_DE_COBRANCA.of, parcelas: 'carnes.parcelas' });

/** Slips on one paper: five years of them. */
const MAXIMO_DE_PARCELAS = 60;

/** What is still open of an invoice's carnê and has a boleto, in its order; past the most, from that invoice's own slip on. */
export async function listarParcelas(
  tenant: TenantDb,
  { carne_id, cliente_id, parcela }: CobrancaRow,
): Promise<ParcelaRow[]> {
  const abertas = tenant
    .from('faturas')
    .join('carnes', sameTenant('faturas', 'carne_id', 'carnes', 'id'))
    .where('faturas.carne_id', carne_id)
    .where('faturas.cliente_id', cliente_id)
    .where('faturas.grupo', 'aberta')
    .whereNotNull('faturas.linha_digitavel')
    .orderByRaw('faturas.parcela < ?', [parcela ?? 0])
    .orderBy('faturas.parcela')
    .limit(MAXIMO_DE_PARCELAS);
  const rows = await rowsOf(abertas, DA_PARCELA);
  return rows.toSorted((a, b) => (a.parcela ?? 0) - (b.parcela ?? 0));
}

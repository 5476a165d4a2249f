import { lerDinheiro } from '../../../brazil/dinheiro/dinheiro.ts';
import type { Data } from '../../../brazil/calendario/datas.ts';
import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import { jsonColumn } from '../../../platform/mysql/database.ts';
import { sameTenant } from '../../../platform/mysql/tenant.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import type { TipoCobranca } from '../../contratos/contratos.types.ts';
import type { CobrancaFeita, ItemDaCobranca, TipoDeCobranca } from '../faturamento.types.ts';

interface FeitaRow {
  contrato_id: number;
  competencia: Data;
  tipo: TipoDeCobranca;
  valor: string;
  isenta: number;
  bloqueado: number;
  cancelada: number;
  itens: string | readonly ItemDaCobranca[];
}

const DA_FEITA = columns<FeitaRow>('f', {
  contrato_id: true,
  competencia: true,
  tipo: true,
  valor: true,
  isenta: true,
  bloqueado: true,
  // An invoice that an agreement has taken over is still owed.
  cancelada: "COALESCE(fa.situacao = 'cancelada' AND COALESCE(fa.motivo_codigo, '') <> 'renegociacao', 0)",
  itens: true,
});

const delas = (tenant: TenantDb, ids: readonly number[]) =>
  tenant
    .from('faturamento_cobrancas as f')
    .leftJoin('faturas as fa', sameTenant('f', 'fatura_id', 'fa', 'id'))
    .whereIn('f.contrato_id', ids)
    .orderBy(['f.contrato_id', 'f.competencia']);

/** The charges that some contracts have had, from a month on. */
export const cobrancasFeitas = async (tenant: TenantDb, ids: readonly number[], de: Data): Promise<FeitaRow[]> =>
  rowsOf(delas(tenant, ids).where('f.competencia', '>=', de), DA_FEITA);

/**
 * All charges before a month of those contracts that have had none since: they were exempt, or nobody billed. What the last one left below
 * nothing is still to be taken off; of all others, a newer charge has taken it already.
 */
export async function cobrancasDeAntes(
  tenant: TenantDb,
  {
    contratos,
    feitas,
    de,
  }: {
    contratos: readonly { readonly id: number; readonly tipo_cobranca: TipoCobranca }[];
    feitas: readonly FeitaRow[];
    de: Data;
  },
): Promise<FeitaRow[]> {
  const cobrados = new Set(
    feitas.flatMap((uma) => (uma.tipo === 'mensalidade' && uma.isenta === 0 ? uma.contrato_id : [])),
  );
  const parados = contratos.filter(({ id, tipo_cobranca: tipo }) => tipo !== 'isento' && !cobrados.has(id));
  if (parados.length === 0) return [];
  const ids = parados.map(({ id }) => id);
  const deAntes = delas(tenant, ids).where('f.competencia', '<', de).where({ 'f.tipo': 'mensalidade', 'f.isenta': 0 });
  return rowsOf(deAntes, DA_FEITA);
}

export const lerFeita = ({
  competencia,
  tipo,
  valor,
  isenta,
  bloqueado,
  cancelada,
  itens,
}: FeitaRow): CobrancaFeita => ({
  competencia,
  tipo,
  valor: lerDinheiro(valor),
  isenta: isenta === 1,
  bloqueado: bloqueado === 1,
  cancelada: cancelada === 1,
  itens: jsonColumn<readonly ItemDaCobranca[]>(itens),
});

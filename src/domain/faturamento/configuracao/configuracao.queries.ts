import type { Data } from '../../../brazil/calendario/datas.ts';
import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import { REGRAS_PADRAO } from '../faturamento.types.ts';
import type { RegrasDoFaturamento } from '../faturamento.types.ts';

export interface ConfiguracaoRow {
  desde: Data | null;
  antecedencia: number;
  fatura_unica: number;
  cobrar_bloqueado: number;
}

export const DA_CONFIGURACAO = columns<ConfiguracaoRow>('faturamento_configuracoes', {
  desde: true,
  antecedencia: true,
  fatura_unica: true,
  cobrar_bloqueado: true,
});

/** How a provider has its months billed; the defaults, where it has set nothing. */
export async function lerRegras(tenant: TenantDb): Promise<RegrasDoFaturamento> {
  const [row] = await rowsOf(tenant.from('faturamento_configuracoes'), DA_CONFIGURACAO);
  return row === undefined ? REGRAS_PADRAO : paraRegras(row);
}

/**
 * Holds the provider's billing until the transaction ends: what charges comes one after the other, page by page. Contracts are not locked for
 * it, because sessions and tickets refer to them.
 */
export async function esperarAVez(tenant: TenantDb): Promise<void> {
  await rowsOf(tenant.from('faturamento_configuracoes').forUpdate(), DA_CONFIGURACAO);
}

export const paraRegras = (row: ConfiguracaoRow): RegrasDoFaturamento => ({
  desde: row.desde,
  antecedencia: row.antecedencia,
  faturaUnica: row.fatura_unica === 1,
  cobrarBloqueado: row.cobrar_bloqueado === 1,
});

export const paraRow = (regras: RegrasDoFaturamento): ConfiguracaoRow => ({
  desde: regras.desde,
  antecedencia: regras.antecedencia,
  fatura_unica: regras.faturaUnica ? 1 : 0,
  cobrar_bloqueado: regras.cobrarBloqueado ? 1 : 0,
});

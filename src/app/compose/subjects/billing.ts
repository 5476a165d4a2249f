import type { Dominio, Escritas } from '../../../domain/dominio.ts';
import type { Write } from '../../../domain/escrita.ts';
import { createLeituraDeCreditosService } from '../../../domain/faturamento/creditos/creditos.service.ts';
import { createLeituraDoFaturamentoService } from '../../../domain/faturamento/execucao/leitura.service.ts';
import { createFaturamentoService } from '../../../domain/faturamento/faturamento.service.ts';
import { createLeituraDeItensService } from '../../../domain/faturamento/itens/itens.service.ts';
import type { Provedor } from '../../../domain/provedores/provedores.types.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';

interface BillingReadsDeps {
  readonly tenant: TenantDb;
  readonly provedor: Provedor;
  readonly relogio: Relogio;
}

/** What there is to read of billing, before and after it is done. */
export const composeBillingReads = (
  deps: BillingReadsDeps,
): Pick<Dominio, 'faturamento' | 'itensDeContratos' | 'creditosDeContratos'> => ({
  faturamento: createLeituraDoFaturamentoService(deps),
  itensDeContratos: createLeituraDeItensService(deps.tenant),
  creditosDeContratos: createLeituraDeCreditosService(deps),
});

interface BillingWritesDeps {
  readonly w: Write;
  readonly provedor: Provedor;
  readonly relogio: Relogio;
}

/** What people do about billing. */
export const composeBillingWrites = (deps: BillingWritesDeps): Pick<Escritas, 'faturamento'> => ({
  faturamento: createFaturamentoService(deps),
});

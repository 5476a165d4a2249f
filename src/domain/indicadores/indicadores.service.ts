import type { TenantDb } from '../../platform/mysql/tenant.ts';
import type { Relogio } from '../../platform/timing/relogio.ts';
import type { Provedor } from '../provedores/provedores.types.ts';
import { atendimentoEmNumeros } from './atendimento.service.ts';
import type { Atendimento } from './atendimento.service.ts';
import { financeiroDe } from './financeiro.service.ts';
import type { Financeiro } from './financeiro.service.ts';
import { geralDe } from './geral.service.ts';
import type { Geral } from './geral.service.ts';
import type { Memoria, Numero } from './memoria.service.ts';
import { primeirosPassos } from './passos.service.ts';
import type { PrimeirosPassos } from './passos.service.ts';

export type IndicadoresService = ReturnType<typeof createIndicadoresService>;

export interface IndicadoresDeps {
  readonly tenant: TenantDb;
  readonly provedor: Provedor;
  readonly relogio: Relogio;
  readonly memoria: Memoria;
  readonly intervaloPadraoSegundos: number;
}

/** The numbers of a provider's first page, each with the instant that it is of. */
export function createIndicadoresService(deps: IndicadoresDeps) {
  const { tenant, provedor, relogio, memoria } = deps;
  const financeiro = financeiroDe(tenant, provedor, memoria);
  const geral = geralDe({ ...deps, financeiro });
  const atendimento = atendimentoEmNumeros(tenant, provedor, memoria);
  return {
    /** Contracts served or blocked that are online, and that are not; of those that never were, nothing is counted. */
    linhas: async (): Promise<Numero<{ readonly online: number; readonly offline: number }>> =>
      geral.linhas(relogio.agora()),
    geral: async (): Promise<Geral> => geral.geral(relogio.agora()),
    financeiro: async (): Promise<Financeiro> => financeiro.financeiro(relogio.agora()),
    atendimento: async (): Promise<Atendimento> => atendimento.atendimento(relogio.agora()),
    passos: async (): Promise<PrimeirosPassos | null> => primeirosPassos(tenant, provedor),
  };
}

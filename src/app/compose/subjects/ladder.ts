import type { Dominio, Escritas } from '../../../domain/dominio.ts';
import type { Write } from '../../../domain/escrita.ts';
import type { Provedor } from '../../../domain/provedores/provedores.types.ts';
import { createConfiguracaoDaReguaService } from '../../../domain/regua/configuracao.service.ts';
import { createAvisosDaReguaService } from '../../../domain/regua/avisos.service.ts';
import { createLeituraDaReguaService } from '../../../domain/regua/leitura.service.ts';
import { createPausasDaReguaService } from '../../../domain/regua/pausas.service.ts';
import { createPrevisaoDaReguaService } from '../../../domain/regua/previsao.service.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';

/** What there is to read of a provider's collection ladder. */
export const composeLadderReads = (deps: {
  readonly tenant: TenantDb;
  readonly provedor: Provedor;
  readonly relogio: Relogio;
}): Pick<Dominio, 'regua'> => ({
  regua: { ...createLeituraDaReguaService(deps), ...createPrevisaoDaReguaService(deps) },
});

/** How it is set, and for whom it stands still. */
export const composeLadderWrites = (deps: {
  readonly w: Write;
  readonly provedor: Provedor;
  readonly relogio: Relogio;
}): Pick<Escritas, 'regua'> => ({
  regua: {
    ...createConfiguracaoDaReguaService(deps),
    ...createPausasDaReguaService(deps),
    ...createAvisosDaReguaService(deps),
  },
});

import type { Cnab } from '../../../domain/boletos/cnab.ts';
import { createCadastroDeConveniosService } from '../../../domain/boletos/convenios/convenios.service.ts';
import { createLeituraDeBoletosService } from '../../../domain/boletos/remessas/leitura.service.ts';
import { createRemessasService } from '../../../domain/boletos/remessas/remessas.service.ts';
import { createLeituraDeRetornosService } from '../../../domain/boletos/retornos/leitura.service.ts';
import { createTentativasDeRetornoService } from '../../../domain/boletos/retornos/tentativas.service.ts';
import type { Dominio, Escritas } from '../../../domain/dominio.ts';
import type { Write } from '../../../domain/escrita.ts';
import type { Provedor } from '../../../domain/provedores/provedores.types.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';

interface Deps {
  readonly provedor: Provedor;
  readonly relogio: Relogio;
  readonly cnab: Cnab;
}

/** What there is to read of boletos that are registered at banks. */
export function composeBoletoReads(deps: Deps & { readonly tenant: TenantDb }): Pick<Dominio, 'boletos' | 'retornos'> {
  return { boletos: createLeituraDeBoletosService(deps), retornos: createLeituraDeRetornosService(deps) };
}

export function composeBoletoWrites(
  deps: Deps & { readonly w: Write },
): Pick<Escritas, 'convenios' | 'remessas' | 'tentativasDeRetorno'> {
  return {
    convenios: createCadastroDeConveniosService(deps),
    remessas: createRemessasService(deps),
    tentativasDeRetorno: createTentativasDeRetornoService(deps),
  };
}

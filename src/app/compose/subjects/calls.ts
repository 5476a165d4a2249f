import { createLeituraDeAtendimentosService } from '../../../domain/atendimentos/leitura.service.ts';
import { createRegistroDeAtendimentosService } from '../../../domain/atendimentos/registro.service.ts';
import type { Dominio, Escritas } from '../../../domain/dominio.ts';
import type { Write } from '../../../domain/escrita.ts';
import {
  createEnvioDeFaturasService,
  createLeituraDeEnviosService,
} from '../../../domain/faturas/envio/envio.service.ts';
import { createLeituraDePromessasService } from '../../../domain/promessas/leitura.service.ts';
import { createPromessasService } from '../../../domain/promessas/promessas.service.ts';
import type { ProtocolosService } from '../../../domain/protocolos/protocolos.service.ts';
import type { Provedor } from '../../../domain/provedores/provedores.types.ts';
import { createResumoService } from '../../../domain/resumo/resumo.service.ts';
import type { ResumoDeps } from '../../../domain/resumo/resumo.service.ts';
import type { Trail } from '../../../platform/cache/trail.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';

/** What there is to read for whoever answers a call. */
export function composeCallReads(
  tenant: TenantDb,
  trail: Trail,
  { temCorreio, ...others }: Omit<ResumoDeps, 'tenant' | 'atendimentos'> & Pick<CallWritesDeps, 'temCorreio'>,
): Pick<Dominio, 'atendimentos' | 'promessas' | 'envios' | 'resumo'> {
  const atendimentos = createLeituraDeAtendimentosService({ tenant, trail });
  const promessas = createLeituraDePromessasService(tenant);
  const envios = createLeituraDeEnviosService({ tenant, temCorreio });
  return { atendimentos, promessas, envios, resumo: createResumoService({ ...others, tenant, atendimentos }) };
}

interface CallWritesDeps {
  readonly w: Write;
  readonly provedor: Provedor;
  readonly relogio: Relogio;
  readonly protocolos: ProtocolosService;
  readonly temCorreio: boolean;
}

/** What is done for a subscriber who calls. */
export function composeCallWrites(deps: CallWritesDeps): Pick<Escritas, 'atendimentos' | 'promessas' | 'envios'> {
  return {
    atendimentos: createRegistroDeAtendimentosService(deps),
    promessas: createPromessasService(deps),
    envios: createEnvioDeFaturasService(deps),
  };
}

import type { Escritas } from '../../../domain/dominio.ts';
import type { Write } from '../../../domain/escrita.ts';
import type { ProtocolosService } from '../../../domain/protocolos/protocolos.service.ts';
import { createAvisosService } from '../../../domain/rede/avisos/avisos.service.ts';
import { createPopsService } from '../../../domain/rede/pops/pops.service.ts';
import { createDesconexoesService } from '../../../domain/rede/sessoes/a-pedido.service.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';

interface NetworkWritesDeps {
  readonly w: Write;
  readonly relogio: Relogio;
  readonly protocolos: ProtocolosService;
}

/** What people do to the network. */
export function composeNetworkWrites(deps: NetworkWritesDeps): Pick<Escritas, 'pops' | 'avisosDeRede' | 'desconexoes'> {
  return {
    pops: createPopsService(deps),
    avisosDeRede: createAvisosService(deps),
    desconexoes: createDesconexoesService(deps),
  };
}

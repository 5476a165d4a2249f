import { createCertificadoNfcomService } from '../../../domain/nfcom/certificado/certificado.service.ts';
import { createConfiguracaoNfcomService } from '../../../domain/nfcom/configuracao/configuracao.service.ts';
import { createDanfeService } from '../../../domain/nfcom/danfe/danfe.service.ts';
import { createLeituraDaConfiguracaoNfcomService } from '../../../domain/nfcom/configuracao/leitura.service.ts';
import { createLeituraDeServicosNfcomService } from '../../../domain/nfcom/servicos/leitura.service.ts';
import { createLeituraDoCertificadoNfcomService } from '../../../domain/nfcom/certificado/leitura.service.ts';
import { createListaDeNotasService } from '../../../domain/nfcom/lista/lista.service.ts';
import { createNfcomService } from '../../../domain/nfcom/nfcom.service.ts';
import { createPedidosNfcomService } from '../../../domain/nfcom/emissao/pedidos.service.ts';
import { createPreviaNfcomService } from '../../../domain/nfcom/emissao/previa.service.ts';
import { createServicosNfcomService } from '../../../domain/nfcom/servicos/servicos.service.ts';
import type { Dominio, Escritas } from '../../../domain/dominio.ts';
import type { Write } from '../../../domain/escrita.ts';
import type { Provedor } from '../../../domain/provedores/provedores.types.ts';
import type { Trail } from '../../../platform/cache/trail.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import type { Secrets } from '../../../platform/secrets/secrets.ts';
import type { Renderings } from '../../../platform/threads/renderings.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';

interface NoteReadsDeps {
  readonly tenant: TenantDb;
  readonly provedor: Provedor;
  readonly relogio: Relogio;
  readonly trail: Trail;
  readonly impressos: Renderings;
}

/** What there is to read of fiscal notes, and of how they are issued. */
export function composeNoteReads(
  deps: NoteReadsDeps,
): Pick<
  Dominio,
  'nfcom' | 'notas' | 'danfe' | 'configuracaoNfcom' | 'certificadoNfcom' | 'servicosNfcom' | 'previaNfcom'
> {
  return {
    nfcom: createNfcomService(deps),
    notas: createListaDeNotasService(deps),
    danfe: createDanfeService(deps),
    configuracaoNfcom: createLeituraDaConfiguracaoNfcomService(deps),
    certificadoNfcom: createLeituraDoCertificadoNfcomService(deps),
    servicosNfcom: createLeituraDeServicosNfcomService(deps),
    previaNfcom: createPreviaNfcomService(deps),
  };
}

interface NoteWritesDeps {
  readonly w: Write;
  readonly provedor: Provedor;
  readonly relogio: Relogio;
  readonly segredos: Secrets;
}

/** What is asked of fiscal notes, and how their issuing is set. */
export function composeNoteWrites(
  deps: NoteWritesDeps,
): Pick<Escritas, 'nfcom' | 'configuracaoNfcom' | 'certificadoNfcom' | 'servicosNfcom'> {
  return {
    nfcom: createPedidosNfcomService(deps),
    configuracaoNfcom: createConfiguracaoNfcomService(deps),
    certificadoNfcom: createCertificadoNfcomService(deps),
    servicosNfcom: createServicosNfcomService(deps),
  };
}

import { createAtendimentoService } from '../../domain/chamados/atendimento.service.ts';
import { createChamadosService } from '../../domain/chamados/chamados.service.ts';
import { createClientesService } from '../../domain/clientes/clientes.service.ts';
import { createConexoesService } from '../../domain/conexoes/conexoes.service.ts';
import { createContratosService } from '../../domain/contratos/contratos.service.ts';
import { createConvitesService } from '../../domain/convites/convites.service.ts';
import { createDesbloqueiosService } from '../../domain/desbloqueios/desbloqueios.service.ts';
import type { Dominio, Escritas } from '../../domain/dominio.ts';
import { createExtratosService } from '../../domain/extratos/extratos.service.ts';
import { createFaturasService } from '../../domain/faturas/faturas.service.ts';
import { umaVezSo } from '../../domain/idempotencia/idempotencia.service.ts';
import type { LeitorDe } from '../../domain/leituras.ts';
import { createPlanosService } from '../../domain/planos/planos.service.ts';
import type { Provedor } from '../../domain/provedores/provedores.types.ts';
import { createRemovidosService } from '../../domain/removidos/removidos.service.ts';
import type { Db } from '../../platform/mysql/database.ts';
import type { Deadline } from '../../platform/timing/deadline.ts';
import { tenantSlot } from '../../platform/gate/keys.ts';
import { WALK_MS } from '../../platform/paging/page-walks.ts';
import type { ObjectStore } from '../../platform/storage/object-store.ts';
import type { PageWalks } from '../../platform/paging/page-walks.ts';
import type { Relogio } from '../../platform/timing/relogio.ts';
import type { Replica } from '../../platform/mysql/replica.ts';
import { untracked } from '../../platform/cache/trail.ts';
import type { Trail } from '../../platform/cache/trail.ts';
import { createTenantDb } from '../../platform/mysql/tenant.ts';
import type { TenantDb } from '../../platform/mysql/tenant.ts';
import type { WriteFor } from '../../platform/mysql/writes.ts';
import type { RoteadorDeps } from '../../surfaces/public-api/roteador.ts';

export interface MontagemDeps {
  readonly db: Db;
  readonly replica: Pick<Replica, 'read'>;
  readonly relogio: Relogio;
  readonly write: WriteFor;
  readonly writeDeadline: Pick<Deadline, 'watch'>;
  readonly walks: PageWalks;
  /** Where extracts are kept. */
  readonly armazem: ObjectStore;
  readonly intervaloPadraoSegundos: number;
}

/** Builds what a request asks of one provider: the part of the container that is built anew for each. */
export function montarDominio({
  db,
  replica,
  relogio,
  write,
  writeDeadline,
  walks,
  armazem,
  intervaloPadraoSegundos,
}: MontagemDeps) {
  function dominioSobre(tenant: TenantDb, provedor: Provedor, trail: Trail, leitorDe: LeitorDe): Dominio {
    const contratos = createContratosService({ tenant, relogio, trail, intervaloPadraoSegundos });
    return {
      contratos,
      clientes: createClientesService({ tenant, contratos, relogio, trail, leitorDe }),
      conexoes: createConexoesService({ db: tenant.db, provedor, relogio, trail, intervaloPadraoSegundos }),
      faturas: createFaturasService({ tenant, provedor, relogio, trail, leitorDe }),
      chamados: createChamadosService({ tenant, relogio, trail, leitorDe }),
      planos: createPlanosService({ tenant, trail }),
      removidos: createRemovidosService(tenant),
      extratos: createExtratosService({ tenant, trail, armazem }),
    };
  }
  const ler: RoteadorDeps['ler'] = async (provedor, trail, { leitor, inteira }, fazer) => {
    const em = async (servidor: Db, daReplica: boolean) => {
      // What it has not heard of yet was said to the cache before: an answer of it must not be kept for one of after.
      if (daReplica) trail.changesAt(relogio.agora());
      const dominio = dominioSobre(createTenantDb(servidor, provedor.id), provedor, trail, (tags) => {
        const holds = (ms: number): void => trail.changesAt(new Date(relogio.agora().getTime() + ms));
        // An answer that outlives its reader's place would be followed by a page that begins elsewhere.
        holds(WALK_MS / 2);
        return walks.readerOf({ slot: tenantSlot(provedor.id), name: leitor, onReplica: daReplica, tags, holds });
      });
      return fazer(dominio);
    };
    return inteira ? replica.read(em) : em(db, false);
  };

  const escrever: RoteadorDeps['escrever'] = async (provedor, autor, repetivel, fazer) =>
    writeDeadline.watch(
      write(provedor.id, autor, async (w) => {
        const dominio = dominioSobre(w.tenant, provedor, untracked, () => null);
        const escritas: Escritas = {
          desbloqueios: createDesbloqueiosService({ w, provedor, relogio }),
          chamados: createAtendimentoService({ w, relogio }),
          convites: createConvitesService({ w, provedor, planos: dominio.planos, relogio }),
        };
        const executar = async () => fazer(dominio, escritas);
        return repetivel === null ? executar() : umaVezSo(w, relogio, repetivel, executar);
      }),
    );

  return { ler, escrever };
}

import { hojeEm, somarDias } from '../../brazil/calendario/datas.ts';
import type { Db } from '../../platform/mysql/database.ts';
import type { ObjectStore } from '../../platform/storage/object-store.ts';
import type { Relogio } from '../../platform/timing/relogio.ts';
import { createTenantDb } from '../../platform/mysql/tenant.ts';
import type { Actor } from '../actor.ts';
import type { WriteFor } from '../escrita.ts';
import { createTentativas } from '../por-provedor.ts';
import type { ProvedoresService } from '../provedores/provedores.service.ts';
import type { Provedor } from '../provedores/provedores.types.ts';
import { EXTRATOS_TAG } from '../tags.ts';
import { createExtratosQueries, createGravacaoDeExtratos } from './extratos.queries.ts';
import { pastaDoExtrato } from './nomes.regras.ts';

export type ExpiracaoDeExtratosService = ReturnType<typeof createExpiracaoDeExtratosService>;

export interface ExpiracaoDeExtratosDeps {
  readonly db: Db;
  readonly write: WriteFor;
  readonly relogio: Relogio;
  readonly provedores: Pick<ProvedoresService, 'listar'>;
  readonly armazem: ObjectStore;
  /** Days that an extract is kept, its own included. */
  readonly dias: number;
}

/** Removes extracts whose time is over. */
export function createExpiracaoDeExtratosService(deps: ExpiracaoDeExtratosDeps) {
  const { db, write, relogio, provedores, armazem, dias } = deps;
  return {
    /**
     * Resolves to how many were removed; ends early once aborted. Of a provider that moves, or has moved, nothing is: its files are the other
     * cell's by now.
     *
     * @throws AggregateError in the end, where it failed for some providers
     */
    async expirar(actor: Actor, signal: AbortSignal): Promise<number> {
      const tentativas = createTentativas();
      let removidos = 0;

      async function expirarDe({ id: provedorId, fusoHorario }: Provedor): Promise<void> {
        const antesDe = somarDias(hojeEm(fusoHorario, relogio.agora()), 1 - dias);
        for (const { id } of await createExtratosQueries(createTenantDb(db, provedorId)).antigos(antesDe)) {
          if (signal.aborted) return;
          // The files first: what is cut off here is found again.
          await armazem.remove(await armazem.list(pastaDoExtrato(provedorId, id)));
          await write(actor, provedorId, async (w) => {
            await createGravacaoDeExtratos(w).remover(id);
            w.touch(EXTRATOS_TAG);
          });
          removidos += 1;
        }
      }

      for (const provedor of await provedores.listar()) {
        if (signal.aborted) break;
        if (provedor.mudando) continue;
        await tentativas.tentar(`provedor ${provedor.id}`, async () => expirarDe(provedor), undefined);
      }
      tentativas.terminar();
      return removidos;
    },
  };
}

import { DuplicateRow, TenantMoving } from '../platform/refusal.ts';
import { createWrites } from '../platform/mysql/writes.ts';
import type * as platform from '../platform/mysql/writes.ts';
import { autoria } from './actor.ts';
import type { Actor } from './actor.ts';
import { Conflito, Recusa } from './erros.ts';
import type { DadosDosEventos } from './eventos/catalogo.types.ts';

/** One write of one provider, which may emit what the catalogue lists. */
export type Write = platform.Write<DadosDosEventos>;

/**
 * Begins a write of one provider, in the name of whoever asked for it.
 *
 * @throws Conflito where another has written the same, and nobody said that a second look would find it; Recusa `provedor_em_mudanca`
 */
export type WriteFor = platform.WriteFor<Actor, DadosDosEventos>;

/** The way in which all of the domain writes; see `createWrites`. */
export function createEscrita(deps: Omit<platform.WritesDeps<Actor>, 'authorOf'>): WriteFor {
  const write: WriteFor = createWrites({ ...deps, authorOf: autoria });
  return async (...escrita) => {
    try {
      return await write(...escrita);
    } catch (error) {
      if (error instanceof TenantMoving) throw new Recusa('provedor_em_mudanca');
      throw error instanceof DuplicateRow ? new Conflito(error.table) : error;
    }
  };
}

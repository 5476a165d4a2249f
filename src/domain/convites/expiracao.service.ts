import type { Db } from '../../platform/mysql/database.ts';
import { groupBy } from '../../platform/group-by.ts';
import type { Relogio } from '../../platform/timing/relogio.ts';
import type { Actor } from '../actor.ts';
import type { WriteFor } from '../escrita.ts';
import { createConvitesQueries } from './convites.queries.ts';
import { convitesVencidos } from './vencidos.queries.ts';

export type ExpiracaoService = ReturnType<typeof createExpiracaoService>;

export interface ExpiracaoDeps {
  readonly db: Db;
  readonly write: WriteFor;
  readonly relogio: Relogio;
}

/** Of a statement, and of the invites that one transaction marks at most. */
const POR_LOTE = 200;

/** Says once of each invite whose time is over that it is. Who opens one judges by time, and needs none of this. */
export function createExpiracaoService({ db, write, relogio }: ExpiracaoDeps) {
  return {
    /** Resolves to how many were marked; ends early once aborted. No cached answer holds an invite, so nothing is touched. */
    async expirar(actor: Actor, signal: AbortSignal): Promise<number> {
      let expirados = 0;
      while (!signal.aborted) {
        const agora = relogio.agora();
        const vencidos = await convitesVencidos(db, agora, POR_LOTE);
        let doLote = 0;
        for (const [provedorId, convites] of groupBy(vencidos, (convite) => convite.provedor_id)) {
          if (signal.aborted) break;
          doLote += await write(actor, provedorId, async (w) => {
            const queries = createConvitesQueries(w);
            const ids = await queries.travarVencidos(
              convites.map(({ id }) => id),
              agora,
            );
            await queries.marcarExpirados(ids);
            for (const id of ids) w.emit('convite.expirado', id);
            return ids.length;
          });
        }
        expirados += doLote;
        // Those that are left are being registered at this moment, and come up again in a minute.
        if (vencidos.length < POR_LOTE || doLote === 0) break;
      }
      return expirados;
    },
  };
}

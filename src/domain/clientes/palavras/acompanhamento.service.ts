import { expressions, rowsOfSql } from '../../../platform/mysql/columns.ts';
import type { Db } from '../../../platform/mysql/database.ts';
import type { Actor } from '../../actor.ts';
import { porProvedor } from '../../por-provedor.ts';
import type { ProvedoresService } from '../../provedores/provedores.service.ts';
import type { ReconstrucaoDePalavrasService } from './reconstrucao.service.ts';

export type AcompanhamentoDePalavrasService = ReturnType<typeof createAcompanhamentoDePalavrasService>;

export interface AcompanhamentoDePalavrasDeps {
  readonly db: Db;
  readonly provedores: Pick<ProvedoresService, 'listar'>;
  readonly palavras: Pick<ReconstrucaoDePalavrasService, 'refazerDesde'>;
}

/** `ate` is a while ago, because a change is dated by its statement, and seen once it is committed. */
const RELOGIO = expressions<{ ontem: string; ate: string }>({
  ontem: 'UTC_TIMESTAMP(3) - INTERVAL 1 DAY',
  ate: 'UTC_TIMESTAMP(3) - INTERVAL 2 MINUTE',
});

/** Finds by their names also clients that another program wrote, or a process of a release that knows nothing of words. */
export function createAcompanhamentoDePalavrasService({ db, provedores, palavras }: AcompanhamentoDePalavrasDeps) {
  /** Up to when this process has looked; of what was before its start it looks at a day. */
  let desde: string | null = null;
  return {
    /** Looks at the clients that changed since the last run. Resolves to how many had wrong words. */
    async acompanhar(actor: Actor, signal: AbortSignal): Promise<number> {
      const [relogio] = await rowsOfSql(db, RELOGIO, (lista) => `SELECT ${lista}`);
      if (relogio === undefined) return 0;
      const daqui = desde ?? relogio.ontem;
      let mudados = 0;
      await porProvedor(
        async () => (await provedores.listar()).map(({ id }) => id),
        async (id) => {
          mudados += (await palavras.refazerDesde(actor, id, daqui, signal)).mudados;
          return { mais: false };
        },
        { lotes: 1, signal },
      );
      if (!signal.aborted) desde = relogio.ate;
      return mudados;
    },
  };
}

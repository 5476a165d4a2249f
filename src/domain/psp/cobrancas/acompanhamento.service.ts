import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Db } from '../../../platform/mysql/database.ts';
import { createTenantDb } from '../../../platform/mysql/tenant.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import type { Actor } from '../../actor.ts';
import type { WriteFor } from '../../escrita.ts';
import type { ProvedoresService } from '../../provedores/provedores.service.ts';
import { provedoresComPsp, vistoAte } from '../convenios/convenios.queries.ts';
import { createCobrancasLeitura } from './cobrancas.queries.ts';
import { conciliarCobrancas } from './cobrancas.service.ts';

export type AcompanhamentoDeCobrancasService = ReturnType<typeof createAcompanhamentoDeCobrancasService>;

interface AcompanhamentoDeps {
  readonly db: Db;
  readonly write: WriteFor;
  readonly relogio: Relogio;
  readonly provedores: Pick<ProvedoresService, 'exigirPorId'>;
}

const POR_LOTE = 500;
/** What is looked at again each time: a write may commit that long after it wrote. It is done again without effect. */
const PARA_TRAS_MS = 3 * 60_000;

/** Sees within a minute what became of invoices: new ones are charged, changed ones charged anew, and others no more. */
export function createAcompanhamentoDeCobrancasService({ db, write, relogio, provedores }: AcompanhamentoDeps) {
  return {
    /** Providers with an agreement, active or not: what one that ended has charged is still to be taken off. */
    provedores: async (): Promise<number[]> => provedoresComPsp(db),

    /** Resolves to of how many invoices something is to be done; ends early once aborted. */
    async acompanhar(actor: Actor, provedorId: number, signal: AbortSignal): Promise<number> {
      const provedor = await provedores.exigirPorId(provedorId);
      const tenant = createTenantDb(db, provedorId);
      const leitura = createCobrancasLeitura(tenant);
      let quantas = 0;
      const conciliar = async (ids: readonly number[]): Promise<void> => {
        quantas += await write(actor, provedorId, async (w) =>
          conciliarCobrancas(w, provedor, ids, relogio.agora(), false),
        );
      };
      const inicio = relogio.agora();
      // What was open when an agreement began is of the daily task.
      const desde = (await vistoAte(tenant)) ?? inicio;
      let lugar = { id: 0, atualizado_em: toDatabaseTime(new Date(desde.getTime() - PARA_TRAS_MS)) };
      while (!signal.aborted) {
        const mudadas = await leitura.mudadas(lugar.atualizado_em, lugar.id, POR_LOTE);
        const ultima = mudadas.at(-1);
        if (ultima === undefined) break;
        await conciliar(mudadas.map(({ id }) => id));
        lugar = ultima;
        if (mudadas.length < POR_LOTE) break;
      }
      while (!signal.aborted) {
        const passadas = await leitura.comFim(relogio.agora(), POR_LOTE);
        if (passadas.length > 0) await conciliar(passadas);
        if (passadas.length < POR_LOTE) break;
      }
      if (!signal.aborted) {
        const visto_ate = toDatabaseTime(inicio);
        await write(actor, provedorId, async (w) => w.update('psp_convenios', () => {}, { visto_ate }));
      }
      return quantas;
    },
  };
}

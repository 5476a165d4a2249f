import type { Db } from '../../../platform/mysql/database.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import type { Actor } from '../../actor.ts';
import { emMudanca } from '../../erros.ts';
import type { WriteFor } from '../../escrita.ts';
import { createTentativas } from '../../por-provedor.ts';
import { travarVez } from '../desfazer/vez.queries.ts';
import { continuarADesfazer } from '../desfazer/ordem.service.ts';
import { esperarAVez } from '../configuracao/configuracao.queries.ts';
import { NINGUEM_FAZ_MS } from './pedidos.queries.ts';
import { provedoresComParados, vezesSemPedido } from './parados.queries.ts';
import type { HaPouco } from './parados.queries.ts';

export type RetomadaDoFaturamentoService = ReturnType<typeof createRetomadaDoFaturamentoService>;

export interface RetomadaDoFaturamentoDeps {
  readonly db: Db;
  readonly write: WriteFor;
  readonly relogio: Relogio;
}

/** Finds what was asked for of billing and nobody does any more. */
export function createRetomadaDoFaturamentoService({ db, write, relogio }: RetomadaDoFaturamentoDeps) {
  function haPouco(): HaPouco {
    const agora = relogio.agora().getTime();
    return { de: new Date(agora - NINGUEM_FAZ_MS), ate: new Date(agora + NINGUEM_FAZ_MS) };
  }

  return {
    /** Providers with an open order that nobody is at: a queue has lost it, its job has run out of tries, or its wait after a failure is over. */
    provedoresParados: async (): Promise<number[]> => provedoresComParados(db, haPouco(), relogio.agora()),

    /**
     * Orders anew the undoing of runs that are being undone without an order, in the name of who asked for it: until it is over their
     * contracts are charged nothing. The event of each order wakes the worker. What fails for one provider keeps no other waiting.
     *
     * @returns how many were ordered
     * @throws AggregateError where some were not
     */
    async pedirDeNovo(actor: Actor): Promise<number> {
      const tentativas = createTentativas();
      let pedidos = 0;
      for (const { provedor_id: provedorId, id } of await vezesSemPedido(db, haPouco())) {
        const pedir = async (): Promise<number> =>
          write(actor, provedorId, async (w) => {
            await esperarAVez(w.tenant);
            const vez = await travarVez(w, id);
            // Meanwhile it has ended.
            if (vez?.desfazendo !== 1) return 0;
            await continuarADesfazer(w, vez, { autor: vez.desfeito_por ?? w.author.name, agora: relogio.agora() });
            return 1;
          }).catch((error: unknown) => {
            if (emMudanca(error)) return 0;
            throw error;
          });
        pedidos += await tentativas.tentar(`provedor ${provedorId}, faturamento ${id}`, pedir, 0);
      }
      tentativas.terminar();
      return pedidos;
    },
  };
}

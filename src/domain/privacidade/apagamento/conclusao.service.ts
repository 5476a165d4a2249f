import { somarDias } from '../../../brazil/calendario/datas.ts';
import type { Data } from '../../../brazil/calendario/datas.ts';
import type { Db } from '../../../platform/mysql/database.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import type { Actor } from '../../actor.ts';
import { Recusa } from '../../erros.ts';
import type { WriteFor } from '../../escrita.ts';
import { createTentativas } from '../../por-provedor.ts';
import type { ProvedoresService } from '../../provedores/provedores.service.ts';
import { apagarCliente } from './apagar.service.ts';
import { apagadosPorConcluir } from './vencidos.queries.ts';

export type ConclusaoDeApagamentosService = ReturnType<typeof createConclusaoDeApagamentosService>;

export interface ConclusaoDeApagamentosDeps {
  readonly db: Db;
  readonly write: WriteFor;
  readonly relogio: Relogio;
  readonly provedores: Pick<ProvedoresService, 'exigirPorId'>;
}

const POR_LOTE = 100;

/** Erases what the law had kept of erased persons once its time is over. */
export function createConclusaoDeApagamentosService({ db, write, relogio, provedores }: ConclusaoDeApagamentosDeps) {
  /** Resolves to whether anything went. */
  async function concluirUm(actor: Actor, provedorId: number, id: number): Promise<boolean> {
    const provedor = await provedores.exigirPorId(provedorId);
    try {
      const { apagados } = await write(actor, provedorId, async (w) => apagarCliente({ w, provedor, relogio }, id));
      return apagados.length > 0;
    } catch (error) {
      // By SQL, an erased person may have come to owe something again.
      if (error instanceof Recusa) return false;
      throw error;
    }
  }

  return {
    /**
     * Resolves to how many persons lost something more; ends early, with what it did, once aborted.
     *
     * @throws AggregateError in the end, where it failed for some of them
     */
    async concluir(actor: Actor, signal: AbortSignal): Promise<number> {
      // The day that has begun everywhere in Brazil: it decides who is looked at, the provider's own date what goes.
      const dia = somarDias(relogio.agora().toISOString().slice(0, 10) as Data, -1);
      // Those that stay among them: they are passed over until tomorrow.
      const parados = new Set<number>();
      const tentativas = createTentativas();
      let concluidos = 0;
      while (!signal.aborted) {
        const todos = await apagadosPorConcluir(db, dia, POR_LOTE + parados.size);
        const lote = todos.filter(({ id }) => !parados.has(id));
        if (lote.length === 0) break;
        for (const { provedor_id: provedorId, id } of lote) {
          if (signal.aborted) break;
          const um = async (): Promise<boolean> => concluirUm(actor, provedorId, id);
          const foi = await tentativas.tentar(`provedor ${provedorId}`, um, false);
          if (foi) concluidos += 1;
          else parados.add(id);
        }
      }
      tentativas.terminar();
      return concluidos;
    },
  };
}

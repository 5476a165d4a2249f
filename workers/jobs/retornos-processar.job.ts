import { atorDaTarefa } from '../../src/domain/actor.ts';
import type { RetornosService } from '../../src/domain/boletos/retornos/recebimento.service.ts';
import { emMudanca } from '../../src/domain/erros.ts';
import { porProvedor } from '../../src/domain/por-provedor.ts';
import type { JobHandler } from './catalogue.ts';

/** Files of one provider in one run, at most. */
const ARQUIVOS = 100;

/**
 * Does what is left of banks' files. A file whose run was cut off goes on after the last part that was written; one that cannot be done lets
 * those that came later go before it.
 */
export function createRetornosProcessarJob(
  retornos: Pick<RetornosService, 'comPendentes' | 'proximoPendente' | 'processar' | 'anotarFalha'>,
): JobHandler<'retornos.processar'> {
  const actor = atorDaTarefa('retornos.processar');
  return async (_payload, { signal, progress }) => {
    let arquivos = 0;
    await porProvedor(
      async () => retornos.comPendentes(),
      async (provedorId) => {
        const id = await retornos.proximoPendente(provedorId);
        if (id === null) return { mais: false };
        try {
          await retornos.processar(actor, provedorId, id, { signal, aoAvancar: progress });
        } catch (error) {
          if (!signal.aborted && !emMudanca(error)) await retornos.anotarFalha(actor, provedorId, id);
          throw error;
        }
        arquivos += 1;
        return { mais: true };
      },
      { lotes: ARQUIVOS, signal },
    );
    return { arquivos };
  };
}

import type { Db } from '../../../platform/mysql/database.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import type { Actor } from '../../actor.ts';
import type { WriteFor } from '../../escrita.ts';
import { encerrarContratos } from '../cancelamento.service.ts';
import { DIAS_ATE_ENCERRAR, limiteDaReativacao, podeVoltar } from '../movimentos/movimentos.regras.ts';
import { travarContratos } from '../movimentos/travas.service.ts';
import { provedoresComCancelados } from './cancelados.queries.ts';
import { cancelados } from './encerramento.queries.ts';

export type EncerramentoDeContratosService = ReturnType<typeof createEncerramentoDeContratosService>;

export interface EncerramentoDeContratosDeps {
  readonly db: Db;
  readonly relogio: Relogio;
  readonly write: WriteFor;
}

/** Ends cancelled contracts for good when the days are over in which they could come back. */
export function createEncerramentoDeContratosService({ db, relogio, write }: EncerramentoDeContratosDeps) {
  return {
    /** Providers that have a contract to end. */
    provedores: async (): Promise<number[]> => provedoresComCancelados(db, limiteDaReativacao(relogio.agora())),

    /**
     * Ends up to `limite` contracts of a provider, in one transaction; what somebody else holds is left for the next run.
     *
     * @returns whether more may be waiting.
     */
    async encerrar(actor: Actor, provedorId: number, limite = 100): Promise<{ mais: boolean }> {
      return write(actor, provedorId, async (w) => {
        const agora = relogio.agora();
        const ids = await cancelados(w, limiteDaReativacao(agora), limite);
        const { contratos } = await travarContratos(w, ids, { pular: true });
        const vencidos = contratos.filter(
          (contrato) => contrato.situacao === 'cancelado' && !podeVoltar(contrato, agora),
        );
        const descricao = `Encerrado ${DIAS_ATE_ENCERRAR} dias depois de cancelado.`;
        await encerrarContratos(w, vencidos, { descricao, agora });
        return { mais: ids.length === limite && vencidos.length > 0 };
      });
    },
  };
}

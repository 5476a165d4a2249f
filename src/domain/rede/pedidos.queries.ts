import { toDatabaseTime } from '../../platform/mysql/database.ts';
import type { Write } from '../escrita.ts';
import type { AcaoDeRede } from './grupos.regras.ts';
import type { ResultadoDoPedido } from './rede.types.ts';

export interface PedidoRow {
  id: number;
  contrato_id: number;
  acao: AcaoDeRede;
}

export interface ContratoNaRedeRow {
  id: number;
  login: string | null;
  plano_id: number;
}

export interface PlanoNaRedeRow {
  id: number;
  grupo_radius: string | null;
}

export function createPedidosQueries(w: Write) {
  return {
    /** Contracts that have a request waiting, without a lock. */
    async contratosComPedido(limite: number): Promise<number[]> {
      const rows = await w
        .from('rede_pedidos')
        .whereNull('aplicado_em')
        .orderBy('contrato_id')
        .limit(limite)
        .distinct<{ contrato_id: number }[]>('contrato_id');
      return rows.map(({ contrato_id }) => contrato_id);
    },

    /**
     * Locks contracts, leaving out those that somebody else holds. Requests are made under the same lock, so those of a locked
     * contract are all there are.
     */
    async travarContratos(ids: readonly number[]): Promise<ContratoNaRedeRow[]> {
      return w
        .from('contratos')
        .whereIn('id', ids)
        .orderBy('id')
        .forUpdate()
        .skipLocked()
        .select<ContratoNaRedeRow[]>('id', 'login', 'plano_id');
    },

    async planos(): Promise<PlanoNaRedeRow[]> {
      return w.from('planos').select<PlanoNaRedeRow[]>('id', 'grupo_radius');
    },

    /** Requests that wait, oldest first. */
    async pendentes(contratoIds: readonly number[]): Promise<PedidoRow[]> {
      return w
        .from('rede_pedidos')
        .whereNull('aplicado_em')
        .whereIn('contrato_id', contratoIds)
        .orderBy('id')
        .select<PedidoRow[]>('id', 'contrato_id', 'acao');
    },

    /** The last request of each contract, carried out or not. */
    async ultimos(contratoIds: readonly number[]): Promise<Set<number>> {
      const rows = await w
        .from('rede_pedidos')
        .whereIn('contrato_id', contratoIds)
        .groupBy('contrato_id')
        .select<{ id: number }[]>(w.tenant.db.raw('MAX(id) AS id'));
      return new Set(rows.map(({ id }) => id));
    },

    async concluir(ids: readonly number[], resultado: ResultadoDoPedido, agora: Date): Promise<void> {
      await w.update('rede_pedidos', (q) => void q.whereIn('id', ids), {
        aplicado_em: toDatabaseTime(agora),
        resultado,
      });
    },
  };
}

import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Write } from '../../escrita.ts';
import type { SituacaoContrato } from '../../contratos/contratos.types.ts';
import type { ResultadoDoPedido, SessoesDoPedido } from '../rede.types.ts';

export interface PedidoRow {
  id: number;
  contrato_id: number;
  sessoes: SessoesDoPedido;
}

const DO_PEDIDO = columns<PedidoRow>('rede_pedidos', { id: true, contrato_id: true, sessoes: true });
const CONTRATO_PEDIDO = columns<{ contrato_id: number }>('rede_pedidos', { contrato_id: true });

export interface ContratoNaRedeRow {
  id: number;
  login: string | null;
  plano_id: number;
  situacao: SituacaoContrato;
  tipo_conexao: string;
  ip: string | null;
  ipv6_prefixo: string | null;
  mac: string | null;
}

const DO_CONTRATO = columns<ContratoNaRedeRow>('contratos', {
  id: true,
  login: true,
  plano_id: true,
  situacao: true,
  tipo_conexao: true,
  ip: true,
  ipv6_prefixo: true,
  mac: true,
});

export interface PlanoNaRedeRow {
  id: number;
  grupo_radius: string | null;
  download_mbps: number;
  upload_mbps: number;
}

const DO_PLANO = columns<PlanoNaRedeRow>('planos', {
  id: true,
  grupo_radius: true,
  download_mbps: true,
  upload_mbps: true,
});

export function createPedidosQueries(w: Write) {
  return {
    /**
     * Contracts that have a request waiting, without a lock: a fifth by the newest requests, the rest by their ids. Who has just paid does not
     * wait for tens of thousands that were asked for at once, and those go on.
     */
    async contratosComPedido(limite: number): Promise<number[]> {
      // Both are read from the index alone.
      const esperam = () => w.tenant.from('rede_pedidos', 'rede_pedidos_fila').whereNull('aplicado_em');
      const novos = await rowsOf(
        esperam()
          .orderBy('id', 'desc')
          .limit(Math.ceil(limite / 5)),
        CONTRATO_PEDIDO,
      );
      const antigos = await rowsOf(esperam().orderBy('contrato_id').limit(limite).distinct(), CONTRATO_PEDIDO);
      return [...new Set([...novos, ...antigos].map(({ contrato_id }) => contrato_id))].slice(0, limite);
    },

    /**
     * Locks contracts, leaving out those that somebody else holds. Requests are made under the same lock, so those of a locked
     * contract are all there are.
     */
    async travarContratos(ids: readonly number[]): Promise<ContratoNaRedeRow[]> {
      return rowsOf(w.from('contratos').whereIn('id', ids).orderBy('id').forUpdate().skipLocked(), DO_CONTRATO);
    },

    async planos(): Promise<PlanoNaRedeRow[]> {
      return rowsOf(w.from('planos'), DO_PLANO);
    },

    /** Requests that wait, oldest first. */
    async pendentes(contratoIds: readonly number[]): Promise<PedidoRow[]> {
      const deles = w.from('rede_pedidos').whereNull('aplicado_em').whereIn('contrato_id', contratoIds);
      return rowsOf(deles.orderBy('id'), DO_PEDIDO);
    },

    async concluir(ids: readonly number[], resultado: ResultadoDoPedido, agora: Date): Promise<void> {
      await w.update('rede_pedidos', (q) => void q.whereIn('id', ids), {
        aplicado_em: toDatabaseTime(agora),
        resultado,
      });
    },
  };
}

import { groupBy } from '../../../platform/group-by.ts';
import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import { fromDatabaseTime } from '../../../platform/mysql/database.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import type { EstadoDaDesconexao, ResultadoDoPedido, SessoesDoPedido } from '../../rede/rede.types.ts';

interface PedidoRow {
  id: number;
  acao: 'liberar' | 'bloquear';
  sessoes: SessoesDoPedido;
  resultado: ResultadoDoPedido | null;
  pedido_em: string;
  aplicado_em: string | null;
}

const DO_PEDIDO = columns<PedidoRow>('rede_pedidos', {
  id: true,
  acao: true,
  sessoes: true,
  resultado: true,
  pedido_em: true,
  aplicado_em: true,
});

interface SessaoRow {
  pedido_id: number;
  nasipaddress: string;
  alterar_para: string | null;
  estado: EstadoDaDesconexao;
  tentativas: number;
  causa_erro: number | null;
  concluida_em: string | null;
}

const DA_SESSAO = columns<SessaoRow>('rede_desconexoes', {
  pedido_id: true,
  nasipaddress: true,
  alterar_para: true,
  estado: true,
  tentativas: true,
  causa_erro: true,
  concluida_em: true,
});

/** A session that a request changes or ends, and how far that is. */
interface SessaoDoPedido extends Omit<SessaoRow, 'pedido_id' | 'concluida_em'> {
  readonly concluida_em: Date | null;
}

/** What the network was asked of a contract; `aplicado_em` is null of what waits. */
export interface PedidoDoContrato extends Omit<PedidoRow, 'pedido_em' | 'aplicado_em'> {
  readonly pedido_em: Date;
  readonly aplicado_em: Date | null;
  readonly desconexoes: readonly SessaoDoPedido[];
}

/** The last requests of a contract to the network, the newest first. They are kept for a while only; see retencao. */
export async function redeDoContrato(
  tenant: TenantDb,
  contratoId: number,
  limite: number,
): Promise<PedidoDoContrato[]> {
  const pedidos = await rowsOf(
    tenant.from('rede_pedidos').where('contrato_id', contratoId).orderBy('id', 'desc').limit(limite),
    DO_PEDIDO,
  );
  const ids = pedidos.map(({ id }) => id);
  const sessoes = groupBy(
    await rowsOf(
      tenant.from('rede_desconexoes', 'rede_desconexoes_pedido').whereIn('pedido_id', ids).orderBy('id'),
      DA_SESSAO,
    ),
    ({ pedido_id }) => pedido_id,
  );
  return pedidos.map((pedido) => ({
    ...pedido,
    pedido_em: fromDatabaseTime(pedido.pedido_em),
    aplicado_em: instante(pedido.aplicado_em),
    desconexoes: (sessoes.get(pedido.id) ?? []).map(({ pedido_id: _1, ...sessao }) => ({
      ...sessao,
      concluida_em: instante(sessao.concluida_em),
    })),
  }));
}

const instante = (texto: string | null): Date | null => (texto === null ? null : fromDatabaseTime(texto));

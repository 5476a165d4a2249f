import type { Data } from '../../../brazil/calendario/datas.ts';
import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import { fromDatabaseTime, jsonColumn } from '../../../platform/mysql/database.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import type { CandidatoRow } from '../execucao/contratos.queries.ts';
import type { PreviaDoFaturamento } from '../execucao/previa.regras.ts';

export type TipoDePedido = 'previa' | 'faturas';

/** How far a run has come: the month whose charges it makes now, and after which contract it goes on. */
export interface LugarDoPedido {
  readonly mes: string;
  readonly depoisDe: CandidatoRow | null;
}

interface PedidoRow {
  id: number;
  tipo: TipoDePedido;
  mes: Data;
  lugar: string | LugarDoPedido | null;
  vistos: number;
  total: number | null;
  faturas: number;
  resultado: string | PreviaDoFaturamento | null;
  motivo: string | null;
  autor: string;
  pedido_em: string;
  terminado_em: string | null;
}

/** What somebody asked for of a month, and how far it has come. */
export interface PedidoDeFaturamento {
  readonly id: number;
  readonly tipo: TipoDePedido;
  readonly mes: Data;
  readonly lugar: LugarDoPedido | null;
  /** Contracts that were gone through, and of how many; null: not counted yet. */
  readonly vistos: number;
  readonly total: number | null;
  /** Invoices that were made. */
  readonly faturas: number;
  /** Of a preview that is done. */
  readonly resultado: PreviaDoFaturamento | null;
  /** Why it ended before it was done. */
  readonly motivo: string | null;
  readonly autor: string;
  readonly pedidoEm: Date;
  readonly terminadoEm: Date | null;
}

const DO_PEDIDO = columns<PedidoRow>('faturamento_pedidos', {
  id: true,
  tipo: true,
  mes: true,
  lugar: true,
  vistos: true,
  total: true,
  faturas: true,
  resultado: true,
  motivo: true,
  autor: true,
  pedido_em: true,
  terminado_em: true,
});

type Origem = Pick<TenantDb, 'from'>;

const paraPedido = ({ pedido_em, terminado_em, lugar, resultado, ...row }: PedidoRow): PedidoDeFaturamento => ({
  ...row,
  lugar: lugar === null ? null : jsonColumn<LugarDoPedido>(lugar),
  resultado: resultado === null ? null : jsonColumn<PreviaDoFaturamento>(resultado),
  pedidoEm: fromDatabaseTime(pedido_em),
  terminadoEm: terminado_em === null ? null : fromDatabaseTime(terminado_em),
});

/** The one that is open and was asked for first; null: nothing is left to do. */
export async function primeiroAberto(de: Origem): Promise<PedidoDeFaturamento | null> {
  const [row] = await rowsOf(de.from('faturamento_pedidos').where('aberto', 1).orderBy('id').limit(1), DO_PEDIDO);
  return row === undefined ? null : paraPedido(row);
}

/** What is open of a kind and month, locked until the transaction ends. */
export async function travarAberto(de: Origem, tipo: TipoDePedido, mes: Data): Promise<PedidoDeFaturamento | null> {
  const deste = de.from('faturamento_pedidos').where({ aberto: 1, tipo, mes });
  const [row] = await rowsOf(deste.forUpdate(), DO_PEDIDO);
  return row === undefined ? null : paraPedido(row);
}

/** One, locked until the transaction ends. */
export async function travarPedido(de: Origem, id: number): Promise<PedidoDeFaturamento | null> {
  const [row] = await rowsOf(de.from('faturamento_pedidos').where({ id }).forUpdate(), DO_PEDIDO);
  return row === undefined ? null : paraPedido(row);
}

/** The newest ones, without what a preview came to. */
export async function ultimosPedidos(
  tenant: TenantDb,
  tipo: TipoDePedido,
  limite: number,
): Promise<PedidoDeFaturamento[]> {
  const deTipo = tenant.from('faturamento_pedidos', 'faturamento_pedidos_ultimos').where({ tipo });
  const deles = deTipo.orderBy('id', 'desc').limit(limite);
  return (await rowsOf(deles, DO_PEDIDO)).map(paraPedido);
}

import type { Data } from '../../../brazil/calendario/datas.ts';
import { ID, columns, rowsOf } from '../../../platform/mysql/columns.ts';
import { fromDatabaseTime, jsonColumn } from '../../../platform/mysql/database.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import type { Adiante, ResultadoDoDesfazer } from '../desfazer/partes.service.ts';
import type { CandidatoRow } from '../execucao/contratos.queries.ts';
import type { FalhaDoPedido } from '../faturamento.types.ts';
import type { PreviaDoFaturamento } from '../execucao/previa.regras.ts';
import { porFazer } from './devidos.queries.ts';

export type TipoDePedido = 'previa' | 'faturas' | 'desfazer';

/** How far a run has come: the month whose charges it makes now, and after which contract it goes on. */
export interface LugarDoPedido {
  readonly mes: string;
  readonly depoisDe: CandidatoRow | null;
}

/** How far an undoing has come: the last invoice that was looked at, and what is ahead of it. */
interface LugarDoDesfazer {
  readonly fatura: number;
  readonly adiante?: Adiante;
  readonly olhando?: Adiante;
}

interface PedidoRow {
  id: number;
  tipo: TipoDePedido;
  mes: Data;
  /** 0 where it undoes nothing. */
  faturamento_id: number;
  lugar: string | LugarDoPedido | LugarDoDesfazer | null;
  vistos: number;
  total: number | null;
  faturas: number;
  resultado: string | PreviaDoFaturamento | ResultadoDoDesfazer | null;
  motivo: string | null;
  autor: string;
  pedido_em: string;
  terminado_em: string | null;
  falhas: number;
  falhou_em: string | null;
  erro: string | null;
  proxima_em: string | null;
  tentativas: number;
  desistido_por: string | null;
  mesmo_seguidas: number;
}

/** What somebody asked for of a month, and how far it has come. */
export interface PedidoDeFaturamento {
  readonly id: number;
  readonly tipo: TipoDePedido;
  /** The first day of the month; of an undoing, the day of the run. */
  readonly mes: Data;
  readonly lugar: LugarDoPedido | null;
  /** Of an undoing: the run, the last invoice that was looked at, and what has become of them. */
  readonly faturamentoId: number | null;
  readonly ultimaFatura: number;
  /** What comes after it and is left once one after that is cancelled; null: nothing. */
  readonly adiante: Adiante | null;
  /** Whence the step went on that a run after a death has begun last; null: that is where the rest says. */
  readonly olhando: Adiante | null;
  readonly desfeito: ResultadoDoDesfazer | null;
  /** Contracts that were gone through, and of how many; null: not counted yet. Of an undoing, invoices. */
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
  /** Null while it goes on. */
  readonly falha: FalhaDoPedido | null;
  /** Runs that have begun since it last went on, failed, or was left for a later one. */
  readonly tentativas: number;
  /** Of an undoing: who has given up what of it cannot be undone; null: nobody. */
  readonly desistidoPor: string | null;
  /** Also where many invoices fail one after the other. */
  readonly mesmoSeguidas: boolean;
}

const DO_PEDIDO = columns<PedidoRow>('faturamento_pedidos', {
  id: true,
  tipo: true,
  mes: true,
  faturamento_id: true,
  lugar: true,
  vistos: true,
  total: true,
  faturas: true,
  resultado: true,
  motivo: true,
  autor: true,
  pedido_em: true,
  terminado_em: true,
  falhas: true,
  falhou_em: true,
  erro: true,
  proxima_em: true,
  tentativas: true,
  desistido_por: true,
  mesmo_seguidas: true,
});

type Origem = Pick<TenantDb, 'from'>;

function lugarDoDesfazer(tipo: TipoDePedido, lugar: string | LugarDoDesfazer | null) {
  if (tipo !== 'desfazer' || lugar === null) return { ultimaFatura: 0, adiante: null, olhando: null };
  const { fatura, adiante = null, olhando = null } = jsonColumn(lugar);
  return { ultimaFatura: fatura, adiante, olhando };
}

const paraPedido = ({
  pedido_em,
  terminado_em,
  faturamento_id,
  lugar,
  resultado,
  falhas,
  falhou_em,
  erro,
  proxima_em,
  desistido_por: desistidoPor,
  mesmo_seguidas: mesmoSeguidas,
  ...row
}: PedidoRow): PedidoDeFaturamento => ({
  ...row,
  desistidoPor,
  mesmoSeguidas: mesmoSeguidas === 1,
  lugar: row.tipo === 'desfazer' || lugar === null ? null : jsonColumn(lugar as string | LugarDoPedido),
  faturamentoId: row.tipo === 'desfazer' ? faturamento_id : null,
  ...lugarDoDesfazer(row.tipo, lugar as string | LugarDoDesfazer | null),
  desfeito:
    row.tipo !== 'desfazer' || resultado === null ? null : jsonColumn(resultado as string | ResultadoDoDesfazer),
  resultado: row.tipo !== 'previa' || resultado === null ? null : jsonColumn(resultado as string | PreviaDoFaturamento),
  pedidoEm: fromDatabaseTime(pedido_em),
  terminadoEm: terminado_em === null ? null : fromDatabaseTime(terminado_em),
  falha:
    terminado_em !== null || falhou_em === null || proxima_em === null
      ? null
      : { vezes: falhas, em: fromDatabaseTime(falhou_em), erro: erro ?? '', proximaEm: fromDatabaseTime(proxima_em) },
});

/** The one that is open and was asked for first, without those that wait; null: nothing is to be done now. */
export async function primeiroPorFazer(de: Origem, agora: Date): Promise<PedidoDeFaturamento | null> {
  const [sql, bindings] = porFazer('faturamento_pedidos', agora);
  const abertos = de.from('faturamento_pedidos').where('aberto', 1).whereRaw(sql, bindings);
  const [row] = await rowsOf(abertos.orderBy('id').limit(1), DO_PEDIDO);
  return row === undefined ? null : paraPedido(row);
}

/** What is open of a kind and month, locked until the transaction ends. */
export async function travarAberto(de: Origem, tipo: TipoDePedido, mes: Data): Promise<PedidoDeFaturamento | null> {
  const deste = de.from('faturamento_pedidos').where({ aberto: 1, tipo, mes });
  const [row] = await rowsOf(deste.forUpdate(), DO_PEDIDO);
  return row === undefined ? null : paraPedido(row);
}

/** What is open of a kind. */
export async function abertosDe(de: Origem, tipo: TipoDePedido): Promise<PedidoDeFaturamento[]> {
  const deles = de.from('faturamento_pedidos').where({ aberto: 1, tipo });
  return (await rowsOf(deles.orderBy('id'), DO_PEDIDO)).map(paraPedido);
}

/** Whether a run is being undone by order. */
export async function desfazSe(de: Origem): Promise<boolean> {
  const deles = de.from('faturamento_pedidos').where({ aberto: 1, tipo: 'desfazer' });
  return (await rowsOf(deles.limit(1), ID)).length > 0;
}

/** The open order to undo a run; null where there is none. */
export async function desfazerAberto(de: Origem, faturamentoId: number): Promise<PedidoDeFaturamento | null> {
  const dele = de.from('faturamento_pedidos').where({ aberto: 1, tipo: 'desfazer', faturamento_id: faturamentoId });
  const [row] = await rowsOf(dele, DO_PEDIDO);
  return row === undefined ? null : paraPedido(row);
}

/** One, as it is; null where the provider has none of that id. */
export async function lerPedido(de: Origem, id: number): Promise<PedidoDeFaturamento | null> {
  const [row] = await rowsOf(de.from('faturamento_pedidos').where({ id }), DO_PEDIDO);
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

/** Who does something of an order says so after each part, and a part takes seconds: after this time nobody is at it. */
export const NINGUEM_FAZ_MS = 2 * 60_000;

/** Orders among which the newest sign of life is looked for: they are done one after the other. */
const ORDENS_OLHADAS = 20;
const DO_ANDAR = columns<{ andou_em: string | null }>('faturamento_pedidos', { andou_em: true });

/** When a worker last did something of what a provider's people asked for; null: never. */
export async function andouPorUltimo(tenant: TenantDb): Promise<Date | null> {
  const ultimas = tenant.from('faturamento_pedidos').orderBy('id', 'desc').limit(ORDENS_OLHADAS);
  const vezes = (await rowsOf(ultimas, DO_ANDAR)).flatMap(({ andou_em: em }) => em ?? []);
  return vezes.length === 0 ? null : fromDatabaseTime(vezes.reduce((um, outro) => (um > outro ? um : outro)));
}

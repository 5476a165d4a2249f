import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Write } from '../../escrita.ts';
import { tentarJa } from '../pedidos/falhas.service.ts';
import { desfazerAberto } from '../pedidos/pedidos.queries.ts';
import { faixaDaVez } from './faturas.queries.ts';
import type { VezRow } from './vez.queries.ts';

/** A run that was taken back, or is being. */
export interface Desfeito {
  /** How many invoices were cancelled; of an order, how many there are. */
  readonly faturas: number;
  /** The order by which the worker does it; null: it is done. */
  readonly pedido: number | null;
}

interface Quem {
  readonly autor: string;
  readonly agora: Date;
}

/** Orders the worker to undo a run. */
export async function pedirDesfazer(
  w: Write,
  { id, dia }: Pick<VezRow, 'id' | 'dia'>,
  { antes, quantas }: { readonly antes: number; readonly quantas: number },
  { autor, agora }: Quem,
): Promise<Desfeito> {
  const pedido = await w.insert(
    'faturamento_pedidos',
    {
      tipo: 'desfazer',
      mes: dia,
      faturamento_id: id,
      lugar: JSON.stringify({ fatura: antes }),
      total: quantas,
      autor,
      pedido_em: toDatabaseTime(agora),
    },
    { soughtBefore: true },
  );
  w.emit('faturamento.mandado', pedido, { tipo: 'desfazer', mes: dia });
  return { faturas: quantas, pedido };
}

/** What a month has come past may have no charge once a run is undone: it goes through all contracts anew then. */
export async function recomecarMeses(w: Write): Promise<void> {
  const passaram = (q: ReturnType<Write['from']>): void =>
    void q.where({ aberto: 1, tipo: 'faturas' }).whereNotNull('lugar');
  await w.update('faturamento_pedidos', passaram, { lugar: null, vistos: 0, total: null });
}

/** Wakes the worker of a run that is being undone. An order that is gone, or was ended by who did not know it, is made anew. */
export async function continuarADesfazer(w: Write, vez: Pick<VezRow, 'id' | 'dia'>, quem: Quem): Promise<Desfeito> {
  const pedido = await desfazerAberto(w, vez.id);
  if (pedido === null) return pedirDesfazer(w, vez, await faixaDaVez(w, vez.id), quem);
  await tentarJa(w, pedido.id, quem.agora);
  w.emit('faturamento.mandado', pedido.id, { tipo: 'desfazer', mes: vez.dia });
  return { faturas: pedido.total ?? 0, pedido: pedido.id };
}

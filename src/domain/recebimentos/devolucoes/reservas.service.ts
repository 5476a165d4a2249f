import { lerDinheiro } from '../../../brazil/dinheiro/dinheiro.ts';
import type { Centavos } from '../../../brazil/dinheiro/dinheiro.ts';
import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import type { Write } from '../../escrita.ts';
import { EM_CURSO } from './devolucoes.types.ts';

const RESERVADO = columns<{ fatura_id: number; valor: string }>('devolucoes_pedidas', {
  fatura_id: true,
  valor: 'SUM(devolucoes_pedidas.valor)',
});

/** Of some invoices, what people have asked to give back and is not answered: it is neither given back nor free. */
export async function reservadoPorFatura(
  w: Pick<Write, 'from'>,
  faturaIds: readonly number[],
): Promise<ReadonlyMap<number, Centavos>> {
  const emCurso = w
    .from('devolucoes_pedidas')
    .whereIn('fatura_id', faturaIds)
    .whereIn('situacao', EM_CURSO)
    .groupBy('fatura_id');
  const rows = await rowsOf(emCurso, RESERVADO);
  return new Map(rows.map(({ fatura_id, valor }) => [fatura_id, lerDinheiro(valor)]));
}

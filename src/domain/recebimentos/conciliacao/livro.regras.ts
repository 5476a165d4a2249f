import { centavos } from '../../../brazil/dinheiro/dinheiro.ts';
import type { Centavos } from '../../../brazil/dinheiro/dinheiro.ts';
import { entrou, liquido } from '../../faturas/apuracao.regras.ts';
import type { PagamentoRow } from '../../faturas/pagamentos/pagamentos.types.ts';

type DaFatura = Pick<PagamentoRow, 'id' | 'meio' | 'pago_em' | 'end_to_end_id' | 'valor' | 'devolvido'>;

/**
 * Which of an invoice's payments its surplus is of: the last ones, since what came first paid what was owed. What of the surplus is of no
 * payment (a credit that was too much) is none's.
 */
export function sobraPorPagamento<P extends DaFatura>(sobra: Centavos, pagamentos: readonly P[]): [P, Centavos][] {
  const chave = ({ pago_em, end_to_end_id }: P): string => `${pago_em} ${end_to_end_id}`;
  let resta: number = sobra;
  return pagamentos
    .filter(entrou)
    .toSorted((a, b) => (chave(a) < chave(b) ? 1 : -1))
    .map((um) => {
      const dela = centavos(Math.min(resta, liquido(um)));
      resta -= dela;
      return [um, dela];
    });
}

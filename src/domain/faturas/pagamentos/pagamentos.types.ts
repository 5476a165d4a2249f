import { columns } from '../../../platform/mysql/columns.ts';
import type { SituacaoFatura } from '../faturas.types.ts';

/**
 * By what a debt was lowered. `pix`, `boleto` and `manual` (registered by a person) are money that came in by this invoice; `credito` is money that
 * came in by another, whose surplus it was; `desconto` is nobody's money, and neither is `renegociacao`: what an agreement took over, or
 * what an agreement that was broken had been paid.
 */
type MeioDePagamento = 'pix' | 'boleto' | 'manual' | 'credito' | 'desconto' | 'renegociacao';

/** What lowers the debt of an invoice from an instant on: a payment, of which some may have been given back, or an adjustment. */
export interface PagamentoRow {
  id: number;
  fatura_id: number;
  meio: MeioDePagamento;
  /** A PIX's own, or the key of a boleto's settlement; of the others, what puts them in order among those of one instant. */
  end_to_end_id: string;
  txid: string | null;
  valor: string;
  devolvido: string;
  /** Of `devolvido`, what was taken back by the MED. */
  tomado: string;
  pago_em: string;
  /** Null where the txid led to the invoice, and not a person. */
  vinculado_em: string | null;
}

/** The PIX among them. */
export const PAGAMENTOS_PIX = columns<PagamentoRow>('pix_recebidos', {
  id: true,
  fatura_id: true,
  meio: "'pix'",
  end_to_end_id: true,
  txid: true,
  valor: true,
  devolvido: true,
  tomado: true,
  pago_em: true,
  vinculado_em: true,
});

/** In the character set of the column that they stand below. */
const emOrdem = (letra: string, id: string): string =>
  `CONVERT(CONCAT('${letra}', LPAD(${id}, 20, '0')) USING ascii) COLLATE ascii_bin`;

export const PAGAMENTOS_MANUAIS = columns<PagamentoRow>('recebimentos_manuais', {
  ...PAGAMENTOS_PIX.of,
  meio: "'manual'",
  end_to_end_id: emOrdem('M', 'recebimentos_manuais.id'),
  txid: 'NULL',
  devolvido: 'recebimentos_manuais.devolvido',
  tomado: '0.00',
  vinculado_em: 'NULL',
});

export const PAGAMENTOS_POR_BOLETO = columns<PagamentoRow>('boletos_recebidos', {
  ...PAGAMENTOS_MANUAIS.of,
  meio: "'boleto'",
  // The bank's key of it, so that the order of telling does not count.
  end_to_end_id: 'boletos_recebidos.chave',
  devolvido: 'boletos_recebidos.devolvido',
  vinculado_em: 'boletos_recebidos.vinculado_em',
});

export const PAGAMENTOS_POR_AJUSTE = columns<PagamentoRow>('faturas_ajustes', {
  ...PAGAMENTOS_MANUAIS.of,
  meio: "IF(faturas_ajustes.tipo = 'credito' AND faturas_ajustes.origem_fatura_id IS NULL, 'desconto', faturas_ajustes.tipo)",
  end_to_end_id: emOrdem('A', 'faturas_ajustes.id'),
  devolvido: '0.00',
  pago_em: 'faturas_ajustes.dado_em',
});

/** What its invoice was when a payment was read. */
export interface FaturaDoPagamento {
  situacao: SituacaoFatura;
  valor_pago: string;
  abatido: string;
  fatura_pago_em: string | null;
}

export const FATURA_DO_PAGAMENTO = columns<FaturaDoPagamento>('faturas', {
  situacao: true,
  valor_pago: true,
  abatido: true,
  fatura_pago_em: 'faturas.pago_em',
});

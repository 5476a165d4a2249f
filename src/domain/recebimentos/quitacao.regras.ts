import { hojeEm } from '../../brazil/datas.ts';
import type { Data } from '../../brazil/datas.ts';
import { centavos, escreverDinheiro, lerDinheiro, somarDinheiro } from '../../brazil/dinheiro.ts';
import type { Centavos } from '../../brazil/dinheiro.ts';
import { fromDatabaseTime } from '../../platform/database.ts';
import { apurarDivida, pagoSemData, vale } from '../faturas/apuracao.regras.ts';
import type { PagamentoRow } from '../faturas/faturas.types.ts';
import type { Provedor } from '../provedores/provedores.types.ts';
import type { FaturaTravadaRow } from './recebimentos.types.ts';

/** What an invoice is by all that is known of its payments. */
export interface Juizo {
  readonly situacao: FaturaTravadaRow['situacao'];
  /** Instant of the payment that completed it. */
  readonly pagoEm: string | null;
  /** What is still missing as of the last payment. */
  readonly falta: Centavos;
  /** What was received and kept beyond what was owed when it was completed. */
  readonly excedente: Centavos;
}

/**
 * Judges an invoice by the set of its payments and devolutions, in whatever order they were told: `paga` where what was not given back whole
 * settles it; `estornada` where nothing is left of what would have; else open. What was settled by other ways than PIX stays so, and what was
 * cancelled too.
 *
 * @param fatura with `valor_pago` as it is after all of them.
 */
export function julgar(
  fatura: FaturaTravadaRow,
  pagamentos: readonly PagamentoRow[],
  provedor: Provedor,
  hoje: Data,
): Juizo {
  const nada = centavos(0);
  const { situacao, pago_em: pagoEm } = fatura;
  const pagaPorPix = pagamentos.some(({ pago_em }) => pago_em === pagoEm);
  if (situacao === 'cancelada' || (situacao === 'paga' && !pagaPorPix)) {
    return { situacao, pagoEm, falta: nada, excedente: nada };
  }
  const valem = pagamentos.filter(vale);
  const semData = pagoSemData(fatura, pagamentos);
  const quitada = quandoQuitou(fatura, valem, semData, provedor);
  if (quitada !== null) {
    const excedente = centavos(Math.max(0, lerDinheiro(fatura.valor_pago) - quitada.devido));
    return { situacao: 'paga', pagoEm: quitada.em, falta: nada, excedente };
  }
  const inteiros = pagamentos.map((pagamento) => ({ ...pagamento, devolvido: '0.00' }));
  const estornada = valem.length > 0 || semData > 0 ? null : quandoQuitou(fatura, inteiros, semData, provedor);
  if (estornada !== null) return { situacao: 'estornada', pagoEm: estornada.em, falta: nada, excedente: nada };
  const ultimo = emOrdem(valem).at(-1);
  const { total } = apurarDivida(fatura, pagamentos, provedor, ultimo === undefined ? hoje : diaDe(ultimo, provedor));
  const aberta = situacao === 'pendente' || situacao === 'vencida';
  return {
    situacao: aberta ? situacao : fatura.vencimento < hoje ? 'vencida' : 'pendente',
    pagoEm: null,
    falta: total,
    excedente: nada,
  };
}

/**
 * The first payment with which all is paid, and what was owed then. Each is judged as of its own day and not of today, so that a late telling
 * changes nothing.
 */
function quandoQuitou(
  fatura: FaturaTravadaRow,
  pagamentos: readonly PagamentoRow[],
  semData: Centavos,
  provedor: Provedor,
): { readonly em: string; readonly devido: Centavos } | null {
  const ate: PagamentoRow[] = [];
  let pago = semData;
  for (const pagamento of emOrdem(pagamentos)) {
    ate.push(pagamento);
    pago = centavos(pago + lerDinheiro(pagamento.valor) - lerDinheiro(pagamento.devolvido));
    const ateEle = { ...fatura, valor_pago: escreverDinheiro(pago) };
    const { multa, juros, total } = apurarDivida(ateEle, ate, provedor, diaDe(pagamento, provedor));
    if (total === 0) return { em: pagamento.pago_em, devido: somarDinheiro(lerDinheiro(fatura.valor), multa, juros) };
  }
  return null;
}

function emOrdem(pagamentos: readonly PagamentoRow[]): PagamentoRow[] {
  return pagamentos.toSorted((a, b) => (a.pago_em < b.pago_em ? -1 : 1));
}

function diaDe({ pago_em }: PagamentoRow, { fusoHorario }: Provedor): Data {
  return hojeEm(fusoHorario, fromDatabaseTime(pago_em));
}

import { proximoDiaUtil, type CalendarioBancario } from '../calendario/calendario-bancario.ts';
import { diasEntre, type Data } from '../calendario/datas.ts';
import { centavos, somarDinheiro, type Centavos } from './dinheiro.ts';

// Written by hand: the library reckons no late charges, and its business days do not skip the Monday of Carnival.

/** A provider's rules for late payment. Percentages in hundredths of a percent, integers: 200 is 2.00 %. */
export interface RegrasEncargos {
  /** Fine, charged once. The law's ceiling is 200 (Consumer Code, art. 52, § 1); whoever stores the rules checks it. */
  multaPercentual: number;
  /** Simple interest per month of 30 days, pro rata by calendar day. */
  jurosMensalPercentual: number;
  /** Days late without charges. */
  carenciaDias: number;
  /** On which days the banks of the provider's place are closed. */
  calendario: CalendarioBancario;
}

/** A payment of a part, or of the whole, of an invoice, on a local date of the provider. */
export interface PagamentoParcial {
  readonly em: Data;
  readonly valor: Centavos;
}

const SEM_PAGAMENTOS: readonly PagamentoParcial[] = [];

/**
 * Fine, interest and what is left to pay of an invoice on `hoje`.
 *
 * What is due on a day without banks may be paid on the next business day without charges, and being late counts from
 * that day (due on Saturday, paid on Tuesday: 1 day). `diasEmAtraso` is 0 until then, and counts up to `hoje` even when
 * nothing is left to pay. With `diasEmAtraso <= carenciaDias` there is neither fine nor interest. Once this grace is
 * over, interest counts from the business day of the due date, not from the end of the grace: who pays within it is
 * forgiven, and who does not is not late by less.
 *
 * `pagamentos` come in any order; those after `hoje` do not count, so the answer is the one of that day. A payment by
 * the end of the grace reduces the principal, and fine and interest count on what is left of it. A later payment goes
 * first to the charges up to its date and only the rest of it to the principal (Civil Code, art. 354: interest first,
 * then capital); from then on interest counts on the principal that is left, never on charges.
 *
 * `multa` and `juros` are all that came up until `hoje`, paid or not, each rounded to the centavo once, half up, from
 * the exact result; `pago` is the sum of the payments up to and on `hoje`; `total` is what is left, `valor + multa +
 * juros - pago`, or 0 when more was paid. Who pays a day's `total` owes 0 ever after. A negative amount is a credit:
 * nothing comes up on it and nothing is left to pay.
 * @throws {RangeError} when the amount is no integer, a rule is negative or no integer, a payment is no positive
 * integer, or a sum does not fit centavos.
 */
export function calcularEncargos(entrada: {
  valor: Centavos;
  vencimento: Data;
  hoje: Data;
  regras: RegrasEncargos;
  pagamentos?: readonly PagamentoParcial[];
}): { diasEmAtraso: number; multa: Centavos; juros: Centavos; pago: Centavos; total: Centavos } {
  const { vencimento, hoje, regras, pagamentos = SEM_PAGAMENTOS } = entrada;
  const valor = centavos(Math.max(0, entrada.valor));
  for (const numero of [regras.multaPercentual, regras.jurosMensalPercentual, regras.carenciaDias]) {
    if (!Number.isSafeInteger(numero) || numero < 0) throw new RangeError(`encargos pedem inteiros >= 0: ${numero}`);
  }
  // Before the due date there is nothing to count, and not even the calendar of holidays is asked.
  const vencimentoUtil = hoje <= vencimento ? null : proximoDiaUtil(vencimento, regras.calendario);
  const atrasoEm = (dia: Data) => (vencimentoUtil === null ? 0 : Math.max(0, diasEntre(vencimentoUtil, dia)));
  const diasEmAtraso = atrasoEm(hoje);
  let principal = valor;
  let pago = centavos(0);
  let multa = centavos(0);
  let juros = centavos(0);
  let jurosExatos = 0n;
  let diasContados = 0;

  const correrAte = (dias: number) => {
    if (dias <= regras.carenciaDias) return;
    const base = BigInt(principal);
    if (diasContados === 0) multa = arredondar(base * BigInt(regras.multaPercentual), 10_000n);
    jurosExatos += base * BigInt(regras.jurosMensalPercentual) * BigInt(dias - diasContados);
    diasContados = dias;
    juros = arredondar(jurosExatos, 300_000n);
  };
  const falta = () => centavos(Math.max(0, somarDinheiro(valor, multa, juros) - pago));

  for (const pagamento of pagamentosAte(hoje, pagamentos)) {
    correrAte(atrasoEm(pagamento.em));
    pago = somarDinheiro(pago, pagamento.valor);
    // As long as more than the principal is left to pay, what was paid has not covered the charges, and the principal
    // is whole.
    principal = centavos(Math.min(principal, falta()));
  }
  correrAte(diasEmAtraso);
  return { diasEmAtraso, multa, juros, pago, total: falta() };
}

/**
 * What is said of an overdue invoice whose `total` is that of `calcularEncargos`; null where it is the amount itself,
 * or a credit.
 */
export function valorAtualizado(valor: Centavos, total: Centavos): Centavos | null {
  return total === valor || valor < 0 ? null : total;
}

/** Those that count on `hoje`, from first to last; the order within a day does not change the result. */
function pagamentosAte(hoje: Data, pagamentos: readonly PagamentoParcial[]): readonly PagamentoParcial[] {
  // Almost every invoice that is read comes here without payments.
  if (pagamentos.length === 0) return pagamentos;
  for (const { valor } of pagamentos) {
    if (!Number.isSafeInteger(valor) || valor < 1) throw new RangeError(`pagamento precisa ser inteiro > 0: ${valor}`);
  }
  return pagamentos.filter(({ em }) => em <= hoje).toSorted((a, b) => diasEntre(b.em, a.em));
}

/** `numerador / divisor` to the centavo, half up; BigInt because the products are larger than a safe integer. */
function arredondar(numerador: bigint, divisor: bigint): Centavos {
  return centavos(Number((2n * numerador + divisor) / (2n * divisor)));
}

import { proximoDiaUtil, type CalendarioBancario } from '../calendario/calendario-bancario.ts';
import { diasEntre, type Data } from '../calendario/datas.ts';
import { centavos, somarDinheiro, type Centavos } from './dinheiro.ts';

// Escrito à mão: a biblioteca não calcula encargos, e seus dias úteis não pulam a segunda de Carnaval.

/** Regras de cobrança do provedor. Percentuais em centésimos de por cento, inteiros: 200 é 2,00 %. */
export interface RegrasEncargos {
  /** Multa, cobrada uma vez. O teto legal é 200 (CDC, art. 52, § 1º); quem grava as regras o confere. */
  multaPercentual: number;
  /** Juros simples por mês de 30 dias, pro rata por dia corrido. */
  jurosMensalPercentual: number;
  /** Dias de atraso sem encargos. */
  carenciaDias: number;
  /** Em que dias os bancos de quem cobra não abrem. */
  calendario: CalendarioBancario;
}

/** Um pagamento de parte, ou do todo, de uma fatura, na data local do provedor. */
export interface PagamentoParcial {
  readonly em: Data;
  readonly valor: Centavos;
}

const SEM_PAGAMENTOS: readonly PagamentoParcial[] = [];

/**
 * Multa, juros e o que falta pagar de uma fatura em `hoje`.
 *
 * Vencimento em dia sem banco pode ser pago no dia útil seguinte sem encargos, e o atraso conta desse dia (vence no
 * sábado, paga na terça: 1 dia). `diasEmAtraso` é 0 até lá, e conta até `hoje` mesmo que já não haja o que pagar. Com
 * `diasEmAtraso <= carenciaDias` não há multa nem juros; passada a carência, os juros contam desde o vencimento útil,
 * não desde o fim da carência: a carência perdoa quem paga dentro dela e não encurta o atraso de quem não pagou.
 *
 * `pagamentos` vêm em qualquer ordem; os posteriores a `hoje` não contam, e a resposta é a que se daria naquele dia. Um
 * pagamento até o fim da carência reduz o principal, e multa e juros contam sobre o que sobrou dele. Um pagamento depois
 * disso vai primeiro aos encargos corridos até a sua data e só o resto ao principal (Código Civil, art. 354: primeiro os
 * juros, depois o capital); daí em diante os juros correm sobre o principal que sobrou, nunca sobre encargos.
 *
 * `multa` e `juros` são tudo o que correu até `hoje`, pago ou não, cada um arredondado ao centavo uma só vez, metade
 * para cima, sobre a conta exata; `pago` é a soma dos pagamentos até `hoje`, inclusive; `total` é o que falta,
 * `valor + multa + juros - pago`, ou 0 se pagaram a mais. Quem paga o `total` de um dia deve 0 para sempre.
 * De um valor negativo, que é um crédito, nada corre e nada falta.
 * @throws {RangeError} se o valor não for inteiro, alguma regra for negativa ou não inteira, um pagamento não for inteiro
 * positivo, ou uma soma não couber em centavos.
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
  // Antes do vencimento não há o que contar, e o calendário de feriados nem precisa ser consultado.
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
    // Enquanto faltar mais que o principal, o pago não cobriu os encargos e o principal está inteiro.
    principal = centavos(Math.min(principal, falta()));
  }
  correrAte(diasEmAtraso);
  return { diasEmAtraso, multa, juros, pago, total: falta() };
}

/** O que se diz de uma fatura vencida cujo `total` é o de `calcularEncargos`; null onde é o próprio valor, e onde ele é um crédito. */
export function valorAtualizado(valor: Centavos, total: Centavos): Centavos | null {
  return total === valor || valor < 0 ? null : total;
}

/** Os que contam em `hoje`, do primeiro ao último; a ordem dos de um mesmo dia não muda a conta. */
function pagamentosAte(hoje: Data, pagamentos: readonly PagamentoParcial[]): readonly PagamentoParcial[] {
  // Quase toda fatura lida chega aqui sem pagamentos.
  if (pagamentos.length === 0) return pagamentos;
  for (const { valor } of pagamentos) {
    if (!Number.isSafeInteger(valor) || valor < 1) throw new RangeError(`pagamento precisa ser inteiro > 0: ${valor}`);
  }
  return pagamentos.filter(({ em }) => em <= hoje).toSorted((a, b) => diasEntre(b.em, a.em));
}

/** `numerador / divisor` ao centavo, metade para cima; BigInt porque os produtos passam do inteiro seguro. */
function arredondar(numerador: bigint, divisor: bigint): Centavos {
  return centavos(Number((2n * numerador + divisor) / (2n * divisor)));
}

import { diasEntre, type Data } from './datas.ts';
import { centavos, somarDinheiro, type Centavos } from './dinheiro.ts';
import { proximoDiaUtil } from './feriados.ts';

/** Regras de cobrança do provedor. Percentuais em centésimos de por cento, inteiros: 200 é 2,00 %. */
export interface RegrasEncargos {
  /** Multa, cobrada uma vez. O teto legal é 200 (CDC, art. 52, § 1º); quem grava as regras o confere. */
  multaPercentual: number;
  /** Juros simples por mês de 30 dias, pro rata por dia corrido. */
  jurosMensalPercentual: number;
  /** Dias de atraso sem encargos. */
  carenciaDias: number;
}

/**
 * Multa e juros de uma fatura paga em `hoje`.
 *
 * Vencimento em dia sem banco pode ser pago no dia útil seguinte sem encargos, e o atraso conta desse dia (vence no
 * sábado, paga na terça: 1 dia). `diasEmAtraso` é 0 até lá. Com `diasEmAtraso <= carenciaDias` não há multa nem juros;
 * passada a carência, os juros contam desde o vencimento útil, não desde o fim da carência: a carência perdoa quem paga
 * dentro dela e não encurta o atraso de quem não pagou.
 *
 * Multa e juros são arredondados ao centavo, metade para cima, cada um uma só vez.
 * @throws {RangeError} se o valor ou alguma regra for negativo ou não inteiro, ou se o total não couber em centavos.
 */
export function calcularEncargos(entrada: {
  valor: Centavos;
  vencimento: Data;
  hoje: Data;
  regras: RegrasEncargos;
  pagamentos?: readonly { em: Data; valor: Centavos }[];
}): {
  diasEmAtraso: number;
  multa: Centavos;
  juros: Centavos;
  pago: Centavos;
  total: Centavos;
} {
  const { valor, vencimento, hoje, regras } = entrada;
  for (const numero of [valor, regras.multaPercentual, regras.jurosMensalPercentual, regras.carenciaDias]) {
    if (!Number.isSafeInteger(numero) || numero < 0) throw new RangeError(`encargos pedem inteiros >= 0: ${numero}`);
  }
  // Antes do vencimento não há o que contar, e o calendário de feriados nem precisa ser consultado.
  const diasEmAtraso = hoje <= vencimento ? 0 : Math.max(0, diasEntre(proximoDiaUtil(vencimento), hoje));
  const isento = diasEmAtraso <= regras.carenciaDias;
  const multa = isento ? centavos(0) : fracao(valor, regras.multaPercentual, 1, 10_000n);
  const juros = isento ? centavos(0) : fracao(valor, regras.jurosMensalPercentual, diasEmAtraso, 300_000n);
  const pago = somarDinheiro(...(entrada.pagamentos ?? []).map((p) => p.valor));
  const total = centavos(Math.max(0, somarDinheiro(valor, multa, juros) - pago));
  return { diasEmAtraso, multa, juros, pago, total };
}

/** `valor × taxa × dias / divisor`, arredondado uma vez, metade para cima; o produto passa do inteiro seguro. */
function fracao(valor: Centavos, taxa: number, dias: number, divisor: bigint): Centavos {
  const dividendo = BigInt(valor) * BigInt(taxa) * BigInt(dias);
  return centavos(Number((2n * dividendo + divisor) / (2n * divisor)));
}

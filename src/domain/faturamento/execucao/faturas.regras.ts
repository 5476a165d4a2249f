import { BOLETO_MAXIMO } from '../../../brazil/boleto/boleto.ts';
import { centavos } from '../../../brazil/dinheiro/dinheiro.ts';
import { gerarPixEstatico } from '../../../brazil/pix/pix.ts';
import { contaDaFatura, contaDeQuemEmite, idDaConta } from '../../cobradores/cobradores.types.ts';
import type { Conta } from '../../cobradores/cobradores.types.ts';
import { tipoDaFatura } from '../../faturas/emissao/emissao.service.ts';
import type { NovaFatura } from '../../faturas/emissao/emissao.service.ts';
import type { Cobranca, ContratoAFaturar, RegrasDoFaturamento } from '../faturamento.types.ts';
import { mesEscrito } from '../calculo/cobranca.regras.ts';

/** A charge with the contract that it is of. */
export interface CobrancaDoContrato {
  readonly contrato: ContratoAFaturar;
  readonly cobranca: Cobranca;
}

/** Charges that become one invoice, and how it is paid. */
export interface FaturaAFazer {
  readonly cobrancas: readonly CobrancaDoContrato[];
  readonly conta: Conta;
}

/** Whether a charge can be asked for, or taken off a later one, at all: every invoice must be payable by a boleto. */
export const cabeNumaFatura = ({ contrato, cobranca }: CobrancaDoContrato): boolean =>
  contrato.valor >= 0 && Math.abs(cobranca.valor) <= BOLETO_MAXIMO;

/** The invoices of some charges: one each or, where the provider wants it, one of all that a client has to pay on a day to an account. */
export function faturasDe(
  cobrancas: readonly CobrancaDoContrato[],
  { faturaUnica }: RegrasDoFaturamento,
  contas: readonly Conta[],
): FaturaAFazer[] {
  const juntas = new Map<string, { cobrancas: CobrancaDoContrato[]; conta: Conta; soma: number }>();
  for (const uma of cobrancas) {
    // What is below nothing is taken off later; nothing is no invoice.
    if (uma.cobranca.valor <= 0) continue;
    const { contrato, cobranca } = uma;
    const conta = contaDeQuemEmite(contas, contrato.cobradorId);
    const chave = faturaUnica ? `${contrato.clienteId} ${cobranca.vencimento} ${conta.id}` : String(contrato.id);
    const junta = juntas.get(chave);
    if (junta !== undefined && junta.soma + cobranca.valor <= BOLETO_MAXIMO) {
      junta.cobrancas.push(uma);
      junta.soma += cobranca.valor;
    } else {
      const propria = junta === undefined ? chave : `${chave} ${contrato.id}`;
      juntas.set(propria, { cobrancas: [uma], conta, soma: cobranca.valor });
    }
  }
  return [...juntas.values()];
}

const somaDas = (cobrancas: readonly CobrancaDoContrato[]): number =>
  cobrancas.reduce((soma, { cobranca }) => soma + cobranca.valor, 0);

/**
 * The invoice as it is written. One of several contracts names none, so that all of the client's answer for it.
 *
 * @param comConvenio accounts whose boletos are ours to register.
 */
export function novaFatura(
  { cobrancas, conta }: FaturaAFazer,
  faturamentoId: number,
  comConvenio: ReadonlySet<number>,
): NovaFatura {
  const [{ contrato, cobranca } = vazia(), ...outras] = cobrancas;
  return {
    cliente_id: contrato.clienteId,
    contrato_id: outras.length === 0 ? contrato.id : null,
    descricao:
      outras.length === 0
        ? `Mensalidade ${mesEscrito(cobranca.competencia)}`
        : `Mensalidades de ${cobrancas.length} contratos, ${mesesEscritos(cobrancas)}`,
    valor: centavos(somaDas(cobrancas)),
    vencimento: cobranca.vencimento,
    tipo: tipoDaFatura(undefined, conta, comConvenio.has(conta.id)),
    cobrador_id: idDaConta(conta),
    faturamento_id: faturamentoId,
    competencia: cobranca.competencia,
  };
}

/** Who pays before and who pays afterwards are charged for different months on one day. */
function mesesEscritos(cobrancas: readonly CobrancaDoContrato[]): string {
  const meses = new Set(cobrancas.map(({ cobranca }) => cobranca.competencia));
  return [...meses].toSorted().map(mesEscrito).join(' e ');
}

function vazia(): never {
  throw new Error('uma fatura sem cobrança');
}

/** The PIX code of a new invoice, which asks for all of it. */
export function codigoDe(contas: readonly Conta[]): (nova: NovaFatura, txid: string) => string | null {
  return ({ cobrador_id, valor }, txid) => {
    const { recebedor } = contaDaFatura(contas, cobrador_id);
    return recebedor === null ? null : gerarPixEstatico({ ...recebedor, valor, txid });
  };
}

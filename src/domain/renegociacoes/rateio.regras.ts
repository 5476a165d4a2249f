import { hojeEm } from '../../brazil/calendario/datas.ts';
import { centavos, escreverDinheiro, lerDinheiro, somarDinheiro } from '../../brazil/dinheiro/dinheiro.ts';
import type { Centavos } from '../../brazil/dinheiro/dinheiro.ts';
import { fromDatabaseTime } from '../../platform/mysql/database.ts';
import { apurarDivida, contado, pagoSemData, vale } from '../faturas/apuracao.regras.ts';
import type { PagamentoRow } from '../faturas/pagamentos/pagamentos.types.ts';
import type { Provedor } from '../provedores/provedores.types.ts';

type Pagamento = Readonly<Omit<PagamentoRow, 'fatura_id'>>;

/** Money that came in by an instalment, at an instant as MySQL writes it. */
export interface PagoDoAcordo {
  readonly em: string;
  readonly valor: Centavos;
}

/** An invoice with all that it is judged by. */
interface ComPagamentos {
  readonly fatura: {
    readonly id: number;
    readonly valor: string;
    readonly valor_pago: string;
    readonly vencimento: string;
  };
  readonly pagamentos: readonly Pagamento[];
}

/** What of an agreement's money an invoice of before gets. */
export interface Quinhao {
  readonly faturaId: number;
  readonly em: string;
  readonly valor: Centavos;
}

/**
 * What an instalment was paid: money and credits, each on its day, without what was more than it asked for.
 *
 * @param excedente what its judgement has booked as not owed: the last that came.
 */
export function pagoDaParcela({ fatura, pagamentos }: ComPagamentos, excedente: Centavos): PagoDoAcordo[] {
  const semData = pagoSemData(fatura, pagamentos);
  const datados = pagamentos
    .filter((um) => vale(um) && um.meio !== 'desconto' && um.meio !== 'renegociacao')
    .map((um) => ({ em: um.pago_em, valor: contado(um) }));
  const todos = [...datados, { em: `${fatura.vencimento} 12:00:00.000`, valor: semData }]
    .filter(({ valor }) => valor > 0)
    .toSorted(porInstante);
  let resta = somarDinheiro(...todos.map(({ valor }) => valor)) - excedente;
  return todos.flatMap(({ em, valor }) => {
    const conta = centavos(Math.max(0, Math.min(valor, resta)));
    resta -= conta;
    return conta > 0 ? [{ em, valor: conta }] : [];
  });
}

/**
 * Divides what an agreement was paid among the invoices of before, the oldest first: each payment goes to what they owed on its own day, so
 * that charges run on what was left and on nothing else.
 *
 * @returns what each gets of which payment, and what is left because nothing more is owed.
 */
export function ratear(
  antigas: readonly ComPagamentos[],
  pagos: readonly PagoDoAcordo[],
  provedor: Provedor,
): { readonly quinhoes: readonly Quinhao[]; readonly sobra: Centavos } {
  const fila = antigas
    .toSorted((a, b) =>
      a.fatura.vencimento === b.fatura.vencimento
        ? a.fatura.id - b.fatura.id
        : a.fatura.vencimento < b.fatura.vencimento
          ? -1
          : 1,
    )
    .map(({ fatura, pagamentos }) => ({ fatura, pagamentos: [...pagamentos] }));
  const quinhoes: Quinhao[] = [];
  let sobra = 0;
  for (const { em, valor } of pagos.toSorted(porInstante)) {
    let resta: number = valor;
    const dia = hojeEm(provedor.fusoHorario, fromDatabaseTime(em));
    for (const { fatura, pagamentos } of fila) {
      const quinhao = centavos(Math.min(resta, apurarDivida(fatura, pagamentos, provedor, dia).total));
      if (quinhao === 0) continue;
      pagamentos.push(quinhaoComoPagamento({ faturaId: fatura.id, em, valor: quinhao }));
      quinhoes.push({ faturaId: fatura.id, em, valor: quinhao });
      resta -= quinhao;
    }
    sobra += resta;
  }
  return { quinhoes, sobra: centavos(sobra) };
}

const porInstante = (a: PagoDoAcordo, b: PagoDoAcordo): number => (a.em < b.em ? -1 : a.em > b.em ? 1 : 0);

function quinhaoComoPagamento({ em, valor }: Quinhao): Pagamento {
  return {
    id: 0,
    meio: 'renegociacao',
    end_to_end_id: '',
    txid: null,
    valor: escreverDinheiro(valor),
    devolvido: '0.00',
    tomado: '0.00',
    pago_em: em,
    vinculado_em: null,
  };
}

/** What of some payments is money, by what they count for. */
export function somaDe(pagos: readonly PagoDoAcordo[]): Centavos {
  return somarDinheiro(...pagos.map(({ valor }) => valor));
}

/** What was booked as not owed of invoices, by their id. */
export function excedentesDe(lancados: readonly { fatura_id: number; valor: string }[]): Map<number, Centavos> {
  return new Map(lancados.map(({ fatura_id, valor }) => [fatura_id, lerDinheiro(valor)]));
}

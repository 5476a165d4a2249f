import { escreverDinheiro, lerDinheiro, somarDinheiro } from '../src/brazil/dinheiro/dinheiro.ts';
import { toDatabaseTime } from '../src/platform/mysql/database.ts';
import { DIA, HORA } from './calendario.ts';
import type { FaturaGerada, Linha } from './modelo.ts';

/** What the screens of reconciliation show: PIX for no invoice, one of them with a return, and a surplus. */
export interface ConciliacaoDemo {
  readonly soltos: readonly Linha[];
  /** Of the second of them. */
  readonly devolucao: Linha;
  readonly pedida: Linha;
  /** A PIX of an invoice that had been paid, by its place in the list, and what that made of it. */
  readonly aMais: {
    readonly fatura: number;
    readonly pix: Linha;
    readonly lancamento: Linha;
    readonly valorPago: string;
  } | null;
}

const A_MAIS = lerDinheiro('25.00');
const DEVOLVIDO = '40.00';
const NOSSA = 'd'.repeat(32);

export function gerarConciliacao(faturas: readonly FaturaGerada[], agora: Date): ConciliacaoDemo {
  const em = (dias: number): string => toDatabaseTime(new Date(agora.getTime() - dias * DIA - 5 * HORA));
  const hoje = agora.toISOString().slice(0, 10);
  const fimAFim = (n: number): string => `E00416968${hoje.replaceAll('-', '')}1500conc${n}`.padEnd(32, '0');
  const pix = (n: number, valor: string, dias: number, devolvido = '0.00'): Linha => ({
    end_to_end_id: fimAFim(n),
    valor,
    devolvido,
    pago_em: em(dias),
    criado_em: em(dias),
  });
  const aberta = faturas.find(({ linha }) => linha.situacao === 'pendente' || linha.situacao === 'vencida');
  const paga = faturas.findIndex(
    ({ linha: { situacao, pago_em } }) =>
      situacao === 'paga' && pago_em !== null && pago_em > em(20) && pago_em < em(2),
  );
  const daPaga = faturas[paga]?.linha;
  return {
    soltos: [pix(1, aberta?.linha.valor ?? '99.90', 1), pix(2, '140.00', 3, DEVOLVIDO)],
    devolucao: { devolucao: NOSSA, valor: DEVOLVIDO, natureza: 'ORIGINAL', criado_em: em(2) },
    pedida: {
      meio: 'pix',
      devolucao: NOSSA,
      valor: DEVOLVIDO,
      situacao: 'devolvida',
      motivo: 'O pagador errou o valor',
      autor: 'Financeiro',
      pedida_em: em(2),
      enviada_em: em(2),
      respondida_em: em(2),
    },
    aMais:
      daPaga === undefined
        ? null
        : {
            fatura: paga,
            pix: pix(3, escreverDinheiro(A_MAIS), 1),
            lancamento: { tipo: 'excedente', valor: escreverDinheiro(A_MAIS), criado_em: em(1) },
            valorPago: escreverDinheiro(somarDinheiro(lerDinheiro(daPaga.valor_pago), A_MAIS)),
          },
  };
}

import { hojeEm } from '../../brazil/calendario/datas.ts';
import type { Data } from '../../brazil/calendario/datas.ts';
import { centavos, lerDinheiro, somarDinheiro } from '../../brazil/dinheiro/dinheiro.ts';
import type { Centavos } from '../../brazil/dinheiro/dinheiro.ts';
import { calcularEncargos, valorAtualizado } from '../../brazil/dinheiro/encargos.ts';
import { fromDatabaseTime } from '../../platform/mysql/database.ts';
import { contaDaFatura } from '../cobradores/cobradores.types.ts';
import type { Provedor } from '../provedores/provedores.types.ts';
import { conferirBoleto } from './boleto.regras.ts';
import { lerFatura } from './faturas.types.ts';
import type { Fatura, FaturaRow, SegundaVia } from './faturas.types.ts';
import type { PagamentoRow } from './pagamentos/pagamentos.types.ts';
import { conferirPix } from './pix.regras.ts';

export function estaAberta({ situacao }: Pick<FaturaRow, 'situacao'>): boolean {
  return situacao === 'pendente' || situacao === 'vencida';
}

/** Whether something was taken off what is owed that is no payment of this invoice. */
export function temAbatimento({ abatido }: Pick<FaturaRow, 'abatido'>): boolean {
  return lerDinheiro(abatido) > 0;
}

/** Whether what is owed depends on when payments were made: only where some came in, or was taken off, and some is still missing. */
export function pedePagamentos(row: Pick<FaturaRow, 'situacao' | 'valor_pago' | 'abatido'>): boolean {
  return estaAberta(row) && (lerDinheiro(row.valor_pago) > 0 || temAbatimento(row));
}

/** Whether anything is left of a payment: one that was given back whole is as if it had never been made. */
export function vale({ valor, devolvido }: Pick<PagamentoRow, 'valor' | 'devolvido'>): boolean {
  return lerDinheiro(valor) > lerDinheiro(devolvido);
}

/** Whether it is money that came in by this invoice; the others lower what is owed, and are in no sum of what was received. */
export function entrou({ meio }: Pick<PagamentoRow, 'meio'>): boolean {
  return meio === 'pix' || meio === 'boleto' || meio === 'manual';
}

/** The money that is left of a payment. */
export function liquido(pagamento: Pick<PagamentoRow, 'meio' | 'valor' | 'devolvido'>): Centavos {
  return entrou(pagamento) ? centavos(lerDinheiro(pagamento.valor) - lerDinheiro(pagamento.devolvido)) : centavos(0);
}

/** What a payment counts for: what came, without what the MED took back. What the provider gave back by itself is a concession. */
export function contado({ valor, tomado }: Pick<PagamentoRow, 'valor' | 'tomado'>): Centavos {
  return centavos(lerDinheiro(valor) - lerDinheiro(tomado));
}

/** What of `valor_pago` came by ways that leave no date: an import, or another program that wrote it. */
export function pagoSemData(
  row: Pick<FaturaRow, 'valor_pago'>,
  pagamentos: readonly Pick<PagamentoRow, 'meio' | 'valor' | 'devolvido'>[],
): Centavos {
  return centavos(Math.max(0, lerDinheiro(row.valor_pago) - somarDinheiro(...pagamentos.map(liquido))));
}

/**
 * What an invoice's value has become on a day, with fine and interest and without what was paid. A payment counts for what it was, without
 * what the MED took back of it, unless nothing of it is left: what the provider gave back of it is a concession, and no debt.
 * A discount or a credit counts like a payment of the day on which it was given: towards the charges of until then, and then the principal.
 */
export function apurarDivida(
  row: Pick<FaturaRow, 'valor' | 'valor_pago' | 'vencimento'>,
  pagamentos: readonly Omit<PagamentoRow, 'id' | 'fatura_id' | 'end_to_end_id' | 'txid' | 'vinculado_em'>[],
  { fusoHorario, regras }: Provedor,
  hoje: Data,
): ReturnType<typeof calcularEncargos> {
  const vencimento = row.vencimento as Data;
  const recebidos = pagamentos.filter(vale).map((pagamento) => ({
    em: hojeEm(fusoHorario, fromDatabaseTime(pagamento.pago_em)),
    valor: contado(pagamento),
  }));
  // It counts as paid in time, and from the day it is seen.
  const semData = { em: vencimento < hoje ? vencimento : hoje, valor: pagoSemData(row, pagamentos) };
  return calcularEncargos({
    valor: lerDinheiro(row.valor),
    vencimento,
    hoje,
    regras,
    pagamentos: semData.valor > 0 ? [...recebidos, semData] : recebidos,
  });
}

/** What a stored invoice is on a given day: state, amount to pay and ways to pay do not wait for a job. */
export function apurarFatura(
  row: FaturaRow,
  pagamentos: readonly PagamentoRow[],
  provedor: Provedor,
  hoje: Data,
): Fatura {
  const guardada = lerFatura(row);
  const aberta = estaAberta(row);
  const vencida = aberta && guardada.vencimento < hoje;
  const zero = centavos(0);
  const { diasEmAtraso, multa, juros, total } = aberta
    ? apurarDivida(row, pagamentos, provedor, hoje)
    : { diasEmAtraso: 0, multa: zero, juros: zero, total: zero };
  return {
    ...guardada,
    situacao: aberta ? (vencida ? 'vencida' : 'pendente') : row.situacao,
    valorAtualizado: vencida || (aberta && temAbatimento(row)) ? valorAtualizado(guardada.valor, total) : null,
    multa,
    juros,
    aPagar: total,
    diasEmAtraso,
    pagaEmParte: aberta && guardada.valorPago > 0 && total > 0,
    segundaVia: aberta ? segundaVia(row, provedor, total) : null,
  };
}

/** The links live on the provider's own host, behind the invoice's unguessable token. */
function segundaVia(row: FaturaRow, provedor: Provedor, aPagar: Centavos): SegundaVia {
  const conta = contaDaFatura(provedor.contas, row.cobrador_id);
  const { pix, retirado: pixRetirado } = conferirPix(row, conta, aPagar);
  const { boleto, retirado: boletoRetirado } = conferirBoleto(row, conta.boleto);
  const pagina = (caminho: string): string => `https://${provedor.panelHost}/${caminho}/${row.token}`;
  return {
    linkPagamento: pix !== null || boleto !== null ? pagina('pagar') : null,
    pdf: (boleto?.papel ?? null) === null ? null : pagina('boleto'),
    paginaPix: pix === null ? null : pagina('pix'),
    pix,
    boleto,
    retirado: { boleto: boletoRetirado, pix: pixRetirado },
  };
}

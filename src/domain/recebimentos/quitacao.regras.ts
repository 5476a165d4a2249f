import { hojeEm, somarDias } from '../../brazil/calendario/datas.ts';
import type { Data } from '../../brazil/calendario/datas.ts';
import { centavos, lerDinheiro, somarDinheiro } from '../../brazil/dinheiro/dinheiro.ts';
import type { Centavos } from '../../brazil/dinheiro/dinheiro.ts';
import { calcularEncargos } from '../../brazil/dinheiro/encargos.ts';
import type { PagamentoParcial } from '../../brazil/dinheiro/encargos.ts';
import { txidEstaticoValido } from '../../brazil/pix/pix.ts';
import { fromDatabaseTime } from '../../platform/mysql/database.ts';
import { contado, entrou, estaAberta, liquido, pagoSemData, vale } from '../faturas/apuracao.regras.ts';
import type { Provedor } from '../provedores/provedores.types.ts';
import type { FaturaTravadaRow, PagamentoJulgado } from './recebimentos.types.ts';

/** What an invoice is by all that is known of its payments. */
export interface Juizo {
  readonly situacao: FaturaTravadaRow['situacao'];
  /** Instant of the payment that completed it. */
  readonly pagoEm: string | null;
  /** What came and was not given back, by all ways. */
  readonly valorPago: Centavos;
  /** What discounts, credits and agreements take off what is owed: no money that came in by this invoice. */
  readonly abatido: Centavos;
  /** What is still missing as of the last payment. */
  readonly falta: Centavos;
  /** What was still missing by that payment's day when it completed the invoice, and is not asked for. */
  readonly desconto: Centavos;
  /** Of `valorPago` and of the credits, what was not owed. */
  readonly excedente: Centavos;
}

interface Julgamento {
  /** As it is stored, before. */
  readonly fatura: FaturaTravadaRow;
  /** Its payments and adjustments as they were before, and as they are now. */
  readonly antes: readonly PagamentoJulgado[];
  readonly depois: readonly PagamentoJulgado[];
  readonly provedor: Provedor;
  readonly hoje: Data;
}

const NADA = centavos(0);

/**
 * Judges an invoice by the set of its payments, devolutions and adjustments, in whatever order they were told: `paga` where what counts
 * settles it; `estornada` where all that would have was given back by the provider; else open. What was settled by ways that we know
 * nothing of stays so, and what was cancelled too: there, what payments bring is surplus. Only of what was cancelled because an agreement
 * took its place, what was paid before is no surplus: the agreement took over what it still owed. Where that payment is taken back (by the
 * MED, or by whoever had put it to a wrong invoice), the invoice is open again, for what neither the agreement took over nor else was paid;
 * what the provider gave back of it by itself is a concession, and asked for by nobody.
 *
 * Discounts and credits lower what is owed like a payment of their instant, but are no money that came in; see docs/adr/0026.
 *
 * A payment settles what it is enough for by its own local day or by one of the `toleranciaPixDias` before it, with the payments made
 * before it: codes of those days may still be on somebody's screen. Who registers a payment by hand reads what is owed on its day, so only
 * PIX have those days. A payment of a charge that a bank made (dynamic, found by its txid)
 * settles it whatever the amount: what was to be paid was the bank's to say. So does a boleto that comes to the invoice's own value: fine and
 * interest were the bank's to reckon, and less than the value itself is a part of it.
 *
 * A settled invoice of which nothing was taken back stays settled, even where the provider's rules are others by now.
 */
export function julgar({ fatura, antes, depois, provedor, hoje }: Julgamento): Juizo {
  const { situacao, pago_em: pagoEm } = fatura;
  // Of what was returned, nothing is left by any way.
  const semData = situacao === 'estornada' ? NADA : pagoSemData(fatura, antes);
  const recebido = somarDinheiro(...depois.map(liquido));
  const valorPago = somarDinheiro(semData, recebido);
  const abatido = somarDinheiro(...depois.filter((um) => !entrou(um)).map(contado));
  const base = { valorPago, abatido, falta: NADA, desconto: NADA, excedente: NADA };
  const valem = depois.filter(vale);
  if (situacao === 'cancelada') {
    if (!depois.some(({ meio }) => meio === 'renegociacao')) return { ...base, situacao, pagoEm, excedente: recebido };
    const passada = quandoQuitou(fatura, valem, semData, provedor, null);
    if (passada !== null) return { ...base, situacao, pagoEm, excedente: sobraDe(passada, valorPago, depois) };
    const tomou = dinheiroContado(depois) < dinheiroContado(antes);
    const basta = quandoQuitou(fatura, depois, semData, provedor, null) !== null;
    if (!tomou || basta) return { ...base, situacao, pagoEm };
  }
  if (situacao === 'paga' && !antes.some(({ pago_em }) => pago_em === pagoEm)) {
    return { ...base, situacao, pagoEm, excedente: excedenteDeOutroMeio(fatura, depois, valorPago, provedor) };
  }

  const aManter = situacao === 'paga' && contadoAte(depois, pagoEm) >= contadoAte(antes, pagoEm) ? pagoEm : null;
  const pelasRegras = quandoQuitou(fatura, valem, semData, provedor, null);
  const mantida = aManter !== null && (pelasRegras === null || pelasRegras.em > aManter);
  const quitada = mantida ? quandoQuitou(fatura, valem, semData, provedor, aManter) : pelasRegras;
  if (quitada !== null) {
    const { em, desconto } = quitada;
    return { ...base, situacao: 'paga', pagoEm: em, desconto, excedente: sobraDe(quitada, valorPago, depois) };
  }
  const desdeAReabertura = depois.filter(
    (um) => !entrou(um) || fatura.reaberta_em === null || um.pago_em > fatura.reaberta_em,
  );
  const restaDinheiro = valem.some(entrou) || semData > 0;
  const estornada =
    restaDinheiro || !depois.some(entrou) ? null : quandoQuitou(fatura, desdeAReabertura, semData, provedor, null);
  if (estornada !== null) return { ...base, situacao: 'estornada', pagoEm: estornada.em };

  const ultimo = emOrdem(valem).at(-1);
  const { total } = devidoEm(
    fatura,
    parciais(fatura, valem, semData, provedor),
    provedor,
    ultimo === undefined ? hoje : diaDe(ultimo.pago_em, provedor),
  );
  return {
    ...base,
    situacao: estaAberta(fatura) ? situacao : fatura.vencimento < hoje ? 'vencida' : 'pendente',
    pagoEm: null,
    falta: total,
  };
}

/** By when an invoice was settled, what had come to be owed of it in all by then, and how much of that was not asked for. */
interface Quitacao {
  readonly em: string;
  readonly devido: Centavos;
  readonly desconto: Centavos;
}

/**
 * What of the money, and of credits, which are the client's money too, was not owed. A discount that was given after all had been paid, as
 * it turns out, has taken nothing off; but what an agreement took over is owed there, and what it was paid was paid, by whatever day.
 */
function sobraDe(
  { em, devido, desconto }: Quitacao,
  valorPago: Centavos,
  pagamentos: readonly PagamentoJulgado[],
): Centavos {
  const veio = somarDinheiro(valorPago, ...pagamentos.filter(ehCredito).map(contado));
  const tirou = (um: PagamentoJulgado): boolean =>
    um.meio === 'renegociacao' || (um.meio === 'desconto' && um.pago_em <= em);
  const descontos = pagamentos.filter(tirou);
  const sobra = veio - (devido - desconto - somarDinheiro(...descontos.map(contado)));
  // A discount may be of more than was owed, as it turns out: of that nobody has anything left.
  return centavos(Math.min(veio, Math.max(0, sobra)));
}

const ehCredito = ({ meio }: PagamentoJulgado): boolean => meio === 'credito';

/**
 * The first payment with which all is paid, what was owed in all by its day, and how much of that it leaves unpaid. Each is judged as of
 * its own day and not of today, so that a late telling changes nothing.
 *
 * @param aManter instant of a payment that is taken for enough, because it was when it came.
 */
function quandoQuitou(
  fatura: FaturaTravadaRow,
  pagamentos: readonly PagamentoJulgado[],
  semData: Centavos,
  provedor: Provedor,
  aManter: string | null,
): Quitacao | null {
  const contam = emOrdem(pagamentos.filter((pagamento) => contado(pagamento) > 0));
  for (const [n, pagamento] of contam.entries()) {
    const em = pagamento.pago_em;
    const ateEle = parciais(fatura, contam.slice(0, n + 1), semData, provedor);
    const dia = diaDe(em, provedor);
    const { multa, juros, total } = devidoEm(fatura, ateEle, provedor, dia);
    const bastaEm = (diasAntes: number) => devidoEm(fatura, ateEle, provedor, somarDias(dia, -diasAntes)).total === 0;
    const tolerancia = pagamento.meio === 'pix' ? provedor.regras.toleranciaPixDias : 0;
    const tolerados = Array.from({ length: tolerancia }, (_, i) => i + 1);
    if (
      total === 0 ||
      concluidoPeloBanco(pagamento) ||
      liquidadoPeloBanco(fatura, ateEle, pagamento) ||
      em === aManter ||
      tolerados.some(bastaEm)
    ) {
      const devido = somarDinheiro(centavos(Math.max(0, lerDinheiro(fatura.valor))), multa, juros);
      return { em, devido, desconto: total };
    }
  }
  return null;
}

/** What is owed on a day as if all these payments had been made by then. */
function devidoEm(
  fatura: FaturaTravadaRow,
  pagamentos: readonly PagamentoParcial[],
  { regras }: Provedor,
  dia: Data,
): ReturnType<typeof calcularEncargos> {
  return calcularEncargos({
    valor: lerDinheiro(fatura.valor),
    vencimento: fatura.vencimento as Data,
    hoje: dia,
    regras,
    pagamentos: pagamentos.map(({ em, valor }) => ({ em: em < dia ? em : dia, valor })),
  });
}

/** What came without a date counts as paid in time. */
function parciais(
  { vencimento }: FaturaTravadaRow,
  pagamentos: readonly PagamentoJulgado[],
  semData: Centavos,
  provedor: Provedor,
): PagamentoParcial[] {
  const datados = pagamentos.map((pagamento) => ({
    em: diaDe(pagamento.pago_em, provedor),
    valor: contado(pagamento),
  }));
  return semData > 0 ? [{ em: vencimento as Data, valor: semData }, ...datados] : datados;
}

/**
 * Of an invoice that was settled by ways that we know nothing of, what payments and credits brought without need: all that was paid after
 * it, and at least what is more than was owed by then.
 */
function excedenteDeOutroMeio(
  fatura: FaturaTravadaRow,
  pagamentos: readonly PagamentoJulgado[],
  valorPago: Centavos,
  provedor: Provedor,
): Centavos {
  const { pago_em: pagoEm } = fatura;
  const antes = pagamentos.filter(({ pago_em }) => pagoEm !== null && pago_em <= pagoEm);
  const depois = pagamentos.filter((pagamento) => !antes.includes(pagamento));
  const dia = pagoEm === null ? (fatura.vencimento as Data) : diaDe(pagoEm, provedor);
  const { multa, juros } = devidoEm(fatura, parciais(fatura, antes.filter(vale), NADA, provedor), provedor, dia);
  const creditos = (quais: readonly PagamentoJulgado[]) => quais.filter(ehCredito).map(contado);
  const descontos = antes.filter((um) => !entrou(um) && !ehCredito(um)).map(contado);
  const devido = Math.max(0, lerDinheiro(fatura.valor)) + multa + juros - somarDinheiro(...descontos);
  const sobra = somarDinheiro(valorPago, ...creditos(pagamentos)) - devido;
  const recebido = somarDinheiro(...pagamentos.map(liquido), ...creditos(pagamentos));
  const semNecessidade = somarDinheiro(...depois.map(liquido), ...creditos(depois));
  return centavos(Math.min(recebido, Math.max(0, sobra, semNecessidade)));
}

/** A bank's own charge is paid once, and as the bank reckoned; what was taken back of it is owed by our own reckoning again. */
function concluidoPeloBanco({ txid, vinculado_em, tomado }: PagamentoJulgado): boolean {
  return txid !== null && !txidEstaticoValido(txid) && vinculado_em === null && lerDinheiro(tomado) === 0;
}

/**
 * A boleto that its nosso número led to the invoice: its bank asked for fine and interest by its own reckoning, which nobody asks for a second
 * time. What a bank took in for less than the invoice itself, or with too little before it, settles nothing.
 */
function liquidadoPeloBanco(
  fatura: FaturaTravadaRow,
  ateEle: readonly PagamentoParcial[],
  { meio, vinculado_em }: PagamentoJulgado,
): boolean {
  const pago = somarDinheiro(...ateEle.map(({ valor }) => valor));
  return meio === 'boleto' && vinculado_em === null && pago >= Math.max(0, lerDinheiro(fatura.valor));
}

function contadoAte(pagamentos: readonly PagamentoJulgado[], instante: string | null): Centavos {
  const ate = pagamentos.filter((pagamento) => vale(pagamento) && instante !== null && pagamento.pago_em <= instante);
  return somarDinheiro(...ate.map(contado));
}

const dinheiroContado = (pagamentos: readonly PagamentoJulgado[]): Centavos =>
  somarDinheiro(...pagamentos.filter(entrou).map(contado));

/** By the instant of the payment; of those of one instant, by the end-to-end id, so that the order of telling never counts. */
function emOrdem(pagamentos: readonly PagamentoJulgado[]): PagamentoJulgado[] {
  const chave = ({ pago_em, end_to_end_id }: PagamentoJulgado): string => `${pago_em} ${end_to_end_id}`;
  return pagamentos.toSorted((a, b) => (chave(a) < chave(b) ? -1 : 1));
}

function diaDe(instante: string, { fusoHorario }: Provedor): Data {
  return hojeEm(fusoHorario, fromDatabaseTime(instante));
}

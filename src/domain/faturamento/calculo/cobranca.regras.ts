import type { Data } from '../../../brazil/calendario/datas.ts';
import { somarDias } from '../../../brazil/calendario/datas.ts';
import { centavos } from '../../../brazil/dinheiro/dinheiro.ts';
import type { Cobranca, ContratoAFaturar, ItemDaCobranca, RegrasDoFaturamento } from '../faturamento.types.ts';
import { competenciaAte, mesDe, mesesAteVencer, somarMeses, vencimentoNoMes } from './meses.regras.ts';
import { inicioDoFaturamento, servicoDoMes, valeNoMes } from './servico.regras.ts';

/**
 * How many months before its own a charge corrects. A charge is made before its month is over, up to 28 days before its due day, so what
 * happens in the rest of it is known to the second one after it at the latest; one more is for days on which nobody billed.
 */
const MESES_CORRIGIDOS = 3;

/** The oldest day whose changes matter to a charge of a month. */
export const inicioDasMudancas = (mes: Data): Data => somarMeses(mes, -MESES_CORRIGIDOS);

/** When a charge is due that is made on a day: on its due day, or, where that has passed, after the days that all charges have. */
function vencimentoDaCobranca(nominal: Data, hoje: Data, antecedencia: number): Data {
  return nominal >= hoje ? nominal : somarDias(hoje, antecedencia);
}

/** What charges made before come to in some of their parts. A slip of a booklet that was cancelled counts as not made. */
function somaDe({ feitas }: ContratoAFaturar, vale: (item: ItemDaCobranca) => boolean): number {
  let soma = 0;
  for (const { tipo, cancelada, itens } of feitas) {
    if (tipo === 'carne' && cancelada) continue;
    for (const item of itens) if (vale(item)) soma += item.valor;
  }
  return soma;
}

/** The parts of charges made before that are of a month's service, summed. */
const cobradoDe = (contrato: ContratoAFaturar, mes: Data): number =>
  somaDe(
    contrato,
    ({ tipo, ref }) => ref === mes && (tipo === 'mensalidade' || tipo === 'desconto' || tipo === 'acerto'),
  );

/**
 * The charge of a contract's newest month that is due by a day: the month's service, what is still to be put right of the months before
 * (each is reckoned anew and what was charged of it taken off), additional items, and what a charge below nothing has left.
 *
 * @param ate the day by which it is due; `hoje`: the day on which it is made
 */
export function cobrancaAte(contrato: ContratoAFaturar, regras: RegrasDoFaturamento, ate: Data, hoje: Data): Cobranca {
  const { mes, vencimento: nominal } = competenciaAte(contrato.tipoCobranca, contrato.diaVencimento, ate);
  const vencimento = vencimentoDaCobranca(nominal, hoje, regras.antecedencia);
  const base = { contratoId: contrato.id, competencia: mes, vencimento };
  if (contrato.tipoCobranca === 'isento') {
    return { ...base, isenta: true, dias: 0, valor: centavos(0), itens: [] };
  }
  const itens: ItemDaCobranca[] = [];
  const dias = doMes(contrato, mes, regras, itens);
  const inicio = mesDe(inicioDoFaturamento(contrato, regras.desde ?? mes));
  for (let n = 1; n <= MESES_CORRIGIDOS; n += 1) {
    const ref = somarMeses(mes, -n);
    if (ref >= inicio) acertar(contrato, ref, regras, itens);
  }
  for (const item of contrato.itens) {
    if (item.tipo === 'unico' && item.de <= mes) itens.push(adicional(item, mes));
  }
  itens.push(...saldos(contrato));
  return { ...base, isenta: false, dias, valor: centavos(itens.reduce((soma, { valor }) => soma + valor, 0)), itens };
}

/** The slip of a booklet: a month to come, as the contract is now. */
export function parcelaDoCarne(contrato: ContratoAFaturar, mes: Data, regras: RegrasDoFaturamento): Cobranca {
  const itens: ItemDaCobranca[] = [];
  const dias = doMes(contrato, mes, regras, itens);
  const valor = centavos(itens.reduce((soma, item) => soma + item.valor, 0));
  const vencimento = vencimentoNoMes(somarMeses(mes, mesesAteVencer(contrato.tipoCobranca)), contrato.diaVencimento);
  return { contratoId: contrato.id, competencia: mes, vencimento, isenta: false, dias, valor, itens };
}

/** The charge's own month; says on how many days there was service. */
function doMes(contrato: ContratoAFaturar, mes: Data, regras: RegrasDoFaturamento, itens: ItemDaCobranca[]): number {
  const { dias, bruto, liquido } = servicoDoMes(contrato, mes, regras);
  // A booklet, or a charge of a later month that was made first, may have charged the month already: then what is left is one sum.
  const cobrado = cobradoDe(contrato, mes);
  if (cobrado !== 0) {
    itens.push(...acertoDe(mes, liquido - cobrado));
  } else {
    const descricao = `${contrato.plano} ${mesEscrito(mes)}`;
    if (bruto !== 0) itens.push({ tipo: 'mensalidade', ref: mes, valor: bruto, descricao });
    if (liquido !== bruto) itens.push({ tipo: 'desconto', ref: mes, valor: liquido - bruto, descricao: 'Desconto' });
  }
  recorrentes(contrato, { ref: mes, dias, deOutroMes: false }, itens);
  return dias;
}

function acertar(contrato: ContratoAFaturar, ref: Data, regras: RegrasDoFaturamento, itens: ItemDaCobranca[]): void {
  if (ninguemCorrige(contrato, ref)) return;
  const cobrarBloqueado = regraDoBloqueio(contrato, ref) ?? regras.cobrarBloqueado;
  const { dias, liquido } = servicoDoMes(contrato, ref, { ...regras, cobrarBloqueado });
  itens.push(...acertoDe(ref, liquido - cobradoDe(contrato, ref)));
  recorrentes(contrato, { ref, dias, deOutroMes: true }, itens);
}

const acertoDe = (ref: Data, valor: number): ItemDaCobranca[] =>
  valor === 0 ? [] : [{ tipo: 'acerto', ref, valor, descricao: `Acerto de ${mesEscrito(ref)}` }];

/**
 * Whether a month is not corrected: it was exempt, or people cancelled its invoice (a booklet's slip counts where the month's own charge was
 * computed with it).
 */
function ninguemCorrige({ feitas }: ContratoAFaturar, ref: Data): boolean {
  const doRef = feitas.filter(({ competencia }) => competencia === ref);
  const propria = doRef.find(({ tipo }) => tipo === 'mensalidade');
  const contouComCarne = propria?.itens.every(({ tipo, ref: mes }) => tipo !== 'mensalidade' || mes !== ref) ?? false;
  return doRef.some(
    ({ tipo, isenta, cancelada }) => isenta || (cancelada && (tipo === 'mensalidade' || contouComCarne)),
  );
}

/**
 * Whether blocked days of a month count: as the rule was when the first charge reckoned it, so that a change of the rule is of months to
 * come alone. Undefined where none has.
 */
function regraDoBloqueio({ feitas }: ContratoAFaturar, ref: Data): boolean | undefined {
  const julgaram = feitas.filter(
    ({ tipo, isenta, competencia }) => tipo === 'mensalidade' && !isenta && competencia >= ref,
  );
  return julgaram.toSorted((a, b) => (a.competencia < b.competencia ? -1 : 1))[0]?.bloqueado;
}

/**
 * Recurring items: each month with service is charged for them in full. What was charged of them before is taken off, and is given back for a
 * month that turns out to have had no service.
 */
function recorrentes(
  contrato: ContratoAFaturar,
  { ref, dias, deOutroMes }: { readonly ref: Data; readonly dias: number; readonly deOutroMes: boolean },
  itens: ItemDaCobranca[],
): void {
  for (const item of contrato.itens) {
    if (item.tipo !== 'recorrente') continue;
    const devido = dias > 0 && valeNoMes(item, ref) ? item.valor : 0;
    const valor = devido - somaDe(contrato, (um) => um.item === item.id && um.ref === ref);
    if (valor === 0) continue;
    const deQuando = deOutroMes || valor < 0 ? `${item.descricao} ${mesEscrito(ref)}` : item.descricao;
    itens.push(adicional({ ...item, valor, descricao: valor < 0 ? `Acerto de ${deQuando}` : deQuando }, ref));
  }
}

const adicional = (
  { id, valor, descricao }: { readonly id: number; readonly valor: number; readonly descricao: string },
  ref: Data,
): ItemDaCobranca => ({ tipo: 'adicional', ref, valor, descricao, item: id });

/** What charges below nothing have left, after what later ones took of it. */
function* saldos({ feitas }: ContratoAFaturar): Generator<ItemDaCobranca> {
  for (const { competencia: ref, tipo, valor } of feitas) {
    if (tipo !== 'mensalidade' || valor >= 0) continue;
    const levado = feitas
      .flatMap(({ itens }) => itens)
      .filter((um) => um.tipo === 'saldo' && um.ref === ref)
      .reduce((soma, um) => soma + um.valor, 0);
    if (valor !== levado) {
      yield { tipo: 'saldo', ref, valor: valor - levado, descricao: `Crédito de ${mesEscrito(ref)}` };
    }
  }
}

/** '2026-11-01' → '11/2026'. */
export const mesEscrito = (mes: Data): string => `${mes.slice(5, 7)}/${mes.slice(0, 4)}`;

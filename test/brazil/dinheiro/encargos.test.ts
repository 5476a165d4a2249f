import test from 'ava';
import {
  calcularEncargos,
  valorAtualizado,
  type PagamentoParcial,
  type RegrasEncargos,
} from '../../../src/brazil/dinheiro/encargos.ts';
import { criarCalendarioBancario } from '../../../src/brazil/calendario/calendario-bancario.ts';
import { centavos, lerDinheiro } from '../../../src/brazil/dinheiro/dinheiro.ts';
import { somarDias } from '../../../src/brazil/calendario/datas.ts';
import { data, emCemMilCasos, semBancosCalculados, type Sorteio } from '../_apoio.ts';

const PADRAO: RegrasEncargos = {
  multaPercentual: 200,
  jurosMensalPercentual: 100,
  carenciaDias: 0,
  calendario: criarCalendarioBancario(null),
};

function calcular(valor: string, vencimento: string, hoje: string, regras: RegrasEncargos = PADRAO) {
  const { diasEmAtraso, multa, juros, total } = calcularEncargos({
    valor: lerDinheiro(valor),
    vencimento: data(vencimento),
    hoje: data(hoje),
    regras,
  });
  return [diasEmAtraso, multa, juros, total].map(Number);
}

/** Fine, interest, paid and total of 100.00 due on Wednesday, 2026-07-01, with payments such as '2026-07-11 50.00'. */
function comPagamentos(hoje: string, pagamentos: string[], regras: RegrasEncargos = PADRAO) {
  const { multa, juros, pago, total } = calcularEncargos({
    valor: centavos(10_000),
    vencimento: data('2026-07-01'),
    hoje: data(hoje),
    regras,
    pagamentos: pagamentos.map((p) => ({ em: data(p.slice(0, 10)), valor: lerDinheiro(p.slice(11)) })),
  });
  return [multa, juros, pago, total].map(Number);
}

test('99.90 com 2 % e 1 % ao mês, 10 dias depois, são 102.23', (t) => {
  t.deepEqual(calcular('99.90', '2026-07-01', '2026-07-11'), [10, 200, 33, 10_223]);
});

test('no vencimento e antes dele não há encargos', (t) => {
  t.deepEqual(calcular('99.90', '2026-07-01', '2026-07-01'), [0, 0, 0, 9990]);
  t.deepEqual(calcular('99.90', '2026-07-01', '2026-06-01'), [0, 0, 0, 9990]);
});

test('vencida no sábado e paga na segunda não tem encargos; na terça, um dia', (t) => {
  t.deepEqual(calcular('100.00', '2026-07-04', '2026-07-06'), [0, 0, 0, 10_000]);
  t.deepEqual(calcular('100.00', '2026-07-04', '2026-07-07'), [1, 200, 3, 10_203]);
});

test('vencida no sábado de Carnaval, o atraso conta da Quarta-feira de Cinzas', (t) => {
  t.deepEqual(calcular('100.00', '2026-02-14', '2026-02-18'), [0, 0, 0, 10_000]);
  t.deepEqual(calcular('100.00', '2026-02-14', '2026-02-19'), [1, 200, 3, 10_203]);
});

test('na carência não há encargos; passada ela, os dias contam desde o vencimento útil', (t) => {
  const regras = { ...PADRAO, carenciaDias: 5 };
  t.deepEqual(calcular('100.00', '2026-07-04', '2026-07-11', regras), [5, 0, 0, 10_000]);
  t.deepEqual(calcular('100.00', '2026-07-04', '2026-07-12', regras), [6, 200, 20, 10_220]);
});

test('cada parcela é arredondada uma vez, metade para cima', (t) => {
  // 0.25 × 2 % = 0.005; 15.00 × 1 %/30 × 1 dia = 0.005.
  t.deepEqual(calcular('0.25', '2026-07-01', '2026-07-02'), [1, 1, 0, 26]);
  t.deepEqual(calcular('15.00', '2026-07-01', '2026-07-02'), [1, 30, 1, 1531]);
  t.deepEqual(calcular('14.99', '2026-07-01', '2026-07-02'), [1, 30, 0, 1529]);
});

test('sem multa nem juros nas regras o total é o valor', (t) => {
  const regras = { ...PADRAO, multaPercentual: 0, jurosMensalPercentual: 0 };
  t.deepEqual(calcular('99.90', '2026-07-01', '2027-07-01', regras), [365, 0, 0, 9990]);
});

test('de um crédito nada corre e nada falta', (t) => {
  t.deepEqual(calcular('-0.01', '2026-07-01', '2026-07-11'), [10, 0, 0, 0]);
});

test('o valor atualizado é nulo onde é o próprio valor e de um crédito', (t) => {
  const atualizado = (valor: number, total: number) => valorAtualizado(centavos(valor), centavos(total));
  t.deepEqual(
    [atualizado(100, 102), atualizado(100, 0), atualizado(100, 100), atualizado(-5, 0)],
    [centavos(102), centavos(0), null, null],
  );
});

test('recusa regras negativas ou não inteiras, e totais que não cabem', (t) => {
  for (const ruim of [-1, 0.5, NaN]) {
    for (const campo of ['multaPercentual', 'jurosMensalPercentual', 'carenciaDias']) {
      const regras = { ...PADRAO, [campo]: ruim };
      t.throws(() => calcular('1.00', '2026-07-01', '2026-07-02', regras), { instanceOf: RangeError }, campo);
    }
  }
  t.throws(() => calcular('90071992547409.91', '2026-07-01', '2026-07-02'), { instanceOf: RangeError });
});

test('um pagamento até o vencimento reduz o principal, e os encargos são só do que sobrou', (t) => {
  // 50.00 × 2 % = 1.00; 50.00 × 1 %/30 × 10 = 0.1667.
  t.deepEqual(comPagamentos('2026-07-11', ['2026-07-01 50.00']), [100, 17, 5000, 5117]);
  t.deepEqual(comPagamentos('2026-07-11', ['2026-06-15 50.00']), [100, 17, 5000, 5117]);
  t.deepEqual(comPagamentos('2026-07-01', ['2026-06-15 50.00']), [0, 0, 5000, 5000]);
});

test('na carência um pagamento também reduz o principal; um dia depois já paga encargos', (t) => {
  const regras = { ...PADRAO, carenciaDias: 5 };
  t.deepEqual(comPagamentos('2026-07-06', ['2026-07-06 40.00'], regras), [0, 0, 4000, 6000]);
  // 60.00 × 2 % = 1.20; 60.00 × 1 %/30 × 6 dias = 0.12.
  t.deepEqual(comPagamentos('2026-07-07', ['2026-07-06 40.00'], regras), [120, 12, 4000, 6132]);
  t.deepEqual(comPagamentos('2026-07-07', ['2026-07-07 40.00'], regras), [200, 20, 4000, 6220]);
});

test('um pagamento em atraso vai primeiro aos encargos, e os juros correm só sobre o que sobrou do principal', (t) => {
  // In 10 days, 2.00 + 0.33; of the 50.00, 47.67 go to the principal, and 52.33 × 1 %/30 × 10 = 0.1744: 0.3333 + 0.1744
  // = 0.51.
  t.deepEqual(comPagamentos('2026-07-11', ['2026-07-11 50.00']), [200, 33, 5000, 5233]);
  t.deepEqual(comPagamentos('2026-07-21', ['2026-07-11 50.00']), [200, 51, 5000, 5251]);
});

test('um pagamento que não cobre os encargos não toca o principal', (t) => {
  // 100.00 × 1 %/30 × 20 = 0.6667.
  t.deepEqual(comPagamentos('2026-07-21', ['2026-07-11 1.00']), [200, 67, 100, 10_167]);
  t.deepEqual(comPagamentos('2026-07-21', ['2026-07-11 2.33']), [200, 67, 233, 10_034]);
});

test('os juros de vários períodos somam-se exatos e são arredondados uma só vez, em qualquer ordem da lista', (t) => {
  // Three days of 0.0333 are 0.10; rounded one by one they would be 0.09.
  const centavosPorDia = ['2026-07-02 0.01', '2026-07-03 0.01'];
  t.deepEqual(comPagamentos('2026-07-04', centavosPorDia), [200, 10, 2, 10_208]);
  // 100.00 for 6 days, 42.20 for 3 and 32.24 for 3: 0.2000 + 0.0422 + 0.0322 = 0.2744.
  const tres = ['2026-07-07 60.00', '2026-07-10 10.00', '2026-07-13 10.00'];
  t.deepEqual(comPagamentos('2026-07-13', tres), [200, 27, 8000, 2227]);
  t.deepEqual(comPagamentos('2026-07-13', tres.toReversed()), [200, 27, 8000, 2227]);
});

test('quem paga exatamente o total de um dia deve 0 para sempre, e quem paga a mais também', (t) => {
  t.deepEqual(comPagamentos('2026-07-11', ['2026-07-11 102.33']), [200, 33, 10_233, 0]);
  t.deepEqual(comPagamentos('2030-07-11', ['2026-07-11 102.33']), [200, 33, 10_233, 0]);
  t.deepEqual(comPagamentos('2030-07-11', ['2026-07-11 52.33', '2026-07-11 50.00']), [200, 33, 10_233, 0]);
  t.deepEqual(comPagamentos('2030-07-11', ['2026-07-11 102.34']), [200, 33, 10_234, 0]);
  t.deepEqual(comPagamentos('2030-07-11', ['2026-07-01 150.00']), [0, 0, 15_000, 0]);
});

test('os pagamentos depois de hoje não contam', (t) => {
  t.deepEqual(comPagamentos('2026-07-11', ['2026-07-12 50.00']), [200, 33, 0, 10_233]);
  t.deepEqual(comPagamentos('2026-07-11', []), [200, 33, 0, 10_233]);
});

test('recusa pagamentos que não são inteiros positivos, mesmo os de depois de hoje', (t) => {
  for (const ruim of [0, -1, 0.5, NaN, 2 ** 53]) {
    for (const em of ['2026-07-01', '2026-08-01']) {
      const pagamentos = [{ em: data(em), valor: ruim as PagamentoParcial['valor'] }];
      const entrada = { valor: centavos(10_000), vencimento: data('2026-07-01'), hoje: data('2026-07-11') };
      t.throws(() => calcularEncargos({ ...entrada, regras: PADRAO, pagamentos }), { instanceOf: RangeError });
    }
  }
});

const DIA_MS = 86_400_000;
const numeroDoDia = (iso: string) => Date.parse(iso) / DIA_MS;
const PRIMEIRO_DIA = data('2024-01-01');
/** Every day that a case may name: the properties ask for millions of them. */
const DIAS = Array.from({ length: 365 * 10 }, (_, n) => somarDias(PRIMEIRO_DIA, n));
const FERIADOS = new Set(Array.from({ length: 12 }, (_, i) => semBancosCalculados(2023 + i).map(numeroDoDia)).flat());

/** An invoice at random, its days counted from 2024-01-01. */
interface Caso {
  valor: number;
  vencimento: number;
  multa: number;
  juros: number;
  carencia: number;
  pagamentos: { dia: number; valor: number }[];
}

function sortearCaso(s: Sorteio, maximo: number): Caso {
  const valor = s.inteiro(0, s.um([100, 20_000, 100_000_000]));
  const vencimento = s.inteiro(40, 365 * 8);
  const pagamentos = Array.from({ length: s.inteiro(0, maximo) }, () => ({
    dia: vencimento + s.inteiro(-20, 60),
    valor: s.inteiro(1, Math.max(1, s.um([valor, Math.floor(valor / 2), Math.floor(valor / 30)]))),
  }));
  return {
    valor,
    vencimento,
    multa: s.inteiro(0, 200),
    juros: s.inteiro(0, 1000),
    carencia: s.inteiro(0, 30),
    pagamentos,
  };
}

function obter(caso: Caso, hoje: number) {
  return calcularEncargos({
    valor: centavos(caso.valor),
    vencimento: DIAS[caso.vencimento]!,
    hoje: DIAS[hoje]!,
    regras: {
      ...PADRAO,
      multaPercentual: caso.multa,
      jurosMensalPercentual: caso.juros,
      carenciaDias: caso.carencia,
    },
    pagamentos: caso.pagamentos.map(({ dia, valor }) => ({ em: DIAS[dia]!, valor: centavos(valor) })),
  });
}

/** An exact rational rounded by definition: the nearest integer, the larger of two. */
function arredondar(numerador: number, denominador: number): number {
  if (!Number.isSafeInteger(2 * numerador)) throw new RangeError('a conta do teste deixou de ser exata');
  const sobra = numerador % denominador;
  return (numerador - sobra) / denominador + (sobra >= denominador - sobra ? 1 : 0);
}

/**
 * The definition, day by day and without the functions of src: each day adds `principal × rate / 30` to the interest
 * (in 1/300000 of a centavo, integers), and each payment is split between the charges owed on that day and the
 * principal.
 */
function* diaADia(caso: Caso, de: number, ate: number) {
  let util = caso.vencimento;
  const inicio = numeroDoDia(PRIMEIRO_DIA);
  // 1970-01-01 was a Thursday.
  while ([0, 6].includes((inicio + util + 4) % 7) || FERIADOS.has(inicio + util)) util++;
  let [principal, multa, juros, encargosPagos, pago] = [caso.valor, 0, 0, 0, 0];
  for (let dia = caso.vencimento - 40; dia <= ate; dia++) {
    const atraso = Math.max(0, dia - util);
    if (atraso === caso.carencia + 1) {
      multa = arredondar(principal * caso.multa, 10_000);
      juros = principal * caso.juros * atraso;
    } else if (atraso > caso.carencia) {
      juros += principal * caso.juros;
    }
    for (const pagamento of caso.pagamentos) {
      if (pagamento.dia !== dia) continue;
      const aEncargos = Math.min(pagamento.valor, multa + arredondar(juros, 300_000) - encargosPagos);
      pago += pagamento.valor;
      encargosPagos += aEncargos;
      principal = Math.max(0, principal - (pagamento.valor - aEncargos));
    }
    const jurosEmCentavos = arredondar(juros, 300_000);
    const total = principal + multa + jurosEmCentavos - encargosPagos;
    if (dia >= de) yield { dia, atraso, multa, juros: jurosEmCentavos, pago, total };
  }
}

function concorda(caso: Caso, de: number, ate: number): boolean {
  for (const dia of diaADia(caso, de, ate)) {
    const obtido = obter(caso, dia.dia);
    const iguais =
      obtido.diasEmAtraso === dia.atraso &&
      obtido.multa === dia.multa &&
      obtido.juros === dia.juros &&
      obtido.pago === dia.pago &&
      obtido.total === dia.total;
    const fecha = caso.valor + obtido.multa + obtido.juros - obtido.pago;
    if (!iguais || obtido.total !== Math.max(0, fecha)) return false;
  }
  return true;
}

test('10 mil faturas × 60 dias: o valor é o de uma conta exata independente, com 0 diferenças', (t) => {
  const conferir = () =>
    emCemMilCasos(
      (s) => sortearCaso(s, 2),
      (caso) => concorda(caso, caso.vencimento - 5, caso.vencimento + 54),
      10_000,
    );
  t.notThrows(conferir);
});

test('concorda com a simulação dia a dia em 100 mil faturas com 0 a 4 pagamentos', (t) => {
  const sortear = (s: Sorteio) => ({ ...sortearCaso(s, 4), hoje: s.inteiro(-10, 120) });
  const conferir = () =>
    emCemMilCasos(sortear, (caso) => concorda(caso, caso.vencimento + caso.hoje, caso.vencimento + caso.hoje));
  t.notThrows(conferir);
});

test('em 100 mil faturas, pagar o total de um dia deixa 0 em todo dia seguinte', (t) => {
  const sortear = (s: Sorteio) => ({ ...sortearCaso(s, 3), atePagar: s.inteiro(-10, 90), depois: s.inteiro(0, 400) });
  const conferir = () =>
    emCemMilCasos(sortear, (caso) => {
      const dia = caso.vencimento + caso.atePagar;
      const anteriores = caso.pagamentos.filter((pagamento) => pagamento.dia <= dia);
      const { total } = obter({ ...caso, pagamentos: anteriores }, dia);
      if (total === 0) return true;
      const quitada = obter({ ...caso, pagamentos: [{ dia, valor: total }, ...anteriores] }, dia + caso.depois);
      return quitada.total === 0 && caso.valor + quitada.multa + quitada.juros === quitada.pago;
    });
  t.notThrows(conferir);
});

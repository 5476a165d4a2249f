import test from 'ava';
import { isBusinessDay } from '@brazilian-utils/brazilian-utils';
import {
  corteDoAtraso,
  criarCalendarioBancario,
  diaUtil,
  emAtraso,
  proximoDiaUtil,
  valeAte,
} from '../../../src/brazil/calendario/calendario-bancario.ts';
import { diaDaSemana, somarDias, type Data } from '../../../src/brazil/calendario/datas.ts';
import { centavos } from '../../../src/brazil/dinheiro/dinheiro.ts';
import { calcularEncargos } from '../../../src/brazil/dinheiro/encargos.ts';
import { UFS } from '../../../src/brazil/pessoa/endereco.ts';
import { anoDe, ultimoDiaUtilDoAno } from '../../../src/brazil/calendario/feriados.ts';
import { data, emCemMilCasos, semBancosCalculados } from '../_apoio.ts';

const NACIONAL = criarCalendarioBancario(null);

test('o próximo dia útil pula fins de semana e feriados', (t) => {
  const vetores: [string, string][] = [
    ['2026-07-01', '2026-07-01'],
    ['2026-07-04', '2026-07-06'],
    ['2026-02-14', '2026-02-18'],
    ['2026-04-03', '2026-04-06'],
    ['2026-06-04', '2026-06-05'],
    ['2027-01-01', '2027-01-04'],
    ['2026-12-25', '2026-12-28'],
    ['2026-12-31', '2027-01-04'],
    ['2023-12-29', '2024-01-02'],
    ['2026-02-18', '2026-02-18'],
  ];
  for (const [dia, util] of vetores) t.is(proximoDiaUtil(data(dia), NACIONAL), data(util), dia);
});

test('o próximo dia útil é o primeiro que não é fim de semana, feriado nem o último dia útil do ano', (t) => {
  for (let d = data('2024-01-01'); d < data('2031-01-01'); d = somarDias(d, 1)) {
    let esperado: Data = d;
    while (
      [0, 6].includes(diaDaSemana(esperado)) ||
      semBancosCalculados(Number(esperado.slice(0, 4))).includes(esperado)
    ) {
      esperado = somarDias(esperado, 1);
    }
    t.is(proximoDiaUtil(d, NACIONAL), esperado);
  }
});

const CALCULADOS = new Map<string, ReadonlySet<string>>();
for (let ano = 1990; ano <= 2100; ano++) CALCULADOS.set(String(ano), new Set(semBancosCalculados(ano)));

test('em 100 mil dias, o dia útil é o de uma segunda conta, e o da biblioteca menos a segunda de Carnaval e o último do ano', (t) => {
  const DIA_MS = 86_400_000;
  const iso = (dia: number) => new Date(dia * DIA_MS).toISOString().slice(0, 10);
  const fechado = (dia: number) => CALCULADOS.get(iso(dia).slice(0, 4))!.has(iso(dia));
  // 1970-01-01 was a Thursday.
  const util = (dia: number) => ![0, 6].includes((dia + 4) % 7) && !fechado(dia);
  const conferir = () =>
    emCemMilCasos(
      (s) => s.inteiro(Date.UTC(1990, 0, 1) / DIA_MS, Date.UTC(2099, 11, 20) / DIA_MS),
      (dia) => {
        const d = data(iso(dia));
        let esperado = dia;
        while (!util(esperado)) esperado++;
        // brazilian-utils knows the Tuesday of Carnaval, and not the Monday.
        const segundaDeCarnaval = (dia + 4) % 7 === 1 && fechado(dia) && fechado(dia + 1) && /-0[23]-/.test(d);
        const local = new Date(Number(d.slice(0, 4)), Number(d.slice(5, 7)) - 1, Number(d.slice(8)));
        return (
          proximoDiaUtil(d, NACIONAL) === iso(esperado) &&
          isBusinessDay(local) === (util(dia) || segundaDeCarnaval || d === ultimoDiaUtilDoAno(anoDe(d)))
        );
      },
    );
  t.notThrows(conferir);
});

test('um calendário conta os feriados do seu estado e os seus, de um ano ou de todos, e não os dos outros', (t) => {
  const sp = criarCalendarioBancario('SP');
  t.is(proximoDiaUtil(data('2026-07-09'), sp), data('2026-07-10'));
  t.is(proximoDiaUtil(data('2026-07-09'), NACIONAL), data('2026-07-09'));
  const itajuba = criarCalendarioBancario('MG', [
    ['03-19', false],
    ['2026-05-04', false],
  ]);
  t.deepEqual(
    ['2026-03-19', '2027-03-19', '2026-05-04', '2027-05-04'].map((dia) => diaUtil(data(dia), itajuba)),
    [false, false, false, true],
  );
  t.true(diaUtil(data('2026-03-19'), criarCalendarioBancario('MG')));
});

test('um dia útil próprio desfaz o feriado que a lista do estado traz, e nenhum nacional', (t) => {
  const sp = criarCalendarioBancario('SP', [
    ['07-09', true],
    ['12-25', true],
    ['2026-12-31', true],
  ]);
  t.true(diaUtil(data('2026-07-09'), sp));
  t.false(diaUtil(data('2026-12-25'), sp));
  t.false(diaUtil(data('2026-12-31'), sp));
});

test('um estado que não há é nenhum', (t) => {
  for (const sigla of ['XX', 'sp', '']) t.deepEqual(criarCalendarioBancario(sigla), NACIONAL);
});

test('o que se lembra de um calendário não é de outro, também copiado para outra thread', (t) => {
  const [feriado, util] = [false, true].map((aberto) => criarCalendarioBancario('SP', [['07-09', aberto]]));
  for (let vez = 0; vez < 2; vez++) {
    t.is(proximoDiaUtil(data('2026-07-09'), structuredClone(feriado!)), data('2026-07-10'));
    t.is(proximoDiaUtil(data('2026-07-09'), structuredClone(util!)), data('2026-07-09'));
  }
});

test('quem anota todos os dias do ano como feriado não faz procurar um dia útil para sempre', (t) => {
  const dias = Array.from({ length: 366 }, (_, n) => somarDias(data('2024-01-01'), n).slice(5));
  const fechado = criarCalendarioBancario(
    null,
    dias.map((dia) => [dia, false] as const),
  );
  t.is(proximoDiaUtil(data('2026-07-01'), fechado), data('2026-08-01'));
  t.is(corteDoAtraso(data('2026-07-01'), fechado), data('2026-05-30'));
});

test('a fatura que vence no sábado não está em atraso no domingo nem na segunda, e está na terça', (t) => {
  const [sabado, domingo, segunda, terca] = ['2026-11-21', '2026-11-22', '2026-11-23', '2026-11-24'].map(data);
  t.deepEqual(
    [sabado, domingo, segunda, terca].map((hoje) => emAtraso(sabado!, hoje!, NACIONAL)),
    [false, false, false, true],
  );
  t.deepEqual(
    [sabado, domingo, segunda, terca].map((hoje) => valeAte(sabado!, hoje!, NACIONAL)),
    [sabado, segunda, segunda, terca],
  );
});

test('em 100 mil casos, estar em atraso é ter dias de atraso na conta, e vencer até o corte', (t) => {
  const inicio = data('2024-01-01');
  const conferir = () =>
    emCemMilCasos(
      (s) => ({
        uf: s.um([null, ...UFS]),
        proprios: Array.from({ length: s.inteiro(0, 6) }, () => {
          const dia: string = somarDias(inicio, s.inteiro(0, 3000));
          return [s.um([dia, dia.slice(5)]), s.um([true, false])] as const;
        }),
        vencimento: s.inteiro(0, 3000),
        dias: s.inteiro(-5, 12),
      }),
      ({ uf, proprios, vencimento: n, dias }) => {
        const calendario = criarCalendarioBancario(uf, proprios);
        const vencimento = somarDias(inicio, n);
        const hoje = somarDias(vencimento, dias);
        const atrasada = emAtraso(vencimento, hoje, calendario);
        const regras = { multaPercentual: 200, jurosMensalPercentual: 100, carenciaDias: 0, calendario };
        const { diasEmAtraso } = calcularEncargos({ valor: centavos(10_000), vencimento, hoje, regras });
        return atrasada === diasEmAtraso > 0 && atrasada === vencimento <= corteDoAtraso(hoje, calendario);
      },
    );
  t.notThrows(conferir);
});

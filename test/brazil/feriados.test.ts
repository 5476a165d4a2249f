import test from 'ava';
import { isBusinessDay } from '@brazilian-utils/brazilian-utils';
import { diaDaSemana, somarDias, type Data } from '../../src/brazil/datas.ts';
import { feriadoBancario, proximoDiaUtil } from '../../src/brazil/feriados.ts';
import { data, emCemMilCasos, feriadosCalculados } from './_apoio.ts';

function feriadosDe(ano: number): Data[] {
  const dias: Data[] = [];
  for (let d = data(`${ano}-01-01`); d < data(`${ano + 1}-01-01`); d = somarDias(d, 1)) {
    if (feriadoBancario(d)) dias.push(d);
  }
  return dias;
}

test('os feriados de 2026 são a lista dos bancos', (t) => {
  t.deepEqual(feriadosDe(2026) as string[], [
    '2026-01-01',
    '2026-02-16',
    '2026-02-17',
    '2026-04-03',
    '2026-04-21',
    '2026-05-01',
    '2026-06-04',
    '2026-09-07',
    '2026-10-12',
    '2026-11-02',
    '2026-11-15',
    '2026-11-20',
    '2026-12-25',
  ]);
});

test('os feriados da biblioteca são os calculados à parte, de 2024 a 2030 e muito além', (t) => {
  for (let ano = 1990; ano <= 2100; ano++) t.deepEqual(feriadosDe(ano) as string[], feriadosCalculados(ano));
});

test('20 de novembro é feriado só desde 2024', (t) => {
  t.false(feriadoBancario(data('2023-11-20')));
  t.true(feriadoBancario(data('2024-11-20')));
});

test('eleição, Quarta-feira de Cinzas e véspera de Natal não são feriado bancário', (t) => {
  for (const dia of ['2026-10-04', '2026-10-25', '2026-02-18', '2026-12-24']) t.false(feriadoBancario(data(dia)), dia);
});

test('o próximo dia útil pula fins de semana e feriados', (t) => {
  const vetores: [string, string][] = [
    ['2026-07-01', '2026-07-01'],
    ['2026-07-04', '2026-07-06'],
    ['2026-02-14', '2026-02-18'],
    ['2026-04-03', '2026-04-06'],
    ['2026-06-04', '2026-06-05'],
    ['2027-01-01', '2027-01-04'],
    ['2026-12-25', '2026-12-28'],
  ];
  for (const [dia, util] of vetores) t.is(proximoDiaUtil(data(dia)), data(util), dia);
});

test('o próximo dia útil é o primeiro que não é fim de semana nem feriado', (t) => {
  for (let d = data('2024-01-01'); d < data('2031-01-01'); d = somarDias(d, 1)) {
    let esperado: Data = d;
    while (
      [0, 6].includes(diaDaSemana(esperado)) ||
      feriadosCalculados(Number(esperado.slice(0, 4))).includes(esperado)
    ) {
      esperado = somarDias(esperado, 1);
    }
    t.is(proximoDiaUtil(d), esperado);
  }
});

const CALCULADOS = new Map<string, ReadonlySet<string>>();
for (let ano = 1990; ano <= 2100; ano++) CALCULADOS.set(String(ano), new Set(feriadosCalculados(ano)));

test('em 100 mil dias, feriado e dia útil são os de uma segunda conta, e da biblioteca menos a segunda de Carnaval', (t) => {
  const DIA_MS = 86_400_000;
  const iso = (dia: number) => new Date(dia * DIA_MS).toISOString().slice(0, 10);
  const feriado = (dia: number) => CALCULADOS.get(iso(dia).slice(0, 4))!.has(iso(dia));
  // 1970-01-01 foi uma quinta-feira.
  const util = (dia: number) => ![0, 6].includes((dia + 4) % 7) && !feriado(dia);
  const conferir = () =>
    emCemMilCasos(
      (s) => s.inteiro(Date.UTC(1990, 0, 1) / DIA_MS, Date.UTC(2099, 11, 20) / DIA_MS),
      (dia) => {
        const d = data(iso(dia));
        let esperado = dia;
        while (!util(esperado)) esperado++;
        // brazilian-utils conhece a terça de Carnaval, e não a segunda.
        const segundaDeCarnaval = (dia + 4) % 7 === 1 && feriado(dia) && feriado(dia + 1) && /-0[23]-/.test(d);
        const local = new Date(Number(d.slice(0, 4)), Number(d.slice(5, 7)) - 1, Number(d.slice(8)));
        return (
          feriadoBancario(d) === feriado(dia) &&
          proximoDiaUtil(d) === iso(esperado) &&
          isBusinessDay(local) === (util(dia) || segundaDeCarnaval)
        );
      },
    );
  t.notThrows(conferir);
});

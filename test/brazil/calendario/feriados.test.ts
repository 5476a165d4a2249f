import test from 'ava';
import Holidays from 'date-holidays';
import { somarDias, type Data } from '../../../src/brazil/calendario/datas.ts';
import { UFS } from '../../../src/brazil/pessoa/endereco.ts';
import {
  feriadoBancario,
  feriadosDoEstado,
  feriadosNacionais,
  ultimoDiaUtilDoAno,
} from '../../../src/brazil/calendario/feriados.ts';
import { data, feriadosCalculados, semBancosCalculados } from '../_apoio.ts';

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

test('os feriados nacionais são os calculados à parte, de 2024 a 2030 e muito além', (t) => {
  for (let ano = 1990; ano <= 2100; ano++) t.deepEqual(feriadosDe(ano) as string[], feriadosCalculados(ano));
});

test('os feriados da nação e dos estados são os da biblioteca date-holidays, com os seus nomes', (t) => {
  /** Ended by laws of the states, which the library does not know: 10.601/2015 and 18.384/2014. */
  const revogados: Partial<Record<string, string>> = { PB: '07-26', PR: '12-19' };
  const tipos: { types: ['public', 'bank'] } = { types: ['public', 'bank'] };
  const daBiblioteca = (calendario: Holidays, ano: number): [string, string][] =>
    calendario
      .getHolidays(ano)
      // Elections, and what a state keeps on a Sunday.
      .filter(({ rule }) => !rule.includes('sunday'))
      .map(({ date, name }) => [date.slice(0, 10), name]);
  const brasil = new Holidays('BR', tipos);
  const estados = UFS.map((uf) => [uf, new Holidays('BR', uf, tipos)] as const);
  for (let ano = 1990; ano <= 2060; ano++) {
    const nacionais = feriadosNacionais(ano);
    t.deepEqual([...nacionais], [...new Map(daBiblioteca(brasil, ano))], String(ano));
    for (const [uf, calendario] of estados) {
      const esperados = daBiblioteca(calendario, ano).filter(
        ([dia]) => !nacionais.has(dia) && dia.slice(5) !== revogados[uf],
      );
      t.deepEqual([...feriadosDoEstado(uf, ano)], [...new Map(esperados)], `${uf} ${ano}`);
    }
  }
});

test('20 de novembro é feriado só desde 2024', (t) => {
  t.false(feriadoBancario(data('2023-11-20')));
  t.true(feriadoBancario(data('2024-11-20')));
});

test('eleição, Quarta-feira de Cinzas e véspera de Natal não são feriado bancário', (t) => {
  for (const dia of ['2026-10-04', '2026-10-25', '2026-02-18', '2026-12-24']) t.false(feriadoBancario(data(dia)), dia);
});

test('os feriados de um estado são os da lei do estado, sem os nacionais nem os que ela já revogou', (t) => {
  const dias = (uf: string): string[] => [...feriadosDoEstado(uf, 2026).keys()];
  t.deepEqual(dias('SP'), ['2026-07-09']);
  t.deepEqual(dias('AM'), ['2026-09-05']);
  t.deepEqual(dias('ES'), ['2026-04-13']);
  t.deepEqual(dias('RJ'), ['2026-04-23']);
  t.deepEqual(dias('MG'), []);
  t.deepEqual(dias('PB'), ['2026-08-05']);
  t.deepEqual(dias('PR'), []);
  t.is(feriadosDoEstado('SP', 2026).get('2026-07-09'), 'Revolução Constitucionalista');
  for (const uf of UFS) {
    for (const dia of dias(uf)) {
      t.regex(dia, /^2026-\d\d-\d\d$/, uf);
      t.false(feriadoBancario(data(dia)), `${uf} ${dia}`);
    }
  }
});

test('no último dia útil do ano os bancos não atendem: 31/12, ou a sexta-feira antes dele', (t) => {
  t.is(ultimoDiaUtilDoAno(2026), data('2026-12-31'));
  // Two Sundays and a Saturday, as FEBRABAN announced.
  t.is(ultimoDiaUtilDoAno(2023), data('2023-12-29'));
  t.is(ultimoDiaUtilDoAno(2017), data('2017-12-29'));
  t.is(ultimoDiaUtilDoAno(2022), data('2022-12-30'));
  for (let ano = 1990; ano <= 2100; ano++) t.is(ultimoDiaUtilDoAno(ano), data(semBancosCalculados(ano).at(-1)!));
});

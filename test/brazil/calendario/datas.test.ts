import test from 'ava';
import * as fc from 'fast-check';
import {
  diaDaSemana,
  diasEntre,
  fimDoDiaEm,
  fusoValido,
  hojeEm,
  inicioDoDiaEm,
  lerData,
  somarDias,
} from '../../../src/brazil/calendario/datas.ts';
import { data, datas, emCemMilCasos, type Sorteio } from '../_apoio.ts';

const FUSOS = ['America/Sao_Paulo', 'America/Noronha', 'America/Manaus', 'America/Rio_Branco', 'America/Cuiaba'];

test('só lê datas que existem no calendário', (t) => {
  for (const texto of ['2026-02-28', '2024-02-29', '1000-01-01', '9999-12-31', '2000-02-29']) {
    t.is(String(lerData(texto)), texto);
  }
  const ruins = ['2026-02-29', '2026-02-30', '2026-02-31', '1900-02-29', '2026-13-01', '2026-00-10', '2026-04-31'];
  const formas = ['', '2026-1-1', '0999-12-31', '10000-01-01', '2026-01-01T00:00:00Z', ' 2026-01-01', '01/01/2026'];
  for (const texto of [...ruins, ...formas, '2026-01-00', '2026-01-32', '2026-01-01\n']) t.is(lerData(texto), null);
});

test('soma dias através de meses, anos e bissextos', (t) => {
  t.is(somarDias(data('2024-02-28'), 1), data('2024-02-29'));
  t.is(somarDias(data('2024-12-31'), 1), data('2025-01-01'));
  t.is(somarDias(data('2025-01-01'), -366), data('2024-01-01'));
  for (const n of [0.5, NaN, 1e300]) t.throws(() => somarDias(data('2026-01-01'), n), { instanceOf: RangeError });
  t.throws(() => somarDias(data('9999-12-31'), 1), { instanceOf: RangeError });
  t.throws(() => somarDias(data('1000-01-01'), -1), { instanceOf: RangeError });
});

/**
 * Days since 0000-03-01, by the Gregorian calendar and without Date: the year begins in March, so a leap day is its
 * last.
 */
function diasDesdeMarco(texto: string): number {
  const [ano = 0, mes = 0, dia = 0] = texto.split('-').map(Number);
  const a = mes > 2 ? ano : ano - 1;
  const bissextos = Math.floor(a / 4) - Math.floor(a / 100) + Math.floor(a / 400);
  return a * 365 + bissextos + Math.floor((153 * ((mes + 9) % 12) + 2) / 5) + dia - 1;
}

test('em 100 mil casos, somarDias, diasEntre e diaDaSemana são os de uma segunda conta', (t) => {
  const inicio = data('1900-01-01');
  const sortear = (s: Sorteio) => ({ dia: s.inteiro(0, 110_000), n: s.inteiro(-50_000, 50_000) });
  const conferir = () =>
    emCemMilCasos(sortear, ({ dia, n }) => {
      const d = somarDias(inicio, dia);
      const soma = somarDias(d, n);
      return (
        diasDesdeMarco(soma) - diasDesdeMarco(d) === n &&
        diasEntre(d, soma) === n &&
        // 0000-03-01 was a Wednesday.
        diaDaSemana(d) === (diasDesdeMarco(d) + 3) % 7
      );
    });
  t.notThrows(conferir);
});

test('o dia da semana começa no domingo, 0', (t) => {
  t.is(diaDaSemana(data('2026-07-05')), 0);
  t.is(diaDaSemana(data('2026-07-01')), 3);
  t.is(diaDaSemana(data('2026-07-04')), 6);
});

test('hoje é a data local do fuso', (t) => {
  const instante = new Date('2026-07-02T03:30:00Z');
  t.is(hojeEm('America/Noronha', instante), data('2026-07-02'));
  t.is(hojeEm('America/Sao_Paulo', instante), data('2026-07-02'));
  t.is(hojeEm('America/Manaus', instante), data('2026-07-01'));
  t.is(hojeEm('America/Rio_Branco', instante), data('2026-07-01'));
  t.throws(() => hojeEm('America/Sao_Paulo', new Date(NaN)), { instanceOf: RangeError });
  t.throws(() => hojeEm('Marte/Olimpo', instante), { instanceOf: RangeError });
  t.throws(() => hojeEm('UTC', new Date(Date.UTC(10_000, 0, 1))), { instanceOf: RangeError });
});

test('o dia termina às 23:59:59.999 locais em cada fuso do Brasil', (t) => {
  const dia = data('2026-07-01');
  t.is(fimDoDiaEm('America/Noronha', dia).toISOString(), '2026-07-02T01:59:59.999Z');
  t.is(fimDoDiaEm('America/Sao_Paulo', dia).toISOString(), '2026-07-02T02:59:59.999Z');
  t.is(fimDoDiaEm('America/Manaus', dia).toISOString(), '2026-07-02T03:59:59.999Z');
  t.is(fimDoDiaEm('America/Rio_Branco', dia).toISOString(), '2026-07-02T04:59:59.999Z');
  t.is(inicioDoDiaEm('America/Rio_Branco', dia).toISOString(), '2026-07-01T05:00:00.000Z');
});

test('no início do horário de verão a meia-noite não existe e o dia começa à 01:00', (t) => {
  const fuso = 'America/Sao_Paulo';
  t.is(fimDoDiaEm(fuso, data('2018-11-03')).toISOString(), '2018-11-04T02:59:59.999Z');
  t.is(inicioDoDiaEm(fuso, data('2018-11-04')).toISOString(), '2018-11-04T03:00:00.000Z');
  t.is(fimDoDiaEm(fuso, data('2018-11-04')).toISOString(), '2018-11-05T01:59:59.999Z');
});

test('no fim do horário de verão as 23 h ocorrem duas vezes e vale a segunda', (t) => {
  const fuso = 'America/Sao_Paulo';
  t.is(inicioDoDiaEm(fuso, data('2019-02-16')).toISOString(), '2019-02-16T02:00:00.000Z');
  t.is(fimDoDiaEm(fuso, data('2019-02-16')).toISOString(), '2019-02-17T02:59:59.999Z');
});

test('os dias cobrem o tempo sem buracos nem sobras, com e sem horário de verão', (t) => {
  const prop = fc.property(fc.constantFrom(...FUSOS), datas('1985-01-01', '2040-12-31'), (fuso, d) => {
    const inicio = inicioDoDiaEm(fuso, d);
    const fim = fimDoDiaEm(fuso, d);
    const hora = new Intl.DateTimeFormat('sv-SE', { timeZone: fuso, timeStyle: 'medium' });
    t.is(hojeEm(fuso, inicio), d);
    t.is(hojeEm(fuso, new Date(inicio.getTime() - 1)), somarDias(d, -1));
    t.is(hojeEm(fuso, fim), d);
    t.is(hora.format(fim), '23:59:59');
    t.regex(hora.format(inicio), /^0[01]:00:00$/);
    t.is(fim.getTime() + 1, inicioDoDiaEm(fuso, somarDias(d, 1)).getTime());
  });
  fc.assert(prop, { numRuns: 2000 });
});

test('só aceita fusos IANA', (t) => {
  for (const fuso of [...FUSOS, 'UTC', 'Europe/Lisbon']) t.true(fusoValido(fuso), fuso);
  for (const fuso of ['', '-03:00', '+01:00', 'Marte/Olimpo', 'America/Sao Paulo']) t.false(fusoValido(fuso), fuso);
});

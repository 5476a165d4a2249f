import test from 'ava';
import {
  escreverHorario,
  horaDeArquivo,
  horaEm,
  horarioDePlanilha,
  lerHorario,
} from '../../../src/brazil/calendario/horario.ts';

test('o horário que se digita é o do fuso do provedor, e volta igual', (t) => {
  for (const [fuso, texto, instante] of [
    ['America/Sao_Paulo', '2026-11-21T14:02', '2026-11-21T17:02:00.000Z'],
    ['America/Manaus', '2026-11-21T23:30', '2026-11-22T03:30:00.000Z'],
    ['America/Noronha', '2026-01-01T00:00', '2026-01-01T02:00:00.000Z'],
    // With summer time, of before and after the clocks went on at midnight.
    ['America/Sao_Paulo', '2018-11-03T23:59', '2018-11-04T02:59:00.000Z'],
    ['America/Sao_Paulo', '2018-11-04T01:00', '2018-11-04T03:00:00.000Z'],
  ] as const) {
    const lido = lerHorario(fuso, texto);
    t.is(lido?.toISOString(), instante, `${fuso} ${texto}`);
    t.is(lido === null ? null : escreverHorario(fuso, lido), texto);
  }
});

test('a hora é a do relógio do provedor, também à meia-noite', (t) => {
  for (const [fuso, instante, hora, deArquivo, dePlanilha] of [
    ['America/Sao_Paulo', '2026-11-21T17:02:09.999Z', 14, '140209', '2026-11-21 14:02:09'],
    ['America/Sao_Paulo', '2026-11-21T03:00:00.000Z', 0, '000000', '2026-11-21 00:00:00'],
    ['America/Rio_Branco', '2026-11-21T04:59:59.000Z', 23, '235959', '2026-11-20 23:59:59'],
  ] as const) {
    t.is(horaEm(fuso, new Date(instante)), hora, instante);
    t.is(horaDeArquivo(fuso, new Date(instante)), deArquivo, instante);
    t.is(horarioDePlanilha(fuso, new Date(instante)), dePlanilha, instante);
  }
});

test('o que não é data e hora que exista não é lido', (t) => {
  for (const texto of ['', 'amanhã', '2026-02-30T10:00', '2026-11-21', '2026-11-21T25:00', '21/11/2026 14:00']) {
    t.is(lerHorario('America/Sao_Paulo', texto), null, texto);
  }
});

import test from 'ava';
import * as fc from 'fast-check';
import { hojeEm, inicioDoDiaEm, somarDias } from '../../../src/brazil/calendario/datas.ts';
import { criarDiasLocais } from '../../../src/brazil/calendario/dias-locais.ts';
import { data, datas } from '../_apoio.ts';

// São Paulo had summer time until 2019, beginning at midnight; Santiago still has; Lord Howe changes by half an hour.
const FUSOS = ['America/Sao_Paulo', 'America/Manaus', 'America/Santiago', 'Australia/Lord_Howe', 'Pacific/Kiritimati'];

test('diz a data local como hojeEm, também junto da meia-noite e do horário de verão, e null antes do primeiro dia', (t) => {
  fc.assert(
    fc.property(
      fc.constantFrom(...FUSOS),
      datas('2016-01-01', '2026-12-31'),
      fc.integer({ min: 0, max: 40 }),
      fc.integer({ min: -2, max: 42 }),
      fc.oneof(fc.integer({ min: -2, max: 2 }), fc.integer({ min: -43_200_000, max: 43_200_000 })),
      (fuso, de, dias, dia, desvio) => {
        const diaDe = criarDiasLocais(fuso, de, somarDias(de, dias));
        const instante = inicioDoDiaEm(fuso, somarDias(de, dia)).getTime() + desvio;
        const esperado = hojeEm(fuso, new Date(instante));
        t.is(diaDe(instante), esperado < de ? null : esperado);
      },
    ),
    { numRuns: 300 },
  );
});

test('lança por um fuso que não existe', (t) => {
  t.throws(() => criarDiasLocais('America/Nenhum', data('2026-01-01'), data('2026-01-02')), { instanceOf: RangeError });
});

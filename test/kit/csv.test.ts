import test from 'ava';
import { csvCell, csvLine } from '../../src/kit/csv/csv.ts';

test('o que começa como fórmula não é fórmula', (t) => {
  for (const texto of ['=1+1', '+55', '-1', '@SUM(A1)', '\t=1', '＝1+1']) t.is(csvCell(texto), `'${texto}`);
  t.is(csvCell(-1), '-1');
  t.is(csvCell('a=1'), 'a=1');
});

test('separadores, aspas e linhas ficam dentro da célula', (t) => {
  t.is(csvCell('a;b'), '"a;b"');
  t.is(csvCell('=a"b'), `"'=a""b"`);
  t.is(csvLine(['a', null, 3, 'b\nc']), 'a;;3;"b\nc"\r\n');
});

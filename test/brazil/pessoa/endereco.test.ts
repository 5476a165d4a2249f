import test from 'ava';
import { UFS, normalizarCep } from '../../../src/brazil/pessoa/endereco.ts';

test('um CEP vale com e sem pontuação', (t) => {
  for (const cep of ['37130-001', '37.130-001', '37130001', ' 37130 001 ']) t.is(normalizarCep(cep), '37130001', cep);
  t.is(normalizarCep('01000-000'), '01000000');
});

test('o que não tem oito dígitos, ou está abaixo do menor CEP, não é CEP', (t) => {
  const ruins = ['', '3713000', '371300011', '3713000a', '00000-000', '00999999', '３７１３０００１', '37130_001'];
  for (const ruim of ruins) t.is(normalizarCep(ruim), null, ruim);
});

test('há 27 unidades da federação, em ordem e sem repetição', (t) => {
  t.is(UFS.length, 27);
  t.deepEqual([...UFS], [...new Set(UFS)].toSorted());
});

import test from 'ava';
import * as fc from 'fast-check';
import { isValidPhone } from '@brazilian-utils/brazilian-utils';
import { DDDS, normalizarTelefone, telefoneValido, ultimosOito } from '../../src/brazil/telefone.ts';
import { DIGITOS, textoDe } from './_apoio.ts';

test('normaliza tirando pontuação, espaços e o sinal de mais', (t) => {
  t.is(normalizarTelefone('+55 (11) 98765-4321'), '5511987654321');
  t.is(normalizarTelefone('11.3456/7890'), '1134567890');
  t.is(normalizarTelefone('1134567890'), '1134567890');
});

test('menos de 10 ou mais de 13 dígitos, ou outro caractere, não é telefone', (t) => {
  const ruins = ['', '987654321', '12345678901234', '11 9876a-4321', '１１987654321', '11_987654321', '11987654321\n'];
  for (const ruim of ruins) t.is(normalizarTelefone(ruim), null, ruim);
});

test('os oito últimos dígitos são os mesmos com 55, DDD ou nono dígito', (t) => {
  for (const digitos of ['5511987654321', '11987654321', '1187654321']) t.is(ultimosOito(digitos), '87654321');
});

test('há 67 códigos de área, em ordem e sem repetição', (t) => {
  t.is(DDDS.length, 67);
  t.deepEqual([...DDDS], [...new Set(DDDS)].toSorted());
  for (const fora of ['10', '20', '23', '25', '26', '29', '36', '39', '50', '52', '72', '76', '78']) {
    t.false(DDDS.includes(fora), fora);
  }
});

test('celular e fixo valem com e sem o 55', (t) => {
  for (const numero of ['11987654321', '1134567890', '5511987654321', '551134567890', '55987654321', '5532345678']) {
    t.true(telefoneValido(numero), numero);
  }
});

test('DDD que não existe, celular sem o 9 e tamanhos errados não valem', (t) => {
  const ruins = [
    '20987654321',
    '11887654321',
    '1187654321',
    '1104567890',
    '119876543210',
    '113456789',
    '',
    '08001234567',
  ];
  for (const numero of [...ruins, '5411987654321', '+5511987654321', '5555555511987']) {
    t.false(telefoneValido(numero), numero);
  }
});

test('todo telefone aceito a biblioteca também aceita', (t) => {
  const numero = fc
    .tuple(fc.constantFrom(...DDDS), textoDe(DIGITOS, 8, 9))
    .map(([ddd, resto]) => ddd + resto)
    .filter(telefoneValido);
  t.notThrows(() => fc.assert(fc.property(numero, (n) => isValidPhone(n) && isValidPhone(`55${n}`))));
});

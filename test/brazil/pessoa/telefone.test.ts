import test from 'ava';
import { isValidPhone } from '@brazilian-utils/brazilian-utils';
import { DDDS, normalizarTelefone, telefoneValido, ultimosOito } from '../../../src/brazil/pessoa/telefone.ts';
import { DIGITOS, emCemMilCasos, type Sorteio } from '../_apoio.ts';

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

test('os códigos de área são os do plano da Anatel', (t) => {
  const faixas = '11-19 21 22 24 27 28 31-35 37 38 41-49 51 53-55 61-69 71 73-75 77 79 81-89 91-99'.split(' ');
  const esperados = faixas.flatMap((faixa) => {
    const [de = 0, ate = de] = faixa.split('-').map(Number);
    return Array.from({ length: ate - de + 1 }, (_, i) => String(de + i));
  });
  t.deepEqual([...DDDS], esperados);
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

function sortear(s: Sorteio) {
  const ddd = s.um([s.um(DDDS), s.texto(DIGITOS, 2)]);
  const digitos = s.um(['', '', '55', '0']) + ddd + s.um(['9', '']) + s.texto(DIGITOS, 7, 9);
  return { digitos, pontuacao: s.texto('-() ./+', 4), onde: s.inteiro(0, 8) };
}

test('em 100 mil números, vale o que a biblioteca aceita e é celular com 9 ou fixo de 2 a 5', (t) => {
  const conferir = () =>
    emCemMilCasos(sortear, ({ digitos, pontuacao, onde }) => {
      const nacional = digitos.length > 11 && digitos.startsWith('55') ? digitos.slice(2) : digitos;
      const forma = nacional.length === 11 ? nacional[2] === '9' : '2345'.includes(nacional[2]!);
      const pontuado = digitos.slice(0, onde) + pontuacao + digitos.slice(onde);
      const cabe = digitos.length >= 10 && digitos.length <= 13;
      return (
        telefoneValido(digitos) === (isValidPhone(digitos) && forma) &&
        normalizarTelefone(pontuado) === (cabe ? digitos : null) &&
        ultimosOito(digitos) === digitos.substring(digitos.length - 8)
      );
    });
  t.notThrows(conferir);
});

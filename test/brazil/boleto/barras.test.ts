import test from 'ava';
import { barrasIntercaladas } from '../../../src/brazil/boleto/barras.ts';

// That readers read what is printed is tested with the PDFs, by zbar.

test('um par de dígitos tem o primeiro nas barras e o segundo nos espaços, entre o início e o fim', (t) => {
  t.is(barrasIntercaladas('12').join(''), ['1111', '3113111133', '3111'].join(''));
});

/** A second implementation: the weights 1, 2, 4, 7 and parity of a digit's wide elements; 0 is 4 and 7. */
function ler(larguras: readonly number[]): string {
  const digito = (elementos: readonly number[]): number =>
    [1, 2, 4, 7, 0].reduce((soma, peso, n) => soma + (elementos[n] === 3 ? peso : 0), 0) % 11;
  let lido = '';
  for (let i = 4; i + 10 <= larguras.length - 4; i += 10) {
    const par = larguras.slice(i, i + 10);
    lido += digito(par.filter((_, n) => n % 2 === 0));
    lido += digito(par.filter((_, n) => n % 2 === 1));
  }
  return lido;
}

test('cada par de dígitos se lê de volta, com dois elementos largos por dígito', (t) => {
  for (let n = 0; n < 100; n += 1) {
    const par = String(n).padStart(2, '0');
    const larguras = barrasIntercaladas(par);
    t.is(ler(larguras), par);
    t.is(larguras.slice(4, 14).filter((largura) => largura === 3).length, 4);
  }
  const codigo = '23793381260083013528560000633140000009990123';
  t.is(ler(barrasIntercaladas(codigo)), codigo);
  t.is(barrasIntercaladas(codigo).length, 4 + 220 + 4);
});

test('o que não é de pares de dígitos é recusado', (t) => {
  for (const codigo of ['', '1', '123', '1a', ' 12', '12\n']) {
    t.throws(() => barrasIntercaladas(codigo), { instanceOf: RangeError });
  }
});

import { createHash } from 'node:crypto';
import test from 'ava';
import * as fc from 'fast-check';
import { gerarChave, inicioDaChave, lerChave } from '../../../src/domain/chaves/chave.ts';
import { CARACTERE } from '../../support/caracteres.ts';

const provedor = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });
const VISIVEIS = Array.from({ length: 95 }, (_, n) => String.fromCodePoint(32 + n));

test('uma chave tem o prefixo, o provedor em base 36, 32 caracteres ao acaso e 6 de conferência', (t) => {
  fc.assert(
    fc.property(provedor, (id) => {
      const texto = gerarChave(id);
      return new RegExp(`^malha_${id.toString(36)}_[0-9A-Za-z]{38}$`).test(texto);
    }),
  );
  t.pass();
});

test('uma chave gerada se lê de volta: o provedor e o SHA-256 do seu texto', (t) => {
  fc.assert(
    fc.property(provedor, (id) => {
      const texto = gerarChave(id);
      const lida = lerChave(texto);
      return lida?.provedorId === id && lida.hash === createHash('sha256').update(texto).digest('hex');
    }),
  );
  t.pass();
});

test('duas chaves nunca são iguais, nem no começo do segredo', (t) => {
  const segredos = Array.from({ length: 2000 }, () => gerarChave(1).slice('malha_1_'.length));
  t.is(new Set(segredos.map((segredo) => segredo.slice(0, 12))).size, 2000);
  const usados = new Set(segredos.flatMap((segredo) => segredo.slice(0, 32).split('')));
  t.is(usados.size, 62, 'o segredo usa todo o alfabeto');
});

test('um só caractere trocado, em qualquer lugar, e a chave é recusada sem consultar ninguém', (t) => {
  fc.assert(
    fc.property(provedor, fc.nat(), fc.constantFrom(...VISIVEIS), (id, n, novo) => {
      const texto = gerarChave(id);
      const onde = n % texto.length;
      fc.pre(texto[onde] !== novo);
      return lerChave(texto.slice(0, onde) + novo + texto.slice(onde + 1)) === null;
    }),
    { numRuns: 2000 },
  );
  t.pass();
});

test('toda troca de um caractere de uma chave é recusada', (t) => {
  const texto = gerarChave(46_655);
  let trocas = 0;
  for (let onde = 0; onde < texto.length; onde += 1) {
    for (const novo of VISIVEIS.filter((caractere) => caractere !== texto[onde])) {
      t.is(lerChave(texto.slice(0, onde) + novo + texto.slice(onde + 1)), null, `${onde} ${novo}`);
      trocas += 1;
    }
  }
  t.is(trocas, texto.length * 94);
});

test('um caractere a mais, a menos ou dois vizinhos trocados, e a chave é recusada', (t) => {
  fc.assert(
    fc.property(provedor, fc.nat(), fc.constantFrom(...VISIVEIS), (id, n, novo) => {
      const texto = gerarChave(id);
      const onde = n % texto.length;
      const [este, proximo] = [texto[onde]!, texto[onde + 1] ?? ''];
      const trocada = texto.slice(0, onde) + proximo + este + texto.slice(onde + 2);
      return (
        lerChave(texto.slice(0, onde) + texto.slice(onde + 1)) === null &&
        lerChave(texto.slice(0, onde) + novo + texto.slice(onde)) === null &&
        (trocada === texto || lerChave(trocada) === null)
      );
    }),
    { numRuns: 1000 },
  );
  t.pass();
});

test('o que não é uma chave é recusado', (t) => {
  const texto = gerarChave(1);
  for (const outro of [
    '',
    'malha_',
    'malha_1_',
    texto.toUpperCase(),
    texto.replace('malha', 'Malha'),
    ` ${texto}`,
    `${texto} `,
    `${texto}\n`,
    `x${texto}`,
    texto.replace('malha_1_', 'malha__'),
    `malha_${'z'.repeat(12)}_${'a'.repeat(38)}`,
    'x'.repeat(100_000),
  ]) {
    t.is(lerChave(outro), null, JSON.stringify(outro.slice(0, 60)));
  }
});

test('nenhum texto ao acaso passa por chave', (t) => {
  const segredo = fc.stringMatching(/^[0-9A-Za-z]{38}$/);
  fc.assert(fc.property(segredo, (texto) => lerChave(`malha_1_${texto}`) === null));
  fc.assert(fc.property(fc.string({ unit: CARACTERE, maxLength: 80 }), (texto) => lerChave(texto) === null));
  t.pass();
});

test('o provedor de uma chave vai de 1 a 2^53-1', (t) => {
  t.is(lerChave(gerarChave(Number.MAX_SAFE_INTEGER))?.provedorId, Number.MAX_SAFE_INTEGER);
  t.is(lerChave(gerarChave(0)), null);
  t.is(lerChave(gerarChave(Number.MAX_SAFE_INTEGER + 1)), null);
});

test('o início de uma chave mostra o provedor e quatro caracteres do segredo, nada mais', (t) => {
  for (const id of [1, 35, 36, 46_655, Number.MAX_SAFE_INTEGER]) {
    const texto = gerarChave(id);
    const inicio = inicioDaChave(texto);
    t.true(texto.startsWith(inicio));
    t.is(inicio.length, `malha_${id.toString(36)}_`.length + 4);
    t.true(inicio.length <= 24, 'cabe na coluna');
  }
});

import test from 'ava';
import { viewOf } from '../../../workers/threads/extrato/rows.ts';
import { createText } from '../../../workers/threads/extrato/text.ts';

test('um texto se cita como JSON o citaria, esteja onde estiver o que se escapa', (t) => {
  const caracteres = [...Array.from({ length: 0x100 }, (_, n) => String.fromCodePoint(n)), '\u2028', '€', '😀'];
  const texto = createText();
  for (let tamanho = 0; tamanho < 10; tamanho += 1) {
    for (let onde = 0; onde <= tamanho; onde += 1) {
      for (const caracter of caracteres) {
        const original = 'a'.repeat(onde) + caracter + 'z'.repeat(tamanho - onde);
        texto.begin();
        texto.quote(viewOf(Buffer.from(original)), 0, Buffer.byteLength(original));
        if (Buffer.from(texto.written()).toString() !== JSON.stringify(original)) t.fail(JSON.stringify(original));
      }
    }
  }
  t.pass();
});

test('o que não cabe na memória que havia fica inteiro', (t) => {
  const texto = createText();
  const partes = ['x'.repeat(3_000_000), '"', 'ç'.repeat(2_000_000)];
  for (const parte of partes) texto.quote(viewOf(Buffer.from(parte)), 0, Buffer.byteLength(parte));
  t.is(Buffer.from(texto.written()).toString(), partes.map((parte) => JSON.stringify(parte)).join(''));
});

import test from 'ava';
import { createMarks } from '../../../src/platform/paging/page-marks.ts';

const LINHAS = 25_000;
/** Row n of the list, and at once its place. */
const lista = Array.from({ length: LINHAS }, (_, n) => n);

/** The rows a seek names, as a database would find them. */
function achar({ place, backwards, offset, limit }: ReturnType<ReturnType<typeof createMarks>['seek']>): number[] {
  const [lugar] = place ?? [null];
  if (backwards) {
    const ate = lugar === null ? LINHAS : Number(lugar) + 1;
    return lista.slice(Math.max(0, ate - offset - limit), Math.max(0, ate - offset));
  }
  const de = (lugar === null ? 0 : Number(lugar) + 1) + offset;
  return lista.slice(de, de + limit);
}

test('o caminho mais curto leva às linhas pedidas, de quaisquer marcas, e fica curto', (t) => {
  const marcas = createMarks(LINHAS);
  let andadas = 0;
  for (let vez = 0; vez < 2000; vez += 1) {
    const tamanho = 1 + Math.floor(Math.random() * 300);
    const de = Math.floor(Math.random() * LINHAS);
    const caminho = marcas.seek(de, tamanho);
    const linhas = achar(caminho);
    t.deepEqual(linhas, lista.slice(de, de + tamanho), `${de} ${tamanho} ${JSON.stringify(caminho)}`);
    if (vez >= 1000) andadas = Math.max(andadas, caminho.offset);
    marcas.leave(de + linhas.length, [linhas.at(-1)!]);
  }
  t.true(andadas < 3000, String(andadas));
});

test('sem marcas conta-se do lado mais próximo', (t) => {
  const marcas = createMarks(1000);
  t.deepEqual(marcas.seek(300, 100), { place: null, backwards: false, offset: 300, limit: 100 });
  t.deepEqual(marcas.seek(600, 100), { place: null, backwards: true, offset: 300, limit: 100 });
  t.deepEqual(marcas.seek(950, 100), { place: null, backwards: true, offset: 0, limit: 50 });
});

test('de marcas próximas fica uma', (t) => {
  const marcas = createMarks(10_000);
  marcas.leave(5000, ['a']);
  marcas.leave(5999, ['b']);
  marcas.leave(4001, ['c']);
  t.deepEqual(marcas.seek(6100, 10).place, ['a']);
  marcas.leave(6000, ['d']);
  t.deepEqual(marcas.seek(6100, 10), { place: ['d'], backwards: false, offset: 100, limit: 10 });
  t.deepEqual(marcas.seek(4890, 10), { place: ['a'], backwards: true, offset: 100, limit: 10 });
});

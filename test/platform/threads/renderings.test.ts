import { once } from 'node:events';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import test from 'ava';
import { createRenderings } from '../../../src/platform/threads/renderings.ts';
import type { Opened } from '../../../src/platform/threads/renderings.ts';
import { createThreads } from '../../../src/platform/threads/threads.ts';

const folder = new URL('../../workers/threads/', import.meta.url);
const THREAD = 'boletos-pdf';
const de = (descricao: string) => ({ parcelas: [{ descricao }] });

const lido = async ({ body }: Opened): Promise<Buffer> => (body instanceof Readable ? buffer(body) : body);

test('um documento que não se desenha falha antes de haver o que enviar, e os outros são feitos', async (t) => {
  const threads = createThreads({ maxThreads: 1, folder });
  const impressos = createRenderings({ threads, maxBytes: 1e6, maxMs: 10_000 });
  await t.throwsAsync(impressos.of(THREAD, de('FALHA')).open(), { instanceOf: RangeError });
  t.is((await lido(await impressos.of(THREAD, de('bom')).open())).length, 100);
  await threads.close();
});

test('um que falha no meio, sem ninguém que o leia, não derruba o processo', async (t) => {
  const threads = createThreads({ maxThreads: 1, folder });
  const impressos = createRenderings({ threads, maxBytes: 1e6, maxMs: 10_000 });
  const { body, done } = await impressos.of(THREAD, de('CAI NO MEIO')).open();
  await t.throwsAsync(done, { instanceOf: RangeError });
  t.true((body as Readable).destroyed);
  await threads.close();
});

test('uma thread que nunca acaba é encerrada no limite, e outra toma o lugar', async (t) => {
  const threads = createThreads({ maxThreads: 1, folder });
  const impressos = createRenderings({ threads, maxBytes: 1e6, maxMs: 1000 });
  await t.throwsAsync(impressos.of(THREAD, de('NUNCA')).open(), { name: 'AbortError' });
  t.is((await lido(await impressos.of(THREAD, de('bom')).open())).length, 100);
  await threads.close();
});

test('o mesmo, pedido por vários ao mesmo tempo, é feito uma vez, e o que se guarda tem limite', async (t) => {
  let feitos = 0;
  const threads = {
    stream() {
      feitos += 1;
      return Readable.from([Buffer.alloc(600), Buffer.alloc(400)]);
    },
  };
  const impressos = createRenderings({ threads, maxBytes: 10_000, maxMs: 1000 });
  const juntos = await Promise.all([1, 2, 3].map(async () => lido(await impressos.of(THREAD, 'igual').open())));
  t.deepEqual([feitos, juntos.map(({ length }) => length)], [1, [1000, 1000, 1000]]);
  for (let n = 0; n < 200; n += 1) {
    const { body } = await impressos.of(THREAD, n).open();
    if (body instanceof Readable) await once(body.resume(), 'end');
  }
  t.is(feitos, 201);
  // The last ten are kept.
  for (const n of [190, 195, 199]) t.true(Buffer.isBuffer((await impressos.of(THREAD, n).open()).body));
  t.false(Buffer.isBuffer((await impressos.of(THREAD, 189).open()).body));
});

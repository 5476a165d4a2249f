import test from 'ava';
import { createThreads } from '../../../src/platform/threads/threads.ts';

const folder = new URL('../../workers/threads/', import.meta.url);

test('nenhuma thread começa antes do primeiro uso, e fechar encerra as que houver', async (t) => {
  const threads = createThreads({ maxThreads: 2, folder });
  t.is(threads.running, 0);
  t.deepEqual(await Promise.all([1, 2, 3].map((n) => threads.run<number, number>('dobro', n))), [2, 4, 6]);
  t.true(threads.running > 0 && threads.running <= 2);
  await threads.close();
  t.is(threads.running, 0);
});

test('fechar sem ter usado não faz nada, e depois de fechar pode-se usar de novo', async (t) => {
  const threads = createThreads({ maxThreads: 1, folder });
  await threads.close();
  t.is(await threads.run<number, number>('dobro', 21), 42);
  await threads.close();
  t.is(await threads.run<number, number>('dobro', 4), 8);
  await threads.close();
});

test('o erro da função chega a quem chamou', async (t) => {
  const threads = createThreads({ maxThreads: 1, folder });
  await t.throwsAsync(threads.run('dobro', -1), { instanceOf: RangeError, message: 'negativo' });
  await threads.close();
});

test('uma thread que não existe, ou um nome que sai da pasta, é um erro', async (t) => {
  const threads = createThreads({ maxThreads: 1, folder });
  await t.throwsAsync(threads.run('nao-existe', 1));
  await t.throwsAsync(threads.run('../threads/dobro', 1), { message: /name/ });
  await threads.close();
});

import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import test from 'ava';
import { createThreads } from '../../../src/platform/threads/threads.ts';
import { ate } from '../../support/espera.ts';
import type { Pedido } from '../../workers/threads/pedacos.ts';

const folder = new URL('../../workers/threads/', import.meta.url);

/** Ports that are open in this process, as the process itself counts what keeps it alive. */
function portasAbertas(): number {
  return process.getActiveResourcesInfo().filter((nome) => nome === 'MessagePort').length;
}

test('os pedaços chegam todos, na ordem, e o fluxo termina', async (t) => {
  const threads = createThreads({ maxThreads: 1, folder });
  const bytes = await buffer(threads.stream<Pedido>('pedacos', { quantos: 1000 }));
  t.deepEqual(
    [...bytes],
    Array.from({ length: 1000 }, (_, n) => n % 256),
  );
  t.is((await buffer(threads.stream<Pedido>('pedacos', { quantos: 0 }))).length, 0);
  await threads.close();
});

test('o erro da função destrói o fluxo, também depois de pedaços', async (t) => {
  const threads = createThreads({ maxThreads: 1, folder });
  for (const quantos of [0, 3]) {
    const fluxo = threads.stream<Pedido>('pedacos', { quantos, falha: 'caiu' });
    await t.throwsAsync(buffer(fluxo), { instanceOf: RangeError, message: 'caiu' });
    t.true(fluxo.destroyed);
  }
  await t.throwsAsync(buffer(threads.stream('nao-existe', 1)));
  t.throws(() => threads.stream('../threads/pedacos', 1), { message: /name/ });
  t.is((await buffer(threads.stream<Pedido>('pedacos', { quantos: 2 }))).length, 2);
  await threads.close();
});

test('destruído cedo, o fluxo não deixa porta aberta nem rejeição, e a mesma thread segue com outro trabalho', async (t) => {
  const threads = createThreads({ maxThreads: 1, folder });
  await buffer(threads.stream<Pedido>('pedacos', { quantos: 1 }));
  const antes = portasAbertas();
  const emCurso = threads.stream<Pedido>('pedacos', { quantos: 50, esperaMs: 100, falha: 'ninguém ouve' });
  const lido = threads.stream<Pedido>('pedacos', { quantos: 50 });
  emCurso.destroy();
  await once(emCurso, 'close');
  t.is((await buffer(lido)).length, 50);
  t.is(threads.running, 1);
  const meioLido = threads.stream<Pedido>('pedacos', { quantos: 5000 });
  for await (const pedaco of meioLido) {
    t.true((pedaco as Buffer).length > 0);
    break;
  }
  t.true(meioLido.destroyed);
  await threads.run('dobro', 1);
  await ate(async () => portasAbertas() <= antes);
  await threads.close();
});

test('mil fluxos não deixam portas na thread', async (t) => {
  const threads = createThreads({ maxThreads: 1, folder });
  for (let n = 0; n < 1000; n += 1) await buffer(threads.stream<Pedido>('pedacos', { quantos: 1 }));
  // A turn of an event loop takes up to a thousand messages before it frees closed ports: a busy thread lags behind.
  await ate(async () => (await threads.run<null, number>('portas', null)) === 0);
  t.is(threads.running, 1);
  await threads.close();
});

test('fechar espera o que está na fila', async (t) => {
  const threads = createThreads({ maxThreads: 1, folder });
  const fluxos = [1, 2, 3].map((quantos) => threads.stream<Pedido>('pedacos', { quantos, esperaMs: 20 }));
  const lidos = Promise.all(fluxos.map((fluxo) => buffer(fluxo)));
  await threads.close();
  t.is(threads.running, 0);
  t.deepEqual(
    (await lidos).map(({ length }) => length),
    [1, 2, 3],
  );
});

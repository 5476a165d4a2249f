import test from 'ava';
import { createGate } from '../../../src/platform/gate/gate.ts';
import { unchanged } from '../../../src/platform/gate/moment.ts';
import type { TagState } from '../../../src/platform/gate/moment.ts';
import { createRedis } from '../../../src/platform/redis/redis.ts';
import { redisUrl } from '../../support/banco.ts';
import { criarGate } from '../../support/gate.ts';

test.serial('um pedido é contado na sua janela e lê as etiquetas na mesma ida ao Redis', async (t) => {
  const { gate } = await criarGate(t, await redisUrl());
  const antes = performance.now();
  const primeira = await gate.admit('{s}', 'chave', ['a', 'b']);
  await gate.bump('{s}', ['b']);
  const segunda = await gate.admit('{s}', 'chave', ['b', 'a']);
  t.deepEqual([primeira.count, segunda.count], [1, 2]);
  // The window began with the first, however long ago on a busy machine.
  const aberta = performance.now() - antes;
  t.true(
    segunda.resetMs >= Math.floor(60_000 - aberta) - 1 && segunda.resetMs <= 60_000,
    `${segunda.resetMs} de ${aberta}`,
  );
  t.deepEqual(primeira.tagState!.touched, [0, 0]);
  t.like(segunda.tagState, { era: primeira.tagState!.era, bumps: 1, touched: [1, 0] });
  t.deepEqual(await gate.read('{s}', ['b', 'a']), segunda.tagState);
  t.is((await gate.admit('{s}', 'chave', [])).count, 3);
});

test.serial('a conexão que cai é notada sem que ninguém pergunte, e a volta também', async (t) => {
  const { redis, gate, modos } = await criarGate(t, await redisUrl());
  await gate.read('{s}', ['a']);
  redis.disconnect(true);
  while (modos.length < 2) await new Promise((resolve) => setImmediate(resolve));
  t.deepEqual(modos, ['local', 'redis']);
});

test.serial(
  'um processo que ficou sem sinal do Redis por mais tempo do que uma escrita espera desconfia do que guardou',
  async (t) => {
    const { gate, modos } = await criarGate(t, await redisUrl());
    await gate.read('{s}', ['a']);
    t.deepEqual(modos, []);
    // As frozen as a process that gets SIGSTOP: no timer and no deadline notices.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000);
    await gate.read('{s}', ['a']);
    t.deepEqual(modos, ['local', 'redis']);
  },
);

test.serial('nada do que se leu antes de uma dúvida vale depois dela, nem com o Redis como estava', async (t) => {
  const { redis, gate, modos } = await criarGate(t, await redisUrl());
  await gate.bump('{s}', ['a']);
  const antes = (await gate.read('{s}', ['a']))!;
  redis.disconnect(true);
  while (modos.length < 2) await new Promise((resolve) => setImmediate(resolve));
  const depois = (await gate.read('{s}', ['a']))!;
  t.deepEqual([depois.bumps, depois.touched], [antes.bumps, antes.touched]);
  t.false(unchanged(antes, depois));
  t.true(unchanged(depois, (await gate.read('{s}', ['a']))!));
});

test.serial(
  'o que se perguntou antes de uma dúvida e se respondeu depois não vale para nenhuma das duas',
  async (t) => {
    const { gate } = await criarGate(t, await redisUrl());
    const antes = (await gate.read('{s}', ['a']))!;
    const duvidosa = gate.read('{s}', ['a']);
    await new Promise((resolve) => setImmediate(resolve));
    // Sent, and then frozen until nobody knows what happened meanwhile: the answer itself raises the doubt.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000);
    t.is(await duvidosa, null);
    let depois: TagState | null = null;
    while (depois === null) depois = await gate.read('{s}', ['a']);
    t.false(unchanged(antes, depois));
  },
);

test.serial('a resposta que esperou por um processo ocupado não conta como perdida', async (t) => {
  const { gate } = await criarGate(t, await redisUrl());
  for (let i = 0; i < 5; i += 1) {
    const resposta = gate.read('{s}', ['a']);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
    t.not(await resposta, null);
  }
});

test.serial('sem o Redis, conta por processo e não diz nada do que mudou', async (t) => {
  const redis = createRedis('redis://127.0.0.1:1', 'gate', () => {});
  const gate = createGate({ redis, onMode: () => {} });
  for (const esperado of [1, 2, 3]) {
    const { count, resetMs, tagState } = await gate.admit('{s}', 'chave', ['a']);
    t.is(count, esperado);
    t.true(resetMs > 0 && resetMs <= 60_000);
    t.is(tagState, null);
  }
  t.is(await gate.read('{s}', ['a']), null);
  await t.throwsAsync(gate.bump('{s}', ['a']));
  gate.close();
  redis.disconnect();
});

import test from 'ava';
import type { ExecutionContext } from 'ava';
import type { Redis } from 'ioredis';
import { createGate } from '../../src/platform/gate/gate.ts';
import type { GateMode } from '../../src/platform/gate/gate.ts';
import { createRedis } from '../../src/platform/redis.ts';
import { redisUrl } from '../support/banco.ts';

async function montar(t: ExecutionContext) {
  const redis: Redis = createRedis(await redisUrl(), 'gate', () => {});
  await new Promise((resolve) => redis.once('ready', resolve));
  const modos: GateMode[] = [];
  const gate = createGate({ redis, onMode: (modo) => modos.push(modo) });
  t.teardown(() => {
    gate.close();
    redis.disconnect();
  });
  return { redis, gate, modos };
}

test.serial('um pedido é contado na sua janela e lê as versões na mesma ida ao Redis', async (t) => {
  const { gate } = await montar(t);
  const primeira = await gate.admit('{s}', 'chave', ['a', 'b']);
  const segunda = await gate.admit('{s}', 'chave', ['b']);
  t.deepEqual([primeira.count, segunda.count], [1, 2]);
  t.true(segunda.resetMs > 59_000 && segunda.resetMs <= 60_000);
  t.is(segunda.versions![0], primeira.versions![1]);
  t.deepEqual(await gate.versions('{s}', ['a', 'b']), primeira.versions);
  t.is((await gate.admit('{s}', 'chave', [])).count, 3);
});

test.serial('duas etiquetas nunca têm a mesma versão, e marcar uma muda só a ela', async (t) => {
  const { gate } = await montar(t);
  const [a, b] = (await gate.versions('{s}', ['a', 'b']))!;
  t.not(a, b);
  await gate.bump('{s}', ['a']);
  const [novaA, mesmaB] = (await gate.versions('{s}', ['a', 'b']))!;
  t.not(novaA, a);
  t.is(mesmaB, b);
});

test.serial('a conexão que cai é notada sem que ninguém pergunte, e a volta também', async (t) => {
  const { redis, gate, modos } = await montar(t);
  await gate.versions('{s}', ['a']);
  redis.disconnect(true);
  while (modos.length < 2) await new Promise((resolve) => setImmediate(resolve));
  t.deepEqual(modos, ['local', 'redis']);
});

test.serial(
  'um processo que ficou sem sinal do Redis por mais tempo do que uma escrita espera desconfia do que guardou',
  async (t) => {
    const { gate, modos } = await montar(t);
    await gate.versions('{s}', ['a']);
    t.deepEqual(modos, []);
    // As frozen as a process that gets SIGSTOP: no timer and no deadline notices.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000);
    await gate.versions('{s}', ['a']);
    t.deepEqual(modos, ['local', 'redis']);
  },
);

test.serial('a resposta que esperou por um processo ocupado não conta como perdida', async (t) => {
  const { gate } = await montar(t);
  for (let i = 0; i < 5; i += 1) {
    const resposta = gate.versions('{s}', ['a']);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
    t.not(await resposta, null);
  }
});

test.serial('sem o Redis, conta por processo e não diz versão nenhuma', async (t) => {
  const redis = createRedis('redis://127.0.0.1:1', 'gate', () => {});
  const gate = createGate({ redis, onMode: () => {} });
  for (const esperado of [1, 2, 3]) {
    const { count, resetMs, versions } = await gate.admit('{s}', 'chave', ['a']);
    t.is(count, esperado);
    t.true(resetMs > 0 && resetMs <= 60_000);
    t.is(versions, null);
  }
  t.is(await gate.versions('{s}', ['a']), null);
  await t.throwsAsync(gate.bump('{s}', ['a']));
  gate.close();
  redis.disconnect();
});

import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import type { ExecutionContext } from 'ava';
import { listen } from '../../../src/platform/http/server.ts';
import { createRedis, endRedis, whenReady } from '../../../src/platform/redis/redis.ts';
import { criarRedisProprio } from '../../support/redis-proprio.ts';
import { criarRedisComSentinelas } from '../../support/redis/sentinel.ts';

test('um Redis que recusa conexões é dado por ausente em dois segundos, e o erro diz o que conferir', async (t) => {
  const redis = createRedis('redis://127.0.0.1:1/0', 'queue', () => {});
  t.teardown(() => redis.disconnect());
  await t.throwsAsync(whenReady(redis, 'O Redis não respondeu', 'confira REDIS_URL'), {
    message: 'O Redis não respondeu em 2 s; confira REDIS_URL.',
  });
});

test('um Redis que demora a responder é esperado', async (t) => {
  const proprio = await criarRedisProprio();
  t.teardown(() => proprio.fechar());
  proprio.pausar();
  const redis = createRedis(proprio.url, 'gate', () => {});
  t.teardown(() => redis.disconnect());
  const pronto = whenReady(redis, 'O Redis não respondeu');
  await sleep(3000);
  proprio.continuar();
  await t.notThrowsAsync(pronto);
  await t.notThrowsAsync(whenReady(redis, 'O Redis não respondeu'));
});

/** An address that takes connections and says nothing, as that of a frozen process. */
async function mudo(t: ExecutionContext): Promise<number> {
  const abertas = new Set<Socket>();
  const servidor = createServer((conexao) => void abertas.add(conexao.on('error', () => {})));
  t.teardown(() => {
    for (const conexao of abertas) conexao.destroy();
    servidor.close();
  });
  return listen(servidor, 0, '127.0.0.1');
}

for (const [nome, enderecos] of [
  ['nenhuma sentinela aceita conexões', async () => '127.0.0.1:1'],
  ['as sentinelas aceitam conexões e nada dizem', async (t: ExecutionContext) => `127.0.0.1:${await mudo(t)}`],
] as const) {
  for (const papel of ['gate', 'queue', 'live', 'worker'] as const) {
    test(`${nome}: a conexão de ${papel} termina quando é encerrada, com o que espera por ela`, async (t) => {
      const redis = createRedis(`redis+sentinel://${await enderecos(t)}/malha`, papel, () => {});
      const espera = t.throwsAsync(redis.get('a'));
      await sleep(300);
      const fim = once(redis, 'end');
      endRedis(redis);
      await Promise.all([fim, espera]);
      // Nothing opens it again.
      await sleep(500);
      t.is(redis.status, 'end');
    });
  }
}

test('uma sentinela parada não prende quem procura o mestre: a seguinte é perguntada', async (t) => {
  const real = await criarRedisComSentinelas();
  t.teardown(() => real.fechar());
  const url = real.url.replace('redis+sentinel://', `redis+sentinel://127.0.0.1:${await mudo(t)},`);
  const redis = createRedis(url, 'gate', () => {});
  t.teardown(() => redis.disconnect());
  await t.notThrowsAsync(whenReady(redis, 'O Redis não respondeu'));
  t.is(await redis.ping(), 'PONG');
});

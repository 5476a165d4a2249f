import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { createRedis, whenReady } from '../../../src/platform/redis/redis.ts';
import { criarRedisProprio } from '../../support/redis-proprio.ts';

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

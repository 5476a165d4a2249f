import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import type { ExecutionContext } from 'ava';
import { createLiveHub } from '../../../src/platform/live/hub.ts';
import type { LiveHubDeps } from '../../../src/platform/live/hub.ts';
import type { LiveNews } from '../../../src/platform/live/news.ts';
import { createLivePublisher } from '../../../src/platform/live/publisher.ts';
import { createRedis, whenReady } from '../../../src/platform/redis/redis.ts';
import type { RedisConnection } from '../../../src/platform/redis/redis.ts';
import { redisUrl } from '../../support/banco.ts';

let inquilino = Date.now();

async function montar(t: ExecutionContext, deps: Partial<LiveHubDeps> = {}) {
  const url = await redisUrl();
  const redis = createRedis(url, 'gate', () => {});
  await whenReady(redis, 'x');
  const publisher = createLivePublisher(redis);
  const ligacoes: RedisConnection[] = [];
  const hub = createLiveHub({
    connect() {
      const ligacao = createRedis(url, 'live', () => {});
      ligacoes.push(ligacao);
      return ligacao;
    },
    isRedisAway: () => false,
    seldom: new Set(['raro']),
    onError: (error) => t.log(error),
    ...deps,
  });
  t.teardown(() => {
    hub.close();
    publisher.close();
    redis.disconnect();
  });
  const ouvir = async (id: number) => {
    const ouvidas: LiveNews[] = [];
    const parar = hub.ouvir(id, (news) => ouvidas.push(news));
    return { ouvidas, parar };
  };
  return { hub, redis, publisher, ligacoes, ouvir, id: (inquilino += 1) };
}

async function ate(condicao: () => boolean): Promise<void> {
  for (let n = 0; n < 1000 && !condicao(); n += 1) await sleep(10);
}

const de = (tipo: string, ouvidas: readonly LiveNews[]) => ouvidas.filter((news) => news.tipo === tipo);

test('quem ouve um inquilino ouve o que é dele, e só enquanto ouve', async (t) => {
  const { ouvir, publisher, redis, id } = await montar(t);
  const um = await ouvir(id);
  const mesmo = await ouvir(id);
  const outro = await ouvir(id + 1_000_000);
  await ate(() => um.ouvidas.length > 0 && outro.ouvidas.length > 0);
  await publisher.publish(id, [
    { tipo: 'chamado', id: 7 },
    { tipo: 'chamado', id: 7 },
    { tipo: 'tarefa', id: null },
  ]);
  await ate(() => de('tarefa', mesmo.ouvidas).length > 0);
  t.deepEqual(de('chamado', um.ouvidas), [{ tipo: 'chamado', id: 7 }]);
  t.deepEqual(de('chamado', mesmo.ouvidas), [{ tipo: 'chamado', id: 7 }]);
  t.deepEqual(de('chamado', outro.ouvidas), []);
  const inscritos = async () => ((await redis.pubsub('NUMSUB', `malha:ao-vivo:${id}`)) as [string, number])[1];
  t.is(await inscritos(), 1);
  um.parar();
  t.is(await inscritos(), 1);
  mesmo.parar();
  for (let n = 0; n < 1000 && (await inscritos()) > 0; n += 1) await sleep(10);
  t.is(await inscritos(), 0);
});

test('muitas novas de uma vez são ditas pela espécie', async (t) => {
  const { ouvir, publisher, id } = await montar(t);
  const { ouvidas } = await ouvir(id);
  await ate(() => ouvidas.length > 0);
  await publisher.publish(
    id,
    Array.from({ length: 500 }, (_, n) => ({ tipo: 'chamado', id: n })),
  );
  await ate(() => de('chamado', ouvidas).length > 0);
  t.deepEqual(de('chamado', ouvidas), [{ tipo: 'chamado', id: null }]);
});

test('o que é raro é dito logo, e o que veio no intervalo é dito uma vez no fim, sem ids', async (t) => {
  const { ouvir, publisher, id } = await montar(t, { seldomMs: 1000 });
  const { ouvidas } = await ouvir(id);
  await ate(() => ouvidas.length > 0);
  // At once: on a busy machine one after the other take longer than the interval.
  await Promise.all(Array.from({ length: 10 }, async (_, n) => publisher.publish(id, [{ tipo: 'raro', id: n }])));
  await ate(() => de('raro', ouvidas).length > 1);
  await sleep(1200);
  t.deepEqual(de('raro', ouvidas), [
    { tipo: 'raro', id: null },
    { tipo: 'raro', id: null },
  ]);
});

test('sem Redis os ouvintes são mandados olhar de tempo em tempo, e quando volta, logo', async (t) => {
  let fora = false;
  const { ouvir, ligacoes, publisher, id, hub } = await montar(t, { blindMs: 50, isRedisAway: () => fora });
  const { ouvidas } = await ouvir(id);
  await ate(() => ouvidas.length > 0);
  const antes = de('atualizar', ouvidas).length;
  t.is(antes, 1);
  fora = true;
  await ate(() => de('atualizar', ouvidas).length > antes + 2);
  fora = false;
  await sleep(100);
  const quieto = de('atualizar', ouvidas).length;
  t.true(quieto > antes + 2);
  hub.resumed();
  t.is(de('atualizar', ouvidas).length, quieto + 1);
  // The connection is cut: it comes back by itself, subscribed, and what was missed is made up for.
  ligacoes[0]!.disconnect(true);
  await ate(() => de('atualizar', ouvidas).length > quieto + 1 && ligacoes[0]!.status === 'ready');
  await sleep(100);
  await publisher.publish(id, [{ tipo: 'chamado', id: 9 }]);
  await ate(() => de('chamado', ouvidas).length > 0);
  t.deepEqual(de('chamado', ouvidas), [{ tipo: 'chamado', id: 9 }]);
});

test('o que não se entende não é ouvido, e um ouvinte que falha não cala os outros', async (t) => {
  const { ouvir, publisher, redis, id, hub } = await montar(t);
  hub.ouvir(id, () => {
    throw new Error('falhou');
  });
  const { ouvidas } = await ouvir(id);
  await ate(() => ouvidas.length > 0);
  for (const texto of ['x', '{}', '[1,["a"],[{}]]']) await redis.publish(`malha:ao-vivo:${id}`, texto);
  await publisher.publish(id, [{ tipo: 'chamado', id: 1 }]);
  await ate(() => de('chamado', ouvidas).length > 0);
  t.deepEqual(
    ouvidas.filter(({ tipo }) => tipo !== 'atualizar'),
    [
      { tipo: 'a', id: null },
      { tipo: 'chamado', id: 1 },
    ],
  );
});

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import type { ExecutionContext } from 'ava';
import type { Redis } from 'ioredis';
import { createGate } from '../../src/platform/gate/gate.ts';
import { networkSlot, tenantSlot, versionKey, windowKey } from '../../src/platform/gate/keys.ts';
import { startPrivateServers } from '../../src/platform/private-servers/index.ts';
import { createRedis } from '../../src/platform/redis.ts';
import { redisUrl } from '../support/banco.ts';

const SLOT = tenantSlot(7);

/** A gate on a connection of its own, as one process has it. */
async function abrir(t: ExecutionContext, url: string) {
  // The queue's connection differs from the gate's by its patience: on a busy machine 100 ms would be judged, not the gate.
  const redis = createRedis(url, 'queue', () => {});
  t.teardown(() => redis.disconnect());
  const modos: string[] = [];
  const gate = createGate({ redis, onMode: (modo, motivo) => modos.push(modo + (motivo === undefined ? '' : '!')) });
  await pronto(redis);
  return { redis, gate, modos };
}

async function pronto(redis: Redis): Promise<void> {
  await ate(() => redis.status === 'ready');
}

async function ate(condicao: () => boolean | Promise<boolean>): Promise<void> {
  const limite = Date.now() + 20_000;
  while (!(await condicao())) {
    if (Date.now() > limite) throw new Error('esperou demais');
    await sleep(20);
  }
}

test('conta cada pedido da janela, este incluído, e cada janela por si', async (t) => {
  const { gate } = await abrir(t, await redisUrl());
  for (let n = 1; n <= 5; n += 1) t.is((await gate.admit(SLOT, 'a', [])).count, n);
  t.is((await gate.admit(SLOT, 'b', [])).count, 1);
  t.is((await gate.admit(tenantSlot(8), 'a', [])).count, 1);
  t.is((await gate.admit(networkSlot('203.0.113.7'), 'a', [])).count, 1);
  t.is((await gate.admit(SLOT, 'a', [])).count, 6);
});

test('pedidos simultâneos de vários processos contam um a um', async (t) => {
  const url = await redisUrl();
  const processos = [await abrir(t, url), await abrir(t, url)];
  const pedidos = Array.from({ length: 300 }, (_, n) => processos[n % 2]!.gate.admit(SLOT, 'a', []));
  const contagens = (await Promise.all(pedidos)).map(({ count }) => count);
  t.deepEqual(
    contagens.toSorted((x, y) => x - y),
    Array.from({ length: 300 }, (_, n) => n + 1),
  );
});

test('a janela dura 60 s a partir do primeiro pedido: os seguintes não a estendem, e a próxima começa do zero', async (t) => {
  const { gate, redis } = await abrir(t, await redisUrl());
  const janela = windowKey(SLOT, 'a');
  t.is((await gate.admit(SLOT, 'a', [])).resetMs, 60_000);
  t.true((await redis.pttl(janela)) > 0);
  await redis.pexpire(janela, 30_000);
  const segundo = await gate.admit(SLOT, 'a', []);
  t.is(segundo.count, 2);
  t.true(segundo.resetMs > 0 && segundo.resetMs <= 30_000);
  t.true((await redis.pttl(janela)) <= 30_000);
  await redis.pexpire(janela, 1);
  await ate(async () => (await redis.exists(janela)) === 0);
  t.like(await gate.admit(SLOT, 'a', []), { count: 1, resetMs: 60_000 });
});

test('uma janela que ficou sem fim ganha um', async (t) => {
  const { gate, redis } = await abrir(t, await redisUrl());
  await redis.set(windowKey(SLOT, 'a'), '41');
  t.like(await gate.admit(SLOT, 'a', []), { count: 42, resetMs: 60_000 });
  t.true((await redis.pttl(windowKey(SLOT, 'a'))) > 0);
});

test('versões vêm na ordem pedida, são semeadas e ficam as mesmas em todos os processos', async (t) => {
  const url = await redisUrl();
  const [um, outro] = [await abrir(t, url), await abrir(t, url)];
  const { versions } = await um.gate.admit(SLOT, 'a', ['x', 'y', 'z']);
  t.is(new Set(versions).size, 3);
  const [x, y, z] = versions!;
  t.deepEqual((await outro.gate.admit(SLOT, 'b', ['z', 'x', 'y'])).versions, [z, x, y]);
  t.deepEqual((await um.gate.admit(SLOT, 'a', [])).versions, []);
  t.not((await um.gate.admit(tenantSlot(8), 'a', ['x'])).versions![0], x);
  const ttl = await um.redis.pttl(versionKey(SLOT, 'x'));
  t.true(ttl > 300_000 && ttl <= 86_400_000, 'uma versão esquecida não fica para sempre, nem some logo');
});

test('bump muda as versões ditas, e só elas, para todos os processos', async (t) => {
  const url = await redisUrl();
  const [um, outro] = [await abrir(t, url), await abrir(t, url)];
  const antes = (await um.gate.admit(SLOT, 'a', ['x', 'y', 'z'])).versions!;
  await um.gate.bump(SLOT, ['x', 'z']);
  const depois = (await outro.gate.admit(SLOT, 'a', ['x', 'y', 'z'])).versions!;
  t.not(depois[0], antes[0]);
  t.is(depois[1], antes[1]);
  t.not(depois[2], antes[2]);
  await um.gate.bump(SLOT, ['x']);
  t.not((await um.gate.admit(SLOT, 'a', ['x'])).versions![0], depois[0]);
  t.deepEqual(
    (await um.gate.admit(tenantSlot(8), 'a', ['x'])).versions!.filter((v) => depois.includes(v)),
    [],
  );
});

test('uma versão nunca lida também se muda', async (t) => {
  const { gate } = await abrir(t, await redisUrl());
  await gate.bump(SLOT, ['nova']);
  const [versao] = (await gate.admit(SLOT, 'a', ['nova'])).versions!;
  t.regex(versao!, /.{16,}/);
});

test('um Redis esvaziado dá versões que ninguém viu antes, e contagens do zero', async (t) => {
  const { gate, redis } = await abrir(t, await redisUrl());
  const vistas = new Set<string>();
  for (let vez = 1; vez <= 3; vez += 1) {
    const { count, versions } = await gate.admit(SLOT, 'a', ['x', 'y']);
    t.is(count, 1);
    for (const versao of versions!) vistas.add(versao);
    t.is(vistas.size, 2 * vez);
    await redis.flushdb();
  }
});

test('um Redis que esqueceu o script é ensinado de novo, e nenhum pedido se conta duas vezes', async (t) => {
  const { gate, redis, modos } = await abrir(t, await redisUrl());
  t.is((await gate.admit(SLOT, 'a', ['x'])).count, 1);
  for (let n = 2; n <= 4; n += 1) {
    await redis.script('FLUSH');
    const { count, versions } = await gate.admit(SLOT, 'a', ['x']);
    t.is(count, n);
    t.is(versions!.length, 1);
  }
  await redis.script('FLUSH');
  const contagens = await Promise.all(Array.from({ length: 50 }, () => gate.admit(SLOT, 'a', [])));
  t.is(Math.max(...contagens.map(({ count }) => count)), 54);
  t.deepEqual(modos, []);
});

test('todas as chaves de um inquilino no Redis têm a mesma marca de cluster, e nenhuma leva segredo', async (t) => {
  const { gate, redis } = await abrir(t, await redisUrl());
  await gate.admit(SLOT, 'chave:abc', ['provedor', 'chave:abc']);
  const chaves = await redis.keys('*');
  t.is(chaves.length, 3);
  for (const chave of chaves) t.is(/\{([^}]+)\}/.exec(chave)?.[1], 'p7');
});

test('sem Redis, conta no próprio processo e nada guardado vale; quando o Redis volta, volta a usá-lo', async (t) => {
  const pasta = mkdtempSync(join(tmpdir(), 'malha-gate-'));
  const ligar = () =>
    startPrivateServers({ dataDir: pasta, which: { database: false, redis: true }, durable: false, log: () => {} });
  let servidor = await ligar();
  t.teardown(async () => {
    await servidor.stop();
    rmSync(pasta, { recursive: true, force: true });
  });
  const { gate, redis, modos } = await abrir(t, servidor.redisUrl!);
  const [antes] = (await gate.admit(SLOT, 'a', ['x'])).versions!;
  t.is((await gate.admit(SLOT, 'a', [])).count, 2);

  await servidor.stop();
  for (let n = 1; n <= 3; n += 1) {
    const { count, resetMs, versions } = await gate.admit(SLOT, 'a', ['x']);
    t.is(count, n);
    t.true(resetMs > 0 && resetMs <= 60_000);
    t.is(versions, null);
  }
  t.is((await gate.admit(SLOT, 'b', [])).count, 1);
  t.is((await gate.admit(tenantSlot(8), 'a', [])).count, 1);
  t.deepEqual(modos, ['local!'], 'a queda é dita uma vez, com o motivo');
  await t.throwsAsync(gate.bump(SLOT, ['x']), undefined, 'o que não pode ser desfeito em todo processo falha');

  servidor = await ligar();
  await pronto(redis);
  const volta = await gate.admit(SLOT, 'a', ['x']);
  t.is(volta.versions!.length, 1);
  t.not(volta.versions![0], antes, 'o Redis voltou vazio: a versão é outra');
  t.deepEqual(modos, ['local!', 'redis']);
  await gate.bump(SLOT, ['x']);
  t.not((await gate.admit(SLOT, 'a', ['x'])).versions![0], volta.versions![0]);
});

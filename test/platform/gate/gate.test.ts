import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import type { ExecutionContext } from 'ava';
import { createGate } from '../../../src/platform/gate/gate.ts';
import { unchanged } from '../../../src/platform/gate/moment.ts';
import type { GateDeps } from '../../../src/platform/gate/gate.ts';
import { createLooks } from '../../../src/platform/gate/looks.ts';
import { bumpsKey, networkSlot, tenantSlot, windowKey } from '../../../src/platform/gate/keys.ts';
import { startPrivateServers } from '../../../src/local/private-servers.ts';
import { createRedis } from '../../../src/platform/redis/redis.ts';
import type { RedisConnection } from '../../../src/platform/redis/redis.ts';
import { redisUrl } from '../../support/banco.ts';
import { ate } from '../../support/espera.ts';

const SLOT = tenantSlot(7);

/** These tests are of what Redis answers, and not of how soon: a busy machine must not make the gate doubt it. */
const PACIENTE = { deadlineMs: 60_000, trustMs: 60_000 };

/** A gate on a connection of its own, as one process has it. */
async function abrir(
  t: ExecutionContext,
  url: string,
  limites: Pick<GateDeps, 'largestEra' | 'deadlineMs' | 'trustMs'> = PACIENTE,
) {
  // The queue's connection is as patient.
  const redis = createRedis(url, 'queue', () => {});
  t.teardown(() => redis.disconnect());
  const modos: string[] = [];
  const gate = createGate({
    redis,
    onMode: (modo, motivo) => modos.push(modo + (motivo === undefined ? '' : '!')),
    ...limites,
  });
  await pronto(redis);
  return { redis, gate, modos };
}

async function pronto(redis: RedisConnection): Promise<void> {
  await ate(() => redis.status === 'ready');
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
  const pedidos = Array.from({ length: 50 }, (_, n) => processos[n % 2]!.gate.admit(SLOT, 'a', []));
  const contagens = (await Promise.all(pedidos)).map(({ count }) => count);
  t.deepEqual(
    contagens.toSorted((x, y) => x - y),
    Array.from({ length: 50 }, (_, n) => n + 1),
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

test('cada etiqueta traz a última marca que a tocou, na ordem pedida, igual em todos os processos', async (t) => {
  const url = await redisUrl();
  const [um, outro] = [await abrir(t, url), await abrir(t, url)];
  await um.gate.bump(SLOT, ['x', 'y']);
  await outro.gate.bump(SLOT, ['y']);
  await um.gate.bump(tenantSlot(8), ['x', 'z']);
  const { tagState } = await um.gate.admit(SLOT, 'a', ['y', 'x', 'z', 'y']);
  t.like(tagState, { bumps: 2, touched: [2, 1, 0, 2] });
  t.deepEqual(await outro.gate.read(SLOT, ['y', 'x', 'z', 'y']), tagState);
  t.like(await outro.gate.read(tenantSlot(8), ['x', 'y']), { bumps: 1, touched: [1, 0] });
});

test('pedidos do mesmo instante recebem cada um as suas etiquetas e a sua contagem', async (t) => {
  const { gate } = await abrir(t, await redisUrl());
  await gate.bump(SLOT, ['y']);
  const respostas = await Promise.all([
    gate.admit(SLOT, 'a', ['x', 'y']),
    gate.read(SLOT, ['y']),
    gate.admit(tenantSlot(8), 'a', ['y']),
    gate.admit(SLOT, 'b', ['y', 'z']),
    gate.admit(SLOT, 'a', []),
  ]);
  t.like(respostas[0], { count: 1, tagState: { touched: [0, 1] } });
  t.like(respostas[1], { touched: [1] });
  t.like(respostas[2], { count: 1, tagState: { touched: [0] } });
  t.like(respostas[3], { count: 1, tagState: { touched: [1, 0] } });
  t.like(respostas[4], { count: 2 });
});

test('muitos pedidos com muitas etiquetas repartem-se por vários comandos', async (t) => {
  const { gate, modos } = await abrir(t, await redisUrl());
  await gate.bump(SLOT, ['e 7 3']);
  const leituras = await Promise.all(
    Array.from({ length: 50 }, (_, n) =>
      gate.read(
        SLOT,
        Array.from({ length: 100 }, (__, m) => `e ${n} ${m}`),
      ),
    ),
  );
  t.is(leituras.flatMap((leitura) => leitura!.touched).length, 5000);
  t.is(leituras[7]!.touched[3], 1);
  t.is(
    leituras.flatMap((leitura) => leitura!.touched).reduce((a, b) => a + b),
    1,
  );
  t.deepEqual(modos, []);
});

test('o que foi lido vale até a marca seguinte de uma das suas etiquetas, e não além da era', async (t) => {
  const { gate, redis } = await abrir(t, await redisUrl());
  await gate.bump(SLOT, ['x', 'y']);
  const antes = (await gate.read(SLOT, ['x', 'y']))!;
  t.true(unchanged(antes, antes));
  await gate.bump(SLOT, ['z']);
  t.true(unchanged(antes, (await gate.read(SLOT, ['x', 'y']))!), 'marcar outra não muda nada');
  await gate.bump(SLOT, ['y']);
  const depois = (await gate.read(SLOT, ['x', 'y']))!;
  t.false(unchanged(antes, depois));
  t.true(unchanged(antes, depois, 0, 1), 'só x');
  t.false(unchanged(antes, depois, 1, 2), 'só y');
  t.true(unchanged(depois, depois));
  await redis.flushdb();
  t.false(unchanged(depois, (await gate.read(SLOT, ['nunca']))!), 'nem o que nunca foi marcado');
});

test('um Redis esvaziado começa uma era que ninguém viu antes, e contagens do zero', async (t) => {
  const { gate, redis } = await abrir(t, await redisUrl());
  const eras = new Set<string>();
  for (let vez = 1; vez <= 4; vez += 1) {
    if (vez % 2 === 0) await gate.bump(SLOT, ['x']);
    const { count, tagState } = await gate.admit(SLOT, 'a', ['x', 'y']);
    t.is(count, 1);
    t.regex(tagState!.era, /^0 [\w-]{17,} [0-9a-f]{12}$/);
    t.is(tagState!.bumps, vez % 2 === 0 ? 1 : 0);
    t.is(eras.add(tagState!.era).size, vez);
    await redis.flushdb();
  }
});

test('as marcas de um inquilino não crescem sem fim: depois de muitas, começa outra era', async (t) => {
  const { gate } = await abrir(t, await redisUrl(), { ...PACIENTE, largestEra: 100 });
  const { era } = (await gate.read(SLOT, ['x']))!;
  const tags = Array.from({ length: 99 }, (_, n) => `e ${n}`);
  await gate.bump(SLOT, tags);
  t.like(await gate.read(SLOT, ['x', 'e 0']), { era, touched: [0, 1] });
  // With the era's name and its count, these are more than a hundred.
  await gate.bump(SLOT, ['x']);
  const nova = (await gate.read(SLOT, ['x', 'e 0']))!;
  t.not(nova.era, era);
  t.like(nova, { bumps: 1, touched: [1, 0] });
});

test('o que ninguém mais pergunta é esquecido, e quem não pergunta por etiquetas não deixa nada', async (t) => {
  const { gate, redis } = await abrir(t, await redisUrl());
  await gate.admit(SLOT, 'a', []);
  t.is(await redis.exists(bumpsKey(SLOT)), 0);
  for (const usar of [() => gate.read(SLOT, ['x']), () => gate.bump(SLOT, ['x'])]) {
    await redis.persist(bumpsKey(SLOT));
    await usar();
    const ttl = await redis.pttl(bumpsKey(SLOT));
    t.true(ttl > 3_500_000 && ttl <= 3_600_000);
  }
});

test('um Redis que esqueceu o script é ensinado de novo, e nenhum pedido se conta duas vezes', async (t) => {
  const { gate, redis, modos } = await abrir(t, await redisUrl());
  t.is((await gate.admit(SLOT, 'a', ['x'])).count, 1);
  for (let n = 2; n <= 4; n += 1) {
    await redis.script('FLUSH');
    const { count, tagState } = await gate.admit(SLOT, 'a', ['x']);
    t.is(count, n);
    t.is(tagState!.touched.length, 1);
  }
  await redis.script('FLUSH');
  const contagens = await Promise.all(Array.from({ length: 50 }, () => gate.admit(SLOT, 'a', [])));
  t.is(Math.max(...contagens.map(({ count }) => count)), 54);
  t.deepEqual(modos, []);
});

test('todas as chaves de um inquilino no Redis têm a mesma marca de cluster, e nenhuma leva segredo', async (t) => {
  const { gate, redis } = await abrir(t, await redisUrl());
  await gate.admit(SLOT, 'chave:abc', ['provedor', 'chave:abc']);
  const chaves = await redis.keys('*p7*');
  t.is(chaves.length, 2);
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
  // A bump fails once Redis is late, so this gate waits for it, but not for a minute.
  const { gate, modos } = await abrir(t, servidor.redisUrl!, { ...PACIENTE, deadlineMs: 2000 });
  const antes = (await gate.admit(SLOT, 'a', ['x'])).tagState!;
  t.is((await gate.admit(SLOT, 'a', [])).count, 2);

  await servidor.stop();
  await ate(() => modos.at(-1) === 'local!');
  modos.length = 0;
  for (let n = 1; n <= 3; n += 1) {
    const { count, resetMs, tagState } = await gate.admit(SLOT, 'a', ['x']);
    t.is(count, 2 + n, 'continua de onde o Redis parou');
    t.true(resetMs > 0 && resetMs <= 60_000);
    t.is(tagState, null);
  }
  t.is((await gate.admit(SLOT, 'b', [])).count, 1);
  t.is((await gate.admit(tenantSlot(8), 'a', [])).count, 1);
  t.deepEqual(modos, [], 'a queda, que foi dita com o motivo, não é dita de novo');
  await t.throwsAsync(gate.bump(SLOT, ['x']), undefined, 'o que não pode ser desfeito em todo processo falha');

  servidor = await ligar();
  await ate(() => modos.at(-1) === 'redis');
  const volta = await gate.admit(SLOT, 'a', ['x']);
  t.false(unchanged(antes, volta.tagState!), 'o Redis voltou vazio: nada do que se leu antes vale');
  t.deepEqual(modos, ['redis']);
  await gate.bump(SLOT, ['x']);
  t.false(unchanged(volta.tagState!, (await gate.admit(SLOT, 'a', ['x'])).tagState!));
});

test('o que uma chave descobre conta-se entre todos os processos; sem Redis, cada processo conta por si, com os mesmos limites', async (t) => {
  const pasta = mkdtempSync(join(tmpdir(), 'malha-gate-'));
  const dados = { dataDir: pasta, which: { database: false, redis: true }, durable: false, log: () => {} };
  const servidor = await startPrivateServers(dados);
  t.teardown(async () => {
    await servidor.stop();
    rmSync(pasta, { recursive: true, force: true });
  });
  const processos = [
    await abrir(t, servidor.redisUrl!, { ...PACIENTE, deadlineMs: 2000 }),
    await abrir(t, servidor.redisUrl!, { ...PACIENTE, deadlineMs: 2000 }),
  ];
  const contagens = processos.map((um) => createLooks(um));
  t.teardown(() => contagens.forEach((uma) => uma.close()));
  const limites = { mostMisses: 2, mostPeople: 3 };
  const olhar = async (processo: number, pessoas: readonly number[], chave = 'a') =>
    contagens[processo]!.count(SLOT, chave, limites, pessoas);
  const deixa = async (...dito: Parameters<typeof olhar>) => (await olhar(...dito)).allowed;

  const contar = async (chave: string, outro: number): Promise<void> => {
    t.true(await deixa(0, [1, 2], chave));
    t.true(await deixa(outro, [2, 2, 3], chave));
    t.true(await deixa(0, [], chave));
    t.false(await deixa(outro, [4], chave), 'já viu três pessoas, e a quarta conta como busca em vão');
    const parada = await olhar(0, [], chave);
    t.false(parada.allowed);
    t.true(parada.waitMs > 0 && parada.waitMs <= 3_600_000);
    t.false(await deixa(outro, [9], chave), 'gasto um limite, nada de novo');
    t.true(await deixa(0, [3, 1], chave), 'quem já foi visto é atendido');
  };
  await contar('a', 1);
  t.true(await deixa(1, [9], 'b'), 'cada chave por si');

  await servidor.stop();
  for (const { modos } of processos) await ate(() => modos.at(-1) === 'local!');
  await contar('c', 0);
  t.true(await deixa(1, [7, 8, 9], 'c'));
  t.false(await deixa(1, [1], 'c'));
});

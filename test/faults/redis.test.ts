import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import type { ExecutionContext } from 'ava';
import { TERMINAL } from '../../src/domain/actor.ts';
import { CLIENTES_TAG, clienteTag } from '../../src/domain/tags.ts';
import { criarApi } from '../support/api.ts';
import type { Api, Resposta } from '../support/api.ts';
import { ate } from '../support/espera.ts';
import { criarRedisProprio } from '../support/redis-proprio.ts';
import type { RedisProprio } from '../support/redis-proprio.ts';
import { criarTomada } from '../support/tomada.ts';
import { cliente, escrever, guarda, lerDurante, sqlDe } from './apoio.ts';
import { AUTOR } from '../support/autor.ts';

const FORA = 'redis://127.0.0.1:1';

async function comRedis(t: ExecutionContext, processos = 2): Promise<{ api: Api; redis: RedisProprio }> {
  const redis = await criarRedisProprio();
  const api = await criarApi({ processos, redis: redis.url });
  t.teardown(async () => {
    redis.continuar();
    await api.fechar();
    await redis.fechar();
  });
  return { api, redis };
}

test.serial(
  'com o Redis fora desde o começo, tudo é respondido direto do banco, com limites por processo',
  async (t) => {
    const api = await criarApi({ redis: FORA });
    t.teardown(() => api.fechar());
    const c = await cliente(api);
    for (let i = 1; i <= 3; i += 1) {
      const resposta = await api.get(c.caminho, { chave: c.chave });
      t.is(resposta.status, 200);
      t.is(resposta.headers['x-ratelimit-remaining'], String(1200 - i));
    }
    t.not((await sqlDe(api, 0, () => api.get(c.caminho, { chave: c.chave }))).length, 0);
    t.is((await api.get('/status', { chave: 'malha_x' })).status, 401);
    t.is((await api.get('/clientes/999999', { chave: c.chave })).status, 404);
    await escrever(api, c);
    t.is(c.mostrado(await api.get(c.caminho, { chave: c.chave })), c.escrito());
  },
);

test.serial(
  'com o Redis fora, uma revogação falha antes de gravar, e de volta vale em todos os processos',
  async (t) => {
    const { api, redis } = await comRedis(t);
    const c = await cliente(api);
    const { id, texto } = await api.criarChave(c.provedor);
    for (const processo of [0, 1]) t.is((await api.get('/status', { chave: texto, processo })).status, 200);
    await redis.matar();
    await t.throwsAsync(api.container.chaves.revogar(TERMINAL, c.provedor, id));
    for (const processo of [0, 1]) t.is((await api.get('/status', { chave: texto, processo })).status, 200);
    await redis.iniciar('antigos');
    await ate(async () => api.container.chaves.revogar(TERMINAL, c.provedor, id).catch(() => false));
    for (const processo of [0, 1]) t.is((await api.get('/status', { chave: texto, processo })).status, 401);
  },
);

const QUEDAS: Readonly<Record<string, (redis: RedisProprio) => Promise<void>>> = {
  'morto e de volta vazio': async (redis) => {
    await redis.matar();
    await sleep(600);
    await redis.iniciar('vazio');
  },
  'morto e de volta com os dados que tinha': async (redis) => {
    await redis.matar();
    await sleep(600);
    await redis.iniciar('antigos');
  },
  'reiniciado num instante': async (redis) => {
    await redis.matar();
    await redis.iniciar('antigos');
  },
  'parado e continuado': async (redis) => {
    redis.pausar();
    await sleep(1500);
    redis.continuar();
  },
  'com as conexões cortadas': async (redis) => {
    for (let i = 0; i < 5; i += 1) {
      await redis.comando('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
      await sleep(100);
    }
  },
  esvaziado: async (redis) => {
    await redis.comando('FLUSHALL');
  },
};
for (const [nome, derrubar] of Object.entries(QUEDAS)) {
  test.serial(`Redis ${nome}: nenhuma leitura velha, nenhum 5xx, nada trava, e volta a guardar`, async (t) => {
    const { api, redis } = await comRedis(t);
    const c = await cliente(api);
    for (const processo of [0, 1]) await guarda(api, processo, c);
    await lerDurante(t, api, c, async () => {
      const queda = derrubar(redis);
      const escritas = (async () => {
        for (let i = 0; i < 3; i += 1) await escrever(api, c);
      })();
      await Promise.all([queda, escritas]);
      await escrever(api, c);
    });
    for (const processo of [0, 1]) await guarda(api, processo, c);
  });
}

test.serial('Redis lento, a mais de 100 ms: responde-se do banco sem esperar por ele, e nada é velho', async (t) => {
  const redis = await criarRedisProprio();
  const tomada = await criarTomada(new URL(redis.url).searchParams.get('path')!);
  const api = await criarApi({ processos: 2, redis: `redis://127.0.0.1:${tomada.porta}` });
  t.teardown(async () => {
    await api.fechar();
    await tomada.fechar();
    await redis.fechar();
  });
  const c = await cliente(api);
  for (const processo of [0, 1]) await guarda(api, processo, c);
  tomada.atrasar(150);
  await lerDurante(t, api, c, async () => {
    for (let i = 0; i < 3; i += 1) await escrever(api, c);
  });
  t.not((await sqlDe(api, 0, () => api.get(c.caminho, { chave: c.chave }))).length, 0);
  await tomada.voltar();
  for (const processo of [0, 1]) await guarda(api, processo, c);

  // Held, it takes connections and never answers; cut, it takes none.
  for (const estragar of [async () => tomada.segurar(), async () => tomada.cortar()]) {
    await estragar();
    await lerDurante(t, api, c, async () => {
      for (let i = 0; i < 2; i += 1) await escrever(api, c);
    });
    await tomada.voltar();
    for (const processo of [0, 1]) await guarda(api, processo, c);
  }
});

test.serial(
  'só quem escreve perde o Redis: o retransmissor marca por ele, e os outros não mostram o velho',
  async (t) => {
    const redis = await criarRedisProprio();
    const tomada = await criarTomada(new URL(redis.url).searchParams.get('path')!);
    const leitor = await criarApi({ redis: redis.url });
    const escritor = await criarApi({ redis: `redis://127.0.0.1:${tomada.porta}`, bancoDe: leitor });
    t.teardown(async () => {
      await escritor.fechar();
      await leitor.fechar();
      await tomada.fechar();
      await redis.fechar();
    });
    const c = await cliente(leitor);
    await guarda(leitor, 0, c);
    await tomada.cortar();
    // The relay runs where Redis can be reached, every quarter of a second.
    const parar = new AbortController();
    const retransmissor = (async () => {
      while (!parar.signal.aborted) {
        await leitor.container.publicacao.publicar();
        await sleep(250);
      }
    })();
    await escrever(escritor, c);
    const lida: Resposta = await leitor.get(c.caminho, { chave: c.chave });
    t.is(c.mostrado(lida), c.escrito());
    parar.abort();
    await retransmissor;
  },
);

test.serial('a escrita que toca uma lista é vista depois da queda também na lista', async (t) => {
  const { api, redis } = await comRedis(t);
  const c = await cliente(api);
  for (const processo of [0, 1]) await guarda(api, processo, c, '/clientes');
  await redis.matar();
  await api.container.write(AUTOR, c.provedor, async (w) => {
    w.touch(CLIENTES_TAG, clienteTag(c.id));
    await w.update('clientes', (q) => void q.where({ id: c.id }), { nome: 'C 1000' });
  });
  await redis.iniciar('antigos');
  for (const processo of [0, 1]) {
    await guarda(api, processo, c, '/clientes');
    t.is(c.mostrado(await api.get('/clientes', { chave: c.chave, processo })), 1000);
  }
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { criarApi, enviar } from '../support/api.ts';
import type { Api } from '../support/api.ts';
import { ate } from '../support/espera.ts';
import { executar, servir } from '../support/processo.ts';
import { criarRedisProprio } from '../support/redis-proprio.ts';
import type { RedisProprio } from '../support/redis-proprio.ts';
import { cliente, escrever, guarda } from './apoio.ts';
import type { Cliente } from './apoio.ts';

const GRAVA_E_MORRE = fileURLToPath(new URL('../support/filhos/grava-e-morre.js', import.meta.url));

let redis: RedisProprio;
let api: Api;
const agent = new Agent({ keepAlive: true });
test.before(async () => {
  redis = await criarRedisProprio();
  api = await criarApi({ redis: redis.url });
});
test.after.always(async () => {
  agent.destroy();
  await api.fechar();
  await redis.fechar();
});

async function ler(porta: number, c: Cliente): Promise<number> {
  const headers = { 'x-api-key': c.algumaChave() };
  const { status, texto } = await enviar({
    host: '127.0.0.1',
    port: porta,
    path: `/api/v1${c.caminho}`,
    headers,
    agent,
  });
  if (status !== 200) throw new Error(`${status}: ${texto}`);
  return c.mostrado({ status, headers: {}, texto, corpo: JSON.parse(texto) });
}

const ambiente = (): Record<string, string> => ({ DATABASE_URL: api.databaseUrl, REDIS_URL: redis.url });

test.serial(
  'um processo parado (SIGSTOP) e continuado não mostra o que guardava de antes de uma escrita',
  async (t) => {
    const servico = await servir(ambiente());
    t.teardown(() => servico.parar('SIGKILL'));
    const c = await cliente(api);
    for (const paradoMs of [100, 1200, 2500]) {
      for (let i = 0; i < 5; i += 1) await ler(servico.porta, c);
      process.kill(servico.pid, 'SIGSTOP');
      await escrever(api, c);
      // Asked while it sleeps; it answers when it wakes.
      const pedidos = Array.from({ length: 10 }, () => ler(servico.porta, c));
      await sleep(paradoMs);
      process.kill(servico.pid, 'SIGCONT');
      for (const mostrado of await Promise.all(pedidos)) t.is(mostrado, c.escrito());
    }
  },
);

test.serial(
  'um processo que dorme enquanto o Redis morre e volta com os dados antigos não mostra o velho',
  async (t) => {
    const servico = await servir(ambiente());
    t.teardown(() => servico.parar('SIGKILL'));
    const c = await cliente(api);
    for (let i = 0; i < 5; i += 1) await ler(servico.porta, c);
    process.kill(servico.pid, 'SIGSTOP');
    await redis.matar();
    // Answered unconfirmed: there is no Redis to tell.
    await escrever(api, c);
    const pedidos = Array.from({ length: 10 }, () => ler(servico.porta, c));
    await redis.iniciar('antigos');
    process.kill(servico.pid, 'SIGCONT');
    for (const mostrado of await Promise.all(pedidos)) t.is(mostrado, c.escrito());
    await ate(async () => (await ler(servico.porta, c)) === c.escrito());
  },
);

test.serial(
  'um processo e o Redis que dormem juntos: acordados, ninguém mostra o que era antes de uma escrita',
  async (t) => {
    const servico = await servir(ambiente());
    t.teardown(() => servico.parar('SIGKILL'));
    t.teardown(() => redis.continuar());
    const c = await cliente(api);
    for (let vez = 0; vez < 3; vez += 1) {
      for (let i = 0; i < 5; i += 1) await ler(servico.porta, c);
      redis.pausar();
      process.kill(servico.pid, 'SIGSTOP');
      await escrever(api, c);
      const minimo = c.escrito();
      const pedidos = Array.from({ length: 10 }, () => ler(servico.porta, c));
      process.kill(servico.pid, 'SIGCONT');
      redis.continuar();
      for (const mostrado of await Promise.all(pedidos)) t.is(mostrado, minimo);
    }
  },
);

test.serial('o retransmissor marca o que um processo gravou antes de morrer sem marcar', async (t) => {
  const worker = await executar('worker', ambiente(), /Worker do Malha em execução/);
  t.teardown(() => worker.parar('SIGKILL'));
  const c = await cliente(api);
  await guarda(api, 0, c);
  const args = [GRAVA_E_MORRE, api.databaseUrl, String(c.provedor), String(c.id), 'C 50'];
  const filho = spawn(process.execPath, args, { stdio: 'inherit' });
  const [, sinal] = (await once(filho, 'exit')) as [number | null, string | null];
  t.is(sinal, 'SIGKILL');
  await ate(async () => c.mostrado(await api.get(c.caminho, { chave: c.algumaChave() })) === 50);
});

test.serial('o serviço termina quando lhe pedem, também depois de perder quem lia a sua saída', async (t) => {
  const servico = await servir({ ...ambiente(), MALHA_LOG: 'info' });
  servico.largarSaida();
  t.is(await servico.parar(), 0);
});

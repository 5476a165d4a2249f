import { Agent } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import * as fc from 'fast-check';
import { criarApi, enviar } from '../support/api.ts';
import type { Api } from '../support/api.ts';
import { representar, roteiro } from '../support/conexoes.ts';
import { conexoesAbertas } from '../support/descritores.ts';
import { ate } from '../support/espera.ts';
import { criarFabrica } from '../support/fabrica.ts';
import { medir, pids } from '../support/metricas.ts';
import { executar, metricasDe, servir } from '../support/processo.ts';
import type { Servico } from '../support/processo.ts';
import { INTEIRA, quanto } from '../support/prova.ts';

/** Of each way to run. In the whole proof the clients wait until it is the service that lets go of them. */
const CONEXOES = quanto(400, 20_000);
const SEMENTE = Number(process.env['MALHA_TEST_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const DE_CADA_VEZ = 64;
/** A connection that is idle after a whole answer is kept for 65 s, for the sake of load balancers; all others end sooner. */
const LARGADAS_EM_MS = 70_000;

let api: Api;
let chaves: string[];
test.before(async () => {
  api = await criarApi();
  const provedor = await criarFabrica(api.dono).provedor();
  chaves = (await Promise.all(Array.from({ length: 20 }, () => api.criarChave(provedor)))).map(({ texto }) => texto);
});
test.after.always(() => api.fechar());

/** Clients that ask without a pause, on connections that they keep and on new ones, until told to stop. */
function clientes({ porta }: Servico) {
  const agent = new Agent({ keepAlive: true, maxSockets: 2 });
  const parada = new AbortController();
  const falhas: string[] = [];
  let pedidos = 0;
  async function insistir(): Promise<void> {
    while (!parada.signal.aborted) {
      pedidos += 1;
      const headers = { 'x-api-key': chaves[pedidos % chaves.length]! };
      await enviar({
        host: '127.0.0.1',
        port: porta,
        path: '/api/v1/planos',
        headers,
        agent: pedidos % 2 === 0 ? agent : false,
      }).then(
        ({ status, texto }) => status !== 200 && falhas.push(`${status} ${texto}`),
        (error: Error) => falhas.push(error.message),
      );
      await sleep(10);
    }
  }
  const emCurso = Promise.all(Array.from({ length: 4 }, insistir));
  return {
    async fim(): Promise<{ pedidos: number; falhas: string[] }> {
      parada.abort();
      await emCurso;
      agent.destroy();
      return { pedidos, falhas };
    },
  };
}

async function iniciar(argumentos: readonly string[]): Promise<Servico> {
  const env = { DATABASE_URL: api.databaseUrl, REDIS_URL: api.redisUrl, MALHA_LOG: 'info' };
  if (argumentos[0] === 'serve') return servir(env, undefined, argumentos.slice(1));
  const processo = await executar('start', env, /Malha em http:\/\/127\.0\.0\.1:(\d+)/);
  const porta = Number(processo.achado);
  return { ...processo, porta, portaDasMetricas: metricasDe(porta) };
}

for (const argumentos of [['start'], ['serve', '--processos', '2']]) {
  test.serial(
    `malha ${argumentos.join(' ')}: ${CONEXOES} conexões geradas não derrubam nem prendem nada`,
    async (t) => {
      t.timeout(20 * 60_000);
      // Before anything asks: it takes the processor for itself.
      const roteiros = fc.sample(roteiro, { seed: SEMENTE, numRuns: CONEXOES });
      const servico = await iniciar(argumentos);
      t.teardown(() => servico.parar('SIGKILL'));
      const { porta, portaDasMetricas } = servico;
      const processos = pids(await medir(portaDasMetricas));
      const abertas = (): number =>
        conexoesAbertas([...new Set([servico.pid, ...processos])], [porta, portaDasMetricas]);
      const sockets: Socket[] = [];
      t.teardown(() => sockets.forEach((socket) => socket.destroy()));
      const bons = clientes(servico);
      let proximo = 0;
      let maisAbertas = 0;
      async function representarTodos(): Promise<void> {
        for (let i = proximo++; i < roteiros.length; i = proximo++) {
          // Each from a network of its own, so that no limit stands before what it asks for.
          const de = `127.1.${(i >> 8) & 255}.${i & 255}`;
          const um = roteiros[i]!;
          sockets.push(await representar(um, um.gestao ? portaDasMetricas : porta, de));
          if (i % 500 === 0) maisAbertas = Math.max(maisAbertas, abertas());
        }
      }
      await Promise.all(Array.from({ length: DE_CADA_VEZ }, representarTodos));
      if (!INTEIRA) for (const socket of sockets) socket.destroy();
      const fim = performance.now();
      const { pedidos, falhas } = await bons.fim();
      const semente = `MALHA_TEST_SEED=${SEMENTE}`;
      t.deepEqual(falhas, [], semente);
      await ate(async () => abertas() === 0, LARGADAS_EM_MS).catch(() => {});
      t.is(abertas(), 0, semente);
      t.log(
        `${semente}: ${CONEXOES} conexões, até ${maisAbertas} abertas; ${pedidos} pedidos dos bons clientes; ` +
          `nenhuma aberta ${Math.round((performance.now() - fim) / 1000)} s depois da última`,
      );
      t.deepEqual(pids(await medir(portaDasMetricas)), processos, semente);
      t.is(await servico.parar(), 0, semente);
      t.deepEqual(
        servico.linhas.filter((linha) => /"level":[56]0|sem tratamento|sem ser pedido/.test(linha)),
        [],
        semente,
      );
      t.is(servico.erros(), '', semente);
    },
  );
}

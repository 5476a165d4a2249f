import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { createManagementServer } from '../../../src/platform/http/management.ts';
import { closeServer, listen } from '../../../src/platform/http/server.ts';
import { createBoard } from '../../../src/platform/queues/board.ts';
import { createQueue } from '../../../src/platform/queues/queue.ts';
import { createJobWorker } from '../../../src/platform/queues/worker.ts';
import { createRedis } from '../../../src/platform/redis/redis.ts';
import { redisUrl } from '../../support/banco.ts';
import { ate } from '../../support/espera.ts';
import { abrirNavegador } from '../../support/navegador.ts';
import { JOB_NAMES, jobDefinitions } from '../../../workers/jobs/catalogue.ts';
import type { JobHandlers } from '../../../workers/jobs/catalogue.ts';

const SENHA = 'doze-caracteres-ou-mais';

// MALHA_FOTOS=sim also takes the picture of docs/operations.md.
test('no navegador, o painel mostra as filas e o motivo de uma falha sem pedir nada a outro host', async (t) => {
  t.timeout(120_000);
  const url = await redisUrl();
  const [connection, doTrabalhador] = [createRedis(url, 'queue', () => {}), createRedis(url, 'worker', () => {})];
  await new Promise((resolve) => connection.once('ready', resolve));
  const queue = createQueue({ connection, definitions: jobDefinitions, onError: () => {} });
  const nada = async (): Promise<undefined> => undefined;
  const worker = createJobWorker({
    connection: doTrabalhador,
    handlers: {
      ...(Object.fromEntries(JOB_NAMES.map((nome) => [nome, nada])) as unknown as JobHandlers),
      'conexoes.paradas': () => Promise.reject(Object.assign(new Error('x'), { sql: '', code: 'ECONNREFUSED' })),
    },
    onCompleted: () => {},
    onFailed: () => {},
    onError: () => {},
  });
  const id = await queue.add('conexoes.paradas', {});
  await ate(async () => (await queue.queues.rotina.getJobState(id)) === 'failed');
  const server = createManagementServer({
    metrics: () => Promise.resolve(''),
    readiness: () => Promise.resolve({ pronto: true }),
    board: createBoard({
      reachable: () => true,
      queues: queue.queues,
      password: SENHA,
      onError: (error) => t.fail(error.message),
    }),
  });
  const port = await listen(server, 0, '127.0.0.1');
  const navegador = await abrirNavegador();
  t.teardown(async () => {
    await navegador.close();
    await closeServer(server, 0);
    await worker.stop();
    await queue.close();
    connection.disconnect();
    doTrabalhador.disconnect();
  });

  const pagina = await navegador.newPage({
    httpCredentials: { username: 'ana', password: SENHA },
    viewport: { width: 1100, height: 620 },
    locale: 'pt-BR',
  });
  const raiz = `http://127.0.0.1:${port}/`;
  const [fora, faltas]: [string[], string[]] = [[], []];
  pagina.on('request', (pedido) => {
    if (!pedido.url().startsWith(raiz) && !pedido.url().startsWith('data:')) fora.push(pedido.url());
  });
  pagina.on('console', (dita) => {
    if (dita.type() === 'error') faltas.push(dita.text());
  });
  await pagina.goto(`${raiz}filas/queue/malha?status=failed`);
  await pagina.getByText('database error ECONNREFUSED').first().waitFor();
  await pagina.getByText('malha-noite').first().waitFor();
  t.deepEqual(fora, []);
  t.deepEqual(faltas, []);
  if (process.env['MALHA_FOTOS'] === 'sim') {
    const destino = fileURLToPath(new URL('../../../../docs/imagens/filas.png', import.meta.url));
    await pagina.screenshot({ path: destino, scale: 'css' });
    t.true(statSync(destino).size < 150_000);
  }
});

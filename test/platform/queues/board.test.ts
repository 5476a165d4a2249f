import type { Server } from 'node:http';
import test from 'ava';
import { createManagementServer } from '../../../src/platform/http/management.ts';
import { closeServer, listen } from '../../../src/platform/http/server.ts';
import { createBoard } from '../../../src/platform/queues/board.ts';
import { createQueue } from '../../../src/platform/queues/queue.ts';
import { createJobWorker } from '../../../src/platform/queues/worker.ts';
import { createRedis } from '../../../src/platform/redis/redis.ts';
import type { RedisConnection } from '../../../src/platform/redis/redis.ts';
import type { RedisRole } from '../../../src/platform/redis/redis.ts';
import { enviar } from '../../support/api.ts';
import { redisUrl } from '../../support/banco.ts';
import { ate } from '../../support/espera.ts';
import { JOB_NAMES, jobDefinitions } from '../../../workers/jobs/catalogue.ts';
import type { JobHandlers, JobQueue } from '../../../workers/jobs/catalogue.ts';

const SENHA = 'uma senha bem comprida: ç';
const outros = async (): Promise<undefined> => undefined;

let url: string;
let queue: JobQueue;
let parar: () => Promise<void>;
const abertas: RedisConnection[] = [];
const servidores: Server[] = [];
/** Of a job's making: whether it works. */
let consertado = false;

function conectar(role: RedisRole): RedisConnection {
  const redis = createRedis(url, role, () => {});
  abertas.push(redis);
  return redis;
}

test.before(async () => {
  url = await redisUrl();
  const connection = conectar('queue');
  await new Promise((resolve) => connection.once('ready', resolve));
  queue = createQueue({ connection, definitions: jobDefinitions, onError: () => {} });
  const trabalhador = createJobWorker({
    connection: conectar('worker'),
    handlers: {
      ...(Object.fromEntries(JOB_NAMES.map((nome) => [nome, outros])) as unknown as JobHandlers),
      'conexoes.paradas': async () => (consertado ? { feito: 1 } : Promise.reject(new Error('a antena caiu'))),
    },
    onCompleted: () => {},
    onFailed: () => {},
    onError: () => {},
  });
  parar = async () => {
    await trabalhador.stop();
    await queue.close();
  };
});
test.after.always(async () => {
  await parar();
  for (const servidor of servidores) await closeServer(servidor, 0);
  for (const redis of abertas) redis.disconnect();
});

/** A management server with a board of its own, so that wrong passwords of one test are not another's. */
async function painel(senha: string | null = SENHA): Promise<number> {
  const board =
    senha === null
      ? {}
      : { board: createBoard({ reachable: () => true, queues: queue.queues, password: senha, onError: () => {} }) };
  const servidor = createManagementServer({
    metrics: () => Promise.resolve(''),
    readiness: () => Promise.resolve({ pronto: true }),
    ...board,
  });
  servidores.push(servidor);
  return listen(servidor, 0, '127.0.0.1');
}

interface Pedido {
  readonly metodo?: string;
  readonly caminho?: string;
  readonly senha?: string | null;
  readonly headers?: Record<string, string>;
}
const pedir = (porta: number, { metodo = 'GET', caminho = '/filas', senha = SENHA, headers = {} }: Pedido = {}) =>
  enviar({
    host: '127.0.0.1',
    port: porta,
    method: metodo,
    path: caminho,
    agent: false,
    headers: {
      ...(senha === null ? {} : { authorization: `Basic ${Buffer.from(`ana:${senha}`).toString('base64')}` }),
      ...headers,
    },
  });

test('sem senha configurada não há painel', async (t) => {
  const porta = await painel(null);
  t.is((await pedir(porta)).status, 404);
  t.is((await pedir(porta, { caminho: '/filas/api/queues' })).status, 404);
});

test('o painel pede a senha, recusa a errada, e não se deixa guardar nem emoldurar', async (t) => {
  const porta = await painel();
  for (const caminho of ['/filas', '/filas/', '/filas/api/queues', '/filas/static/favicon.ico', '/filas?x=1']) {
    const sem = await pedir(porta, { caminho, senha: null });
    t.is(sem.status, 401, caminho);
    t.regex(String(sem.headers['www-authenticate']), /^Basic realm="Malha/);
    t.is((await pedir(porta, { caminho, senha: `${SENHA}x` })).status, 401, caminho);
  }
  t.is((await pedir(porta, { senha: null, headers: { authorization: 'Basic ???' } })).status, 401);
  const { status, headers, texto } = await pedir(porta);
  t.is(status, 200);
  t.regex(texto, /id="root"/);
  t.is(headers['cache-control'], 'no-store');
  t.is(headers['x-content-type-options'], 'nosniff');
  t.regex(String(headers['content-security-policy']), /default-src 'none'.*frame-ancestors 'none'/);
  t.is((await pedir(porta, { caminho: '/filasx' })).status, 404);
});

test('o que a página usa vem todo da própria porta', async (t) => {
  const porta = await painel();
  const { texto } = await pedir(porta);
  t.notRegex(texto, /(?:href|src)="(?:https?:)?\/\//);
  const usados = [...texto.matchAll(/(?:href|src)="(static\/[^"]+)"/g)].map(([, caminho]) => caminho!);
  t.true(usados.length >= 5);
  for (const caminho of usados) t.is((await pedir(porta, { caminho: `/filas/${caminho}` })).status, 200, caminho);
});

test('dez senhas erradas num minuto fecham a porta, também à certa', async (t) => {
  const porta = await painel();
  for (let n = 0; n < 10; n += 1) t.is((await pedir(porta, { senha: `errada ${n}` })).status, 401);
  const certa = await pedir(porta);
  t.is(certa.status, 429);
  t.is(certa.headers['retry-after'], '60');
  t.is((await pedir(porta, { caminho: '/healthz' })).status, 200);
});

test('senhas certas e pedidos sem senha não contam como erros', async (t) => {
  const porta = await painel();
  for (let n = 0; n < 15; n += 1) t.is((await pedir(porta, { senha: null })).status, 401);
  for (let n = 0; n < 15; n += 1) t.is((await pedir(porta)).status, 200);
});

test('o painel mostra as duas filas e um trabalho que falhou, e o faz de novo', async (t) => {
  const porta = await painel();
  const id = await queue.add('conexoes.paradas', {});
  const estado = async () => queue.queues.rotina.getJobState(id);
  await ate(async () => (await estado()) === 'failed');
  const { corpo } = await ler(porta, '/filas/api/queues?activeQueue=malha&status=failed');
  t.deepEqual(
    corpo.queues.map(({ name }: { name: string }) => name),
    ['malha', 'malha-noite'],
  );
  const [rotina] = corpo.queues;
  const falhou = rotina.jobs.find((job: { id: string }) => job.id === id);
  t.is(falhou.failedReason, 'a antena caiu');
  t.is(rotina.counts.failed, 1);

  const caminho = `/filas/api/queues/malha/${id}/retry`;
  const deFora: Record<string, string>[] = [
    {},
    { origin: 'https://outro.test' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site', origin: `http://127.0.0.1:${porta}` },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
  ];
  for (const headers of deFora) {
    t.is((await pedir(porta, { metodo: 'PUT', caminho, headers })).status, 403, JSON.stringify(headers));
  }
  t.is(await estado(), 'failed');
  consertado = true;
  const daqui = { origin: `http://127.0.0.1:${porta}`, 'content-length': '0' };
  t.is((await pedir(porta, { metodo: 'PUT', caminho, senha: null, headers: daqui })).status, 401);
  t.is((await pedir(porta, { metodo: 'PUT', caminho, headers: daqui })).status, 204);
  await ate(async () => (await estado()) === 'completed');
});

async function ler(porta: number, caminho: string): Promise<{ corpo: any }> {
  const { status, texto } = await pedir(porta, { caminho });
  if (status !== 200) throw new Error(`${status} ${texto}`);
  return { corpo: JSON.parse(texto) };
}

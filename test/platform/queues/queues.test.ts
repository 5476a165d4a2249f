import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { Queue, UnrecoverableError } from 'bullmq';
import type { Data } from '../../../src/brazil/calendario/datas.ts';
import { createQueue } from '../../../src/platform/queues/queue.ts';
import { createQueueMonitor } from '../../../src/platform/queues/monitor.ts';
import { createJobWorker } from '../../../src/platform/queues/worker.ts';
import type { JobReport } from '../../../src/platform/queues/worker.ts';
import { createRedis, endRedis } from '../../../src/platform/redis/redis.ts';
import type { RedisOptions } from 'ioredis';
import type { RedisConnection } from '../../../src/platform/redis/redis.ts';
import type { RedisRole } from '../../../src/platform/redis/redis.ts';
import { createTarefasPlanejarJob } from '../../../workers/jobs/tarefas-planejar.job.ts';
import { redisUrl } from '../../support/banco.ts';
import { ate } from '../../support/espera.ts';
import { criarRedisProprio } from '../../support/redis-proprio.ts';
import { contextoDeTarefa } from '../../support/trabalhador.ts';
import { KEPT } from '../../../src/platform/queues/jobs.ts';
import { JOB_NAMES, jobDefinitions } from '../../../workers/jobs/catalogue.ts';
import type { JobHandlers } from '../../../workers/jobs/catalogue.ts';

const nothing = async (): Promise<undefined> => undefined;
const HANDLERS = Object.fromEntries(JOB_NAMES.map((name) => [name, nothing])) as unknown as JobHandlers;

let url: string;
const open: RedisConnection[] = [];
test.before(async () => {
  url = await redisUrl();
});
test.after.always(() => {
  for (const redis of open) redis.disconnect();
});

async function connect(role: RedisRole): Promise<RedisConnection> {
  const redis = createRedis(url, role, () => {});
  open.push(redis);
  if (redis.status !== 'ready') await new Promise((resolve) => redis.once('ready', resolve));
  return redis;
}

interface Seen {
  completed: JobReport[];
  failed: { report: JobReport; reason: string }[];
}

async function worker(prefix: string, handlers: Partial<JobHandlers>) {
  const seen: Seen = { completed: [], failed: [] };
  const jobs = createJobWorker({
    connection: await connect('worker'),
    prefix,
    handlers: { ...HANDLERS, ...handlers },
    onCompleted: (report) => seen.completed.push(report),
    onFailed: (report, reason) => seen.failed.push({ report, reason }),
    onError: () => {},
  });
  return { ...jobs, seen };
}

async function queueOf(prefix: string) {
  const connection = await connect('queue');
  return { ...createQueue({ connection, definitions: jobDefinitions, prefix, onError: () => {} }), connection };
}

test('um trabalho chega ao seu tratador com os ids que levou', async (t) => {
  const queue = await queueOf('{a}');
  const got: unknown[] = [];
  const jobs = await worker('{a}', {
    'conexoes.recalcular': async (payload, { jobId }) => {
      got.push([payload, jobId]);
      await nothing();
    },
  });
  const id = await queue.add('conexoes.recalcular', { provedorId: 7 });
  await until(() => jobs.seen.completed.length === 1);
  t.deepEqual(got, [[{ provedorId: 7 }, id]]);
  t.like(jobs.seen.completed[0], { jobId: id, job: 'conexoes.recalcular', repeating: false });
  await jobs.stop();
  await queue.close();
});

test('o mesmo trabalho não entra duas vezes na fila, e o de outro provedor entra', async (t) => {
  const queue = await queueOf('{b}');
  const first = await queue.add('conexoes.recalcular', { provedorId: 1 });
  t.is(await queue.add('conexoes.recalcular', { provedorId: 1 }), first);
  t.not(await queue.add('conexoes.recalcular', { provedorId: 2 }), first);
  await queue.close();
});

test('agendar de novo não duplica', async (t) => {
  const queue = await queueOf('{c}');
  const raw = new Queue('malha', { connection: queue.connection, prefix: '{c}' });
  await queue.schedule();
  await queue.schedule();
  const schedulers = await raw.getJobSchedulers();
  const repeating = Object.entries(jobDefinitions).flatMap(([name, { queue: where, everyMs }]) =>
    where === 'rotina' && everyMs !== undefined ? [[name, everyMs] as const] : [],
  );
  t.true(repeating.length >= 3);
  t.deepEqual(
    Object.fromEntries(schedulers.map(({ key, every }) => [key, Number(every)])),
    Object.fromEntries(repeating),
  );
  await raw.close();
  await queue.close();
});

test('sem worker vê-se há quanto tempo o que se repete devia ter corrido', async (t) => {
  const queue = await queueOf('{parada}');
  const { depths } = createQueueMonitor(queue);
  const waiting = async () => Object.fromEntries((await depths()).map((depth) => [depth.queue, depth.oldestWaitingMs]));
  const raw = new Queue('malha', { connection: queue.connection, prefix: '{parada}' });
  await raw.add('conexoes.agregar', {}, { delay: 60_000 });
  t.deepEqual(await waiting(), { rotina: null, noite: null });
  const { id } = await raw.add('conexoes.agregar', {}, { delay: 200 });
  // Nobody moves it: it stays among those that are due later.
  await until(async () => ((await waiting())['rotina'] ?? 0) > 300);
  t.is(await raw.getJobState(id!), 'delayed');
  t.is((await waiting())['noite'], null);
  await raw.close();
  await queue.close();
});

test('a falha de um comando do banco não leva os seus valores ao Redis nem ao registro', async (t) => {
  const queue = await queueOf('{d}');
  const jobs = await worker('{d}', {
    'conexoes.recalcular': () => {
      const error = Object.assign(new Error("insert … 'Maria da Silva' - Duplicate entry"), {
        code: 'ER_DUP_ENTRY',
        sql: "insert … 'Maria da Silva'",
      });
      return Promise.reject(error);
    },
  });
  const id = await queue.add('conexoes.recalcular', { provedorId: 1 });
  await until(() => jobs.seen.failed.length === 1);
  t.is(jobs.seen.failed[0]!.reason, 'database error ER_DUP_ENTRY');
  await jobs.stop();
  const stored = JSON.stringify(await queue.connection.hgetall(`{d}:malha-noite:${id}`));
  t.regex(stored, /database error ER_DUP_ENTRY/);
  t.notRegex(stored, /Maria/);
  await queue.close();
});

test('o que repetir não conserta falha de uma vez; o resto é tentado de novo', async (t) => {
  const queue = await queueOf('{e}');
  const jobs = await worker('{e}', {
    'conexoes.recalcular': ({ provedorId }) =>
      Promise.reject(provedorId === 1 ? new UnrecoverableError('nunca') : new Error('agora não')),
  });
  const raw = new Queue('malha-noite', { connection: queue.connection, prefix: '{e}' });
  await queue.add('conexoes.recalcular', { provedorId: 1 });
  await queue.add('conexoes.recalcular', { provedorId: 2 });
  await until(() => jobs.seen.failed.length === 2);
  t.deepEqual(jobs.seen.failed.map(({ reason }) => reason).toSorted(), ['agora não', 'nunca']);
  await jobs.stop();
  t.is(await raw.getFailedCount(), 1);
  t.is(await raw.getDelayedCount(), 1);
  await raw.close();
  await queue.close();
});

/** A job that another version has, and its handler there. */
const OUTRO = 'de.outra.versao';
const daOutra = (handler: () => Promise<undefined>): Partial<JobHandlers> =>
  ({ [OUTRO]: handler }) as Partial<JobHandlers>;

test('o que outra versão agendou fica', async (t) => {
  const queue = await queueOf('{agenda}');
  const raw = new Queue('malha', { connection: queue.connection, prefix: '{agenda}' });
  await raw.upsertJobScheduler(OUTRO, { every: 60_000 }, { name: OUTRO });
  await queue.schedule();
  t.true((await raw.getJobSchedulers()).some(({ key }) => key === OUTRO));
  await raw.close();
  await queue.close();
});

test('um trabalho que esta versão não conhece não falha: fica para quem o conhece', async (t) => {
  const queue = await queueOf('{versoes}');
  const done: string[] = [];
  const old = await worker('{versoes}', {});
  const raw = ['malha', 'malha-noite'].map(
    (name) => new Queue(name, { connection: queue.connection, prefix: '{versoes}' }),
  );
  for (const each of raw) for (let n = 0; n < 6; n += 1) await each.add(OUTRO, {}, { attempts: 1 });
  await raw[0]!.upsertJobScheduler(OUTRO, { every: 3_600_000 }, { name: OUTRO });
  // The old one has taken all of them, some more than once, before anybody knows them.
  const waiting = async (): Promise<number> =>
    (await Promise.all(raw.map(async (each) => each.getWaitingCount()))).reduce((sum, count) => sum + count);
  while ((await waiting()) > 0) await sleep(10);
  t.deepEqual(old.seen, { completed: [], failed: [] });

  const young = await worker(
    '{versoes}',
    daOutra(async () => void done.push(OUTRO)),
  );
  await until(() => young.seen.completed.length > 0, 60_000);
  await old.stop();
  await until(() => young.seen.completed.length === 13, 60_000);
  t.is(done.length, 13);
  t.deepEqual(old.seen, { completed: [], failed: [] });
  t.deepEqual(young.seen.failed, []);
  t.true(young.seen.completed.every(({ attempts }) => attempts === 1));
  await Promise.all([young.stop(), ...raw.map(async (each) => each.close())]);
  await queue.close();
});

test('o que ninguém conhece não fica para sempre: falha depois de um dia, e uma vez do que se repete é esquecida antes', async (t) => {
  const queue = await queueOf('{ninguem}');
  const raw = new Queue('malha-noite', { connection: queue.connection, prefix: '{ninguem}' });
  const hour = 3_600_000;
  const { id: old } = await raw.add(OUTRO, {}, { timestamp: Date.now() - 25 * hour });
  const { id: young } = await raw.add(OUTRO, {}, { timestamp: Date.now() - 23 * hour });
  const turn = await raw.upsertJobScheduler(OUTRO, { every: hour }, { name: OUTRO });
  await queue.connection.hset(`{ninguem}:malha-noite:${turn.id}`, 'timestamp', Date.now() - 2 * 60_000);
  const jobs = await worker('{ninguem}', {});
  await until(() => jobs.seen.failed.length === 1 && jobs.seen.completed.length === 1);
  t.like(jobs.seen.failed[0], { reason: 'unknown job', report: { jobId: old } });
  t.like(jobs.seen.completed[0], { jobId: turn.id });
  await until(async () => (await raw.getJobState(young!)) === 'delayed');
  await jobs.stop();
  await raw.close();
  await queue.close();
});

test('o que para no meio volta à fila com todas as suas tentativas, e outro continua de onde ele estava', async (t) => {
  const queue = await queueOf('{meio}');
  const got: unknown[] = [];
  let under = false;
  const first = await worker('{meio}', {
    'conexoes.recalcular': async ({ provedorId }, { signal, resumeWith }) => {
      under = true;
      await sleep(60_000, undefined, { signal }).catch(() => {});
      await resumeWith({ provedorId, depoisDe: 40 });
      throw signal.reason;
    },
    // A wait that the signal ends throws another error of that name.
    'pix.recalcular': async (_payload, { signal }) => sleep(60_000, undefined, { signal }),
  });
  const id = await queue.add('conexoes.recalcular', { provedorId: 7 });
  const day = await queue.add('pix.recalcular', { provedorId: 7, dia: '2026-11-20' });
  await until(() => under);
  await first.stop();
  t.deepEqual(first.seen, { completed: [], failed: [] });

  const second = await worker('{meio}', {
    'conexoes.recalcular': async (payload) => void got.push(payload),
  });
  await until(() => second.seen.completed.length === 2);
  t.deepEqual(got, [{ provedorId: 7, depoisDe: 40 }]);
  t.deepEqual(second.seen.completed.map(({ jobId }) => jobId).toSorted(), [id, day]);
  t.true(second.seen.completed.every(({ attempts }) => attempts === 1));
  await second.stop();
  await queue.close();
});

test('sem Redis desde o começo, parar é na hora', async (t) => {
  const jobs = createJobWorker({
    connection: away('worker').redis,
    handlers: HANDLERS,
    onCompleted: () => {},
    onFailed: () => {},
    onError: () => {},
  });
  await sleep(50);
  t.is(
    await Promise.race([jobs.stop(60_000).then(() => 'stopped'), sleep(30_000, 'still waiting', { ref: false })]),
    'stopped',
  );
});

test('um Redis que se cala e morre enquanto se para não é esperado, e nada do que se abriu continua', async (t) => {
  const redis = await criarRedisProprio();
  t.teardown(() => redis.fechar());
  const connection = createRedis(redis.url, 'worker', () => {});
  const jobs = createJobWorker({
    connection,
    handlers: HANDLERS,
    onCompleted: () => {},
    onFailed: () => {},
    onError: () => {},
  });
  const waiting = async (): Promise<boolean> => String(await redis.comando('CLIENT', 'LIST')).includes('cmd=bzpopmin');
  await ate(waiting);
  redis.pausar();
  const stopped = jobs.stop(60_000).then(() => 'stopped');
  await redis.matar();
  t.is(await Promise.race([stopped, sleep(30_000, 'still waiting', { ref: false })]), 'stopped');
  await ate(async () => connection.status === 'reconnecting');
  endRedis(connection);
});

test('o que se repete não corre ao lado de si mesmo, e deixa lugar aos outros', async (t) => {
  const queue = await queueOf('{turno}');
  let atOnce = 0;
  let most = 0;
  let release = (): void => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const jobs = await worker('{turno}', {
    'conexoes.agregar': async () => {
      most = Math.max(most, (atOnce += 1));
      await released;
      atOnce -= 1;
      return undefined;
    },
  });
  // As after some turns of a long one: more than there are places.
  const raw = new Queue('malha', { connection: queue.connection, prefix: '{turno}' });
  for (const key of ['a', 'b', 'c', 'd', 'e']) {
    await raw.upsertJobScheduler(key, { every: 3_600_000 }, { name: 'conexoes.agregar', data: {} });
  }
  const other = await queue.add('rede.aplicar', {});
  await until(() => jobs.seen.completed.some(({ jobId }) => jobId === other));
  t.is(most, 1);
  // By hand it runs at once.
  await queue.add('conexoes.agregar', {});
  await until(() => most === 2);
  release();
  await until(() => jobs.seen.completed.length === 7);
  t.deepEqual(jobs.seen.failed, []);
  await jobs.stop();
  await raw.close();
  await queue.close();
});

test('o plano põe outra vez na fila o faturamento que ninguém faz, também depois da última tentativa', async (t) => {
  const queue = await queueOf('{parado}');
  const plan = createTarefasPlanejarJob(
    { pendentes: async () => [] },
    { provedoresParados: async () => [7], pedirDeNovo: async () => 0 },
    queue,
  );
  const context = contextoDeTarefa();
  await plan({}, context);
  await plan({}, context);
  const jobs = await worker('{parado}', {
    'faturamento.executar': () => Promise.reject(new UnrecoverableError('fora do ar')),
  });
  await until(() => jobs.seen.failed.length === 1);
  await plan({}, context);
  await until(() => jobs.seen.failed.length === 2);
  await sleep(200);
  t.is(jobs.seen.failed.length, 2);
  await jobs.stop();
  await queue.close();
});

test('o plano pede de novo o que falhou há um quarto de hora, e não antes nem mais de uma vez', async (t) => {
  const queue = await queueOf('{plano}');
  const payload = { provedorId: 1, dia: '2026-11-20' };
  const plan = createTarefasPlanejarJob(
    { pendentes: async () => [{ tarefa: 'pix.recalcular', ...payload, dia: payload.dia as Data }] },
    { provedoresParados: async () => [], pedirDeNovo: async () => 0 },
    queue,
  );
  const context = contextoDeTarefa();
  const jobs = await worker('{plano}', {
    'pix.recalcular': () => Promise.reject(new UnrecoverableError('fora do ar')),
  });
  const raw = new Queue('malha-noite', { connection: queue.connection, prefix: '{plano}' });
  await plan({}, context);
  await until(() => jobs.seen.failed.length === 1);
  await plan({}, context);
  const id = 'pix.recalcular.1.2026-11-20';
  t.is(await raw.getJobState(id), 'failed');

  const age = async (minutes: number) =>
    queue.connection.hset(`{plano}:malha-noite:${id}`, 'finishedOn', Date.now() - minutes * 60_000);
  await age(14);
  await plan({}, context);
  t.is(await raw.getJobState(id), 'failed');
  t.is(jobs.seen.failed.length, 1);

  await age(16);
  await plan({}, context);
  await plan({}, context);
  await until(() => jobs.seen.failed.length === 2);
  await plan({}, context);
  await sleep(200);
  t.is(jobs.seen.failed.length, 2);
  t.is(await raw.getJobState(id), 'failed');
  t.is(await raw.getFailedCount(), 1);
  await jobs.stop();
  await raw.close();
  await queue.close();
});

test('o que se repete não apaga o que a sua fila guarda dos outros', async (t) => {
  const queue = await queueOf('{guarda}');
  const jobs = await worker('{guarda}', {
    'faturas.vencer': ({ provedorId }) =>
      provedorId <= 60 ? nothing() : Promise.reject(new UnrecoverableError('não')),
    'retencao.limpar': () => Promise.reject(new Error('não')),
  });
  for (let provedorId = 1; provedorId <= 270; provedorId += 1) {
    await queue.add('faturas.vencer', { provedorId, dia: '2026-11-20' });
  }
  await until(() => jobs.seen.completed.length + jobs.seen.failed.length === 270);
  await queue.schedule();
  await until(() => jobs.seen.failed.some(({ report }) => report.job === 'retencao.limpar'));
  await queue.add('conexoes.recalcular', { provedorId: 1 });
  await until(() => jobs.seen.completed.some(({ job }) => job === 'conexoes.recalcular'));
  const raw = new Queue('malha-noite', { connection: queue.connection, prefix: '{guarda}' });
  t.is(await raw.getFailedCount(), 211);
  // Others that repeat in this queue may have come, too.
  const ours = ['faturas.vencer', 'conexoes.recalcular'];
  const completed = (await raw.getJobs(['completed'])).filter(({ name }) => ours.includes(name));
  t.is(completed.length, 61);
  for (const job of await raw.getJobs(['completed', 'failed', 'delayed'])) t.like(job.opts, KEPT.noite, job.name);
  await jobs.stop();
  await raw.close();
  await queue.close();
});

test('parar avisa o trabalho em curso e espera por ele, mas não para sempre', async (t) => {
  const queue = await queueOf('{f}');
  let began = false;
  let ended = false;
  const patient = await worker('{f}', {
    'conexoes.recalcular': async (_payload, { signal }) => {
      began = true;
      while (!signal.aborted) await sleep(5);
      await sleep(50);
      ended = true;
    },
  });
  await queue.add('conexoes.recalcular', { provedorId: 1 });
  await until(() => began);
  await patient.stop();
  t.true(ended);
  t.is(patient.seen.completed.length, 1);

  let free: (() => void) | undefined;
  const stuck = await worker('{f}', {
    'conexoes.recalcular': () =>
      new Promise<undefined>((resolve) => {
        free = () => resolve(undefined);
      }),
  });
  await queue.add('conexoes.recalcular', { provedorId: 2 });
  await until(() => free !== undefined);
  t.is(await Promise.race([stuck.stop(200).then(() => 'stopped'), sleep(5000, 'still waiting')]), 'stopped');
  free?.();
  await queue.close();
});

test('o Redis é aceito por URL, por unix: e por caminho, com o número do banco', async (t) => {
  const { path, db } = (await connect('gate')).options as RedisOptions;
  const forms =
    path === undefined
      ? [url]
      : [`redis://localhost/${db}?path=${path}`, `unix://${path}?db=${db}`, `${path}?db=${db}`, path];
  for (const form of forms) {
    const redis = createRedis(form, 'worker', (error) => t.fail(error.message));
    t.is(await redis.ping(), 'PONG');
    t.is('db' in redis.options ? redis.options.db : undefined, form === path ? 0 : db);
    redis.disconnect();
  }
});

test('sem Redis, a porta e a fila falham logo, e o trabalhador espera', async (t) => {
  for (const role of ['gate', 'queue'] as const) {
    const { redis, errors } = away(role);
    await t.throwsAsync(redis.get('x'));
    t.true(errors.length <= 1, `${role} tentou de novo`);
  }
  const { redis, errors } = away('worker');
  const waiting = redis.get('x');
  waiting.catch(() => {});
  t.is(await Promise.race([waiting, until(() => errors.length >= 4).then(() => 'waiting')]), 'waiting');
});

/** A connection to where no Redis is. */
function away(role: RedisRole): { redis: RedisConnection; errors: Error[] } {
  const errors: Error[] = [];
  const redis = createRedis('/tmp/no-such.sock', role, (error) => errors.push(error));
  open.push(redis);
  return { redis, errors };
}

async function until(condition: () => boolean | Promise<boolean>, forMs = 10_000): Promise<void> {
  const limit = Date.now() + forMs;
  while (!(await condition())) {
    if (Date.now() > limit) throw new Error('waited too long');
    await sleep(10);
  }
}

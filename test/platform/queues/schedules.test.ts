import test from 'ava';
import type { Queue } from 'bullmq';
import { createQueue } from '../../../src/platform/queues/queue.ts';
import { createSchedules } from '../../../src/platform/queues/schedules.ts';
import { createRedis } from '../../../src/platform/redis/redis.ts';
import type { RedisConnection } from '../../../src/platform/redis/redis.ts';
import { redisUrl } from '../../support/banco.ts';
import { jobDefinitions } from '../../../workers/jobs/catalogue.ts';

let connection: RedisConnection;
test.before(async () => {
  connection = createRedis(await redisUrl(), 'queue', () => {});
  await new Promise((resolve) => connection.once('ready', resolve));
});
test.after.always(() => connection.disconnect());

const REPETE = { queue: 'rotina', options: { attempts: 1, backoff: 0 } } as const;
const MINUTO_MS = 60_000;

/** One Redis, and workers of several versions on it: what each has repeat, by job. */
function filas(prefix: string) {
  const fila = createQueue({ connection, definitions: jobDefinitions, prefix, onError: () => {} });
  const versao = (repetem: Readonly<Record<string, number>>) => {
    const definitions = Object.fromEntries(
      Object.entries(repetem).map(([job, everyMs]) => [job, { ...REPETE, everyMs }]),
    );
    return createSchedules({ connection, prefix, queues: fila.queues, definitions });
  };
  const agendadas = async (): Promise<Record<string, number>> => {
    const todas = await fila.queues.rotina.getJobSchedulers();
    return Object.fromEntries(todas.map(({ key, every }) => [key, Number(every)]));
  };
  /** As if a version had said so this long ago for the last time. */
  const calar = async (job: string, everyMs: number, haMs: number) =>
    connection.zadd(`${prefix}:agendas`, Date.now() - haMs, `rotina ${job} ${everyMs}`);
  return { fila, versao, agendadas, calar, fechar: async () => fila.close() };
}

test('duas versões lado a lado não tiram os agendamentos uma da outra', async (t) => {
  const { versao, agendadas, fechar } = filas('{lado}');
  const velha = versao({ comum: 1000, antiga: 2000 });
  const nova = versao({ comum: 1000, novidade: 3000 });
  for (let vez = 0; vez < 3; vez += 1) {
    await velha.uphold();
    await nova.uphold();
    t.deepEqual(await agendadas(), { antiga: 2000, comum: 1000, novidade: 3000 });
  }
  await fechar();
});

test('o que só uma versão que já não vive repetia sai, minutos depois de ela calar', async (t) => {
  const { versao, agendadas, calar, fechar } = filas('{calada}');
  await versao({ comum: 1000, antiga: 2000 }).uphold();
  const nova = versao({ comum: 1000 });
  await calar('antiga', 2000, 2 * MINUTO_MS);
  await nova.uphold();
  t.deepEqual(await agendadas(), { antiga: 2000, comum: 1000 });
  await calar('antiga', 2000, 4 * MINUTO_MS);
  await nova.uphold();
  t.deepEqual(await agendadas(), { comum: 1000 });
  await fechar();
});

test('duas versões que repetem o mesmo a intervalos diferentes não o mudam de cá para lá', async (t) => {
  const { fila, versao, agendadas, calar, fechar } = filas('{intervalo}');
  const velha = versao({ comum: 60 * MINUTO_MS });
  const nova = versao({ comum: 120 * MINUTO_MS });
  await velha.uphold();
  const [primeira] = await fila.queues.rotina.getJobs(['wait', 'delayed']);
  for (let vez = 0; vez < 3; vez += 1) {
    await nova.uphold();
    await velha.uphold();
    t.deepEqual(await agendadas(), { comum: 60 * MINUTO_MS });
  }
  // Each change of the interval would have it run at once.
  const depois = await fila.queues.rotina.getJobs(['wait', 'delayed']);
  t.deepEqual(
    depois.map(({ id }) => id),
    [primeira!.id],
  );

  await calar('comum', 60 * MINUTO_MS, 4 * MINUTO_MS);
  await nova.uphold();
  t.deepEqual(await agendadas(), { comum: 120 * MINUTO_MS });
  await fechar();
});

test('o agendamento de uma versão que nada diz fica minutos, e o que mudou de fila não fica nas duas', async (t) => {
  const { fila, versao, agendadas, calar, fechar } = filas('{muda}');
  const { rotina, noite } = fila.queues as Readonly<Record<'rotina' | 'noite', Queue>>;
  await rotina.upsertJobScheduler('muda', { every: 5000 }, { name: 'muda' });
  await noite.upsertJobScheduler('comum', { every: 1000 }, { name: 'comum' });
  const nova = versao({ comum: 1000 });
  await nova.uphold();
  t.deepEqual(await agendadas(), { comum: 1000, muda: 5000 });
  await calar('muda', 5000, 4 * MINUTO_MS);
  await connection.zadd('{muda}:agendas', Date.now() - 4 * MINUTO_MS, 'noite comum 1000');
  await nova.uphold();
  t.deepEqual(await agendadas(), { comum: 1000 });
  t.deepEqual(await noite.getJobSchedulers(), []);
  await fechar();
});

test.serial('o que foi esvaziado se agenda de novo', async (t) => {
  const { versao, agendadas, fechar } = filas('{vazio}');
  const nova = versao({ comum: 1000 });
  await nova.uphold();
  await connection.flushdb();
  await nova.uphold();
  t.deepEqual(await agendadas(), { comum: 1000 });
  await fechar();
});

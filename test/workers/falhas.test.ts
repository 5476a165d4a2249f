import test from 'ava';
import { pino } from 'pino';
import { createQueueMonitor } from '../../src/platform/queues/monitor.ts';
import { createQueue } from '../../src/platform/queues/queue.ts';
import { createRedis } from '../../src/platform/redis/redis.ts';
import { startWorker } from '../../src/app/compose/worker.ts';
import { criarBanco, redisUrl } from '../support/banco.ts';
import { ate } from '../support/espera.ts';
import { depsDoTrabalhador } from '../support/trabalhador.ts';
import { jobDefinitions } from '../../workers/jobs/catalogue.ts';

test('uma tarefa que falha avisa a cada vez, é erro na última, conta como falha uma vez, e consertada conclui', async (t) => {
  const banco = await criarBanco();
  const url = await redisUrl();
  const linhas: Record<string, unknown>[] = [];
  const contadas: string[] = [];
  let consertada = false;
  const ditasAEquipe: unknown[] = [];
  const deps = depsDoTrabalhador(banco.db, url, {
    write: () => Promise.reject(new Error('nada')),
    logger: pino(
      { level: 'info' },
      { write: (linha: string) => linhas.push(JSON.parse(linha) as Record<string, unknown>) },
    ),
    tarefas: {
      pendentes: async () => [],
      executar: async () => {
        if (!consertada) throw Object.assign(new Error("… 'Maria da Silva'"), { sql: 'x', code: 'ER_NO_SUCH_TABLE' });
        return { desfecho: 'concluida', linhas: 3 };
      },
      dizerQueFalhou: async (_actor, qual) => void ditasAEquipe.push(qual),
    },
    onJob: (job, outcome) => {
      if (job === 'pix.recalcular') contadas.push(outcome);
    },
  });
  const worker = startWorker(deps);
  const connection = createRedis(url, 'queue', () => {});
  await new Promise((resolve) => connection.once('ready', resolve));
  const queue = createQueue({ connection, definitions: jobDefinitions, onError: () => {} });
  const monitor = createQueueMonitor(queue);
  const id = await queue.add('pix.recalcular', { provedorId: 1, dia: '2026-11-20' });
  const visto = async () => monitor.find('pix.recalcular', id);

  // Six tries, without the minutes between them.
  for (let tentativa = 1; tentativa <= 6; tentativa += 1) {
    await ate(async () => (await visto())?.attempts === tentativa);
    if (tentativa === 6) break;
    await ate(async () => (await visto())?.state === 'delayed');
    await monitor.hurry('pix.recalcular', id);
  }
  await ate(async () => (await visto())?.state === 'failed');
  const falha = (await visto())!;
  t.is(falha.reason, 'database error ER_NO_SUCH_TABLE');
  t.like((await monitor.failed())[0], { id, attempts: 6 });
  t.is((await monitor.depths()).find((fila) => fila.queue === 'noite')!.failed, 1);
  await ate(async () => contadas.length === 1);
  t.deepEqual(contadas, ['falhou']);
  t.deepEqual(ditasAEquipe, [{ tarefa: 'pix.recalcular', provedorId: 1, dia: '2026-11-20' }]);
  const ditas = linhas.filter(({ job }) => job === 'pix.recalcular');
  t.deepEqual(
    ditas.map(({ level, msg, attempts }) => [level, msg, attempts]),
    [...[1, 2, 3, 4, 5].map((vez) => [40, 'tarefa falhou e será tentada de novo', vez]), [50, 'tarefa falhou', 6]],
  );
  t.true(ditas.every(({ motivo }) => motivo === 'database error ER_NO_SUCH_TABLE'));
  t.false(JSON.stringify(linhas).includes('Maria'));

  consertada = true;
  t.true(await monitor.retry('noite', id));
  await ate(async () => (await visto())?.state === 'completed');
  t.deepEqual((await visto())!.result, { desfecho: 'concluida', linhas: 3 });
  t.false(await monitor.retry('noite', id));
  await ate(async () => contadas.length === 2);
  t.deepEqual(contadas, ['falhou', 'concluida']);

  await worker.stop();
  await queue.close();
  connection.disconnect();
  await banco.fechar();
});

test('também da tarefa que mata cada processo que a faz a equipe ouve', async (t) => {
  const banco = await criarBanco();
  const url = await redisUrl();
  const connection = createRedis(url, 'queue', () => {});
  await new Promise((resolve) => connection.once('ready', resolve));
  const queue = createQueue({ connection, definitions: jobDefinitions, onError: () => {} });
  const qual = { provedorId: 1, dia: '2026-11-20' };
  const id = await queue.add('pix.recalcular', qual);
  // As BullMQ marks a job whose processes have died too often: whoever takes it next ends it unrun.
  await connection.hset(queue.queues.noite.toKey(id), 'defa', 'job stalled more than allowable limit');
  const ditasAEquipe: unknown[] = [];
  const deps = depsDoTrabalhador(banco.db, url, {
    tarefas: {
      pendentes: async () => [],
      executar: async () => Promise.reject(new Error('não se executa')),
      dizerQueFalhou: async (_actor, tarefa) => void ditasAEquipe.push(tarefa),
    },
  });
  const worker = startWorker(deps);
  await ate(() => ditasAEquipe.length > 0);
  t.deepEqual(ditasAEquipe, [{ tarefa: 'pix.recalcular', ...qual }]);
  const feito = await createQueueMonitor(queue).find('pix.recalcular', id);
  t.like(feito, { state: 'failed', reason: 'job stalled more than allowable limit' });
  await worker.stop();
  await queue.close();
  connection.disconnect();
  await banco.fechar();
});

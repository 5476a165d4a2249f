import { getPriority, platform } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { createQueue } from '../../src/platform/queues/queue.ts';
import { createRedis } from '../../src/platform/redis/redis.ts';
import { criarApi, enviar } from '../support/api.ts';
import type { Api } from '../support/api.ts';
import { ate } from '../support/espera.ts';
import { criarFabrica } from '../support/fabrica.ts';
import { lerMedidas, medir } from '../support/metricas.ts';
import { executar, metricasDe, servir } from '../support/processo.ts';
import { criarRedisProprio } from '../support/redis-proprio.ts';
import { jobDefinitions } from '../../workers/jobs/catalogue.ts';

const SENHA = 'doze-caracteres-ou-mais';

let api: Api;
test.before(async () => {
  api = await criarApi();
  await criarFabrica(api.dono).provedor();
});
test.after.always(() => api.fechar());

const ambiente = (mais: Record<string, string> = {}): Record<string, string> => ({
  DATABASE_URL: api.databaseUrl,
  REDIS_URL: api.redisUrl,
  MALHA_SENHA_FILAS: SENHA,
  ...mais,
});
const painel = (porta: number, senha: string) =>
  enviar({ host: '127.0.0.1', port: porta, path: '/filas', agent: false, auth: `ana:${senha}` });

for (const processos of [[], ['--processos', '2']]) {
  test.serial(`malha serve ${processos.join(' ')} mede as filas e o dia, e tem o painel`, async (t) => {
    const servico = await servir(ambiente(), undefined, processos);
    t.teardown(() => servico.parar('SIGKILL'));
    await ate(async () => (await medir(servico.portaDasMetricas)).get('malha_filas_acessiveis') === 1);
    const medidas = await medir(servico.portaDasMetricas);
    for (const fila of ['rotina', 'noite']) {
      for (const estado of ['waiting', 'active', 'delayed', 'failed']) {
        t.is(typeof medidas.get(`malha_queue_jobs{queue="${fila}",state="${estado}"}`), 'number');
      }
      t.is(typeof medidas.get(`malha_queue_oldest_waiting_seconds{queue="${fila}"}`), 'number');
    }
    t.is(medidas.get('malha_daily_tasks_pending{task="pix.recalcular"}'), 1);
    t.true(medidas.has('malha_daily_tasks_behind{task="faturas.vencer"}'));
    for (const nome of ['waiting', 'oldest_due_seconds', 'stopped_providers'])
      t.is(medidas.get(`malha_notes_${nome}`), 0);
    for (const nome of ['mail_oldest_due_seconds', 'outbox_oldest_seconds', 'psp_oldest_due_seconds'])
      t.is(typeof medidas.get(`malha_${nome}`), 'number', nome);
    for (const nome of ['waiting', 'failing']) t.is(medidas.get(`malha_bank_files_${nome}`), 0);
    t.is(medidas.get('malha_processes{papel="api"}'), processos.length === 0 ? 1 : 2);
    t.false(medidas.has('malha_processes{papel="worker"}'));
    t.is((await painel(servico.portaDasMetricas, SENHA)).status, 200);
    t.is((await painel(servico.portaDasMetricas, 'errada-errada')).status, 401);
    t.is((await painel(servico.porta, SENHA)).status, 401);
    t.is(getPriority(servico.pid), getPriority());
    t.is(await servico.parar(), 0);
  });
}

test.serial('o worker sozinho conta as suas tarefas, e mostra o que espera há quanto tempo', async (t) => {
  const worker = await executar('worker', ambiente(), /métricas em http:\/\/127\.0\.0\.1:(\d+)\/metrics/);
  t.teardown(() => worker.parar('SIGKILL'));
  const porta = Number(worker.achado);
  const feitas = 'malha_jobs_total{job="conexoes.agregar",outcome="concluida"}';
  await ate(async () => ((await medir(porta)).get(feitas) ?? 0) >= 2, 30_000);
  const medidas = await medir(porta);
  t.is(medidas.get('malha_processes{papel="worker"}'), 1);
  t.false(medidas.has('malha_processes{papel="api"}'));
  t.is(medidas.get('malha_jobs_total{job="extratos.gerar",outcome="falhou"}'), 0);
  t.true(medidas.get('malha_job_duration_seconds_count{job="conexoes.agregar"}')! >= 2);
  t.is(medidas.get('malha_jobs_total{job="conexoes.agregar",outcome="falhou"}'), 0);
  // A scrape goes on without the queues where they do not answer in time.
  await ate(async () => ((await medir(porta)).get('malha_queue_jobs{queue="rotina",state="delayed"}') ?? 0) >= 1);
  // Who answers comes first.
  t.is(getPriority(worker.pid), platform() === 'linux' ? Math.max(10, getPriority()) : getPriority());
  // The worker does the day.
  await ate(async () => (await medir(porta)).get('malha_daily_tasks_pending{task="pix.recalcular"}') === 0, 60_000);
  t.is((await painel(porta, SENHA)).status, 200);
  t.is(await worker.parar(), 0);
});

test.serial(
  'com o Redis das filas fora, as métricas respondem logo e dizem isso; de volta, medem de novo',
  async (t) => {
    const redis = await criarRedisProprio();
    const servico = await servir(ambiente({ QUEUE_REDIS_URL: redis.url }));
    t.teardown(() => servico.parar('SIGKILL'));
    const acessiveis = async (): Promise<number | undefined> =>
      (await medir(servico.portaDasMetricas)).get('malha_filas_acessiveis');
    await ate(async () => (await acessiveis()) === 1);

    const connection = createRedis(redis.url, 'queue', () => {});
    await new Promise((resolve) => connection.once('ready', resolve));
    const queue = createQueue({ connection, definitions: jobDefinitions, onError: () => {} });
    await queue.add('conexoes.recalcular', { provedorId: 1 });
    await ate(async () => {
      const medidas = await medir(servico.portaDasMetricas);
      return (medidas.get('malha_queue_oldest_waiting_seconds{queue="noite"}') ?? 0) > 0.5;
    });
    t.is((await medir(servico.portaDasMetricas)).get('malha_queue_jobs{queue="noite",state="waiting"}'), 1);
    await queue.close();
    connection.disconnect();

    for (const sumir of ['matar', 'pausar'] as const) {
      await redis[sumir]();
      const pedido = enviar({ host: '127.0.0.1', port: servico.portaDasMetricas, path: '/metrics', agent: false });
      const resposta = await Promise.race([pedido, sleep(3000, null, { ref: false })]);
      t.is(resposta?.status, 200, sumir);
      const medidas = lerMedidas(resposta?.texto ?? '');
      t.is(medidas.get('malha_filas_acessiveis'), 0, sumir);
      t.false([...medidas.keys()].some((nome) => nome.startsWith('malha_queue_')));
      t.true(medidas.has('malha_resident_memory_bytes'));
      if (sumir === 'matar') await redis.iniciar('antigos');
      else redis.continuar();
      await ate(async () => (await acessiveis()) === 1);
    }
    t.is(await servico.parar(), 0);
    await redis.fechar();
  },
);

test.serial(
  'com o Redis das filas fora desde o começo, malha start e malha worker começam, respondem e param; de volta, trabalham',
  async (t) => {
    const redis = await criarRedisProprio();
    t.teardown(() => redis.fechar());
    await redis.matar();
    const chave = (await api.criarChave(await criarFabrica(api.dono).provedor())).texto;
    for (const [comando, pronto] of [
      ['start', /Malha em http:\/\/127\.0\.0\.1:(\d+)/],
      ['worker', /métricas em http:\/\/127\.0\.0\.1:(\d+)\/metrics/],
    ] as const) {
      const iniciar = async () => executar(comando, ambiente({ QUEUE_REDIS_URL: redis.url }), pronto);
      const processo = await Promise.race([iniciar(), sleep(30_000, null, { ref: false })]);
      if (processo === null) throw new Error(`malha ${comando} espera pelo Redis das filas`);
      t.teardown(() => processo.parar('SIGKILL'));
      const achada = Number(processo.achado);
      const metricas = comando === 'worker' ? achada : metricasDe(achada);
      if (comando === 'start') {
        const headers = { 'x-api-key': chave };
        t.is((await enviar({ host: '127.0.0.1', port: achada, path: '/api/v1/status', headers })).status, 200);
      }
      t.is((await medir(metricas)).get('malha_filas_acessiveis'), 0);
      t.is((await enviar({ host: '127.0.0.1', port: metricas, path: '/readyz' })).status, 200);
      for (const caminho of ['', '/api/queues']) {
        const pedido = enviar({ host: '127.0.0.1', port: metricas, path: `/filas${caminho}`, auth: `ana:${SENHA}` });
        t.is((await Promise.race([pedido, sleep(10_000, null, { ref: false })]))?.status, 503, caminho);
      }

      await redis.iniciar('vazio');
      const feitas = 'malha_jobs_total{job="conexoes.agregar",outcome="concluida"}';
      await ate(async () => ((await medir(metricas)).get(feitas) ?? 0) >= 1, 30_000);
      t.is((await medir(metricas)).get('malha_filas_acessiveis'), 1);
      t.is((await painel(metricas, SENHA)).status, 200);
      await redis.matar();
      t.is(await processo.parar(), 0);
    }
  },
);

test('o painel não se abre com uma senha curta', async (t) => {
  await t.throwsAsync(servir(ambiente({ MALHA_SENHA_FILAS: 'onze-letras' })), { message: /MALHA_SENHA_FILAS/ });
});

import { Agent } from 'node:http';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { criarApi, enviar } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import { medir, pids } from '../../support/metricas.ts';
import { servir } from '../../support/processo.ts';
import type { Servico } from '../../support/processo.ts';

const CLIENTES_RESPONDIDOS =
  'malha_http_request_duration_seconds_count{route="GET /api/v1/clientes/{id}",status="200"}';

let api: Api;
let cliente: number;
/** Enough of them for a load of tens of thousands of requests. */
let chaves: string[];
let vez = 0;
let env: Record<string, string>;

test.before(async () => {
  api = await criarApi();
  const fabrica = criarFabrica(api.dono);
  const provedor = await fabrica.provedor();
  cliente = await fabrica.cliente(provedor);
  const criadas = await Promise.all(Array.from({ length: 40 }, () => api.criarChave(provedor)));
  chaves = criadas.map(({ texto }) => texto);
  env = { DATABASE_URL: api.databaseUrl, REDIS_URL: api.redisUrl };
});
test.after.always(() => api.fechar());

const pedido = ({ porta }: Servico, agent: Agent | false, caminho = `/clientes/${cliente}`) =>
  enviar({
    host: '127.0.0.1',
    port: porta,
    path: `/api/v1${caminho}`,
    headers: { 'x-api-key': chaves[(vez += 1) % chaves.length]! },
    agent,
  });

/** Asks without a pause, on each of the agents, until told to stop; counts answers by status, and failures by code. */
function carregar(servico: Servico, agents: readonly (Agent | false)[]) {
  const contagem = new Map<string, number>();
  const parada = new AbortController();
  async function insistir(agent: Agent | false): Promise<void> {
    while (!parada.signal.aborted) {
      const resultado = await pedido(servico, agent).then(
        ({ status }) => String(status),
        (error: NodeJS.ErrnoException) => error.code ?? error.message,
      );
      contagem.set(resultado, (contagem.get(resultado) ?? 0) + 1);
      await sleep(2);
    }
  }
  const emCurso = Promise.all(agents.map(insistir));
  return {
    contagem,
    async fim(): Promise<Record<string, number>> {
      parada.abort();
      await emCurso;
      return Object.fromEntries(contagem);
    },
  };
}

const umaConexao = (): Agent => new Agent({ keepAlive: true, maxSockets: 1 });

/** Waits until something holds that the outside can see. */
async function ate(condicao: () => Promise<boolean>): Promise<void> {
  while (!(await condicao())) await sleep(50);
}

test.serial(
  'vários processos respondem na mesma porta, cada um com o seu cache, e as métricas somam todos',
  async (t) => {
    const servico = await servir(env, undefined, ['--processos', '3']);
    try {
      t.true(servico.linhas.some((linha) => linha.includes('processos: 3')));
      let pedidos = 0;
      // One response is kept three times: once by each process.
      await ate(async () => {
        t.is((await pedido(servico, false)).status, 200);
        pedidos += 1;
        return (await medir(servico.portaDasMetricas)).get('malha_cache_entries') === 3;
      });
      const medidas = await medir(servico.portaDasMetricas);
      t.is(medidas.get('malha_processes{papel="api"}'), 3);
      t.is(pids(medidas).length, 3);
      t.false(pids(medidas).includes(servico.pid));
      t.is(medidas.get(CLIENTES_RESPONDIDOS), pedidos);
      t.true(medidas.get('malha_cache_events_total{event="miss"}')! >= 3);
    } finally {
      t.is(await servico.parar(), 0);
    }
  },
);

test.serial('um processo morto é substituído logo, e o que ele contou continua contado', async (t) => {
  const servico = await servir({ ...env, MALHA_PROCESSOS: '2' });
  try {
    for (let i = 0; i < 6; i += 1) t.is((await pedido(servico, false)).status, 200);
    const antes = await medir(servico.portaDasMetricas);
    t.is(antes.get(CLIENTES_RESPONDIDOS), 6);
    const [morto, outro] = pids(antes);
    process.kill(morto!, 'SIGKILL');
    await servico.disse(/terminou sem ser pedido \(sinal SIGKILL\)/);
    await ate(async () => (await medir(servico.portaDasMetricas)).get('malha_processes{papel="api"}') === 2);
    const depois = await medir(servico.portaDasMetricas);
    t.is(depois.get(CLIENTES_RESPONDIDOS), 6);
    t.false(pids(depois).includes(morto!));
    t.true(pids(depois).includes(outro!));
    for (let i = 0; i < 4; i += 1) t.is((await pedido(servico, false)).status, 200);

    // One that dies again and again is tried at longer and longer intervals, and never given up.
    for (const _ of [1, 2]) {
      const vivos = pids(await medir(servico.portaDasMetricas));
      process.kill(
        vivos.find((pid) => pid !== outro)!,
        'SIGKILL',
      );
      await ate(async () => {
        const agora = pids(await medir(servico.portaDasMetricas));
        return agora.length === 2 && agora.join() !== vivos.join();
      });
    }
    t.true(servico.linhas.some((linha) => linha.startsWith('Processos morrem ao começar')));
  } finally {
    t.is(await servico.parar(), 0);
  }
});

test.serial('SIGUSR2 troca todos os processos sem recusar nem cortar uma requisição', async (t) => {
  const servico = await servir({ ...env, MALHA_PROCESSOS: '2' });
  const agents = Array.from({ length: 4 }, umaConexao);
  // One that is idle while its process is replaced, and asks again only then.
  const ociosa = umaConexao();
  try {
    t.is((await pedido(servico, ociosa)).status, 200);
    const antes = pids(await medir(servico.portaDasMetricas));
    const carga = carregar(servico, [...agents, false, false, false, false]);
    await ate(async () => (carga.contagem.get('200') ?? 0) > 100);
    process.kill(servico.pid, 'SIGUSR2');
    await servico.disse(/Reinício gradual de 2 processos/);
    await sleep(2000);
    t.is((await pedido(servico, ociosa)).status, 200);
    await servico.disse(/Reinício concluído/);
    const durante = carga.contagem.get('200') ?? 0;
    await ate(async () => (carga.contagem.get('200') ?? 0) > durante + 100);
    t.deepEqual(Object.keys(await carga.fim()), ['200']);

    const medidas = await medir(servico.portaDasMetricas);
    t.is(medidas.get('malha_processes{papel="api"}'), 2);
    t.deepEqual(
      pids(medidas).filter((pid) => antes.includes(pid)),
      [],
    );
  } finally {
    for (const agent of [...agents, ociosa]) agent.destroy();
    t.is(await servico.parar(), 0);
  }
});

test.serial(
  'quem abre conexões e não pede nada não ocupa mais do que MALHA_CONEXOES, e não deixa ninguém de fora',
  async (t) => {
    const servico = await servir({ ...env, MALHA_PROCESSOS: '2', MALHA_CONEXOES: '10' });
    const caladas: Socket[] = [];
    try {
      for (let i = 0; i < 60; i += 1) {
        const socket = connect({ port: servico.porta, host: '127.0.0.1', allowHalfOpen: true }).on('error', () => {});
        caladas.push(socket);
        if (i % 10 === 0) t.is((await pedido(servico, false)).status, 200);
      }
      await ate(async () => {
        const medidas = await medir(servico.portaDasMetricas);
        const abertas = medidas.get('malha_http_connections') ?? 0;
        t.true(abertas <= 20, String(abertas));
        return (medidas.get('malha_http_connections_total{event="dropped"}') ?? 0) >= 40;
      });
      t.is((await pedido(servico, false)).status, 200);
    } finally {
      for (const socket of caladas) socket.destroy();
      t.is(await servico.parar(), 0);
    }
  },
);

const EM_CURSO = 6;

for (const processos of [1, 2]) {
  test.serial(`SIGTERM sob carga não corta requisição em curso, em ${processos} processo(s)`, async (t) => {
    const servico = await servir(processos === 1 ? env : { ...env, MALHA_PROCESSOS: String(processos) });
    const { dono: db } = api;
    const agent = new Agent({ keepAlive: true });
    const ociosa = umaConexao();
    try {
      t.is((await pedido(servico, ociosa, '/status')).status, 200);
      // Their connections are open before the stop, as those of clients that ask again and again are.
      await Promise.all(Array.from({ length: EM_CURSO }, () => pedido(servico, agent, '/status')));
      const trx = await db.transaction();
      try {
        // Requests wait for a table that somebody holds: they are under way when the stop is asked for.
        await trx.raw('LOCK TABLES clientes WRITE');
        const respostas = Promise.all(
          Array.from({ length: EM_CURSO }, (_, i) => pedido(servico, agent, `/clientes?pagina=${i + 1}`)),
        );
        await ate(async () => {
          const [[{ espera }]] = (await db.raw(
            "SELECT COUNT(*) AS espera FROM information_schema.processlist WHERE state LIKE '%metadata lock%'",
          )) as [[{ espera: number }]];
          return espera >= EM_CURSO;
        });
        const parou = servico.parar();
        // A connection that was idle is answered too, until it is told that an answer is its last one.
        let ultima = false;
        while (!ultima) {
          const { status, headers } = await pedido(servico, ociosa, '/status');
          t.is(status, 200);
          ultima = headers['connection'] === 'close';
        }
        await trx.raw('UNLOCK TABLES');
        t.deepEqual([...new Set((await respostas).map(({ status }) => status))], [200]);
        t.is(await parou, 0);
      } finally {
        await trx.raw('UNLOCK TABLES');
        await trx.rollback();
      }
    } finally {
      agent.destroy();
      ociosa.destroy();
    }
  });
}

test.serial('quem escuta a porta das métricas custa uma linha, e não o serviço', async (t) => {
  const primeiro = await servir(env);
  const segundo = await servir({ ...env, MALHA_METRICS_PORT: String(primeiro.portaDasMetricas) });
  try {
    t.true(segundo.linhas.some((linha) => linha.startsWith('Sem métricas')));
    t.is((await pedido(segundo, false)).status, 200);
  } finally {
    t.deepEqual([await primeiro.parar(), await segundo.parar()], [0, 0]);
  }
});

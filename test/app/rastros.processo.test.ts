import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import test from 'ava';
import { loadConfig } from '../../src/platform/config.ts';
import { startTracing } from '../../src/platform/tracing/tracing.ts';
import { criarApi, enviar } from '../support/api.ts';
import type { Api } from '../support/api.ts';
import { ate } from '../support/espera.ts';
import { criarFabrica } from '../support/fabrica.ts';
import { executar, servir } from '../support/processo.ts';

// A collector of the test's own hears what the processes send, as one of an operator's would.

interface Span {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly attributes: readonly { key: string; value: { stringValue?: string; intValue?: number } }[];
}

const NOME = 'Maria Rastreada';
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PAI = '00f067aa0ba902b7';

let api: Api;
let provedor: number;
let cliente: number;
test.before(async () => {
  api = await criarApi();
  const fabrica = criarFabrica(api.dono);
  provedor = await fabrica.provedor();
  cliente = await fabrica.cliente(provedor, { nome: NOME });
});
test.after.always(async () => api.fechar());

async function criarColetor(fechar: (fim: () => Promise<void>) => void) {
  const spans: Span[] = [];
  const corpos: string[] = [];
  const servidor = createServer((pedido, resposta) => {
    void text(pedido).then((corpo) => {
      corpos.push(corpo);
      const { resourceSpans } = JSON.parse(corpo) as { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] };
      spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((um) => um.spans)));
      resposta.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => {
    servidor.listen(0, '127.0.0.1', resolve);
  });
  fechar(
    async () =>
      new Promise((resolve) => {
        servidor.close(() => resolve());
        servidor.closeAllConnections();
      }),
  );
  const { port } = servidor.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, spans, corpos };
}

const ambiente = (url: string): Record<string, string> => ({
  DATABASE_URL: api.databaseUrl,
  REDIS_URL: api.redisUrl,
  MALHA_LOG: 'debug',
  OTEL_EXPORTER_OTLP_ENDPOINT: url,
  OTEL_BSP_SCHEDULE_DELAY: '50',
});

const atributo = ({ attributes }: Span, chave: string): string | number | undefined => {
  const valor = attributes.find(({ key }) => key === chave)?.value;
  return valor?.stringValue ?? valor?.intValue;
};

test('um pedido continua o rastro de quem pediu, até às consultas, e a linha do log diz o mesmo rastro', async (t) => {
  const coletor = await criarColetor((fim) => t.teardown(fim));
  const linhas: string[] = [];
  const servico = await servir(ambiente(coletor.url), (linha) => linhas.push(linha));
  t.teardown(async () => servico.parar('SIGKILL'));
  const { texto: chave } = await api.criarChave(provedor);
  const pedido = {
    host: '127.0.0.1',
    port: servico.porta,
    path: `/api/v1/clientes/${cliente}`,
    headers: { 'x-api-key': chave, traceparent: `00-${TRACE}-${PAI}-01`, 'x-request-id': 'pedido-1' },
    agent: false,
  };
  const resposta = await enviar(pedido);
  t.is(resposta.status, 200);
  t.is(resposta.headers['x-request-id'], 'pedido-1');
  await ate(() => coletor.spans.some(({ name }) => name === 'GET /api/v1/clientes/{id}'));
  const raiz = coletor.spans.find(({ name }) => name === 'GET /api/v1/clientes/{id}')!;
  t.is(raiz.traceId, TRACE);
  t.is(raiz.parentSpanId, PAI);
  t.is(atributo(raiz, 'malha.request_id'), 'pedido-1');
  t.is(Number(atributo(raiz, 'http.response.status_code')), 200);
  t.is(atributo(raiz, 'http.route'), '/api/v1/clientes/{id}');
  const consultas = coletor.spans.filter(({ parentSpanId }) => parentSpanId === raiz.spanId);
  t.true(
    consultas.some(({ name }) => name === 'SELECT clientes'),
    consultas.map(({ name }) => name).join(),
  );
  t.true(consultas.every(({ traceId }) => traceId === TRACE));
  const linha = linhas
    .map((uma) => (uma.startsWith('{') ? JSON.parse(uma) : {}))
    .find(({ requestId }) => requestId === 'pedido-1');
  t.like(linha, { msg: 'requisição', traceId: TRACE });

  // An answer from memory is a span too, without any query.
  await enviar({ ...pedido, headers: { ...pedido.headers, 'x-request-id': 'pedido-2' } });
  await ate(() => coletor.spans.some((um) => atributo(um, 'malha.request_id') === 'pedido-2'));
  t.is(await servico.parar(), 0);
  for (const corpo of coletor.corpos) {
    for (const dado of [NOME, chave, `clientes/${cliente}`]) t.false(corpo.includes(dado), dado);
  }
});

test('uma tarefa tem o seu rastro, com o seu id, que está em cada linha que ela escreve', async (t) => {
  const coletor = await criarColetor((fim) => t.teardown(fim));
  const linhas: string[] = [];
  const worker = await executar(
    'worker',
    ambiente(coletor.url),
    /métricas em http:\/\/127\.0\.0\.1:(\d+)\/metrics/,
    (linha) => linhas.push(linha),
  );
  t.teardown(async () => worker.parar('SIGKILL'));
  await ate(() => coletor.spans.some(({ name }) => name === 'conexoes.agregar'), 30_000);
  const tarefa = coletor.spans.find(({ name }) => name === 'conexoes.agregar')!;
  const id = atributo(tarefa, 'malha.job_id');
  t.is(typeof id, 'string');
  await ate(() => linhas.some((linha) => linha.includes(`"jobId":"${id}"`)));
  t.is(await worker.parar(), 0);
});

test('sem coletor, nada do OpenTelemetry é carregado', async (t) => {
  const carregados = (): string[] =>
    // Of its parts, prom-client brings the bare interface along.
    Object.keys(createRequire(import.meta.url).cache).filter((arquivo) => /\/@opentelemetry\/(?!api\/)/.test(arquivo));
  t.is(await startTracing(loadConfig({}), 'api'), null);
  t.is(
    await startTracing(
      loadConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', OTEL_SDK_DISABLED: 'true' }),
      'api',
    ),
    null,
  );
  t.deepEqual(carregados(), []);
  const ligado = await startTracing(loadConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' }), 'api');
  await ligado?.close();
  t.true(carregados().length > 0);
});

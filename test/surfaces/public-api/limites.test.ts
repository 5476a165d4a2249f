import { Agent } from 'node:http';
import { connect } from 'node:net';
import test from 'ava';
import { TERMINAL } from '../../../src/domain/actor.ts';
import { gerarChave } from '../../../src/domain/chaves/chave.ts';
import { createRedis } from '../../../src/platform/redis/redis.ts';
import { criarApi, enviar } from '../../support/api.ts';
import type { Api, Resposta } from '../../support/api.ts';
import { enviarCru } from '../../support/cru.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import { servir } from '../../support/processo.ts';

let api: Api;
let provedor: number;

test.before(async () => {
  api = await criarApi({ proxies: 1 });
  provedor = await criarFabrica(api.dono).provedor();
});
test.after.always(() => api.fechar());

test('de 2.000 requisições simultâneas em dois processos, com limite 120, passam exatamente 120', async (t) => {
  const { texto } = await api.criarChave(provedor, { limitePorMinuto: 120 });
  const env = { DATABASE_URL: api.databaseUrl, REDIS_URL: api.redisUrl };
  const processos = await Promise.all([servir(env), servir(env)]);
  const agent = new Agent({ keepAlive: true, maxSockets: 500 });
  try {
    // What is counted is not how long two processes take that have just started.
    const { texto: outra } = await api.criarChave(provedor);
    for (const { porta: port } of processos) {
      const alvo = { host: '127.0.0.1', port, path: '/api/v1/status', headers: { 'x-api-key': outra }, agent };
      t.is((await enviar(alvo)).status, 200);
    }
    const respostas = await Promise.all(
      Array.from({ length: 2000 }, (_, i) =>
        enviar({
          host: '127.0.0.1',
          port: processos[i % 2]!.porta,
          path: '/api/v1/status',
          headers: { 'x-api-key': texto },
          agent,
        }),
      ),
    );
    t.is(respostas.filter(({ status }) => status === 200).length, 120);
    t.is(respostas.filter(({ status }) => status === 429).length, 1880);
    const restantes = respostas
      .filter(({ status }) => status === 200)
      .map(({ headers }) => Number(headers['x-ratelimit-remaining']));
    t.deepEqual(
      restantes.toSorted((a, b) => a - b),
      Array.from({ length: 120 }, (_, i) => i),
    );
    for (const { status, headers } of respostas) {
      t.is(headers['x-ratelimit-limit'], '120');
      t.deepEqual(headers['retry-after'], status === 429 ? headers['x-ratelimit-reset'] : undefined);
    }
  } finally {
    agent.destroy();
    t.deepEqual(await Promise.all(processos.map((processo) => processo.parar())), [0, 0]);
  }
});

test('os cabeçalhos dizem o limite, o que resta e quando a janela reinicia, também na forma do IETF', async (t) => {
  const { texto } = await api.criarChave(provedor, { limitePorMinuto: 7 });
  const primeira = await api.get('/status', { chave: texto });
  t.is(primeira.headers['x-ratelimit-limit'], '7');
  t.is(primeira.headers['x-ratelimit-remaining'], '6');
  t.is(primeira.headers['x-ratelimit-reset'], '60');
  t.is(primeira.headers['ratelimit-policy'], '"por-minuto";q=7;w=60');
  t.is(primeira.headers['ratelimit'], '"por-minuto";r=6;t=60');
  t.is((await api.get('/status', { chave: texto })).headers['x-ratelimit-remaining'], '5');
});

test('toda requisição autenticada conta, também as que terminam em 4xx, e a que passa do limite recebe 429 limite_excedido', async (t) => {
  const { texto } = await api.criarChave(provedor, { limitePorMinuto: 4, permissoes: ['clientes:leitura'] });
  const caminhos = ['/nada', '/faturas', '/clientes?x=1', '/clientes/999999999'];
  const estados = [];
  for (const caminho of caminhos) estados.push((await api.get(caminho, { chave: texto })).status);
  t.deepEqual(estados, [404, 403, 400, 404]);
  for (const caminho of ['/status', '/nada']) {
    const recusada = await api.get(caminho, { chave: texto });
    t.is(recusada.status, 429);
    t.is(recusada.corpo.erro.codigo, 'limite_excedido');
    t.is(recusada.headers['x-ratelimit-remaining'], '0');
    t.true(Number(recusada.headers['retry-after']) > 0);
  }
});

test('o limite padrão de uma chave é 120 e o máximo é 1200', async (t) => {
  const { chaves } = api.container;
  const { texto } = await chaves.criar(TERMINAL, provedor, { nome: 'padrão', permissoes: ['planos:leitura'] });
  t.is((await api.get('/status', { chave: texto })).headers['x-ratelimit-limit'], '120');
  const erro = await t.throwsAsync(
    chaves.criar(TERMINAL, provedor, { nome: 'demais', permissoes: ['planos:leitura'], limitePorMinuto: 1201 }),
  );
  t.regex(erro?.message ?? '', /limite/);
});

test('cada chave tem a sua janela', async (t) => {
  const [a, b] = await Promise.all([1, 2].map(() => api.criarChave(provedor, { limitePorMinuto: 1 })));
  t.is((await api.get('/status', { chave: a!.texto })).status, 200);
  t.is((await api.get('/status', { chave: a!.texto })).status, 429);
  t.is((await api.get('/status', { chave: b!.texto })).status, 200);
});

test('sem chave válida o contador é o do IP de origem, no limite padrão, e não afeta chave válida do mesmo IP', async (t) => {
  const headers = { 'x-forwarded-for': '198.51.100.77' };
  const estados = new Map<number, number>();
  for (let i = 0; i < 125; i += 1) {
    const { status, headers: h } = await api.get('/status', {
      headers: i % 2 === 0 ? headers : { ...headers, 'x-api-key': 'malha_x' },
    });
    t.is(h['x-ratelimit-limit'], '120');
    estados.set(status, (estados.get(status) ?? 0) + 1);
  }
  t.deepEqual(
    [...estados],
    [
      [401, 120],
      [429, 5],
    ],
  );
  t.is((await api.get('/status', { headers: { 'x-forwarded-for': '198.51.100.78' } })).status, 401);
  const { texto } = await api.criarChave(provedor);
  t.is((await api.get('/status', { chave: texto, headers })).status, 200);
});

test('chaves inventadas, também de um provedor que existe, não deixam nada no Redis senão a janela da sua rede', async (t) => {
  const redis = createRedis(api.redisUrl, 'worker', () => {});
  t.teardown(() => redis.disconnect());
  const existe = await criarFabrica(api.dono).provedor();
  for (const [inicio, passo, ip] of [
    [900_000_000, 1, '192.0.2.177'],
    [existe, 0, '192.0.2.179'],
  ] as const) {
    const headers = { 'x-forwarded-for': ip };
    const respostas: Resposta[] = [];
    for (let n = 0; n < 200; n += 1) {
      respostas.push(await api.get('/status', { chave: gerarChave(inicio + n * passo), headers }));
    }
    t.is(respostas.filter(({ corpo }) => corpo.erro?.codigo === 'chave_invalida').length, 120);
    t.is(respostas.filter(({ corpo }) => corpo.erro?.codigo === 'limite_excedido').length, 80);
    t.is((await redis.keys(`*${ip}*`)).length, 1);
  }
  t.deepEqual(await redis.keys('*{p9000*'), []);
  t.deepEqual(await redis.keys(`*{p${existe}}*`), []);
});

test('a primeira chave de um provedor que nasce agora vale na hora', async (t) => {
  const novo = await criarFabrica(api.dono).provedor();
  const inventada = await api.get('/status', { chave: gerarChave(novo) });
  t.is(inventada.corpo.erro?.codigo, 'chave_invalida');
  const depois = await criarFabrica(api.dono).provedor();
  t.is((await api.get('/status', { chave: gerarChave(depois + 1) })).status, 401);
  t.is(await criarFabrica(api.dono).provedor(), depois + 1);
  const { texto } = await api.criarChave(depois + 1);
  t.is((await api.get('/status', { chave: texto })).status, 200);
});

test('em IPv6 a rede /64 inteira conta como um chamador', async (t) => {
  const de = (ip: string) => api.get('/status', { headers: { 'x-forwarded-for': ip } });
  t.is((await de('2001:db8:9:1::1')).headers['x-ratelimit-remaining'], '119');
  t.is((await de('2001:db8:9:1:ffff::2')).headers['x-ratelimit-remaining'], '118');
  t.is((await de('2001:db8:9:2::1')).headers['x-ratelimit-remaining'], '119');
});

test('o documento e a documentação não pedem chave e contam no limite do IP', async (t) => {
  const headers = { 'x-forwarded-for': '198.51.100.79' };
  t.is((await api.get('/openapi.json', { headers })).headers['x-ratelimit-remaining'], '119');
  t.is((await api.get('/docs', { headers })).headers['x-ratelimit-remaining'], '118');
});

test('o que não é requisição bem formada conta para a sua rede, e depois do limite é 429 limite_excedido', async (t) => {
  const cruas = [
    'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n',
    'lixo\r\n\r\n',
    'GET http://[/ HTTP/1.1\r\nHost: a\r\n\r\n',
    'GET /api/v1/status HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n',
    'GET /api/v1/status HTTP/1.1\r\n\r\n',
  ].map((texto) => Buffer.from(texto));
  const estados = new Map<number, number>();
  for (let i = 0; i < 125; i += 1) {
    const { status = 0 } = (await enviarCru(api.porta, cruas[i % cruas.length]!, { de: '127.0.0.2' })) ?? {};
    estados.set(status, (estados.get(status) ?? 0) + 1);
  }
  t.deepEqual(
    [...estados],
    [
      [400, 120],
      [429, 5],
    ],
  );
  for (const crua of cruas) {
    const recusada = await enviarCru(api.porta, crua, { de: '127.0.0.2' });
    t.is(recusada?.status, 429, crua.toString());
    t.is(JSON.parse(recusada!.texto).erro.codigo, 'limite_excedido');
    t.is(recusada?.headers['x-ratelimit-remaining'], '0');
    t.is(recusada?.headers['retry-after'], recusada?.headers['x-ratelimit-reset']);
  }
});

const MALFORMADAS = {
  'lixo no lugar de HTTP': 'isto não é HTTP\r\n\r\n',
  'cabeçalho sem nome': 'GET /api/v1/status HTTP/1.1\r\nHost: x\r\n: v\r\n\r\n',
  'cabeçalhos grandes demais': `GET /api/v1/status HTTP/1.1\r\nHost: x\r\nX-A: ${'a'.repeat(40_000)}\r\n\r\n`,
  'Content-Length e Transfer-Encoding juntos':
    'POST /api/v1/status HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  'alvo que não é caminho nem endereço': 'GET http://[/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  'dois Hosts': 'GET /api/v1/status HTTP/1.1\r\nHost: x\r\nHost: y\r\nConnection: close\r\n\r\n',
  CONNECT: 'CONNECT exemplo.com:443 HTTP/1.1\r\nHost: exemplo.com\r\n\r\n',
};
for (const [nome, bytes] of Object.entries(MALFORMADAS)) {
  test(`o que não é requisição bem formada recebe 400 com todos os cabeçalhos: ${nome}`, async (t) => {
    const texto = await new Promise<string>((resolve, reject) => {
      const socket = connect(api.porta, '127.0.0.1', () => socket.write(bytes));
      const partes: Buffer[] = [];
      socket.on('data', (parte) => partes.push(parte));
      socket.on('error', reject);
      socket.on('close', () => resolve(Buffer.concat(partes).toString()));
    });
    t.regex(texto, /^HTTP\/1\.1 400 /);
    for (const nomeDoCabecalho of [
      'X-RateLimit-Limit',
      'X-RateLimit-Remaining',
      'X-RateLimit-Reset',
      'X-Request-Id',
      'RateLimit',
    ]) {
      t.regex(texto, new RegExp(`\r\n${nomeDoCabecalho}: \\S`));
    }
    t.is(JSON.parse(texto.slice(texto.indexOf('\r\n\r\n'))).erro.codigo, 'parametro_invalido');
  });
}

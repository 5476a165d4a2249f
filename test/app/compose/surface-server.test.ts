import { connect } from 'node:net';
import { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import * as fc from 'fast-check';
import { rota } from '../../../src/surfaces/public-api/rota.ts';
import { ROTAS } from '../../../src/surfaces/public-api/rotas.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { enviarCru } from '../../support/cru.ts';
import { ate } from '../../support/espera.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import { quanto } from '../../support/prova.ts';
import { servir } from '../../support/processo.ts';

const SENHA = 'doze-caracteres-ou-mais';
const BYTES = 64 * 2 ** 20;
const PEDACO = Buffer.alloc(64 * 1024, 'x');

let api: Api;
let provedor: number;
let registrado = '';
/** Downloads under way. */
const abertos = new Set<Readable>();

/** A file as large as an extract; `quebrado` fails in its midst, as a store does that goes away. */
const arquivos = rota.file({
  path: '/arquivos/{arquivo}',
  params: { arquivo: { type: 'string' } },
  permission: null,
  group: 'Testes',
  summary: 'Um arquivo.',
  open: async ({ params: { arquivo: nome } }) => ({
    name: nome,
    bytes: BYTES,
    sha256: nome,
    async open() {
      let lidos = 0;
      const corpo: Readable = new Readable({
        read() {
          lidos += PEDACO.length;
          if (nome === 'quebrado' && lidos > BYTES / 2) this.destroy(new Error('o armazém se foi'));
          else this.push(lidos > BYTES ? null : PEDACO);
        },
      });
      abertos.add(corpo);
      corpo.once('close', () => abertos.delete(corpo));
      return corpo;
    },
  }),
});

test.before(async () => {
  const destinoDoLog = new Writable({
    write(parte: Buffer, _codificacao, feito) {
      registrado += parte.toString();
      feito();
    },
  });
  api = await criarApi({ rotas: [...ROTAS, arquivos], destinoDoLog, env: { MALHA_LOG: 'warn' } });
  provedor = await criarFabrica(api.dono).provedor();
});
test.after.always(() => api.fechar());

const pedido = (arquivo: string, chave: string): string =>
  `GET /api/v1/arquivos/${arquivo} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${chave}\r\n\r\n`;

/** A download until some of it is here, and then what its reader does. */
async function baixar(arquivo: string, deixar: (socket: ReturnType<typeof connect>) => void): Promise<void> {
  const { texto: chave } = await api.criarChave(provedor);
  const socket = connect({ port: api.porta, host: '127.0.0.1', allowHalfOpen: true });
  socket.on('error', () => {});
  socket.write(pedido(arquivo, chave));
  let lidos = 0;
  await new Promise<void>((resolve) => {
    socket.on('data', (parte: Buffer) => {
      lidos += parte.length;
      if (lidos > BYTES / 4) resolve();
    });
    socket.on('close', resolve);
    socket.on('end', resolve);
  });
  deixar(socket);
  await ate(async () => abertos.size === 0);
  socket.destroy();
}

const LEITORES: Readonly<Record<string, (socket: ReturnType<typeof connect>) => void>> = {
  'com um reset': (socket) => void socket.resetAndDestroy(),
  'fechando a conexão': (socket) => void socket.destroy(),
  'fechando o seu lado': (socket) => void socket.end(),
  'com lixo e um reset': (socket) => {
    socket.write('lixo\r\n\r\n');
    socket.resetAndDestroy();
  },
  'sem ler e com um reset': (socket) => {
    socket.pause();
    setTimeout(() => socket.resetAndDestroy(), 100);
  },
};
for (const [como, deixar] of Object.entries(LEITORES)) {
  test.serial(`um arquivo que o seu leitor larga (${como}) não é falha de ninguém`, async (t) => {
    registrado = '';
    for (let i = 0; i < 5; i += 1) await baixar('inteiro', deixar);
    // What is logged of it would be a turn later.
    await sleep(50);
    t.is(registrado, '');
  });
}

test.serial('um arquivo que o armazém não dá até o fim é registrado, uma vez', async (t) => {
  registrado = '';
  await baixar('quebrado', () => {});
  await ate(async () => registrado !== '');
  await sleep(50);
  const linhas = registrado.trimEnd().split('\n');
  t.is(linhas.length, 1);
  t.like(JSON.parse(linhas[0]!), { level: 50, msg: 'falha ao responder', err: { message: 'o armazém se foi' } });
});

const CAMINHOS = [
  '/',
  '/api/v1/clientes',
  '/api/v1/clientes/1',
  '/api/v1/faturas?pagina=1',
  '/api/v1/docs',
  '/api/v1/docs/swagger-ui.css',
  '/api/v1/openapi.json',
  '/api/v1/extratos/1/faturas.parquet',
  '/pre-cadastro/x',
  '/pix/x',
  '/pagar/x/situacao',
  '/boleto/x',
  '/webhooks/pix/x/pix',
  '/healthz',
  '/readyz',
  '/metrics',
  '/filas',
  '/filas/',
  '/filas/api/queues',
  '/filas/static/x.js',
  '/filas/queue/rotina',
];
/** What a target may be made of a path, in Latin-1: most of it no client of anyone's would write. */
const FORMAS: readonly ((caminho: string) => string)[] = [
  (c) => c,
  (c) => `http://x${c}`,
  (c) => `HTTPS://X:443${c}`,
  (c) => `http://[${c}`,
  (c) => `http://[::1]${c}`,
  (c) => `http://x:99999${c}`,
  (c) => `http://x:y${c}`,
  (c) => `http://u:s@x${c}`,
  (c) => `http://%00${c}`,
  (c) => `http://${'a'.repeat(300)}${c}`,
  (c) => `http:${c}`,
  (c) => `ftp://x${c}`,
  (c) => `//x@[${c}#`,
  (c) => `/${c}`,
  (c) => `//${c}//`,
  (c) => `${c}#`,
  (c) => `${c}#[`,
  (c) => `${c}?`,
  (c) => `${c}?%`,
  (c) => `${c}?a=%ff&a=%zz&&=&[]`,
  (c) => `${c}/%`,
  (c) => `${c}/%00`,
  (c) => `${c}/%2e%2e/%2f`,
  (c) => `${c}/../..//.`,
  (c) => `${c}/[`,
  (c) => `${c}\\`,
  (c) => `${c};a=b`,
  (c) => `${c}\u0001`,
  (c) => `${c}\t`,
  (c) => `${c}\u00ff`,
  (c) => `${c} ${c}`,
  (c) => c + '/a'.repeat(7000),
  (c) => c + 'a'.repeat(20_000),
  (c) => c.slice(1),
  () => '*',
  () => 'x:443',
];
const METODOS = ['GET', 'POST', 'OPTIONS', 'DELETE'];

const aleatorio = fc
  .tuple(
    fc.constantFrom('', 'http://', 'http://[', '//', '/', 'https://x:', '*'),
    fc.constantFrom(...CAMINHOS),
    fc.array(fc.constantFrom(...'[]@#?%:/\\;&=.\u0000\u0009\u007f\u00a0é{}<>|"^`aF0'.split('')), { maxLength: 12 }),
  )
  .map(([inicio, caminho, fim]) => `${inicio}${caminho}${fim.join('')}`);

test.serial('nenhum alvo, em nenhuma superfície, é falha nossa', async (t) => {
  const env = { DATABASE_URL: api.databaseUrl, REDIS_URL: api.redisUrl, MALHA_SENHA_FILAS: SENHA };
  const servico = await servir({ ...env, MALHA_LOG: 'info', MALHA_PROXIES: '1' });
  t.teardown(() => servico.parar('SIGKILL'));
  const chaves: string[] = [];
  while (chaves.length < 7) chaves.push((await api.criarChave(provedor)).texto);
  const basic = Buffer.from(`ana:${SENHA}`).toString('base64');
  let vez = 0;
  let fora: string[] = [];

  async function pedir(porta: number, metodo: string, alvo: string): Promise<void> {
    vez += 1;
    const credencial =
      porta === servico.porta
        ? `X-API-Key: ${vez % 5 === 0 ? '' : chaves[vez % chaves.length]}`
        : `Authorization: Basic ${basic}`;
    // Each comes from a network of its own, so that no limit keeps it from the routes.
    const rede = `10.${(vez >> 16) & 255}.${(vez >> 8) & 255}.${vez & 255}`;
    const cabecalhos = `Host: x\r\nX-Forwarded-For: ${rede}\r\n${credencial}\r\nConnection: close\r\n\r\n`;
    const bytes = Buffer.from(`${metodo} ${alvo} HTTP/1.1\r\n${cabecalhos}`, 'latin1');
    const resposta = await enviarCru(porta, bytes, porta === servico.porta ? {} : { conferir: () => {} });
    const status = resposta?.status ?? 0;
    if (status < 200 || status >= 500) fora = [...fora, `${status} ${porta} ${metodo} ${alvo.slice(0, 100)}`];
  }

  async function todos(alvos: readonly string[]): Promise<void> {
    for (const porta of [servico.porta, servico.portaDasMetricas]) {
      for (const alvo of alvos) await Promise.all(METODOS.map((metodo) => pedir(porta, metodo, alvo)));
    }
  }

  await todos(CAMINHOS.flatMap((caminho) => FORMAS.map((forma) => forma(caminho))));
  t.deepEqual(fora, []);
  await fc.assert(
    fc.asyncProperty(aleatorio, async (alvo) => {
      await todos([alvo]);
      t.deepEqual(fora, []);
    }),
    { numRuns: quanto(50, 500) },
  );
  t.is(await servico.parar(), 0);
  t.deepEqual(
    servico.linhas.filter((linha) => linha.includes('"level":50') || linha.includes('Falha')),
    [],
  );
  t.is(servico.erros(), '');
});

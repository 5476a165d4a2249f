import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, createServer } from 'node:http';
import { connect, createServer as createSocket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import test from 'ava';
import type { ExecutionContext } from 'ava';
import { sortearTokens } from '../src/domain/acessos/sessoes/token.regras.ts';
import { gerarChave } from '../src/domain/chaves/chave.ts';
import { listen } from '../src/platform/http/server.ts';
import { iniciarHaproxy } from './support/aglomerado/haproxy.ts';
import { criarApi, enviar } from './support/api.ts';
import type { Api } from './support/api.ts';
import { ate } from './support/espera.ts';
import { criarFabrica } from './support/fabrica.ts';
import { portasLivres } from './support/portas.ts';
import { executar } from './support/processo.ts';
import { criarTerminal } from './support/terminal.ts';

// The proxy before several cells, as deploy/haproxy has it, with the map that the program prints.

const PROXY = fileURLToPath(new URL('../../deploy/haproxy/', import.meta.url));
const rodar = promisify(execFile);

/** By what others could be mistaken for them: 36 is `10` in a key, 389 is `at`, as what an access token begins with. */
const DE_CADA: readonly (readonly [id: number, celula: 'a' | 'b'])[] = [
  [10, 'a'],
  [36, 'b'],
  [389, 'b'],
  [1000, 'b'],
];
const hostDe = (id: number): string => `painel${id}.proxy.test`;

let api: Api;
test.before(async () => {
  api = await criarApi();
  for (const [id] of DE_CADA) await criarFabrica(api.dono).provedor({ id, panel_host: hostDe(id) });
});
test.after.always(async () => api.fechar());

/** What `malha provedor mapa` prints in each of the two cells. */
async function mapas(): Promise<string> {
  const terminal = criarTerminal(api);
  try {
    const linhas = await Promise.all(
      (['a', 'b'] as const).map(async (celula) => {
        const { stdout } = await terminal.malha(['provedor', 'mapa', '--celula', celula]);
        // All of them are in one database here: two lines for each, in the order of their ids.
        return stdout.split('\n').filter((_, n) => DE_CADA[Math.floor(n / 2)]?.[1] === celula);
      }),
    );
    return `${linhas.flat().join('\n')}\n`;
  } finally {
    terminal.fechar();
  }
}

interface Proxy {
  readonly porta: number;
  readonly mapa: string;
  readonly soquete: string;
}

/** HAProxy as deploy/haproxy/malha.cfg has it, before the two servers of a cell and the one of another; null where it cannot be had. */
async function subirProxy(
  t: ExecutionContext,
  [um, dois, outra]: readonly [number, number, number],
  linhas: string,
): Promise<Proxy | null> {
  const pasta = mkdtempSync(path.join(tmpdir(), 'malha-proxy-'));
  t.teardown(() => rmSync(pasta, { recursive: true, force: true }));
  const em = (nome: string): string => path.join(pasta, nome);
  const [porta = 0] = await portasLivres(1);
  const proxy = { porta, mapa: em('celulas.map'), soquete: em('admin.sock') };
  writeFileSync(proxy.mapa, linhas);
  const daqui = [
    [/bind .+/, `bind 127.0.0.1:${porta}`],
    [/ group malha/, ''],
    [/\/run\/haproxy\/admin\.sock/g, proxy.soquete],
    [/\/etc\/haproxy\/celulas\.map/g, proxy.mapa],
    [/10\.0\.1\.11:3000/, `127.0.0.1:${um}`],
    [/10\.0\.1\.12:3000/, `127.0.0.1:${dois}`],
    [/10\.0\.2\.\d+:3000/g, `127.0.0.1:${outra}`],
  ] as const;
  const escrito = readFileSync(path.join(PROXY, 'malha.cfg'), 'utf8');
  writeFileSync(
    em('malha.cfg'),
    daqui.reduce((texto, [de, para]) => texto.replace(de, para), escrito),
  );
  const haproxy = await iniciarHaproxy(em('malha.cfg'));
  if (haproxy === null) return null;
  t.teardown(() => haproxy.fechar());
  return proxy;
}
const SEM_HAPROXY = 'sem o pacote haproxy do Debian: não conferido';

test('o proxy leva cada pedido à célula do seu provedor, e trocar.sh o leva a outra ou deixa tudo como estava', async (t) => {
  const [a = 0, b = 0] = await Promise.all(
    ['a', 'b'].map(async (nome) => {
      const servidor = createServer(({ headers }, res) => {
        res.end([nome, headers['x-forwarded-proto'], headers['x-forwarded-for']].join(' '));
      });
      t.teardown(() => servidor.close());
      return listen(servidor, 0, '127.0.0.1');
    }),
  );
  const proxy = await subirProxy(t, [a, a, b], await mapas());
  if (proxy === null) {
    t.log(SEM_HAPROXY);
    t.pass();
    return;
  }
  const { porta, mapa, soquete } = proxy;

  const pedir = async (headers: Record<string, string>) =>
    enviar({ host: '127.0.0.1', port: porta, path: '/', agent: false, headers }, undefined, () => {});
  await ate(async () => (await pedir({}).catch(() => ({ status: 0 }))).status === 200, 30_000);
  t.is((await pedir({})).texto, 'a https 127.0.0.1');
  /** To which cell each way to say whose a request is leads. */
  async function vaiPara(id: number): Promise<string[]> {
    const [chave, { access }, host] = [gerarChave(id), sortearTokens(id, 7), hostDe(id)];
    const jeitos = [
      { host },
      { host: `${host.toUpperCase()}.:443` },
      { 'x-panel-host': host },
      { 'x-api-key': chave },
      { authorization: `Bearer ${chave}` },
      { authorization: `bearer  ${access}` },
      { authorization: 'Basic cHJveHk6', 'x-api-key': chave },
      // Keys are good on any host.
      { host: hostDe(10), authorization: `Bearer ${chave}` },
      { host: hostDe(36), 'x-api-key': chave },
    ];
    const idas = await Promise.all(jeitos.map(async (jeito) => (await pedir(jeito)).texto.slice(0, 1)));
    return [...new Set(idas)];
  }
  for (const [id, celula] of DE_CADA) t.deepEqual(await vaiPara(id), [celula], String(id));

  const trocar = async (id: number, celula: string, por = soquete) =>
    rodar(path.join(PROXY, 'trocar.sh'), [celula, mapa, por], {
      env: { PATH: process.env['PATH'], MALHA_PROVEDOR: String(id), MALHA_HOST: hostDe(id) },
    });
  await Promise.all([trocar(1000, 'a'), trocar(36, 'a')]);
  // Of a provider that the proxy did not know yet.
  await trocar(12_345, 'b');
  t.deepEqual(await Promise.all([10, 36, 389, 1000, 12_345].map(vaiPara)), [['a'], ['a'], ['b'], ['a'], ['b']]);

  const antes = readFileSync(mapa, 'utf8');
  t.regex(antes, /^9ix b$/m);
  const recusado = await t.throwsAsync<Error & { code: number }>(trocar(389, 'a', `${soquete}.ninguem`));
  t.is(recusado?.code, 1);
  t.is(readFileSync(mapa, 'utf8'), antes);
  t.deepEqual(await vaiPara(389), ['b']);
});

test('trocar.sh que é encerrado entre o host e a chave leva os dois de volta', async (t) => {
  const pasta = mkdtempSync(path.join(tmpdir(), 'malha-trocar-'));
  const [mapa, soquete] = [path.join(pasta, 'celulas.map'), path.join(pasta, 'admin.sock')];
  const antes = `${hostDe(389)} a\nat a\n`;
  writeFileSync(mapa, antes);
  const ditas: string[] = [];
  const haproxy = createSocket({ allowHalfOpen: true }, (conexao) => {
    conexao.once('data', (linha) => {
      ditas.push(String(linha).trim());
      if (ditas.length === 2) trocar.kill('SIGTERM');
      conexao.end('\n');
    });
  }).listen(soquete);
  t.teardown(() => {
    haproxy.close();
    rmSync(pasta, { recursive: true });
  });
  await once(haproxy, 'listening');
  const trocar = spawn(path.join(PROXY, 'trocar.sh'), ['b', mapa, soquete], {
    env: { PATH: process.env['PATH'], MALHA_PROVEDOR: '389', MALHA_HOST: hostDe(389) },
  });
  t.deepEqual(await once(trocar, 'close'), [1, null]);
  t.is(readFileSync(mapa, 'utf8'), antes);
  t.deepEqual(
    ditas,
    ['b', 'a'].flatMap((celula) => [hostDe(389), 'at'].map((um) => `set map ${mapa} ${um} ${celula}`)),
  );
});

/** A line to HAProxy's socket; it answers what it does with an empty one. */
async function dizer(soquete: string, linha: string): Promise<string> {
  const conexao = connect(soquete);
  conexao.end(`${linha}\n`);
  let dito = '';
  for await (const parte of conexao) dito += String(parte);
  return dito.trim();
}

test('uma máquina depois da outra é trocada atrás do proxy, e nenhum pedido falha', async (t) => {
  const [um = 0, dois = 0] = await portasLivres(2);
  const proxy = await subirProxy(t, [um, dois, um], '');
  if (proxy === null) {
    t.log(SEM_HAPROXY);
    t.pass();
    return;
  }
  const env = {
    DATABASE_URL: api.databaseUrl,
    REDIS_URL: api.redisUrl,
    NODE_ENV: 'production',
    MALHA_PROXIES: '1',
    MALHA_METRICS_PORT: '0',
    MALHA_CHAVE_MESTRA: 'a1'.repeat(32),
  };
  const subir = async (porta: number) => {
    const processo = await executar('serve', { ...env, PORT: String(porta) }, /Malha em http/, undefined, [
      '--processos',
      '1',
    ]);
    t.teardown(async () => processo.parar('SIGKILL'));
    return processo;
  };
  const deAntes = await Promise.all([subir(um), subir(dois)]);
  const agent = new Agent({ keepAlive: true });
  t.teardown(() => agent.destroy());
  const chaves = await Promise.all(Array.from({ length: 4 }, async () => api.criarChave(10)));
  /** What is answered, or what went wrong. */
  const pedir = async (chave: string): Promise<number | string> =>
    enviar({
      host: '127.0.0.1',
      port: proxy.porta,
      path: '/api/v1/status',
      agent,
      headers: { 'x-api-key': chave },
    }).then(
      ({ status }) => status,
      (error: unknown) => String(error),
    );
  const noAr = async (nome: string): Promise<boolean> =>
    new RegExp(`^celula_a,${nome},(?:[^,]*,){15}UP,`, 'm').test(await dizer(proxy.soquete, 'show stat'));
  await ate(async () => (await noAr('um')) && (await noAr('dois')));

  let pedidos = 0;
  const falhas: (number | string)[] = [];
  const fim = new AbortController();
  const pedintes = chaves.map(async ({ texto }) => {
    while (!fim.signal.aborted) {
      pedidos += 1;
      const veio = await pedir(texto);
      if (veio !== 200) falhas.push(veio);
      // Below what a key may ask in a minute.
      await sleep(60);
    }
  });
  for (const [n, nome] of ['um', 'dois'].entries()) {
    const antes = pedidos;
    t.is(await dizer(proxy.soquete, `set server celula_a/${nome} state drain`), '');
    t.is(await deAntes[n]!.parar(), 0);
    await subir([um, dois][n]!);
    t.is(await dizer(proxy.soquete, `set server celula_a/${nome} state ready`), '');
    // Only once it is asked again may the other one go.
    await ate(async () => noAr(nome));
    t.true(pedidos > antes);
  }
  fim.abort();
  await Promise.all(pedintes);
  t.log(`${pedidos} pedidos`);
  t.deepEqual(falhas, []);
});

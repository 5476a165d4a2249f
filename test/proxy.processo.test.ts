import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import test from 'ava';
import { sortearTokens } from '../src/domain/acessos/sessoes/token.regras.ts';
import { gerarChave } from '../src/domain/chaves/chave.ts';
import { listen } from '../src/platform/http/server.ts';
import { iniciarHaproxy } from './support/aglomerado/haproxy.ts';
import { criarApi, enviar } from './support/api.ts';
import type { Api } from './support/api.ts';
import { ate } from './support/espera.ts';
import { criarFabrica } from './support/fabrica.ts';
import { portasLivres } from './support/portas.ts';
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
        const { length } = DE_CADA;
        const daqui = DE_CADA.flatMap(([, uma], n) => (uma === celula ? [n] : []));
        // All of them are in one database here: two lines for each, in the order of their ids.
        return stdout.split('\n').slice(0, 2 * length).filter((_, n) => daqui.includes(Math.floor(n / 2)));
      }),
    );
    return `${linhas.flat().join('\n')}\n`;
  } finally {
    terminal.fechar();
  }
}

test('o proxy leva cada pedido à célula do seu provedor, e trocar.sh o leva a outra ou deixa tudo como estava', async (t) => {
  const pasta = mkdtempSync(path.join(tmpdir(), 'malha-proxy-'));
  t.teardown(() => rmSync(pasta, { recursive: true, force: true }));
  const celulas = await Promise.all(
    ['a', 'b'].map(async (nome) => {
      const servidor = createServer(({ headers }, res) => {
        res.end(`${nome} ${headers['x-forwarded-proto']} ${headers['x-forwarded-for']}`);
      });
      t.teardown(() => servidor.close());
      return `127.0.0.1:${await listen(servidor, 0, '127.0.0.1')}`;
    }),
  );
  const [porta = 0] = await portasLivres(1);
  const [mapa, soquete, arquivo] = ['celulas.map', 'admin.sock', 'malha.cfg'].map((nome) => path.join(pasta, nome));
  writeFileSync(mapa!, await mapas());
  const daqui = [
    [/bind .+/, `bind 127.0.0.1:${porta}`],
    [/ group malha/, ''],
    [/\/run\/haproxy\/admin\.sock/g, soquete!],
    [/\/etc\/haproxy\/celulas\.map/g, mapa!],
    [/10\.0\.1\.\d+:3000/g, celulas[0]!],
    [/10\.0\.2\.\d+:3000/g, celulas[1]!],
  ] as const;
  const escrito = readFileSync(path.join(PROXY, 'malha.cfg'), 'utf8');
  writeFileSync(
    arquivo!,
    daqui.reduce((texto, [de, para]) => texto.replace(de, para), escrito),
  );
  const haproxy = await iniciarHaproxy(arquivo!);
  if (haproxy === null) {
    t.log('sem o pacote haproxy do Debian: não conferido');
    t.pass();
    return;
  }
  t.teardown(() => haproxy.fechar());

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

  const trocar = async (id: number, celula: string, por = soquete!) =>
    rodar(path.join(PROXY, 'trocar.sh'), [celula, mapa!, por], {
      env: { PATH: process.env['PATH'], MALHA_PROVEDOR: String(id), MALHA_HOST: hostDe(id) },
    });
  await Promise.all([trocar(1000, 'a'), trocar(36, 'a')]);
  // Of a provider that the proxy did not know yet.
  await trocar(12_345, 'b');
  t.deepEqual(await Promise.all([10, 36, 389, 1000, 12_345].map(vaiPara)), [['a'], ['a'], ['b'], ['a'], ['b']]);

  const antes = readFileSync(mapa!, 'utf8');
  t.regex(antes, /^9ix b$/m);
  const recusado = await t.throwsAsync<Error & { code: number }>(trocar(389, 'a', path.join(pasta, 'ninguem.sock')));
  t.is(recusado?.code, 1);
  t.is(readFileSync(mapa!, 'utf8'), antes);
  t.deepEqual(await vaiPara(389), ['b']);
});

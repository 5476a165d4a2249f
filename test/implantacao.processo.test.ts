import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import test from 'ava';
import { findBinary } from '../src/local/binaries/find-binary.ts';
import { criarApi, enviar } from './support/api.ts';
import type { Api } from './support/api.ts';
import { urlDoDono } from './support/banco.ts';
import { ate } from './support/espera.ts';
import { criarFabrica } from './support/fabrica.ts';
import { lerMedidas } from './support/metricas.ts';
import { executar, metricasDe } from './support/processo.ts';
import { programa } from './support/programas.ts';

// What an operator takes from the repository: the image's content, units of systemd, alerts and the dashboard.

const RAIZ = fileURLToPath(new URL('../../', import.meta.url));
const rodar = promisify(execFile);
const ler = (arquivo: string): string => readFileSync(path.join(RAIZ, arquivo), 'utf8');

let api: Api;
test.before(async () => {
  api = await criarApi();
  await criarFabrica(api.dono).provedor();
});
test.after.always(async () => api.fechar());

/** What the final stage of the Dockerfile takes from the build. */
const COPIADOS = [...ler('Dockerfile').matchAll(/^COPY --from=build \/app\/(\S+) \.\/(\S+)$/gm)].map(
  ([, de = '', para = '']) => ({ de, para: para === '' ? de : para }),
);

test('o que a imagem leva do programa basta para servir e trabalhar, e para com SIGTERM', async (t) => {
  t.true(COPIADOS.length >= 7);
  t.deepEqual(
    COPIADOS.filter(({ de }) => /^dist$|test|bench|client/.test(de)),
    [],
  );
  const imagem = mkdtempSync(path.join(tmpdir(), 'malha-imagem-'));
  t.teardown(() => rmSync(imagem, { recursive: true, force: true }));
  for (const { de, para } of COPIADOS) {
    mkdirSync(path.dirname(path.join(imagem, para)), { recursive: true });
    // Copies, because a link leads its modules back to where they came from; of the packages there are too many.
    if (de === 'node_modules') symlinkSync(path.join(RAIZ, de), path.join(imagem, para));
    else cpSync(path.join(RAIZ, de), path.join(imagem, para), { recursive: true });
  }
  const cli = path.join(imagem, 'dist/src/cli.js');
  const env = {
    DATABASE_URL: api.databaseUrl,
    REDIS_URL: api.redisUrl,
    MALHA_DATA_DIR: path.join(imagem, 'dados'),
    NODE_ENV: 'production',
    MALHA_CHAVE_MESTRA: 'a1'.repeat(32),
  };
  const migrado = await rodar(process.execPath, [cli, 'migrate'], {
    env: { ...process.env, ...env, DATABASE_OWNER_URL: urlDoDono(api.databaseUrl) },
  });
  t.regex(migrado.stdout, /^Esquema em dia/);
  const servico = await executar(
    'serve',
    env,
    /Malha em http:\/\/127\.0\.0\.1:(\d+)/,
    undefined,
    ['--processos', '1'],
    cli,
  );
  t.teardown(async () => servico.parar('SIGKILL'));
  const pedir = (caminho: string) =>
    enviar({ host: '127.0.0.1', port: Number(servico.achado), path: caminho, agent: false });
  t.is((await pedir('/healthz')).status, 200);
  t.is((await pedir('/readyz')).status, 200);
  t.is((await pedir('/api/v1/docs/swagger-ui-bundle.js')).status, 200);
  const worker = await executar('worker', env, /métricas em http:\/\/127\.0\.0\.1:(\d+)\/metrics/, undefined, [], cli);
  t.teardown(async () => worker.parar('SIGKILL'));
  t.is(await servico.parar(), 0);
  t.is(await worker.parar(), 0);
});

interface Painel {
  readonly title: string;
  readonly targets: readonly { readonly expr: string }[];
}

test('cada medida que alertas e painel do Grafana pedem é uma que o programa mostra, com esses rótulos', async (t) => {
  const env = { DATABASE_URL: api.databaseUrl, REDIS_URL: api.redisUrl };
  const servico = await executar('start', env, /Malha em http:\/\/127\.0\.0\.1:(\d+)/);
  t.teardown(async () => servico.parar('SIGKILL'));
  const porta = Number(servico.achado);
  const recusado = await enviar({ host: '127.0.0.1', port: porta, path: '/api/v1/clientes', agent: false });
  t.is(recusado.status, 401);
  let texto = '';
  await ate(async () => {
    texto = (await enviar({ host: '127.0.0.1', port: metricasDe(porta), path: '/metrics', agent: false })).texto;
    return /malha_jobs_total\{.*outcome="falhou"/.test(texto) && texto.includes('malha_filas_acessiveis 1');
  }, 60_000);
  const mostradas = [...lerMedidas(texto).keys()];
  const paineis = (JSON.parse(ler('deploy/grafana/malha.json')) as { panels: Painel[] }).panels;
  const alertas = ler('deploy/prometheus/malha.rules.yml');
  const expressoes = [...paineis.flatMap(({ targets }) => targets.map(({ expr }) => expr)), alertas];
  const pedidas = expressoes.flatMap((expr) => [...expr.matchAll(/\b(malha_\w+)(?:\{([^}]*)\})?/g)]);
  t.true(pedidas.length > 30);
  for (const [, nome = '', rotulos = ''] of pedidas) {
    // In a sentence a histogram goes by its own name.
    const nomes = [nome, `${nome}_count`];
    const deste = mostradas.filter((uma) => nomes.some((um) => uma === um || uma.startsWith(`${um}{`)));
    t.true(deste.length > 0, nome);
    for (const [, rotulo = '', como = '', valor = ''] of rotulos.matchAll(/(\w+)(=|=~|!=)"([^"]*)"/g)) {
      const tem = deste.filter((uma) =>
        como === '=' ? uma.includes(`${rotulo}="${valor}"`) : uma.includes(`${rotulo}="`),
      );
      t.true(tem.length > 0, `${nome}{${rotulo}${como}"${valor}"}`);
    }
  }
  t.is(await servico.parar(), 0);
});

test('promtool aceita os alertas', async (t) => {
  const promtool = await programa('promtool');
  const { stdout } = await rodar(promtool, ['check', 'rules', path.join(RAIZ, 'deploy/prometheus/malha.rules.yml')]);
  t.regex(stdout, /SUCCESS: \d+ rules found/);
});

test('systemd aceita as suas unidades', async (t) => {
  const systemd = findBinary(['systemd-analyze']);
  if (systemd === undefined) {
    t.log('sem systemd-analyze nesta máquina: não conferidas');
    t.pass();
    return;
  }
  const pasta = path.join(RAIZ, 'deploy/systemd');
  const unidades = readdirSync(pasta).map((nome) => path.join(pasta, nome));
  const { stdout, stderr } = await rodar(systemd, ['verify', '--recursive-errors=no', ...unidades]);
  // What is said of other units of this machine is not ours to mend.
  t.deepEqual(
    `${stdout}${stderr}`.split('\n').filter((linha) => linha.includes('malha')),
    [],
  );
});

import { execFile } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import test from 'ava';
import { findBinary } from '../src/local/binaries/find-binary.ts';
import { LONGEST_STEP_MS } from '../src/platform/process/shutdown.ts';
import { criarApi, enviar } from './support/api.ts';
import type { Api } from './support/api.ts';
import { urlDoDono } from './support/banco.ts';
import { ate } from './support/espera.ts';
import { criarFabrica } from './support/fabrica.ts';
import { lerMedidas, medir, pids } from './support/metricas.ts';
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

function copiarPrograma(pasta: string): void {
  for (const { de, para } of COPIADOS) {
    mkdirSync(path.dirname(path.join(pasta, para)), { recursive: true });
    // Copies, because a link leads its modules back to where they came from; of the packages there are too many.
    if (de === 'node_modules') symlinkSync(path.join(RAIZ, de), path.join(pasta, para));
    else cpSync(path.join(RAIZ, de), path.join(pasta, para), { recursive: true });
  }
}

test('o que a imagem leva do programa basta para servir e trabalhar, e para com SIGTERM', async (t) => {
  t.true(COPIADOS.length >= 7);
  t.deepEqual(
    COPIADOS.filter(({ de }) => /^dist$|test|bench|client/.test(de)),
    [],
  );
  const imagem = mkdtempSync(path.join(tmpdir(), 'malha-imagem-'));
  t.teardown(() => rmSync(imagem, { recursive: true, force: true }));
  copiarPrograma(imagem);
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
    return texto.includes('malha_job_duration_seconds_count{') && texto.includes('malha_filas_acessiveis 1');
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

test('promtool aceita os alertas, e o exemplo de como medir', async (t) => {
  const promtool = await programa('promtool');
  const { stdout } = await rodar(promtool, ['check', 'rules', path.join(RAIZ, 'deploy/prometheus/malha.rules.yml')]);
  t.regex(stdout, /SUCCESS: \d+ rules found/);
  const exemplo = await rodar(promtool, ['check', 'config', path.join(RAIZ, 'deploy/prometheus/prometheus.yml')]);
  t.regex(exemplo.stdout, /prometheus\.yml is valid/);
});

/** What the database counts for a worker's scrape. */
const CONTADAS = { malha_notes_oldest_due_seconds: 0, malha_mail_oldest_due_seconds: 0 };
const DO_DIA = { 'malha_daily_tasks_behind{task="faturas.vencer"}': 0 };

/** What the database counts in time for each other scrape alone. */
const vezSim = (valor: number): string => `${valor} stale `.repeat(30);

/** What the database counts in time once in eight minutes. */
const raramente = (valor: number): string => `${valor} stale ${'_ '.repeat(6)}`.repeat(8);

/** What is measured once, by a process that is gone at the next scrape. */
const umaVez = (valor: number): string => `${'_ '.repeat(22)}${valor} stale`;

/** By alert, what is measured all the time, or as a text of Prometheus says, and whether that alert then fires. */
const DISPARAM: readonly (readonly [
  alerta: string,
  series: Readonly<Record<string, number | string>>,
  dispara: boolean,
])[] = [
  ['MalhaForaDoAr', { 'malha_processes{papel="worker"}': 1 }, true],
  ['MalhaForaDoAr', { 'malha_processes{papel="api"}': 1 }, false],
  ['MalhaSemWorker', { 'malha_processes{papel="api"}': 2 }, true],
  ['MalhaSemWorker', { 'malha_processes{papel="worker"}': 1 }, false],
  ['MalhaAlvoForaDoAr', { 'up{job="malha"}': 0 }, true],
  ['MalhaAlvoForaDoAr', { 'up{job="outro"}': 0 }, false],
  ['MalhaBancoSemEscrita', { 'malha_database{state="ok"}': 1, 'malha_database{state="so_leitura"}': 1 }, true],
  ['MalhaBancoSemEscrita', { 'malha_database{state="fora"}': 1 }, true],
  ['MalhaBancoSemEscrita', { 'malha_database{state="ok"}': 2, 'malha_database{state="so_leitura"}': 0 }, false],
  ['MalhaFilaParada', { 'malha_queue_oldest_waiting_seconds{queue="rotina"}': 300 }, true],
  ['MalhaMedidasFaltam', { 'malha_processes{papel="worker"}': 1, ...CONTADAS }, true],
  ['MalhaMedidasFaltam', { 'malha_processes{papel="worker"}': 1, ...CONTADAS, ...DO_DIA }, false],
  ['MalhaMedidasFaltam', { 'malha_processes{papel="api"}': 1 }, false],
  [
    'MalhaMedidasFaltam',
    {
      'malha_processes{papel="worker"}': 1,
      ...CONTADAS,
      'malha_daily_tasks_behind{task="faturas.vencer"}': raramente(0),
    },
    true,
  ],
  ['MalhaDiaAtrasado', { 'malha_daily_tasks_behind{task="faturas.vencer"}': vezSim(3) }, true],
  ['MalhaNotasParadas', { malha_notes_oldest_due_seconds: vezSim(7200) }, true],
  ['MalhaNotasParadas', { malha_notes_oldest_due_seconds: vezSim(60) }, false],
  ['MalhaCorreioParado', { malha_mail_oldest_due_seconds: vezSim(3600) }, true],
  ['MalhaEventosParados', { malha_outbox_oldest_seconds: vezSim(600) }, true],
  ['MalhaPspParado', { malha_psp_oldest_due_seconds: vezSim(3600) }, true],
  ['MalhaRetornosComFalha', { malha_bank_files_failing: vezSim(1) }, true],
  ['MalhaCorreioParado', { malha_mail_oldest_due_seconds: 3600 }, true],
  ['MalhaCorreioParado', { malha_mail_oldest_due_seconds: 60 }, false],
  ['MalhaEventosParados', { malha_outbox_oldest_seconds: 600 }, true],
  ['MalhaEventosParados', { malha_outbox_oldest_seconds: umaVez(600) }, false],
  ['MalhaPspParado', { malha_psp_oldest_due_seconds: 3600 }, true],
  ['MalhaRetornosComFalha', { malha_bank_files_failing: 1 }, true],
  ['MalhaRetornosComFalha', { malha_bank_files_failing: 0 }, false],
];

for (const [alerta, series, dispara] of DISPARAM) {
  test(`${alerta} ${dispara ? 'dispara' : 'não dispara'} com ${JSON.stringify(series)}`, async (t) => {
    const pasta = mkdtempSync(path.join(tmpdir(), 'malha-alertas-'));
    t.teardown(() => rmSync(pasta, { recursive: true, force: true }));
    const caso = {
      rule_files: [path.join(RAIZ, 'deploy/prometheus/malha.rules.yml')],
      evaluation_interval: '1m',
      tests: [
        {
          interval: '1m',
          input_series: Object.entries(series).map(([serie, valor]) => ({
            series: serie,
            values: typeof valor === 'string' ? valor : `${valor}x60`,
          })),
          promql_expr_test: [
            {
              expr: `count(ALERTS{alertname="${alerta}",alertstate="firing"}) or vector(0)`,
              eval_time: '30m',
              exp_samples: [{ labels: '{}', value: dispara ? 1 : 0 }],
            },
          ],
        },
      ],
    };
    // JSON is YAML.
    writeFileSync(path.join(pasta, 'caso.yml'), JSON.stringify(caso));
    await t.notThrowsAsync(rodar(await programa('promtool'), ['test', 'rules', path.join(pasta, 'caso.yml')]));
  });
}

test('o prazo de parar de cada unidade e de cada container passa do passo mais longo de uma parada', (t) => {
  const prazos = [
    ...['malha', 'malha-worker'].map((nome) => /^TimeoutStopSec=(\d+)$/m.exec(ler(`deploy/systemd/${nome}.service`))),
    /^ {2}stop_grace_period: (\d+)s$/m.exec(ler('compose.yaml')),
  ].map((achado) => Number(achado?.[1]));
  t.true(
    prazos.every((segundos) => segundos * 1000 > 2 * LONGEST_STEP_MS),
    prazos.join(),
  );
});

for (const ligadas of [false, true]) {
  const onde = ligadas ? 'em pastas ligadas a outro disco' : 'nas suas pastas';
  test(`a unidade do backup tira os de mais de catorze dias, e o resto fica, ${onde}`, async (t) => {
    const pasta = mkdtempSync(path.join(tmpdir(), 'malha-velhos-'));
    t.teardown(() => rmSync(pasta, { recursive: true, force: true }));
    const disco = ligadas ? path.join(pasta, 'disco') : pasta;
    for (const [nome, dias] of [
      ['malha-backup/2026-11-01T0330/', 15],
      ['malha-backup/2026-11-20T0330/', 2],
      ['malha-backup/lost+found/', 90],
      ['malha-binlog/bin.000001', 20],
      ['malha-binlog/bin.000002', 14],
      ['malha-binlog/lost+found/', 90],
    ] as const) {
      const feito = path.join(disco, nome);
      mkdirSync(nome.endsWith('/') ? feito : path.dirname(feito), { recursive: true });
      writeFileSync(nome.endsWith('/') ? path.join(feito, 'manifesto.json') : feito, '');
      const quando = Date.now() / 1000 - dias * 86_400 - 60;
      utimesSync(feito, quando, quando);
    }
    if (ligadas)
      for (const nome of ['malha-backup', 'malha-binlog']) symlinkSync(path.join(disco, nome), path.join(pasta, nome));
    const comandos = [...ler('deploy/systemd/malha-backup.service').matchAll(/^ExecStartPost=(.+)$/gm)];
    t.is(comandos.length, 2);
    for (const [, comando = ''] of comandos) {
      const [programaDele = '', ...argumentos] = comando.replaceAll('/var/lib', pasta).split(' ');
      await rodar(programaDele, argumentos);
    }
    t.deepEqual(readdirSync(path.join(pasta, 'malha-backup')).toSorted(), ['2026-11-20T0330', 'lost+found']);
    t.deepEqual(readdirSync(path.join(pasta, 'malha-binlog')).toSorted(), ['bin.000002', 'lost+found']);
  });
}

test('de um backup que falhou, e de logs que ninguém copia mais, alguém é avisado', (t) => {
  const [copia, logs] = ['malha-backup', 'malha-binlog'].map((nome) => ler(`deploy/systemd/${nome}.service`));
  for (const unidade of [copia, logs]) t.regex(unidade!, /^OnFailure=malha-falhou@%n\.service$/m);
  const dos = (nome: string): number => Number(new RegExp(`^${nome}=(\\d+)(?:min)?$`, 'm').exec(logs!)?.[1]);
  // What begins again forever has never failed: so many starts must fit into the time in which they are counted.
  t.true(dos('StartLimitBurst') * dos('RestartSec') < dos('StartLimitIntervalSec') * 60);
});

test('SIGUSR2 põe os processos na versão a que o nome do programa leva agora, e até lá um que morre volta na de antes', async (t) => {
  const pasta = mkdtempSync(path.join(tmpdir(), 'malha-versoes-'));
  t.teardown(() => rmSync(pasta, { recursive: true, force: true }));
  for (const versao of ['1', '2']) copiarPrograma(path.join(pasta, `malha-${versao}`));
  const segunda = path.join(pasta, 'malha-2/dist/src/cli.js');
  writeFileSync(segunda, `console.log('versão dois');\n${readFileSync(segunda, 'utf8')}`);
  const levarA = (versao: string): void => {
    symlinkSync(`malha-${versao}`, path.join(pasta, 'novo'));
    renameSync(path.join(pasta, 'novo'), path.join(pasta, 'malha'));
  };
  levarA('1');
  const env = {
    DATABASE_URL: api.databaseUrl,
    REDIS_URL: api.redisUrl,
    MALHA_DATA_DIR: path.join(pasta, 'dados'),
    NODE_ENV: 'production',
    MALHA_CHAVE_MESTRA: 'a1'.repeat(32),
  };
  const cli = path.join(pasta, 'malha/dist/src/cli.js');
  const pronto = /Malha em http:\/\/127\.0\.0\.1:(\d+)/;
  const servico = await executar('serve', env, pronto, undefined, ['--processos', '1'], cli);
  t.teardown(async () => servico.parar('SIGKILL'));
  const medidas = async () => medir(metricasDe(Number(servico.achado)));
  const [primeiro = 0] = pids(await medidas());
  process.kill(primeiro, 'SIGKILL');
  await ate(async () => {
    const [vivo = primeiro] = pids(await medidas());
    return vivo !== primeiro;
  }, 60_000);
  t.false(servico.linhas.includes('versão dois'));
  levarA('2');
  process.kill(servico.pid, 'SIGUSR2');
  await servico.disse(/^versão dois$/);
  t.is(await servico.parar(), 0);
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

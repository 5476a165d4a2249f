import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import test from 'ava';
import { updateSchema } from '../../src/app/servers.ts';
import { canInstallPackages } from '../../src/local/binaries/debian-packages.ts';
import { findBinary } from '../../src/local/binaries/find-binary.ts';
import { startPrivateServers } from '../../src/local/private-servers.ts';
import { createDatabase } from '../../src/platform/mysql/database.ts';
import { enviar } from '../support/api.ts';
import { ate } from '../support/espera.ts';
import { portasLivres } from '../support/portas.ts';
import { programa } from '../support/programas.ts';
import { INTEIRA } from '../support/prova.ts';

// The image, built as the Dockerfile says by buildah, without a registry: its base is Debian's own packages with the Node that runs
// this, under the base's name. Some minutes and two gigabytes: where there is no buildah it is a proof that is asked for, and brings it
// (npm run test:long -- imagem).

const RAIZ = fileURLToPath(new URL('../../../', import.meta.url));
const BASE = 'docker.io/library/node:24-bookworm-slim';
const MAIOR_MB = 130;
const PARA_EM_MS = 20_000;

const rodar = promisify(execFile);

/** What lets npm and apt of a build reach the outside as this machine does. */
async function montagens(): Promise<string[]> {
  const npm = async (chave: string): Promise<string> => (await rodar('npm', ['config', 'get', chave])).stdout.trim();
  const [global, proprio, ca] = await Promise.all([npm('globalconfig'), npm('userconfig'), npm('cafile')]);
  return [
    ['/etc/resolv.conf', '/etc/resolv.conf'],
    ['/etc/ssl/certs', '/etc/ssl/certs'],
    ['/usr/share/ca-certificates', '/usr/share/ca-certificates'],
    ['/usr/local/share/ca-certificates', '/usr/local/share/ca-certificates'],
    [global, '/usr/local/etc/npmrc'],
    [proprio, '/root/.npmrc'],
    [ca, ca],
  ]
    .filter(([de = '']) => de.startsWith('/') && existsSync(de))
    .flatMap(([de, para]) => ['-v', `${de}:${para}:ro`]);
}

/** The pids of a process and of all below it. */
function abaixoDe(pid: number): number[] {
  const pais = readdirSync('/proc')
    .filter((nome) => /^\d+$/.test(nome))
    .flatMap((nome) => {
      try {
        return [
          [Number(nome), Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${nome}/status`, 'utf8'))?.[1])] as const,
        ];
      } catch {
        return [];
      }
    });
  const filhos = pais.filter(([, pai]) => pai === pid).map(([filho]) => filho);
  return [pid, ...filhos.flatMap(abaixoDe)];
}

const estadoDe = (pid: number, campo: string): string =>
  new RegExp(`^${campo}:\\s+(\\S+)`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '';

test('a imagem é construída, responde a /healthz sem ser root, e para com SIGTERM no seu prazo', async (t) => {
  const temBuildah = findBinary(['buildah']) !== undefined && findBinary(['mmdebstrap']) !== undefined;
  if (!temBuildah && !(INTEIRA && canInstallPackages())) {
    t.log('a imagem não foi construída: faltam buildah e mmdebstrap, que npm run test:long -- imagem traz onde pode');
    t.pass();
    return;
  }
  t.timeout(30 * 60_000);
  const pasta = mkdtempSync(path.join(tmpdir(), 'malha-imagem-'));
  const [buildah, mmdebstrap] = [await programa('buildah'), await programa('mmdebstrap')];
  const guarda = [
    '--storage-driver',
    'vfs',
    '--root',
    path.join(pasta, 'guarda'),
    '--runroot',
    path.join(pasta, 'rodando'),
  ];
  const b = async (...args: string[]): Promise<string> =>
    (await rodar(buildah, [...guarda, ...args], { cwd: RAIZ, maxBuffer: 2 ** 27 })).stdout.trim();
  t.teardown(async () => {
    await b('rm', '--all').catch(() => {});
    rmSync(pasta, { recursive: true, force: true });
  });

  const arquivo = path.join(pasta, 'base.tar');
  await rodar(mmdebstrap, ['--variant=minbase', '--include=ca-certificates', 'bookworm', arquivo], {
    maxBuffer: 2 ** 27,
  });
  const base = await b('from', 'scratch');
  await b('add', base, arquivo, '/');
  await b('copy', base, process.execPath, '/usr/local/bin/node');
  const npm = path.dirname(path.dirname((await rodar('readlink', ['-f', findBinary(['npm']) ?? ''])).stdout.trim()));
  await b('copy', base, npm, '/usr/local/lib/node_modules/npm');
  const preparar = 'ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm && useradd -m -u 1000 node';
  await b('run', '--isolation', 'chroot', base, '--', 'sh', '-c', preparar);
  await b('commit', '--rm', base, BASE);

  const comRede = [
    '--isolation',
    'chroot',
    '--network',
    'host',
    '--pull-never',
    '--layers=false',
    '--format',
    'docker',
  ];
  await b('bud', ...comRede, ...(await montagens()), '--target', 'service', '-t', 'malha', '.');
  const container = await b('from', '--pull-never', 'malha');
  const montada = await b('mount', container);
  const tamanho = async (lugar: string): Promise<number> =>
    Number((await rodar('du', ['-sm', '--apparent-size', path.join(montada, lugar)])).stdout.split('\t')[0]);
  const [programaMb, pacotesMb] = [await tamanho('app'), await tamanho('app/node_modules')];
  t.log(`a imagem tem ${await tamanho('')} MB, dos quais o programa ${programaMb} e, deles, pacotes ${pacotesMb}`);
  t.true(programaMb < MAIOR_MB);
  t.deepEqual(readdirSync(path.join(montada, 'app/dist')).toSorted(), ['migrations', 'seeds', 'src', 'workers']);
  t.false(
    ['typescript', 'ava', 'playwright-core'].some((um) => existsSync(path.join(montada, 'app/node_modules', um))),
  );
  const { Docker } = JSON.parse(await b('inspect', '--type', 'image', 'malha')) as {
    Docker: { config: { User: string; Healthcheck?: { Test: string[] } } };
  };
  t.is(Docker.config.User, 'node');
  t.is(Docker.config.Healthcheck?.Test[0], 'CMD');

  const [portaDoBanco = 0, portaDoRedis = 0, porta = 0] = await portasLivres(3);
  const naRede = ['--skip-networking=0', '--bind-address=127.0.0.1', `--port=${portaDoBanco}`];
  const servidores = await startPrivateServers({ dataDir: pasta, durable: false, databaseArgs: naRede, log: () => {} });
  t.teardown(async () => servidores.stop());
  const redis = spawn(
    findBinary(['redis-server']) ?? '',
    ['--port', String(portaDoRedis), '--bind', '127.0.0.1', '--save', ''],
    { stdio: 'ignore' },
  );
  t.teardown(() => redis.kill('SIGKILL'));
  const raiz = createDatabase({ url: servidores.ownerUrl ?? '', pool: 1 });
  await raiz.raw("CREATE USER 'imagem'@'%' IDENTIFIED BY 'imagem'");
  await raiz.destroy();
  const databaseUrl = `mysql://imagem:imagem@127.0.0.1:${portaDoBanco}/malha`;
  await updateSchema({ databaseUrl, ownerUrl: servidores.ownerUrl ?? '' }, () => {});

  const env = {
    DATABASE_URL: databaseUrl,
    REDIS_URL: `redis://127.0.0.1:${portaDoRedis}/0`,
    HOST: '127.0.0.1',
    PORT: String(porta),
    MALHA_DATA_DIR: '/tmp/malha',
    MALHA_CHAVE_MESTRA: 'a1'.repeat(32),
    MALHA_PROCESSOS: '2',
  };
  const envs = Object.entries(env).flatMap(([nome, valor]) => ['--env', `${nome}=${valor}`]);
  const comando = ['node', 'dist/src/cli.js', 'serve'];
  const servico = spawn(buildah, [...guarda, 'run', '--isolation', 'chroot', ...envs, container, '--', ...comando]);
  let dito = '';
  for (const saida of [servico.stdout, servico.stderr]) saida.on('data', (parte: Buffer) => (dito += parte.toString()));
  const saiu = new Promise<void>((resolve) => {
    servico.once('exit', () => resolve());
  });
  t.teardown(() => void servico.kill('SIGKILL'));
  const pedir = async (caminho: string) => enviar({ host: '127.0.0.1', port: porta, path: caminho, agent: false });
  await ate(async () => (await pedir('/healthz').catch(() => ({ status: 0 }))).status === 200, 120_000).catch(() => {
    throw new Error(dito);
  });
  t.is((await pedir('/readyz')).status, 200);
  for (const caminho of ['/api/v1/docs/swagger-ui-bundle.js', '/v1/docs'])
    t.is((await pedir(caminho)).status, 200, caminho);
  const programas = abaixoDe(servico.pid ?? 0).map(
    (pid) => [pid, readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')] as const,
  );
  const [primario] = programas.find(([, linha]) => /^(?:\/\S+\/)?node dist\/src\/cli\.js/.test(linha)) ?? [];
  t.not(primario, undefined, programas.map(([, linha]) => linha).join('\n'));
  t.is(estadoDe(primario!, 'Uid'), '1000');
  const pedido = performance.now();
  process.kill(primario!, 'SIGTERM');
  await saiu;
  t.true(performance.now() - pedido < PARA_EM_MS);
  await t.throwsAsync(pedir('/healthz'));
});

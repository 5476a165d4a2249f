// Rehearses an upgrade under load: `node scripts/rehearse-upgrade.mjs OLD [TIMES]`, where OLD is the commit of the release that runs
// today, in this clone. Each time: the old program on a filled database, asked without a pause; the schema is migrated by this
// clone's program; new processes beside the old ones; the old ones gone; and back to the old program, on the new schema.
// Says what was answered, and ends with 1 if anything was not as it should be.
import { execFile, execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { PrepareError, prepare, root } from './prepare.mjs';
import { startLoad } from './rehearsal-load.mjs';

const KEYS_A_PROVIDER = 4;
/** How long each stage is watched. */
const STAGE_MS = 5000;
const folder = join(root, '.data', 'ensaio');
const [old = '', times = '1'] = process.argv.slice(2);

/** @typedef {{ name: string, cli: string }} Release */
/** @typedef {{ port: number, stop: () => Promise<number | null> }} Running */

try {
  if (old === '') throw new PrepareError('Uso: node scripts/rehearse-upgrade.mjs COMMIT-DE-ANTES [VEZES]');
  await prepare();
  const place = buildOld();
  const before = { name: 'antes', cli: join(place, 'dist', 'src', 'cli.js') };
  const again = { name: 'antes', cli: join(ofNewSchema(place), 'src', 'cli.js') };
  const after = { name: 'depois', cli: join(root, 'dist', 'src', 'cli.js') };
  let faults = 0;
  for (let time = 1; time <= Number(times); time += 1) {
    const { lines, wrong } = await rehearse(before, after, again);
    console.log(`${time}/${times}: ${wrong.length === 0 ? 'sem falhas' : `FALHAS: ${wrong.join('; ')}`}`);
    for (const line of lines) console.log(`  ${line}`);
    faults += wrong.length;
  }
  process.exitCode = faults === 0 ? 0 : 1;
} catch (error) {
  console.error(error instanceof PrepareError ? error.message : error);
  process.exitCode = 1;
}

/** The old release, built in a worktree of its own, which stays for the next rehearsal. */
function buildOld() {
  const commit = execFileSync('git', ['rev-parse', `${old}^{commit}`], { cwd: root, encoding: 'utf8' }).trim();
  const place = join(folder, commit);
  if (!existsSync(place)) {
    execFileSync('git', ['worktree', 'add', '--detach', place, commit], { cwd: root, stdio: 'inherit' });
  }
  // With its own packages, where they are missing.
  const preparing = "import('./scripts/prepare.mjs').then((its) => its.prepareOrExit())";
  execFileSync(process.execPath, ['-e', preparing], { cwd: place, stdio: 'inherit' });
  return place;
}

/**
 * The old release's build as it starts on the new schema. One of before docs/adr/0061 looks whether it has every migration that ran, by its name:
 * as docs/operations.md says, it is given the files of the newer ones, which it never runs.
 *
 * @param {string} place
 */
function ofNewSchema(place) {
  const built = join(place, 'dist');
  if (existsSync(join(place, 'docs', 'adr', '0061-a-migration-expands-or-says-that-it-contracts.md'))) return built;
  const copy = join(place, 'dist-no-esquema-novo');
  rmSync(copy, { recursive: true, force: true });
  cpSync(built, copy, { recursive: true });
  cpSync(join(root, 'dist', 'migrations'), join(copy, 'migrations'), { recursive: true, force: false });
  return copy;
}

/**
 * One rehearsal on empty servers of its own.
 *
 * @param {Release} before
 * @param {Release} after
 * @param {Release} again - the one before, on the schema of the one after
 */
async function rehearse(before, after, again) {
  const dataDir = join(folder, 'servidores');
  rmSync(dataDir, { recursive: true, force: true });
  mkdirSync(dataDir, { recursive: true });
  const compiled = '../dist/src/local/private-servers.js';
  /** @type {typeof import('../src/local/private-servers.ts')} */
  // oxlint-disable-next-line typescript/no-unsafe-assignment -- by name: this is checked before there is a build
  const { startPrivateServers } = await import(compiled);
  const servers = await startPrivateServers({ dataDir, durable: false, log: (line) => console.error(line) });
  const env = {
    PATH: process.env['PATH'],
    DATABASE_URL: servers.applicationUrl,
    REDIS_URL: servers.redisUrl,
    MALHA_DATA_DIR: join(dataDir, 'dados'),
    MALHA_DEMO: 'nao',
    MALHA_LOG: 'error',
    MALHA_CHAVE_MESTRA: 'a1'.repeat(32),
    PORT: '0',
  };
  const asOwner = { ...env, DATABASE_OWNER_URL: servers.ownerUrl };
  /** @type {Running[]} */
  const running = [];
  /** @type {string[]} */
  const wrong = [];
  /** @type {string[]} */
  const lines = [];
  const start = async (/** @type {Release} */ release, /** @type {string} */ role) => {
    const one = await startRole(release, role, env, (line) => wrong.push(`${release.name} ${role}: ${line}`));
    running.push(one);
    return one;
  };
  const stop = async (/** @type {Running[]} */ ones) => {
    for (const one of ones) {
      running.splice(running.indexOf(one), 1);
      const code = await one.stop();
      if (code !== 0) wrong.push(`um processo terminou com ${code}`);
    }
  };
  /** @type {Awaited<ReturnType<typeof startLoad>> | undefined} */
  let asking;
  try {
    await command(before, ['demo'], asOwner);
    const load = await startLoad(await providersOf(join(dataDir, 'dados', 'demo.json'), before, env));
    asking = load;
    const stage = async (/** @type {string} */ name, /** @type {Running[]} */ asked) => {
      load.ask(asked.map(({ port }) => port));
      await sleep(STAGE_MS);
      lines.push(`${name}: ${load.told()}`);
    };
    const olds = [await start(before, 'serve'), await start(before, 'serve')];
    const oldWorker = await start(before, 'worker');
    await stage('antes', olds);
    const began = performance.now();
    const migrated = await command(after, ['migrate'], asOwner);
    lines.push(`${migrated} ${((performance.now() - began) / 1000).toFixed(1)} s`);
    await stage('antes, no esquema novo', olds);
    const news = [await start(after, 'serve'), await start(after, 'serve')];
    const newWorker = await start(after, 'worker');
    await stage('lado a lado', [...olds, ...news]);
    load.ask(news.map(({ port }) => port));
    await stop([...olds, oldWorker]);
    await stage('depois', news);
    const back = [await start(again, 'serve'), await start(again, 'serve')];
    const backWorker = await start(again, 'worker');
    load.ask(back.map(({ port }) => port));
    await stop([...news, newWorker]);
    await stage('de volta', back);
    wrong.push(...(await load.stop()));
    wrong.push(...(await daysOf(again, env, lines)));
    await stop([...back, backWorker]);
  } finally {
    // Else it would ask for ever of what is not there any more.
    await asking?.stop();
    for (const one of running.splice(0)) await one.stop();
    await servers.stop();
  }
  return { lines, wrong };
}

/**
 * Keys of the demonstration's two providers, with the limit that the load needs.
 *
 * @param {string} file
 * @param {Release} release
 * @param {NodeJS.ProcessEnv} env
 */
async function providersOf(file, release, env) {
  /** @type {{ provedores: { id: number }[] }} */
  // oxlint-disable-next-line typescript/no-unsafe-assignment -- written by the program
  const { provedores } = JSON.parse(readFileSync(file, 'utf8'));
  const args = ['--nome', 'ensaio', '--permissoes', 'todas', '--limite', '1200', '--json'];
  /** @type {string[][]} */
  const all = [];
  for (const { id } of provedores) {
    /** @type {string[]} */
    const keys = [];
    for (let n = 0; n < KEYS_A_PROVIDER; n += 1) {
      /** @type {{ chave: string }} */
      // oxlint-disable-next-line typescript/no-unsafe-assignment -- written by the program
      const { chave } = JSON.parse(await command(release, ['chave', 'criar', '--provedor', String(id), ...args], env));
      keys.push(chave);
    }
    all.push(keys);
  }
  return all;
}

/**
 * What is wrong with the work of the day: a job that failed, or a day that was not done.
 *
 * @param {Release} release
 * @param {NodeJS.ProcessEnv} env
 * @param {string[]} lines
 */
async function daysOf(release, env, lines) {
  /** @type {{ filas: { falhas: number }[], tarefas: { tarefa: string, feitas: number, pendentes: number, atrasadas: number }[] }} */
  // oxlint-disable-next-line typescript/no-unsafe-assignment -- written by the program
  const seen = JSON.parse(await command(release, ['job', 'estado', '--json'], env));
  const failed = seen.filas.reduce((sum, { falhas }) => sum + falhas, 0);
  lines.push(
    `tarefas do dia: ${seen.tarefas.map(({ tarefa, feitas, pendentes }) => `${tarefa} ${feitas}/${feitas + pendentes}`).join(', ')}`,
  );
  return [
    ...(failed === 0 ? [] : [`${failed} tarefas falharam`]),
    ...seen.tarefas.filter(({ atrasadas }) => atrasadas > 0).map(({ tarefa }) => `${tarefa} está atrasada`),
  ];
}

/**
 * Runs a command to its end, while the load goes on, and gives what it said.
 *
 * @param {Release} release
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} env
 */
async function command(release, args, env) {
  return (await promisify(execFile)(process.execPath, [release.cli, ...args], { env })).stdout.trim();
}

/**
 * Starts a role and resolves once it says that it runs; what it logs as an error is told.
 *
 * @param {Release} release
 * @param {string} role
 * @param {NodeJS.ProcessEnv} env
 * @param {(line: string) => void} onError
 * @returns {Promise<Running>}
 */
async function startRole(release, role, env, onError) {
  const child = spawn(process.execPath, [release.cli, role], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  /** @type {Promise<number | null>} */
  const ended = new Promise((resolve) => {
    child.once('exit', resolve);
  });
  const complaints = createInterface({ input: child.stderr });
  let last = '';
  complaints.on('line', (line) => (last = line));
  /** @type {number} */
  const port = await new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const found = /(?:Malha em|métricas em) http:\/\/127\.0\.0\.1:(\d+)/.exec(line);
      if (found !== null) resolve(Number(found[1]));
      if (line.startsWith('{')) onError(line);
    });
    void ended.then((code) => reject(new Error(`${release.name} ${role} terminou com ${code}: ${last}`)));
  });
  return {
    port,
    stop: () => {
      child.kill('SIGTERM');
      return ended;
    },
  };
}

import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { identityOf } from './clone-lock.mjs';
import { bringMysql } from './mysql.mjs';
import { PrepareError, prepare, root } from './prepare.mjs';
import { nameSources } from './sources.mjs';
import { createTapSummary } from './tap-summary.mjs';
import { slowest } from './test-times.mjs';

const dataRoot = join(root, '.data');
const { TEST_DATABASE, TEST_DATABASE_URL, TEST_APPLICATION_URL = TEST_DATABASE_URL, TEST_REDIS_URL } = process.env;
/** The whole of long proofs, by their files' names, of which the other two run a sample. */
const long = process.argv.includes('--long');
let args = process.argv.slice(2).filter((arg) => arg !== '--faults' && arg !== '--long');
/** Whether to run the slow tests instead of all others; see ava.config.mjs. */
let faults = process.argv.includes('--faults') || areSlow(args);
let interrupted = false;
/** @type {import('node:child_process').ChildProcess | undefined} */
let ava;

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, interrupt);

try {
  await prepare();
  if (long) chooseProofs();
  await chooseDatabase();
  const { passed, failed } = await testWithServers(args.map(toCompiled));
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = interrupted ? 130 : Math.min(failed, 1);
} catch (error) {
  console.error(error instanceof PrepareError ? error.message : error);
  console.log('0 passed, 1 failed');
  process.exitCode = 1;
}

/** @param {string[]} avaArgs */
async function testWithServers(avaArgs) {
  removeAbandoned();
  const dataDir = join(dataRoot, `test-${identityOf(process.pid)}`);
  mkdirSync(dataDir, { recursive: true });
  const compiled = '../dist/src/local/private-servers.js';
  /** @type {typeof import('../src/local/private-servers.ts')} */
  // oxlint-disable-next-line typescript/no-unsafe-assignment -- by name: this is checked before there is a build
  const { startPrivateServers } = await import(compiled);
  const which = { database: TEST_DATABASE_URL === undefined, redis: TEST_REDIS_URL === undefined };
  const servers = await startPrivateServers({ dataDir, which, durable: false, log: (line) => console.error(line) });
  try {
    await tellDatabase(TEST_DATABASE_URL ?? servers.ownerUrl);
    const times = join(dataDir, 'times');
    const counted = await runAva(avaArgs, {
      ...process.env,
      MALHA_TEST_TIMES: times,
      ...(faults && { MALHA_TEST_FAULTS: '1' }),
      ...(long && { MALHA_TEST_LONG: '1' }),
      MALHA_TEST_DATABASE_URL: TEST_DATABASE_URL ?? servers.ownerUrl,
      MALHA_TEST_APPLICATION_URL: TEST_APPLICATION_URL ?? servers.applicationUrl,
      MALHA_TEST_REDIS_URL: TEST_REDIS_URL ?? servers.redisUrl,
      ...(which.database && which.redis && { MALHA_TEST_REUSE_DATABASES: '1' }),
    });
    for (const line of slowest(times)) console.log(line);
    return counted;
  } finally {
    await servers.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Puts the files of the proofs that were asked for in the place of their names, which some share. Those of failures run by themselves. */
function chooseProofs() {
  /** @type {Map<string, string[]>} */
  const proofs = new Map();
  for (const [name, file] of testFileTitles(join(root, 'dist', 'test'))
    .map((title) => title.split(' › '))
    .flatMap(toProof)) {
    proofs.set(name, [...(proofs.get(name) ?? []), file]);
  }
  const unknown = args.find((name) => !proofs.has(name));
  if (args.length === 0 || unknown !== undefined) {
    throw new PrepareError(`Diga quais: npm run test:long -- ${[...proofs.keys()].toSorted().join(' | ')}`);
  }
  args = args.flatMap((name) => proofs.get(name) ?? []);
  faults = areSlow(args);
  if (!faults && args.some((file) => areSlow([file]))) {
    throw new PrepareError('As provas de test/faults não vão junto com as outras.');
  }
}

/**
 * Whether only slow tests were named.
 *
 * @param {string[]} given
 */
function areSlow(given) {
  const files = given.filter((arg) => !arg.startsWith('-'));
  return files.length > 0 && files.every((file) => /^(?:\.\/)?test\/faults\b|\.processo\.test\.ts$/.test(file));
}

/**
 * Name and file of a test that has a sample and a whole; none of any other.
 *
 * @param {string[]} parts
 * @returns {[string, string][]}
 */
function toProof(parts) {
  const file = `test/${parts.join('/')}.test.ts`;
  return readFileSync(join(root, file), 'utf8').includes('/prova.ts') ? [[parts.at(-1) ?? '', file]] : [];
}

/** Puts the MySQL that was asked for where every private server, those of the tests' own too, is first looked for. */
async function chooseDatabase() {
  if (TEST_DATABASE === undefined) return;
  if (TEST_DATABASE !== 'mysql') throw new PrepareError(`TEST_DATABASE aceita só mysql, não "${TEST_DATABASE}".`);
  if (TEST_DATABASE_URL !== undefined) throw new PrepareError('TEST_DATABASE e TEST_DATABASE_URL não vão juntas.');
  const bin = await bringMysql((line) => console.error(line));
  process.env['PATH'] = `${bin}${delimiter}${process.env['PATH'] ?? ''}`;
}

/**
 * Says what the tests run on; never another server than the one that was asked for.
 *
 * @param {string | undefined} url
 */
async function tellDatabase(url) {
  if (url === undefined) throw new Error('no database');
  // Only now: there may have been no packages before.
  const { createConnection } = await import('mysql2/promise');
  const connection = await createConnection(url);
  const [rows] = await connection.query('SELECT VERSION() AS version');
  await connection.end();
  const { version } = /** @type {{ version: string }[]} */ (rows)[0] ?? { version: '' };
  const isMariadb = version.includes('MariaDB');
  if (TEST_DATABASE === 'mysql' && isMariadb) throw new PrepareError(`Em vez do MySQL respondeu o MariaDB ${version}.`);
  console.error(`Testes no ${isMariadb ? 'MariaDB' : 'MySQL'} ${version}`);
}

/**
 * @param {string[]} avaArgs
 * @param {NodeJS.ProcessEnv} env
 */
async function runAva(avaArgs, env) {
  // Proofs and faults say what they have measured.
  const onLog = faults || long ? console.log : undefined;
  const summary = createTapSummary(titlesOf(avaArgs), (text) => console.log(`${nameSources(text)}\n`), onLog);
  if (!interrupted) {
    const cli = join(root, 'node_modules', 'ava', 'entrypoints', 'cli.mjs');
    const child = spawn(process.execPath, [cli, '--tap', ...avaArgs], {
      cwd: root,
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    ava = child;
    for await (const line of createInterface({ input: child.stdout })) summary.read(line);
  }
  const exitCode = ava === undefined ? 130 : await exitOf(ava);
  const { passed, failed, lines } = summary.finish(exitCode);
  for (const line of lines) console.log(line);
  return { passed, failed };
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @returns {Promise<number | null>}
 */
function exitOf(child) {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode);
  return new Promise((resolve) => {
    child.once('exit', (code) => resolve(code));
  });
}

/** Ends AVA, which ends its workers; the servers and the folder then go the ordinary way. */
function interrupt() {
  interrupted = true;
  ava?.kill('SIGTERM');
  setTimeout(() => ava?.kill('SIGKILL'), 5_000).unref();
}

/** Folders of test runs that were killed: their servers ended with them. */
function removeAbandoned() {
  if (!existsSync(dataRoot)) return;
  for (const name of readdirSync(dataRoot).filter((entry) => entry.startsWith('test-'))) {
    const identity = name.slice('test-'.length);
    if (identityOf(Number.parseInt(identity, 10)) === identity) continue;
    rmSync(join(dataRoot, name), { recursive: true, force: true, maxRetries: 5 });
  }
}

/**
 * `test/a/b.test.ts`, as people write it, is `dist/test/a/b.test.js` for AVA.
 *
 * @param {string} arg
 */
function toCompiled(arg) {
  return arg.replace(/^(?:\.\/)?test(?=\/|$)/, 'dist/test').replace(/\.ts$/, '.js');
}

/**
 * The test files that were asked for, by name or folder, named as AVA names them; all, where another way was used to ask.
 *
 * @param {string[]} avaArgs
 */
function titlesOf(avaArgs) {
  const titles = testFileTitles(join(root, 'dist', 'test'));
  const asked = titles.filter((title) => {
    const file = `dist/test/${title.split(' › ').join('/')}.test.js`;
    return avaArgs.some((arg) => file === arg || file.startsWith(`${arg}/`));
  });
  return asked.length > 0 ? asked : titles;
}

/**
 * All test files, named as AVA names them.
 *
 * @param {string} folder
 * @param {string[]} parents
 * @returns {string[]}
 */
function testFileTitles(folder, parents = []) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.isDirectory()) return testFileTitles(join(folder, entry.name), [...parents, entry.name]);
    if (!entry.name.endsWith('.test.js')) return [];
    return [[...parents, entry.name.replace(/\.test\.js$/, '')].join(' › ')];
  });
}

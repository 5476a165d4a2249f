import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withCloneLock } from './clone-lock.mjs';

/** The clone's folder, wherever the command was called from. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

const modules = join(root, 'node_modules');
const lockfile = join(root, 'package-lock.json');
const installStamp = join(modules, '.malha-install.json');
const dist = join(root, 'dist');
const buildStamp = join(dist, '.malha-build.json');
const sourceFolders = ['src', 'workers', 'migrations', 'seeds', 'test', 'bench', 'client/src', 'client/generate'];

/** What went wrong, as a text for the user; nothing more to be told. */
export class PrepareError extends Error {}

/**
 * Brings packages and build up to date: nothing to do costs a few milliseconds, and several at once wait for each
 * other. Throws {@link PrepareError}.
 *
 * @param {{ quiet?: boolean, force?: boolean }} [options] - `quiet`: no progress on stderr; `force`: builds anyway.
 */
export async function prepare({ quiet = false, force = false } = {}) {
  requireNode();
  // A production image has the build and no sources.
  if (!existsSync(join(root, 'src'))) return;
  const tell = quiet ? () => undefined : (/** @type {string} */ line) => console.error(line);
  if (!force && isInstalled() && isBuilt()) return;
  await withCloneLock(
    join(root, '.data'),
    async () => {
      // Looked at again: whoever held the lock may have done it all.
      if (!isInstalled()) await install(tell);
      if (force || !isBuilt()) await build(tell);
    },
    (pid) => tell(`Esperando o preparo deste clone pelo processo ${pid}…`),
  );
}

/**
 * {@link prepare}, ending the process with the text when it fails.
 *
 * @param {Parameters<typeof prepare>[0]} [options]
 */
export async function prepareOrExit(options) {
  try {
    await prepare(options);
  } catch (error) {
    console.error(error instanceof PrepareError ? error.message : error);
    process.exit(1);
  }
}

function requireNode() {
  const { node } = process.versions;
  const [major = 0, minor = 0] = node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  throw new PrepareError(`O Malha precisa do Node.js 20.19 ou mais novo; este é o ${node}.`);
}

function isInstalled() {
  const written = readJson(installStamp);
  // npm writes its own record last, so an install that was cut short has none.
  const complete = existsSync(join(modules, '.package-lock.json'));
  return complete && written !== undefined && written.key === installKey();
}

function installKey() {
  const { arch, platform, versions } = process;
  return [hash(readFileSync(lockfile)), platform, arch, versions.modules].join(' ');
}

/** @param {(line: string) => void} tell */
async function install(tell) {
  if (!matchesLockfile()) {
    // npm would empty the folder that the link leads to, and that is another's.
    if (lstatSync(modules, { throwIfNoEntry: false })?.isSymbolicLink()) {
      throw new PrepareError(
        'node_modules é um link para outra pasta, que não tem os pacotes desta versão; remova o link.',
      );
    }
    tell('Instalando os pacotes (npm ci)…');
    rmSync(installStamp, { force: true });
    const { command, args } = npm();
    // The build needs the development packages, with NODE_ENV=production too.
    // The log level is told because `npm --silent start` hands its own down, and then a failure has no words.
    const { ok, output } = await run(command, [
      ...args,
      'ci',
      '--include=dev',
      '--no-audit',
      '--no-fund',
      '--loglevel=error',
    ]);
    if (!ok) throw new PrepareError(`${output.trimEnd()}\nnpm ci falhou.`);
  }
  writeFileSync(installStamp, JSON.stringify({ key: installKey() }));
}

/** Whether somebody's own `npm ci` or `npm install` already put there what the lock file asks for. */
function matchesLockfile() {
  const wanted = packagesIn(lockfile);
  const present = packagesIn(join(modules, '.package-lock.json'));
  if (wanted === undefined || present === undefined) return false;
  const missing = Object.entries(wanted).some(([path, entry]) => {
    // Optional packages for other platforms, and peers nobody asked for, are left out on purpose.
    const mayBeAbsent = path === '' || entry.optional || entry.devOptional || entry.peer;
    return present[path] === undefined && mayBeAbsent !== true;
  });
  const asWanted = Object.entries(present).every(([path, { version, integrity }]) => {
    const entry = wanted[path];
    return entry?.version === version && entry?.integrity === integrity && existsSync(join(root, path, 'package.json'));
  });
  return !missing && asWanted;
}

/**
 * @typedef {object} LockedPackage
 * @property {string} version
 * @property {string} [integrity]
 * @property {boolean} [optional]
 * @property {boolean} [devOptional]
 * @property {boolean} [peer]
 */

/**
 * @param {string} path
 * @returns {Record<string, LockedPackage> | undefined}
 */
function packagesIn(path) {
  return readJson(path)?.packages;
}

function npm() {
  // Under `npm start` the npm that called us; else the one beside this node, or the first on the PATH.
  const cli = process.env['npm_execpath'];
  if (cli !== undefined && basename(cli) === 'npm-cli.js') return { command: process.execPath, args: [cli] };
  const beside = join(dirname(process.execPath), 'npm');
  return { command: existsSync(beside) ? beside : 'npm', args: [] };
}

function isBuilt() {
  return readJson(buildStamp)?.key === buildKey();
}

function buildKey() {
  const files = sourceFolders.flatMap((folder) => listTypeScript(join(root, folder)));
  const inputs = [...files, ...['knexfile.ts', 'tsconfig.json'].map((name) => join(root, name))].filter(existsSync);
  const lines = inputs.toSorted().map((file) => {
    const { mtimeMs, size } = statSync(file);
    return `${file.slice(root.length)} ${mtimeMs} ${size}`;
  });
  return hash([hash(readFileSync(lockfile)), ...lines].join('\n'));
}

/** @param {string} folder @returns {string[]} */
function listTypeScript(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return listTypeScript(path);
    return entry.name.endsWith('.ts') ? [path] : [];
  });
}

/**
 * Into a folder of its own, then renamed: output of a deleted source goes, and half a build is never used.
 *
 * @param {(line: string) => void} tell
 */
async function build(tell) {
  tell('Compilando (tsc)…');
  for (const name of readdirSync(root).filter((entry) => entry.startsWith('dist.'))) remove(join(root, name));
  const fresh = join(root, `dist.${process.pid}`);
  const old = `${fresh}.old`;
  // Before the compiler reads the sources: an edit during the build makes the build stale, not unseen.
  const key = buildKey();
  const tsc = join(modules, 'typescript', 'bin', 'tsc');
  const { ok, output } = await run(process.execPath, [tsc, '--project', root, '--outDir', fresh]);
  if (!ok) {
    remove(fresh);
    throw new PrepareError(`${output.trimEnd()}\nA compilação falhou.`);
  }
  writeFileSync(join(fresh, '.malha-build.json'), JSON.stringify({ key }));
  if (existsSync(dist)) renameSync(dist, old);
  renameSync(fresh, dist);
  remove(old);
}

/** @param {string} path */
function remove(path) {
  rmSync(path, { recursive: true, force: true });
}

/**
 * Runs a command in the clone; it ends with us.
 *
 * @param {string} command
 * @param {string[]} args
 * @returns {Promise<{ ok: boolean, output: string }>}
 */
function run(command, args) {
  const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  /** @type {Buffer[]} */
  const chunks = [];
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (/** @type {Buffer} */ chunk) => chunks.push(chunk));
  const end = () => {
    child.kill();
    process.exit(130);
  };
  process.once('SIGINT', end).once('SIGTERM', end);
  return new Promise((resolve) => {
    const finish = (/** @type {boolean} */ ok, more = '') => {
      process.off('SIGINT', end).off('SIGTERM', end);
      resolve({ ok, output: Buffer.concat(chunks).toString() + more });
    };
    child.once('error', (error) => finish(false, `${command}: ${error.message}`));
    child.once('close', (code) => finish(code === 0));
  });
}

/**
 * @param {string} path
 * @returns {{ key?: string, packages?: Record<string, LockedPackage> } | undefined}
 */
function readJson(path) {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-return -- npm's files and our own; a field that is missing is handled
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

/** @param {string | Buffer} content */
function hash(content) {
  return createHash('sha256').update(content).digest('hex');
}

import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { withCloneLock } from './clone-lock.mjs';
import { PrepareError, root } from './prepare.mjs';

/** The server, and the clients that backups are made and restored with. */
const packages = ['mysql-server-core', 'mysql-client-core'];
/** What a test may run, and where it stands in them. */
const programs = {
  mysqld: 'usr/sbin/mysqld',
  mysql: 'usr/bin/mysql',
  mysqldump: 'usr/bin/mysqldump',
  mysqlbinlog: 'usr/bin/mysqlbinlog',
};
const wantedSeries = '9.';
const data = join(root, '.data');
const home = join(data, 'mysql-9');
const keyring = '/usr/share/keyrings/debian-archive-keyring.gpg';

/**
 * Brings MySQL 9 from Debian unstable with all the libraries it needs, its own C library and loader too, into a folder
 * of this clone: nothing is installed in the system, and nobody needs to be root. Once brought, it stays.
 *
 * apt does the fetching, as for any Debian, but with a state of its own in which nothing is installed: so it resolves
 * every dependency, checks the index's signature by Debian's keys and each package by the index's sums.
 *
 * @param {(line: string) => void} tell
 * @returns {Promise<string>} the folder to put first on the PATH: it has the server and its clients, and nothing else.
 * @throws {PrepareError} one line, when it cannot be brought.
 */
export async function bringMysql(tell) {
  const bin = join(home, 'bin');
  await withCloneLock(
    data,
    async () => {
      if (Object.keys(programs).every((name) => existsSync(join(bin, name)))) return;
      for (const name of readdirSync(data).filter((entry) => entry.startsWith('mysql-9.'))) {
        rmSync(join(data, name), { recursive: true, force: true });
      }
      // Into a folder of another name, then renamed: half of it is never taken for the whole.
      const fresh = `${home}.${process.pid}`;
      try {
        await download(fresh, tell);
        // One that was brought before had fewer programs.
        rmSync(home, { recursive: true, force: true });
        renameSync(fresh, home);
      } finally {
        rmSync(fresh, { recursive: true, force: true });
      }
    },
    (pid) => tell(`Esperando o MySQL que o processo ${pid} busca…`),
  );
  return bin;
}

/** The Debian archive that this machine's apt is set to. */
async function archive() {
  const known = (await run('apt-get', ['indextargets', '--format', '$(REPO_URI)'])).split('\n');
  const found = known.find((uri) => uri.endsWith('/debian/'));
  if (found === undefined) throw unavailable('o apt desta máquina não aponta para nenhum repositório do Debian');
  return found;
}

/**
 * @param {string} folder
 * @param {(line: string) => void} tell
 */
async function download(folder, tell) {
  if (!existsSync(keyring)) throw unavailable(`falta ${keyring} (pacote debian-archive-keyring)`);
  const state = join(folder, 'apt');
  for (const dir of ['lists/partial', 'cache/archives/partial']) mkdirSync(join(state, dir), { recursive: true });
  writeFileSync(
    join(state, 'debian.sources'),
    `Types: deb\nURIs: ${await archive()}\nSuites: unstable\nComponents: main\nSigned-By: ${keyring}\n`,
  );
  const architecture = (await run('dpkg', ['--print-architecture'])).trim();
  writeFileSync(join(state, 'status'), withoutPerl(architecture));
  const options = aptOptions(state);

  tell('Buscando o MySQL 9 no Debian unstable (só desta vez)…');
  await run('apt-get', [...options, 'update']);
  const version = /^Version: (.+)$/m.exec(await run('apt-cache', [...options, 'show', ...packages]))?.[1];
  if (!version?.startsWith(wantedSeries))
    throw unavailable(`o Debian tem ${packages.join(' e ')} ${version ?? 'nenhum'}`);
  await run('apt-get', [...options, 'install', '-y', '--no-install-recommends', '--download-only', ...packages]);

  const archives = join(state, 'cache', 'archives');
  for (const name of readdirSync(archives).filter((entry) => entry.endsWith('.deb'))) {
    await run('dpkg-deb', ['--extract', join(archives, name), folder]);
  }
  rmSync(state, { recursive: true });
  const program = writePrograms(folder);
  const says = await run(program, ['--no-defaults', '--version']);
  if (!says.includes(` ${wantedSeries}`)) throw unavailable(`${relative(root, program)} diz ser "${says.trim()}"`);
  tell(`MySQL ${version} em ${relative(root, home)}`);
}

/** @param {string} state */
function aptOptions(state) {
  return [
    `Dir::State=${state}`,
    `Dir::State::lists=${join(state, 'lists')}`,
    `Dir::State::status=${join(state, 'status')}`,
    `Dir::Cache=${join(state, 'cache')}`,
    `Dir::Etc::SourceList=${join(state, 'debian.sources')}`,
    'Dir::Etc::SourceParts=/dev/null',
    // The system's pins are about the system's packages.
    'Dir::Etc::Preferences=/dev/null',
    'Dir::Etc::PreferencesParts=/dev/null',
    'Acquire::Languages=none',
    // As root apt would download as another user, who has no way into the clone.
    'APT::Sandbox::User=',
    // A list that did not come is otherwise a warning.
    'APT::Update::Error-Mode=any',
  ].flatMap((option) => ['-o', option]);
}

/**
 * What apt takes for installed: Perl, which only scripts around the server would run.
 *
 * @param {string} architecture
 */
function withoutPerl(architecture) {
  return `Package: perl\nStatus: install ok installed\nVersion: 99\nArchitecture: ${architecture}\nMulti-Arch: allowed
Maintainer: nobody\nDescription: left out\n`;
}

/**
 * Writes `bin/mysqld` and the clients beside it, each of which runs by its own loader and with its own libraries. By the
 * name that the server is called it finds its messages and character sets, wherever the folder stands.
 *
 * @param {string} folder
 * @returns {string} the server's path.
 */
function writePrograms(folder) {
  const libraries = join(folder, 'usr', 'lib');
  const loader = readdirSync(libraries)
    .flatMap((triplet) =>
      triplet.includes('-linux-') ? readdirSync(join(libraries, triplet)).map((name) => join(triplet, name)) : [],
    )
    .find((path) => /\/ld-linux[^/]*\.so\.\d+$/.test(path));
  if (loader === undefined) throw unavailable('não veio o carregador de programas da libc6');
  mkdirSync(join(folder, 'bin'));
  for (const [name, path] of Object.entries(programs)) {
    const script = `#!/bin/sh
home=$(cd "$(dirname "$0")/.." && pwd)
loader="$home/usr/lib/${loader}"
exec "$loader" --library-path "\${loader%/*}" --argv0 "$home/${path}" "$home/${path}" "$@"
`;
    writeFileSync(join(folder, 'bin', name), script, { mode: 0o755 });
  }
  return join(folder, 'bin', 'mysqld');
}

/** @param {string} why */
function unavailable(why) {
  return new PrepareError(`Sem o MySQL ${wantedSeries}x para TEST_DATABASE=mysql: ${why}.`);
}

/**
 * @param {string} command
 * @param {string[]} args
 * @returns {Promise<string>} what it wrote on stdout.
 */
function run(command, args) {
  const child = spawn(command, args, {
    env: { ...process.env, LC_ALL: 'C', DEBIAN_FRONTEND: 'noninteractive' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (/** @type {string} */ chunk) => (output += chunk));
  child.stderr.setEncoding('utf8').on('data', (/** @type {string} */ chunk) => (errors += chunk));
  return new Promise((resolve, reject) => {
    child.once('error', (error) => reject(unavailable(error.message)));
    child.once('close', (code) => {
      if (code === 0) return resolve(output);
      const lines = errors.split('\n').filter((line) => line.trim() !== '');
      const told = lines.find((line) => line.startsWith('E: ')) ?? lines.at(-1) ?? `código ${code}`;
      return reject(unavailable(`${command}: ${told.replace(/^E: /, '').trim()}`));
    });
  });
}

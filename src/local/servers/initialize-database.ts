import { existsSync, mkdirSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { run } from '../processes/run-command.ts';

/** Creates the system tables of a MySQL in `dataDir`, which must not exist; root has no password. */
export async function initializeMysql(binary: string, dataDir: string, args: readonly string[]): Promise<void> {
  await run(binary, ['--no-defaults', '--initialize-insecure', `--datadir=${dataDir}`, ...args]);
}

/**
 * Creates the system tables of a MariaDB in `dataDir`, which must not exist; root has no password.
 *
 * Does what `mariadb-install-db` does, less help texts, time zones and test database. Not the script itself: it needs
 * `my_print_defaults`, which Debian ships in the client's package, and it takes no folder with a space in its name.
 */
export async function initializeMariadb(binary: string, dataDir: string, args: readonly string[]): Promise<void> {
  const scripts = findSystemScripts(binary);
  mkdirSync(dataDir, { mode: 0o700 });
  await run(
    binary,
    ['--no-defaults', '--bootstrap', `--datadir=${dataDir}`, '--log-warnings=0', '--max-allowed-packet=8M', ...args],
    {
      input: [
        { text: 'CREATE DATABASE IF NOT EXISTS mysql;\nUSE mysql;\nSET @auth_root_socket = NULL;\n' },
        ...scripts.map((file) => ({ file })),
      ],
    },
  );
}

// MariaDB 11 renamed the scripts.
const scriptNames = ['mariadb', 'mysql'].map((prefix) =>
  ['system_tables', 'performance_tables', 'system_tables_data'].map((name) => `${prefix}_${name}.sql`),
);

function findSystemScripts(binary: string): string[] {
  const prefix = dirname(dirname(realpathSync(binary)));
  const folders = [prefix, '/usr', '/usr/local'].flatMap((root) => [
    join(root, 'share', 'mysql'),
    join(root, 'share', 'mariadb'),
    join(root, 'share'),
    join(root, 'scripts'),
  ]);
  const candidates = folders.flatMap((folder) => scriptNames.map((names) => names.map((name) => join(folder, name))));
  const found = candidates.find((files) => files.every((file) => existsSync(file)));
  if (found === undefined) {
    throw new Error(`Não encontrei os scripts de sistema do MariaDB de ${binary}; reinstale-o ou use DATABASE_URL.`);
  }
  return found;
}

import { canInstallPackages, installPackages } from './debian-packages.ts';
import { findBinary } from './find-binary.ts';

/** Which servers a caller wants. */
export interface WantedServers {
  database: boolean;
  redis: boolean;
}

/** Paths of the programs; one that was not asked for is absent. */
export interface ServerBinaries {
  database?: string;
  redis?: string;
}

const servers = {
  database: {
    title: 'MariaDB/MySQL',
    binaries: ['mariadbd', 'mysqld'],
    // "-core" is the program without the system's service, users and configuration.
    packages: ['mariadb-server-core', 'default-mysql-server-core', 'mysql-server-core', 'mysql-server-core-8.0'],
    variable: 'DATABASE_URL',
  },
  redis: {
    title: 'Redis',
    binaries: ['redis-server', 'valkey-server'],
    packages: ['redis-server', 'valkey-server'],
    variable: 'REDIS_URL',
  },
} as const;

/** Finds the wanted programs; installs what is missing where it may, else throws one line that says what to do. */
export async function locateServers(
  wanted: WantedServers,
  scratchDir: string,
  log: (line: string) => void,
): Promise<ServerBinaries> {
  const missing = missingOf(wanted);
  if (missing.length > 0 && canInstallPackages()) {
    log(`Instalando ${missing.map((name) => servers[name].title).join(' e ')} (apt-get, só desta vez)…`);
    await installPackages(
      missing.map((name) => servers[name].packages),
      scratchDir,
    );
  }
  const stillMissing = missingOf(wanted);
  if (stillMissing.length > 0) {
    const titles = stillMissing.map((name) => servers[name].title).join(' e ');
    const packages = stillMissing.map((name) => servers[name].packages[0]).join(' ');
    const variables = stillMissing.map((name) => servers[name].variable).join(' e ');
    throw new Error(
      `Falta ${titles}: instale com "apt-get install ${packages}" ou aponte ${variables} para um servidor que já exista.`,
    );
  }
  const found: ServerBinaries = {};
  const database = wanted.database ? findBinary(servers.database.binaries) : undefined;
  const redis = wanted.redis ? findBinary(servers.redis.binaries) : undefined;
  if (database !== undefined) found.database = database;
  if (redis !== undefined) found.redis = redis;
  return found;
}

function missingOf(wanted: WantedServers): (keyof typeof servers)[] {
  return (['database', 'redis'] as const).filter(
    (name) => wanted[name] && findBinary(servers[name].binaries) === undefined,
  );
}

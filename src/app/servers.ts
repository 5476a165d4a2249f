import { DIREITOS } from '../domain/direitos.ts';
import { provideServers } from '../local/provide.ts';
import type { ProvideOptions, ProvidedServers } from '../local/provide.ts';
import type { Config } from '../platform/config.ts';
import { createDatabase } from '../platform/mysql/database.ts';
import { grantApplication } from '../platform/mysql/grants.ts';
import { lackOf } from '../platform/mysql/schema/lacks.ts';
import { migrate, schemaAge } from '../platform/mysql/schema/migrations.ts';

export interface ServersOptions {
  readonly config: Config;
  /** True for short commands: they may use the private servers of a service that is running. A service may not. */
  readonly attach: boolean;
  /** Lines for the person at the terminal. */
  readonly print: (line: string) => void;
  /**
   * Called with the function that stops the servers, as soon as they run, and so also when the migration then fails.
   */
  readonly onStop: (stop: () => Promise<void>) => void;
  /** Called when a private server ends without having been asked to. */
  readonly onExit?: () => void;
}

/** Provides the servers of the settings, or private ones. */
export async function serversOf(
  config: Config,
  how: Pick<ProvideOptions, 'log' | 'attach' | 'onExit'>,
): Promise<ProvidedServers> {
  return provideServers({
    databaseUrl: config.DATABASE_URL,
    ownerUrl: config.DATABASE_OWNER_URL,
    redisUrl: config.REDIS_URL,
    dataDir: config.MALHA_DATA_DIR,
    ...how,
  });
}

/** Provides the servers of the settings, or private ones, and brings their schema up to date. */
export async function openServers(options: ServersOptions): Promise<ProvidedServers> {
  const { config, attach, print, onStop, onExit } = options;
  const servers = await serversOf(config, { log: print, attach, ...(onExit === undefined ? {} : { onExit }) });
  onStop(async () => servers.stop());
  await updateSchema(servers, print);
  return servers;
}

/**
 * Brings the schema and its users' rights up to date on connections of its own; resolves to the names of the migrations
 * that ran.
 *
 * @param warn called with a line when the service's user has rights that it should not have.
 */
export async function updateSchema(
  { databaseUrl, ownerUrl }: { databaseUrl: string; ownerUrl: string },
  warn: (line: string) => void,
): Promise<string[]> {
  const db = createDatabase({ url: ownerUrl, pool: 3, migrates: true });
  try {
    await db.raw('SELECT 1').catch((error: unknown) => {
      const setting = ownerUrl === databaseUrl ? 'DATABASE_URL' : 'DATABASE_OWNER_URL';
      throw new Error(`O banco não aceitou a conexão (${errorCode(error)}); confira ${setting}.`, { cause: error });
    });
    const names = await migrate(db);
    // Rights to tables that this release does not know are for the newer one to give.
    if ((await schemaAge(db)) === 'ahead') {
      warn('Aviso: o esquema é de uma versão mais nova do Malha; esta trabalha com ele, e não o muda.');
      return names;
    }
    const tooWide = await grantApplication(db, databaseUrl, DIREITOS).catch((error: unknown) => {
      const lacking = lackOf(error);
      throw lacking === undefined ? error : new Error(lacking, { cause: error });
    });
    if (tooWide.length > 0) {
      warn(
        `Aviso: o usuário de DATABASE_URL tem direitos que não são de tabelas (${tooWide.join(', ')}); tire-os com REVOKE.`,
      );
    }
    return names;
  } finally {
    await db.destroy();
  }
}

/** The system's code of a failure, such as `ECONNREFUSED`. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}

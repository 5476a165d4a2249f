import { DIREITOS } from '../domain/direitos.ts';
import { provideServers } from '../local/provide.ts';
import type { ProvidedServers } from '../local/provide.ts';
import type { Config } from '../platform/config.ts';
import { createDatabase } from '../platform/mysql/database.ts';
import { grantApplication } from '../platform/mysql/grants.ts';
import { migrate } from '../platform/mysql/migrations.ts';

export interface ServersOptions {
  readonly config: Config;
  /** A short command may use the servers of the service that holds the data folder; a service may not. */
  readonly attach: boolean;
  /** Lines for the person at the terminal. */
  readonly escrever: (linha: string) => void;
  /** Given what stops the servers, as soon as they are there: also where the schema then cannot be brought up to date. */
  readonly onStop: (stop: () => Promise<void>) => void;
  /** Told when a private server ends without having been asked to. */
  readonly onExit?: () => void;
}

/** The servers of the settings, or private ones, with their schema up to date. */
export async function openServers(options: ServersOptions): Promise<ProvidedServers> {
  const { config, attach, escrever, onStop, onExit } = options;
  const servers = await provideServers({
    databaseUrl: config.DATABASE_URL,
    ownerUrl: config.DATABASE_OWNER_URL,
    redisUrl: config.REDIS_URL,
    dataDir: config.MALHA_DATA_DIR,
    log: escrever,
    attach,
    ...(onExit === undefined ? {} : { onExit }),
  });
  onStop(async () => servers.stop());
  await updateSchema(servers, escrever);
  return servers;
}

/**
 * Brings the schema and its users' rights up to date on connections of its own; resolves to the names of the migrations that ran.
 *
 * @param avisar told, in a line, of rights that the service's user should not have.
 */
export async function updateSchema(
  { databaseUrl, ownerUrl }: { databaseUrl: string; ownerUrl: string },
  avisar: (linha: string) => void,
): Promise<string[]> {
  const db = createDatabase({ url: ownerUrl, pool: 2 });
  try {
    await db.raw('SELECT 1').catch((error: unknown) => {
      throw new Error(`O banco não aceitou a conexão (${errorCode(error)}); confira DATABASE_URL.`, { cause: error });
    });
    const names = await migrate(db);
    const largos = await grantApplication(db, databaseUrl, DIREITOS);
    if (largos.length > 0) {
      avisar(
        `Aviso: o usuário de DATABASE_URL tem direitos que não são de tabelas (${largos.join(', ')}); tire-os com REVOKE.`,
      );
    }
    return names;
  } finally {
    await db.destroy();
  }
}

/** What the system calls a failure, such as `ECONNREFUSED`. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}

import { startPrivateServers } from './private-servers.ts';
import { announceServers, findRunningServers } from './running.ts';
import type { RunningServers } from './running.ts';

export interface ProvideOptions {
  /** A real server to use. A server that is not given is started privately. */
  readonly databaseUrl: string | undefined;
  /** The user who may change the schema of that database; by default the same user. */
  readonly ownerUrl: string | undefined;
  readonly redisUrl: string | undefined;
  readonly dataDir: string;
  readonly log: (line: string) => void;
  /** True for short commands: they may use the private servers of a service that is running. A service may not. */
  readonly attach: boolean;
  /** Called when a private server ends without having been asked to. */
  readonly onExit?: (name: string) => void;
}

export interface ProvidedServers extends RunningServers {
  stop(): Promise<void>;
}

/** The database and the Redis to work with: those of the settings, else the running private ones, else new ones. */
export async function provideServers(options: ProvideOptions): Promise<ProvidedServers> {
  const { databaseUrl, ownerUrl = databaseUrl, redisUrl, dataDir, log, attach, onExit } = options;
  const running = attach ? findRunningServers(dataDir) : undefined;
  const found = {
    databaseUrl: databaseUrl ?? running?.databaseUrl,
    ownerUrl: ownerUrl ?? running?.ownerUrl,
    redisUrl: redisUrl ?? running?.redisUrl,
  };
  if (found.databaseUrl !== undefined && found.ownerUrl !== undefined && found.redisUrl !== undefined) {
    const { databaseUrl: database, ownerUrl: owner, redisUrl: redis } = found;
    return { databaseUrl: database, ownerUrl: owner, redisUrl: redis, stop: async () => {} };
  }

  const started = await startPrivateServers({
    dataDir,
    log,
    which: { database: found.databaseUrl === undefined, redis: found.redisUrl === undefined },
    ...(onExit === undefined ? {} : { onExit }),
  });
  const servers = {
    databaseUrl: found.databaseUrl ?? started.applicationUrl ?? '',
    ownerUrl: found.ownerUrl ?? started.ownerUrl ?? '',
    redisUrl: found.redisUrl ?? started.redisUrl ?? '',
  };
  const withdraw = announceServers(dataDir, servers);
  return {
    ...servers,
    async stop() {
      withdraw();
      await started.stop();
    },
  };
}

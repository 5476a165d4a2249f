import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isPrivateFolder } from './data/private-folder.ts';
import { pidOf, processIdentity } from './processes/process-identity.ts';

/** How to reach the private servers of a running service. */
export interface RunningServers {
  readonly databaseUrl: string;
  readonly ownerUrl: string;
  readonly redisUrl: string;
}

const fileIn = (dataDir: string): string => join(dataDir, 'run', 'servers.json');

/** Tells other processes of this user how to reach the servers. Returns a function that withdraws it. */
export function announceServers(dataDir: string, servers: RunningServers): () => void {
  const file = fileIn(dataDir);
  const identity = processIdentity(process.pid);
  writeFileSync(file, JSON.stringify({ ...servers, identity }), { mode: 0o600 });
  return () => rmSync(file, { force: true });
}

/**
 * The servers of the living process that holds the data folder, or undefined. What a dead process announced is ignored,
 * and so is a file that another user may have written.
 */
export function findRunningServers(dataDir: string): RunningServers | undefined {
  const file = fileIn(dataDir);
  if (!isPrivateFolder(dirname(file))) return undefined;
  try {
    const { identity, databaseUrl, ownerUrl, redisUrl } = JSON.parse(readFileSync(file, 'utf8')) as RunningServers & {
      identity: string;
    };
    return processIdentity(pidOf(identity)) === identity ? { databaseUrl, ownerUrl, redisUrl } : undefined;
  } catch {
    return undefined;
  }
}

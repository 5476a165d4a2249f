import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isPrivateFolder } from './data/private-folder.ts';
import { pidOf, processIdentity } from './processes/process-identity.ts';

/** Where the servers that a data folder's holder runs can be reached. */
export interface RunningServers {
  readonly databaseUrl: string;
  readonly ownerUrl: string;
  readonly redisUrl: string;
}

const fileIn = (dataDir: string): string => join(dataDir, 'run', 'servers.json');

/** Tells other processes of this user how to reach the servers; the answer takes it back. */
export function announceServers(dataDir: string, servers: RunningServers): () => void {
  const file = fileIn(dataDir);
  const identity = processIdentity(process.pid);
  writeFileSync(file, JSON.stringify({ ...servers, identity }), { mode: 0o600 });
  return () => rmSync(file, { force: true });
}

/** The servers of a live holder of the data folder, or undefined. Not believed is what a dead one announced, or somebody else may have. */
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

import { createHash } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import { openParentFolder, openPrivateFolder } from './private-folder.ts';

/** The folders of the private servers. Only this user can read them, because the sockets ask for no password. */
export interface DataDirLayout {
  /** Lock, FIFOs, pid files. */
  runDir: string;
  /** Unix sockets; `<runDir>` unless its path is too long for one. */
  socketDir: string;
  logDir: string;
  mariadbDir: string;
  redisDir: string;
  /** Removes what is of no use to the next run. */
  cleanUp(): void;
}

// sun_path has 108 bytes on Linux and 104 on macOS, its closing zero included.
const longestSocketPath = 103;
const longestSocketName = 'mariadb.sock';

/**
 * Creates the missing folders below `dataDir`, and makes sure that only this user can enter those that exist.
 *
 * @throws an Error with one line for the user when that is not possible.
 */
export function openDataDir(dataDir: string): DataDirLayout {
  const root = resolve(dataDir);
  const layout = {
    runDir: join(root, 'run'),
    logDir: join(root, 'log'),
    mariadbDir: join(root, 'mariadb'),
    redisDir: join(root, 'redis'),
  };
  openParentFolder(root);
  for (const dir of [layout.runDir, layout.logDir, layout.redisDir]) openPrivateFolder(dir);
  // mariadb.ts creates this folder, complete with its content.
  if (existsSync(layout.mariadbDir)) openPrivateFolder(layout.mariadbDir);
  const fits = Buffer.byteLength(join(layout.runDir, longestSocketName)) <= longestSocketPath;
  const socketDir = fits ? layout.runDir : shortPrivateDir(root);
  return {
    ...layout,
    socketDir,
    cleanUp() {
      if (!fits) rmSync(socketDir, { recursive: true, force: true });
    },
  };
}

/** A short path in the shared temporary folder, where another user may have created the name before. */
function shortPrivateDir(dataDir: string): string {
  const { uid } = userInfo();
  const dir = join(tmpdir(), `malha-${createHash('sha256').update(`${uid} ${dataDir}`).digest('hex').slice(0, 16)}`);
  openPrivateFolder(dir);
  return dir;
}

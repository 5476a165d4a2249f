import { createHash } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import { openParentFolder, openPrivateFolder } from './private-folder.ts';

/** Where a private server keeps its things. All folders are readable by this user alone: the sockets ask no password. */
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
 * Creates the folders below `dataDir` that are missing, and sees to it that those that are there are this user's alone.
 *
 * @throws an Error of one line for the user when one is not, and cannot be made so.
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
  // Made whole by whoever fills it; see mariadb.ts.
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

/** In a shared temporary folder, where somebody else may have put the name first. */
function shortPrivateDir(dataDir: string): string {
  const { uid } = userInfo();
  const dir = join(tmpdir(), `malha-${createHash('sha256').update(`${uid} ${dataDir}`).digest('hex').slice(0, 16)}`);
  openPrivateFolder(dir);
  return dir;
}

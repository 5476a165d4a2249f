import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, rmSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join, resolve } from 'node:path';

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

/** Creates the folders below `dataDir` that are missing. */
export function openDataDir(dataDir: string): DataDirLayout {
  const root = resolve(dataDir);
  const layout = {
    runDir: join(root, 'run'),
    logDir: join(root, 'log'),
    mariadbDir: join(root, 'mariadb'),
    redisDir: join(root, 'redis'),
  };
  mkdirSync(root, { recursive: true });
  for (const dir of [layout.runDir, layout.logDir, layout.redisDir]) mkdirSync(dir, { recursive: true, mode: 0o700 });
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

function shortPrivateDir(dataDir: string): string {
  const { uid } = userInfo();
  const dir = join(tmpdir(), `malha-${createHash('sha256').update(`${uid} ${dataDir}`).digest('hex').slice(0, 16)}`);
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  // In a shared temporary folder somebody else may have put the name there first.
  const found = lstatSync(dir);
  if (!found.isDirectory() || found.uid !== uid || (found.mode & 0o077) !== 0) {
    throw new Error(`A pasta ${dir} não é privada deste usuário; apague-a ou use um MALHA_DATA_DIR mais curto.`);
  }
  return dir;
}

import { constants } from 'node:fs';
import { lstat, mkdir, open, readdir, rename, rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { ObjectMissing, checkName } from './object-store.ts';
import type { ObjectStore } from './object-store.ts';

/** Prefix of files that are being written. Names of objects do not begin with a dot. */
const UNFINISHED = '.parcial-';

const OTHERS_WRITE = 0o022;

/**
 * Objects as files below a folder, which is created when the first object is written. With several machines, the folder
 * must be on a file system that they share.
 */
export function createDirectoryStore(root: string): ObjectStore {
  const fileOf = (name: string): string => path.join(root, ...checkName(name).split('/'));

  return {
    async create(name) {
      const file = fileOf(name);
      const folder = path.dirname(file);
      const unfinished = path.join(folder, `${UNFINISHED}${path.basename(file)}`);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      // The file holds personal data: only the service's user may read it, and an existing file is never written to.
      await rm(unfinished, { force: true });
      const handle = await open(unfinished, 'wx', 0o600);
      try {
        await requirePrivate(folder, (await handle.stat()).uid);
      } catch (error) {
        await handle.close();
        await rm(unfinished, { force: true });
        throw error;
      }
      return {
        async write(bytes) {
          let done = 0;
          while (done < bytes.length) done += (await handle.write(bytes, done)).bytesWritten;
        },
        async close() {
          await handle.sync();
          await handle.close();
          await rename(unfinished, file);
          await syncFolder(folder);
        },
        async abort() {
          await handle.close().catch(() => {});
          await rm(unfinished, { force: true });
        },
      };
    },

    async read(name, { start, end }) {
      const handle = await open(fileOf(name), 'r').catch((error: unknown) => {
        throw isMissing(error) ? new ObjectMissing() : error;
      });
      return handle.createReadStream({ start, end });
    },

    async list(folder) {
      const base = fileOf(folder.replace(/\/$/, ''));
      const found = await readdir(base, { recursive: true, withFileTypes: true }).catch((error: unknown) => {
        if (isMissing(error)) return [];
        throw error;
      });
      return found
        .filter((entry) => entry.isFile())
        .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'));
    },

    async remove(names) {
      for (const name of names) {
        const file = path.join(root, ...name.split('/'));
        if (!file.startsWith(path.join(root, path.sep))) throw new RangeError('not below the folder');
        await rm(file, { force: true });
        await removeEmptyFolders(path.dirname(file));
      }
    },
  };

  /**
   * Checks that the folders below the root are ours and that nobody else may change them: who could change them, could
   * choose what is served. `uid` is the owner of a file that we have just created, because a network file system may
   * map our user to another number.
   */
  async function requirePrivate(folder: string, uid: number): Promise<void> {
    for (let at = folder; at.startsWith(path.join(root, path.sep)); at = path.dirname(at)) {
      const found = await lstat(at);
      if (!found.isDirectory() || found.uid !== uid || (found.mode & OTHERS_WRITE) !== 0) {
        throw new Error(`A pasta ${at} pode ser mudada por outros usuários; confira o que há ali e feche-a.`);
      }
    }
  }

  async function removeEmptyFolders(folder: string): Promise<void> {
    for (let at = folder; at !== root && at.startsWith(path.join(root, path.sep)); at = path.dirname(at)) {
      try {
        await rmdir(at);
      } catch {
        return;
      }
    }
  }
}

/** Writes a folder to the disk. Only then a rename in it is safe against a power cut. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, constants.O_RDONLY);
  await handle.sync();
  await handle.close();
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}

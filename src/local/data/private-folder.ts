import { chmodSync, lstatSync, mkdirSync, realpathSync, statSync } from 'node:fs';
import type { Stats } from 'node:fs';
import { userInfo } from 'node:os';

const OTHERS_WRITE = 0o022;
const OTHERS = 0o077;
const ANYBODY_WRITES = 0o002;
/** In a folder with this bit, such as `/tmp`, a user cannot rename or remove the files of others. */
const STICKY = 0o1000;
const ROOT = 0;

/**
 * Creates a folder that only this user can enter. When the folder exists, belongs to this user and others could only
 * read it, its mode is corrected. The parent must exist.
 *
 * @throws an Error with one line for the user when it belongs to another user, is not a folder, or others could write
 * to it.
 */
export function openPrivateFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  const found = lstatSync(path);
  const fault = faultOf(found);
  if (fault !== undefined) throw new Error(`A pasta ${path} não serve: ${fault}.`);
  if ((found.mode & OTHERS) !== 0) chmodSync(path, 0o700);
}

/** Whether a folder exists and is as `openPrivateFolder` leaves it. */
export function isPrivateFolder(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found !== undefined && faultOf(found) === undefined && (found.mode & OTHERS) === 0;
}

/**
 * Creates the folder that contains the private ones, or makes sure that no other user can replace them. It may be
 * readable by others, be a link, or belong to root.
 *
 * @throws an Error with one line for the user.
 */
export function openParentFolder(path: string): void {
  mkdirSync(path, { recursive: true });
  const real = realpathSync(path);
  const { uid, mode } = statSync(real);
  if (uid === userInfo().uid) {
    if ((mode & OTHERS_WRITE) !== 0 && (mode & STICKY) === 0) chmodSync(real, mode & 0o7777 & ~OTHERS_WRITE);
    return;
  }
  if (uid !== ROOT) throw new Error(`A pasta ${path} é de outro usuário; escolha outra com MALHA_DATA_DIR.`);
  if ((mode & ANYBODY_WRITES) !== 0 && (mode & STICKY) === 0) {
    throw new Error(`Qualquer usuário pode trocar o que há na pasta ${path}; escolha outra com MALHA_DATA_DIR.`);
  }
}

function faultOf(found: Stats): string | undefined {
  if (!found.isDirectory()) return 'é um link, ou não é pasta';
  if (found.uid !== userInfo().uid) return 'é de outro usuário';
  if ((found.mode & OTHERS_WRITE) === 0) return undefined;
  return 'outros usuários podem escrever nela; confira o que há ali e feche-a com chmod 700';
}

import { chmodSync, lstatSync, mkdirSync, realpathSync, statSync } from 'node:fs';
import type { Stats } from 'node:fs';
import { userInfo } from 'node:os';

const OTHERS_WRITE = 0o022;
const OTHERS = 0o077;
const ANYBODY_WRITES = 0o002;
/** In such a folder, as `/tmp`, nobody renames or removes what is another's. */
const STICKY = 0o1000;
const ROOT = 0;

/**
 * Makes a folder that this user alone can enter, or sees to it that one that is there already is so: its mode is mended where it is this
 * user's and others could only read. The parent must be there.
 *
 * @throws an Error of one line for the user when the folder is another's, no folder, or others may have put something into it.
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

/** Whether a folder is there and as `openPrivateFolder` leaves it. */
export function isPrivateFolder(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found !== undefined && faultOf(found) === undefined && (found.mode & OTHERS) === 0;
}

/**
 * Makes the folder in which private ones stand, or sees to it that nobody else can put another in the place of one. It may be read by
 * others, be a link, or be root's.
 *
 * @throws an Error of one line for the user.
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

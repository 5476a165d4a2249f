import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const claimPrefix = 'prepare.';
const deadlineMs = 15 * 60_000;

/**
 * Runs `work` while no other process of this clone runs its own; waits for its turn. The same method as
 * src/local/data/data-dir-lock.ts, which does not exist as JavaScript before the first build: everyone
 * writes a claim named after himself, looks for live rivals, and withdraws when there is one.
 *
 * @template T
 * @param {string} dir
 * @param {() => Promise<T>} work
 * @param {(pid: number) => void} onWait
 * @returns {Promise<T>}
 */
export async function withCloneLock(dir, work, onWait) {
  mkdirSync(dir, { recursive: true });
  const me = identityOf(process.pid) ?? `${process.pid}-0`;
  const claim = join(dir, claimPrefix + me);
  const deadline = Date.now() + deadlineMs;
  let told = false;
  for (;;) {
    // Never through a link that somebody else put there.
    writeFileSync(claim, '', { flag: 'wx' });
    const rival = findLiveRival(dir, me);
    if (rival === undefined) break;
    rmSync(claim, { force: true });
    if (Date.now() > deadline) throw new Error(`O preparo deste clone pelo processo ${rival} não termina.`);
    if (!told) onWait(rival);
    told = true;
    await sleep(50 + Math.random() * 150);
  }
  try {
    return await work();
  } finally {
    rmSync(claim, { force: true });
  }
}

/**
 * @param {string} dir
 * @param {string} me
 */
function findLiveRival(dir, me) {
  /** @type {number | undefined} */
  let rival;
  for (const name of readdirSync(dir).filter((entry) => entry.startsWith(claimPrefix))) {
    const identity = name.slice(claimPrefix.length);
    if (identity === me) continue;
    const pid = Number.parseInt(identity, 10);
    if (identityOf(pid) === identity) rival = pid;
    else rmSync(join(dir, name), { force: true });
  }
  return rival;
}

/**
 * The pid with the tick it started at, or only the pid where there is no /proc; undefined when it is not alive.
 *
 * @param {number} pid
 */
export function identityOf(pid) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return undefined;
  }
  if (process.platform !== 'linux') return `${pid}-0`;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? undefined : `${pid}-${fields[19]}`;
  } catch {
    return undefined;
  }
}

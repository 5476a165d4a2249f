import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pidOf, processIdentity } from '../processes/process-identity.ts';

/** A data folder held by this process; `release` may be called more than once. */
export interface DataDirLock {
  release(): void;
}

const claimPrefix = 'lock.';
// Long enough for a holder that has just been killed to be really gone.
const patienceMs = 2_000;

/**
 * Takes `runDir` for this process alone, or throws with the holder's pid.
 *
 * Each contender first writes a file that carries its own identity in its name, then looks for others; whoever sees a
 * live rival withdraws. Of two contenders the later writer always sees the earlier one, so two can never both hold,
 * and the leftovers of dead processes are removed by name, so nobody's fresh file is ever taken for a stale one. (The
 * usual "remove the stale lock file, create it anew" has that race.) Two that meet both withdraw and try again after
 * a random pause.
 */
export async function takeDataDirLock(runDir: string): Promise<DataDirLock> {
  const me = processIdentity(process.pid) ?? `${process.pid}-unknown`;
  const claim = join(runDir, claimPrefix + me);
  const deadline = Date.now() + patienceMs;
  for (;;) {
    if (!createExclusively(claim)) throw inUse(runDir, process.pid);
    const rival = findLiveRival(runDir, me);
    if (rival === undefined) return { release: () => rmSync(claim, { force: true }) };
    rmSync(claim, { force: true });
    if (Date.now() > deadline) throw inUse(runDir, rival);
    await sleep(20 + Math.random() * 100);
  }
}

/** The pid of another live process with a claim; claims of dead ones are removed on the way. */
function findLiveRival(runDir: string, me: string): number | undefined {
  let rival: number | undefined;
  for (const name of readdirSync(runDir).filter((entry) => entry.startsWith(claimPrefix))) {
    const identity = name.slice(claimPrefix.length);
    if (identity === me) continue;
    const pid = pidOf(identity);
    if (processIdentity(pid) === identity) rival = pid;
    else rmSync(join(runDir, name), { force: true });
  }
  return rival;
}

function createExclusively(path: string): boolean {
  try {
    writeFileSync(path, '', { flag: 'wx' });
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

function inUse(runDir: string, pid: number): Error {
  return new Error(
    `A pasta de dados ${dirname(runDir)} está em uso por outro Malha (pid ${pid}); ` +
      'escolha outra com MALHA_DATA_DIR ou encerre aquele.',
  );
}

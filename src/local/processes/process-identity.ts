import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/**
 * A name for one process that no other process ever has: its pid and a digest of the moment it started, since a pid
 * alone comes back. `undefined` when no such process lives (a zombie counts as dead: it holds nothing any more).
 */
export function processIdentity(pid: number): string | undefined {
  const started = process.platform === 'linux' ? startedOnLinux(pid) : startedByPs(pid);
  if (started === undefined) return undefined;
  return `${pid}-${createHash('sha256').update(started).digest('hex').slice(0, 12)}`;
}

/** The pid inside a name made by {@link processIdentity}. */
export function pidOf(identity: string): number {
  return Number.parseInt(identity, 10);
}

function startedOnLinux(pid: number): string | undefined {
  const stat = readIfThere(`/proc/${pid}/stat`);
  if (stat === undefined) return undefined;
  // The command's name stands in parentheses and may hold anything, so the fields are counted after the last one.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state] = fields;
  if (state === 'Z' || state === 'X') return undefined;
  // The start is counted in ticks since boot: it takes the boot's id to tell two boots apart.
  return `${readIfThere('/proc/sys/kernel/random/boot_id') ?? ''} ${fields[19] ?? ''}`;
}

function startedByPs(pid: number): string | undefined {
  const ps = spawnSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], {
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: 'C' },
  });
  const [state = '', ...lstart] = (ps.stdout ?? '').trim().split(/\s+/);
  return state === '' || state.startsWith('Z') ? undefined : lstart.join(' ');
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

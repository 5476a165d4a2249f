import { readFileSync } from 'node:fs';

/** The most memory that the process or one that it started has had resident (Linux): `malha serve` answers from processes of its own. */
export function peakMemoryMb(pid: number): number {
  const started = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').match(/\d+/g) ?? [];
  return Math.max(...[pid, ...started.map(Number)].map(peakOfOneMb));
}

function peakOfOneMb(pid: number): number {
  const kb = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Math.round(Number(kb) / 1024);
}

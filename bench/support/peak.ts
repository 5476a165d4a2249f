import { readFileSync } from 'node:fs';
import { familyOf } from './family.ts';

/** The most memory that the process or one that it started has had resident (Linux): `malha serve` answers from processes of its own. */
export function peakMemoryMb(pid: number): number {
  return Math.max(...familyOf(pid).map(peakOfOneMb));
}

/** The memory that the process and those that it started have resident now (Linux). */
export function residentMb(pid: number): number {
  return familyOf(pid).reduce((sum, one) => sum + ofOneMb(one, 'VmRSS'), 0);
}

const peakOfOneMb = (pid: number): number => ofOneMb(pid, 'VmHWM');

function ofOneMb(pid: number, what: 'VmHWM' | 'VmRSS'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(new RegExp(`^${what}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) / 1024);
}

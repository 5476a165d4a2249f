import { readFileSync } from 'node:fs';
import { familyOf } from './family.ts';

/** Linux: ticks of the clock of proc(5). */
const MS_A_TICK = 10;

/** Processor time that a process and those that it started have taken until now; unlike a time of day, it hardly changes with what else runs. */
export function processorMs(pid: number): number {
  return familyOf(pid).reduce((sum, one) => sum + ofOne(one), 0);
}

function ofOne(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1');
  // The 14th and 15th; the second one, the name, may have spaces.
  const [user = '0', system = '0'] = fields
    .slice(fields.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13);
  return (Number(user) + Number(system)) * MS_A_TICK;
}

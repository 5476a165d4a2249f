import { readFileSync } from 'node:fs';

/** Linux, proc(5): of all processors together, in ticks since the machine began: what a host gave to others (steal), and everything. */
function ticks(): { stolen: number; all: number } {
  const [, ...states] = readFileSync('/proc/stat', 'utf8').split('\n', 1)[0]?.split(/ +/) ?? [];
  // The last two, of guests, are counted among the first.
  const counted = states.slice(0, 8).map(Number);
  return { stolen: counted[7] ?? 0, all: counted.reduce((sum, each) => sum + each, 0) };
}

/** Begins to count; what is returned says how much of the machine, in percent, its host kept from it since. */
export function countStolen(): () => number {
  const before = ticks();
  return () => {
    const now = ticks();
    return (100 * (now.stolen - before.stolen)) / (now.all - before.all);
  };
}

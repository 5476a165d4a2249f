import { readFileSync } from 'node:fs';

/** A process and those that it started (Linux). */
export const familyOf = (pid: number): number[] => {
  const started = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').match(/\d+/g) ?? [];
  return [pid, ...started.map(Number)];
};

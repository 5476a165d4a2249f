import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root } from './prepare.mjs';

const MOST = 10;

/**
 * Which test files took longest, and how much of it their own process reckoned. The rest it waited, as for the database.
 *
 * @param {string} file - what test/support/fim.ts has written.
 * @returns {string[]} none of few files.
 */
export function slowest(file) {
  if (!existsSync(file)) return [];
  const times = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => /** @type {{ arquivo: string, ms: number, cpuMs: number }} */ (JSON.parse(line)));
  if (times.length <= MOST) return [];
  const lines = times
    .toSorted((a, b) => b.ms - a.ms)
    .slice(0, MOST)
    .map(({ arquivo, ms, cpuMs }) => {
      const name = relative(join(root, 'dist'), arquivo).replace(/\.js$/, '.ts');
      return `  ${seconds(ms).padStart(6)} s (${seconds(cpuMs)} s de processador) ${name}`;
    });
  return ['Os mais demorados:', ...lines];
}

/** @param {number} ms */
function seconds(ms) {
  return (ms / 1000).toFixed(1);
}

/// <reference types="node" />
import { env } from 'node:process';

// Tests of failures, and those that start processes (of ours, browsers, readers of PDF and codes), take their time: `npm run test:faults`.
const faults = env['MALHA_TEST_FAULTS'] === '1';
const LONGEST = 'telas-navegador.processo.test.js';
const slow = ['dist/test/faults/**/*.test.js', 'dist/test/**/*.processo.test.js'];

export default {
  files: faults ? slow : ['dist/test/**/*.test.js', ...slow.map((files) => `!${files}`)],
  require: ['./dist/test/support/fim.js'],
  sortTestFiles: longestFirst,
  timeout: '4m',
  workerThreads: false,
  // Loading the program fills V8's young generation (16 MB by default) some twenty times; with 32 MB each file's process takes less time.
  nodeArguments: ['--max-semi-space-size=32'],
  // They wait for processes and clocks more than they reckon. Of the others AVA runs as many as there are processors: one more, and requests
  // pass their deadline of three seconds on a machine that is busy otherwise.
  ...(faults ? { concurrency: 2 } : {}),
};

/**
 * What takes minutes begins first: at the end it would run alone.
 *
 * @param {string} one
 * @param {string} other
 */
function longestFirst(one, other) {
  return Number(other.endsWith(LONGEST)) - Number(one.endsWith(LONGEST)) || (one < other ? -1 : 1);
}

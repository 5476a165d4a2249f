/// <reference types="node" />
import { availableParallelism } from 'node:os';
import { env } from 'node:process';

// Tests of failures, and those that start processes (of ours, browsers, readers of PDF and codes), take their time: `npm run test:faults`.
const faults = env['MALHA_TEST_FAULTS'] === '1';
const slow = ['dist/test/faults/**/*.test.js', 'dist/test/**/*.processo.test.js'];

export default {
  files: faults ? slow : ['dist/test/**/*.test.js', ...slow.map((files) => `!${files}`)],
  require: ['./dist/test/support/fim.js'],
  timeout: '4m',
  workerThreads: false,
  // Many wait for a server, a clock or a queue: one more than there are processors keeps these busy.
  concurrency: faults ? 2 : availableParallelism() + 1,
};

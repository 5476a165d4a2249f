/// <reference types="node" />
import { env } from 'node:process';

// Tests of failures take their time and break servers of their own: `npm run test:faults`.
const faults = env['MALHA_TEST_FAULTS'] === '1';

export default {
  files: faults ? ['dist/test/faults/**/*.test.js'] : ['dist/test/**/*.test.js', '!dist/test/faults/**'],
  require: ['./dist/test/support/fim.js'],
  timeout: '4m',
  workerThreads: false,
  ...(faults ? { concurrency: 1 } : {}),
};

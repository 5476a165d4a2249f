import { spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { prepareOrExit, root } from './prepare.mjs';

const checks = [
  { name: 'types', command: ['tsc', '--noEmit'] },
  { name: "the scripts' types", command: ['tsc', '--noEmit', '-p', 'scripts'] },
  { name: 'format', command: ['prettier', '--check', '--log-level', 'warn', '.'] },
  { name: 'lint', command: ['npm', 'run', '--silent', 'lint'] },
  { name: 'dead code', command: ['knip'] },
];

// The scripts' types name what the build made, and a clean clone has no packages yet.
await prepareOrExit();
let failed = 0;
for (const { name, command } of checks) {
  const passed = await succeeds(command);
  if (!passed) failed += 1;
  console.log(`${passed ? '✔' : '✘'} ${name}`);
}
console.log(`${checks.length - failed} passed, ${failed} failed`);
process.exitCode = Math.min(failed, 1);

/**
 * @param {string[]} command
 * @returns {Promise<boolean>}
 */
function succeeds([program = '', ...args]) {
  const path = [join(root, 'node_modules', '.bin'), process.env['PATH'] ?? ''].join(delimiter);
  return new Promise((resolve, reject) => {
    spawn(program, args, { cwd: root, env: { ...process.env, PATH: path }, stdio: 'inherit' })
      .once('error', reject)
      .once('exit', (code) => resolve(code === 0));
  });
}

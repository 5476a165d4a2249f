import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { getPriority, platform } from 'node:os';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import test from 'ava';

const MODULE = new URL('../../../src/platform/process/priority.js', import.meta.url).href;
/** What a process says of itself once it has given way: its threads' priorities, those begun later included, and its group. */
const PROGRAM = `
  import { readFileSync, readdirSync } from 'node:fs';
  import { getPriority } from 'node:os';
  import { Worker } from 'node:worker_threads';
  const { giveWay } = await import(${JSON.stringify(MODULE)});
  giveWay();
  const later = new Worker('setInterval(() => {}, 1000)', { eval: true });
  await new Promise((resolve) => later.once('online', resolve));
  const threads = readdirSync('/proc/self/task').map((thread) => getPriority(Number(thread)));
  const group = (() => { try { return readFileSync('/proc/self/autogroup', 'utf8') } catch { return '' } })();
  console.log(JSON.stringify({ threads, group }));
  process.exit();`;
const ARGS = ['--input-type=module', '-e', PROGRAM];

interface Report {
  readonly threads: readonly number[];
  readonly group: string;
}

const linux = platform() === 'linux' ? test : test.skip;

linux('every thread gives way, those begun before and after', async (t) => {
  const { stdout } = await promisify(execFile)(process.execPath, ARGS);
  const { threads } = JSON.parse(stdout) as Report;
  t.true(threads.length > 2);
  t.deepEqual(new Set(threads), new Set([Math.max(10, getPriority())]));
});

linux('who was put further back already stays there', async (t) => {
  const { stdout } = await promisify(execFile)('nice', ['-n', '15', process.execPath, ...ARGS]);
  t.deepEqual(new Set((JSON.parse(stdout) as Report).threads), new Set([Math.min(19, getPriority() + 15)]));
});

(existsSync('/proc/self/autogroup') ? test : test.skip)(
  'a session of its own gives way as a whole, no other',
  async (t) => {
    for (const detached of [true, false]) {
      const child = spawn(process.execPath, ARGS, { detached, stdio: ['ignore', 'pipe', 'inherit'] });
      const { group } = JSON.parse(await text(child.stdout)) as Report;
      // Empty where the machine was started without such groups.
      t.is(/ nice 10$/m.test(group), detached && group !== '', group);
    }
  },
);

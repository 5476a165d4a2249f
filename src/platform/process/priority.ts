import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { getPriority, platform, setPriority } from 'node:os';

/** Weighs a tenth of what others do: enough to go on while they take all they can. */
const NICE = 10;

/**
 * Has the machine's other programs come first; threads begun later inherit it. On Linux alone, where threads have priorities. What the
 * machine refuses is left: a kernel without such groups, or a container that may not choose, where control groups do it.
 *
 * sched(7): where each session is a scheduling group, a thread's priority counts inside its group only, and a database or a Redis in
 * a session of its own waited up to 90 ms behind this process's threads of lowest priority. So the group is put back as well, where
 * this process leads it.
 */
export function giveWay(): void {
  if (platform() !== 'linux') return;
  for (const thread of readdirSync('/proc/self/task').map(Number)) {
    tryTo(() => getPriority(thread) < NICE && setPriority(thread, NICE));
  }
  if (leadsItsSession()) tryTo(() => writeFileSync('/proc/self/autogroup', String(NICE)));
}

function tryTo(change: () => unknown): void {
  try {
    change();
  } catch {
    // The thread has ended meanwhile, or it is not for this process to say.
  }
}

/** proc(5): the sixth field of `stat` is the session, named after the process that began it. */
function leadsItsSession(): boolean {
  const fields = readFileSync('/proc/self/stat', 'latin1');
  return Number(fields.slice(fields.lastIndexOf(')') + 2).split(' ')[3]) === process.pid;
}

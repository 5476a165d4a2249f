import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { getPriority, platform, setPriority } from 'node:os';

/** With this value a process gets about a tenth of the time of others, enough to make progress on a busy machine. */
const NICE = 10;

/**
 * Lowers the priority of this process below that of other programs; threads that start later inherit it. It works on
 * Linux only, where threads have priorities. Errors are ignored: the kernel may not have such groups, and a container
 * may not be allowed to change them; there, control groups do the same.
 *
 * sched(7): when each session is a scheduling group, a thread's priority counts inside its group only. A database or a
 * Redis in a session of its own then waited up to 90 ms behind threads of this process, in spite of their low priority.
 * So the priority of the group is lowered as well, when this process is the leader of its session.
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
    // The thread has ended meanwhile, or this process may not change it.
  }
}

/** proc(5): the sixth field of `stat` is the session, named after the process that began it. */
function leadsItsSession(): boolean {
  const fields = readFileSync('/proc/self/stat', 'latin1');
  return Number(fields.slice(fields.lastIndexOf(')') + 2).split(' ')[3]) === process.pid;
}

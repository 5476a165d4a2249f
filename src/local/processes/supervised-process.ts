import { spawn } from 'node:child_process';
import { closeSync, constants, existsSync, openSync, renameSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { run } from './run-command.ts';

/** What to run, and the two files that belong to it. */
export interface ServerCommand {
  /** The name messages use. */
  name: string;
  command: string;
  args: string[];
  /** Receives the server's output; the one of the run before stays beside it as `<logFile>.1`. */
  logFile: string;
  /** A FIFO whose reading end the server and its supervisor keep open as long as they live. */
  aliveFile: string;
}

/** A server that lives at most as long as this process. */
export interface SupervisedProcess {
  readonly name: string;
  readonly logFile: string;
  /** Settles when the server is gone, however it went, with a short text on how. */
  readonly exited: Promise<string>;
  hasExited(): boolean;
  /** To be called when the server first answers; until then it is not ended gently but killed. */
  markReady(): void;
  /** Asks the server to end (TERM), kills it after `deadlineMs`, and resolves when it is gone. */
  stop(deadlineMs: number): Promise<void>;
}

/**
 * The supervisor: descriptor 3 is a pipe from the Node process, which the kernel closes when that process ends, by
 * `kill -9` too. The watchdog sleeps in `read` until then and ends the server; the outer shell waits for the server
 * and takes its status over. Only the watchdog keeps descriptor 3, so that the server cannot hold it open itself.
 *
 * A line on the pipe says that the server is ready. One that is not yet gets KILL at once: a MariaDB that receives
 * TERM between starting its signal thread and accepting connections takes note of it and then waits for a first
 * connection for ever, deaf to any further TERM. It serves nobody yet, and the recovery of its files is made for this.
 */
const supervisorScript = `
"$@" </dev/null 3<&- &
server=$!
(
  if read -r _ <&3; then
    read -r _ <&3
    kill -TERM "$server"
    waited=0
    while [ "$waited" -lt 30 ] && kill -0 "$server"; do
      sleep 1 3<&- 4<&-
      waited=$((waited + 1))
    done
  fi
  kill -KILL "$server"
) </dev/null >/dev/null 2>&1 &
watchdog=$!
exec 3<&-
trap 'kill -TERM "$server" 2>/dev/null' TERM INT HUP
wait "$server"
status=$?
while kill -0 "$server" 2>/dev/null; do
  wait "$server"
  status=$?
done
kill -KILL "$watchdog" 2>/dev/null
exit "$status"
`;

/**
 * Starts `server` under a supervisor in a session of its own: Ctrl-C on the terminal does not reach it, so that the
 * service can still use it while it shuts down, and it ends by itself when this process is gone.
 */
export async function startSupervised(server: ServerCommand): Promise<SupervisedProcess> {
  await createFifo(server.aliveFile);
  if (existsSync(server.logFile)) renameSync(server.logFile, `${server.logFile}.1`);
  const log = openSync(server.logFile, 'a', 0o600);
  // Opened here and inherited, so that there is no moment in which the server is coming and the FIFO says it is not.
  const alive = openSync(server.aliveFile, constants.O_RDWR | constants.O_NONBLOCK);
  const child = spawn('sh', ['-c', supervisorScript, 'malha-supervisor', server.command, ...server.args], {
    detached: true,
    env: { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' },
    stdio: ['ignore', log, log, 'pipe', alive],
  });
  closeSync(log);
  closeSync(alive);

  let gone = false;
  const exited = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(describeExit(code, signal)));
  }).finally(() => {
    gone = true;
    lifeline?.destroy();
  });
  const [, , , lifeline] = child.stdio;
  // The far end may go first; how the server ended is told by `exited`.
  lifeline?.on('error', () => undefined);

  return {
    name: server.name,
    logFile: server.logFile,
    exited,
    hasExited: () => gone,
    markReady() {
      if (lifeline instanceof Socket) lifeline.write('\n');
    },
    async stop(deadlineMs) {
      lifeline?.destroy();
      if (await within(exited, deadlineMs)) return;
      // The whole group: supervisor, watchdog and server.
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      await exited;
    },
  };
}

/**
 * Waits until no process of an earlier run holds `aliveFile` any more: after a `kill -9` of its Node process the old
 * server needs a moment to close its files. The kernel answers, so neither pids nor stale files can mislead.
 */
export async function waitForEarlierInstance(name: string, aliveFile: string, pidFile: string): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (hasReader(aliveFile)) {
    if (Date.now() > deadline) {
      const pid = (await readFile(pidFile, 'utf8').catch(() => 'desconhecido')).trim();
      throw new Error(`A instância anterior do ${name} (pid ${pid}) não terminou em 60 s; encerre-a e tente de novo.`);
    }
    await sleep(25);
  }
}

function hasReader(fifo: string): boolean {
  try {
    closeSync(openSync(fifo, constants.O_WRONLY | constants.O_NONBLOCK));
    return true;
  } catch {
    // ENXIO: nobody reads. ENOENT: never started.
    return false;
  }
}

async function createFifo(path: string): Promise<void> {
  if (!existsSync(path)) await run('mkfifo', ['-m', '600', path]);
}

async function within(promise: Promise<unknown>, ms: number): Promise<boolean> {
  const timer = new AbortController();
  const late = sleep(ms, false, { signal: timer.signal }).catch(() => false);
  const inTime = await Promise.race([promise.then(() => true), late]);
  timer.abort();
  return inTime;
}

function describeExit(code: number | null, signal: NodeJS.Signals | null): string {
  if (signal !== null) return `sinal ${signal}`;
  return code !== null && code > 128 ? `sinal ${code - 128}` : `código ${code ?? '?'}`;
}

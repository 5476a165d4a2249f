import { fork, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const CLI = fileURLToPath(new URL('../../src/cli.js', import.meta.url));

/** A module of ours in a process of its own that answers one message at a time. */
export interface Helper {
  readonly pid: number;
  /** Sends a message; resolves to the answer, rejects when the process ends or answers `{error}`. */
  ask<Answer>(message: object): Promise<Answer>;
}

interface Service {
  readonly port: number;
  readonly pid: number;
}

interface ProgramOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly onOutput: (text: string) => void;
}

/** Processes that end with the bench. */
export interface Children {
  /** Runs a JavaScript module, compiled from `bench/`, or a file by its path, with Node's options. */
  helper(module: URL | string, options?: readonly string[]): Helper;
  /** Runs `malha serve` as one process, as its contenders are, on a free port; resolves once it listens. */
  serve(env: Readonly<Record<string, string>>): Promise<Service>;
  /** The same of `malha start`: API and worker in one process. */
  start(env: Readonly<Record<string, string>>): Promise<Service>;
  /** Runs `malha worker` beside a service, as `compose.yaml` does; `ended` rejects when it ends. */
  worker(env: Readonly<Record<string, string>>): { readonly pid: number; readonly ended: Promise<never> };
  /** Runs any other program, whose output goes to `onOutput`; its end before the bench's is for the caller to notice. */
  program(command: string, args: readonly string[], options: ProgramOptions): ChildProcess;
  stop(): Promise<void>;
}

/** The service in production needs a master key to sign people in, and to begin at all where a bench has stored a secret. */
export const SETTINGS = { NODE_ENV: 'production', MALHA_LOG: 'warn', MALHA_CHAVE_MESTRA: '0b'.repeat(32) } as const;

/** @param scratchDir gets CPU profiles of the service when `BENCH_PROFILE=1`. */
export function createChildren(scratchDir: string): Children {
  const running = new Set<ChildProcess>();

  function watch(child: ChildProcess): void {
    running.add(child);
    child.once('exit', () => running.delete(child));
  }

  async function service(args: readonly string[], env: Readonly<Record<string, string>>): Promise<Service> {
    const profile = process.env['BENCH_PROFILE'] === '1' ? ['--cpu-prof', `--cpu-prof-dir=${scratchDir}`] : [];
    const child = spawn(process.execPath, [...profile, CLI, ...args], {
      env: { ...process.env, ...SETTINGS, PORT: '0', MALHA_DEMO: 'nao', ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    watch(child);
    for await (const line of createInterface({ input: child.stdout })) {
      const port = /Malha em http:\/\/127\.0\.0\.1:(\d+)/.exec(line)?.[1];
      if (port === undefined) continue;
      child.stdout.resume();
      return { port: Number(port), pid: child.pid ?? 0 };
    }
    throw new Error(`malha ${args[0]} did not start`);
  }

  return {
    helper(module, options = []) {
      const child = fork(typeof module === 'string' ? module : fileURLToPath(module), {
        env: { ...process.env, NODE_ENV: 'production' },
        execArgv: [...options],
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      });
      watch(child);
      return {
        pid: child.pid ?? 0,
        async ask<Answer>(message: object): Promise<Answer> {
          const answered = new AbortController();
          const { signal } = answered;
          const ended = once(child, 'exit', { signal }).then(() => {
            throw new Error(`${String(module)} ended before it answered`);
          });
          try {
            child.send(message);
            const [answer] = (await Promise.race([once(child, 'message', { signal }), ended])) as [object];
            if ('error' in answer) throw new Error(String(answer.error));
            return answer as Answer;
          } finally {
            ended.catch(() => undefined);
            answered.abort();
          }
        },
      };
    },

    serve: async (env) => service(['serve', '--processos', '1'], env),
    start: async (env) => service(['start'], env),

    worker(env) {
      const child = spawn(process.execPath, ['--v8-pool-size=1', CLI, 'worker'], {
        env: { ...process.env, ...SETTINGS, MALHA_METRICS_PORT: '0', ...env },
        // What it warns of is beside the results, not among them.
        stdio: ['ignore', process.stderr, 'inherit'],
        // In a session of its own, as containers and systemd start it.
        detached: true,
      });
      watch(child);
      const ended = once(child, 'exit').then(([code]) => {
        throw new Error(`malha worker ended with ${code}`);
      });
      ended.catch(() => undefined);
      return { pid: child.pid ?? 0, ended };
    },

    program(command, args, { cwd, env, onOutput }) {
      const child = spawn(command, args, { cwd, env: { ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
      watch(child);
      // What could not be started never exits, and nobody is to wait for it.
      child.once('error', () => child.pid ?? running.delete(child));
      for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', onOutput);
      return child;
    },

    async stop() {
      await Promise.all(
        [...running].map(async (child) => {
          const exited = once(child, 'exit');
          child.kill('SIGTERM');
          const force = setTimeout(() => child.kill('SIGKILL'), 15_000);
          await exited;
          clearTimeout(force);
        }),
      );
    },
  };
}

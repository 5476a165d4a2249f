import { spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CommandError } from './run-command.ts';

/** The end of what a command complains about is enough to know why it failed. */
const KEPT_COMPLAINTS = 4000;

/** A command whose output is read while it runs. */
export interface PipedCommand {
  readonly output: Readable;
  /** Rejects with {@link CommandError} when the command fails. */
  readonly ended: Promise<void>;
  /** Ends it, where what follows it has failed. */
  kill(): void;
}

/** Starts a command between two streams: what it reads, if anything, and what it writes. */
export function startPiped(command: string, args: readonly string[], input?: Readable): PipedCommand {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  let complaints = '';
  child.stderr.setEncoding('utf8');
  child.stderr.on('data', (text: string) => (complaints = (complaints + text).slice(-KEPT_COMPLAINTS)));
  const closed = new Promise<string | undefined>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code, signal) => resolve(code === 0 ? undefined : `terminou com ${signal ?? code}`));
  });

  async function run(): Promise<void> {
    if (input === undefined) child.stdin.end();
    // A command that stops reading early says why by how it ends, not by our broken pipe; what it reads may fail too.
    const fed = input === undefined ? Promise.resolve() : pipeline(input, child.stdin);
    const feeding = fed.catch((error: unknown) => {
      if (isBrokenPipe(error)) return;
      child.kill();
      throw error;
    });
    const [, failure] = await Promise.all([feeding, closed]);
    if (failure !== undefined) throw new CommandError(command, failure, complaints);
  }

  const ended = run();
  // Who reads the output to its end asks then; a failure before that must not end the process.
  ended.catch(() => {});
  return { output: child.stdout, ended, kill: () => void child.kill() };
}

function isBrokenPipe(error: unknown): boolean {
  return (
    error instanceof Error && 'code' in error && (error.code === 'EPIPE' || error.code === 'ERR_STREAM_PREMATURE_CLOSE')
  );
}

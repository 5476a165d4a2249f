import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';

/** A command that ended badly; `output` is everything it wrote. */
export class CommandError extends Error {
  readonly output: string;

  constructor(command: string, ending: string, output: string) {
    super(`${command}: ${ending}\n${output.trimEnd()}`);
    this.name = 'CommandError';
    this.output = output;
  }
}

/** What a command is given beside its arguments. */
export interface RunOptions {
  env?: NodeJS.ProcessEnv;
  /** Texts and files (by path) that the command reads on its standard input, one after the other. */
  input?: ({ text: string } | { file: string })[];
}

/** Runs a command to its end and gives its output (both streams); throws {@link CommandError} when it fails. */
export async function run(command: string, args: string[], options: RunOptions = {}): Promise<string> {
  const child = spawn(command, args, { env: options.env ?? process.env, stdio: ['pipe', 'pipe', 'pipe'] });
  const chunks: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8');
    stream.on('data', (chunk: string) => chunks.push(chunk));
  }
  const ended = new Promise<string | undefined>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code, signal) => resolve(code === 0 ? undefined : `terminou com ${signal ?? code}`));
  });
  // A command that stops reading early says why by how it ends, not by our broken pipe.
  await pipeline(inputOf(options.input ?? []), child.stdin).catch(() => undefined);
  const failure = await ended;
  const output = chunks.join('');
  if (failure !== undefined) throw new CommandError(command, failure, output);
  return output;
}

async function* inputOf(parts: ({ text: string } | { file: string })[]): AsyncGenerator<string> {
  for (const part of parts) yield 'text' in part ? part.text : await readFile(part.file, 'utf8');
}

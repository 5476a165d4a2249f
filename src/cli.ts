import { constants } from 'node:os';
import { runProgram } from './app/program.ts';

// A reader that closes the pipe early, as in `malha chave listar | head -1`, is not an error.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

const ENDING = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const;

// To the first process of a container the kernel hands no signal that nobody listens to: Ctrl-C would not end a command there.
if (process.pid === 1) {
  for (const signal of ENDING) {
    process.on(signal, () => {
      // Where nobody else listens it ends, by the code that a shell has for it.
      if (process.listenerCount(signal) === 1) process.exit(128 + constants.signals[signal]);
    });
  }
}

process.exitCode = await runProgram(process.argv.slice(2), {
  env: process.env,
  stdin: () => process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  onInterrupt(listener) {
    process.once('SIGINT', listener);
    return () => process.off('SIGINT', listener);
  },
  holdSignals() {
    const hold = (): void => {};
    for (const signal of ENDING) process.on(signal, hold);
    return () => {
      for (const signal of ENDING) process.off(signal, hold);
    };
  },
});

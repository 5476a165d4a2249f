import { runProgram } from './app/program.ts';

// A reader that closes the pipe early, as in `malha chave listar | head -1`, is not an error.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

// To the first process of a container the kernel hands no signal that nobody listens to: Ctrl-C would not end a command there.
if (process.pid === 1) {
  for (const [signal, code] of [
    ['SIGHUP', 129],
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    process.on(signal, () => {
      if (process.listenerCount(signal) === 1) process.exit(code);
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
});

import { fileURLToPath } from 'node:url';
import test, { registerCompletionHandler } from 'ava';

/** Milliseconds that a test file's process may go on after its last test. */
const LIMITE_MS = 30_000;

// AVA waits minutes for a process that something keeps alive, and then ends with code 1 without saying which one it was.
registerCompletionHandler(() => {
  setTimeout(() => {
    const vivos = process.getActiveResourcesInfo().join(', ');
    throw new Error(`${fileURLToPath(test.meta.file)} não termina; continuam: ${vivos}`);
  }, LIMITE_MS).unref();
});

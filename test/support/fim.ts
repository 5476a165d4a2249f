import { appendFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
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

// AVA turns them on. A file's process would read them for each of a thousand modules, and map each stack that anything takes, to no end: scripts/test.mjs
// names the sources in what failed.
process.setSourceMapsEnabled(false);

const tempos = process.env['MALHA_TEST_TIMES'];
if (tempos !== undefined) {
  process.on('exit', () => {
    const { user, system } = process.cpuUsage();
    const linha = { arquivo: fileURLToPath(test.meta.file), ms: performance.now(), cpuMs: (user + system) / 1000 };
    appendFileSync(tempos, `${JSON.stringify(linha)}\n`);
  });
}

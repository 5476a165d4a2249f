import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import test from 'ava';
import { listen } from '../../src/platform/http/server.ts';

const CLI = fileURLToPath(new URL('../../src/cli.js', import.meta.url));

/** Makes what it runs the first process of its own, as an engine does in a container. */
const CONTAINER = [
  ...(process.getuid?.() === 0 ? [] : ['--user', '--map-root-user']),
  '--pid',
  '--fork',
  '--kill-child',
];

for (const [sinal, codigo] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const) {
  test(`${sinal} termina um comando que é o primeiro processo de um container`, async (t) => {
    const pode = await promisify(execFile)('unshare', [...CONTAINER, 'true']).then(
      () => true,
      () => false,
    );
    if (!pode) {
      t.log('sem direito a unshare nesta máquina: não conferido');
      t.pass();
      return;
    }
    // It is asked for a connection, and says nothing.
    const banco = createServer();
    t.teardown(() => banco.close());
    const porta = await listen(banco, 0, '127.0.0.1');
    const comando = [process.execPath, CLI, 'provedor', 'listar'];
    const fora = spawn('unshare', [...CONTAINER, ...comando], {
      stdio: 'ignore',
      env: { PATH: process.env['PATH'], DATABASE_URL: `mysql://x@127.0.0.1:${porta}/malha`, REDIS_URL: 'redis://127.0.0.1:1' },
    });
    const saiu = once(fora, 'exit');
    t.teardown(() => fora.kill('SIGKILL'));
    const [conexao] = (await once(banco, 'connection')) as [{ destroy(): void }];
    t.teardown(() => conexao.destroy());
    const dentro = Number(readFileSync(`/proc/${fora.pid}/task/${fora.pid}/children`, 'utf8').trim());
    process.kill(dentro, sinal);
    t.is((await saiu)[0], codigo);
  });
}

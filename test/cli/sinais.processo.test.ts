import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import test from 'ava';
import { listen } from '../../src/platform/http/server.ts';
import { ate } from '../support/espera.ts';

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
      env: {
        PATH: process.env['PATH'],
        DATABASE_URL: `mysql://x@127.0.0.1:${porta}/malha`,
        REDIS_URL: 'redis://127.0.0.1:1',
      },
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

/** The program of docs/operations.md by which an operator's commands run as the units do. */
const [, DO_OPERADOR = ''] =
  /```sh\n(#!\/bin\/sh\nset -eu\numask 077\n[^]*?)```/.exec(
    readFileSync(fileURLToPath(new URL('../../../docs/operations.md', import.meta.url)), 'utf8'),
  ) ?? [];

for (const sinal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  test(`${sinal} a quem roda um comando pelas unidades termina também a dele, e não deixa endereços no disco`, async (t) => {
    const pasta = mkdtempSync(path.join(tmpdir(), 'malha-comando-'));
    t.teardown(() => rmSync(pasta, { recursive: true, force: true }));
    for (const uma of ['bin', 'run']) mkdirSync(path.join(pasta, uma));
    const escrever = (nome: string, texto: string): void =>
      writeFileSync(path.join(pasta, nome), texto.replaceAll('/run/malha.', `${pasta}/run/malha.`), { mode: 0o700 });
    escrever('malha', DO_OPERADOR);
    // What systemd does is not asked here: a command that goes on until it is told to end, by its unit's name.
    escrever('bin/systemd-run', `#!/bin/sh\necho comecou >${pasta}/unidade\nexec sleep 600\n`);
    escrever('bin/systemctl', `#!/bin/sh\necho "$@" >>${pasta}/unidade\n`);
    const env = { PATH: `${pasta}/bin:${process.env['PATH']}`, MALHA_DESTINO: 'mysql://dono:senha@la/malha' };
    const comando = spawn(path.join(pasta, 'malha'), ['provedor', 'mover', '3'], {
      env,
      stdio: 'ignore',
      detached: true,
    });
    const saiu = once(comando, 'exit');
    const unidade = path.join(pasta, 'unidade');
    const dito = (): string[] => (existsSync(unidade) ? readFileSync(unidade, 'utf8').trim().split('\n') : []);
    await ate(async () => Promise.resolve(dito()[0] === 'comecou'));
    t.is(readdirSync(path.join(pasta, 'run')).length, 1);
    // As a terminal does it, to all that runs in it.
    process.kill(-(comando.pid ?? 0), sinal);
    t.is((await saiu)[0], 130);
    t.deepEqual(dito(), ['comecou', `stop malha-comando-${comando.pid}`]);
    t.deepEqual(readdirSync(path.join(pasta, 'run')), []);
  });
}

import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';

/** One server of several, to be killed, paused and looked at. */
export interface ServidorRedis {
  readonly porta: number;
  comando(...partes: [string, ...string[]]): Promise<unknown>;
  matar(): Promise<void>;
  pausar(): void;
  continuar(): void;
}

/**
 * A Redis on a port of loopback, in a folder that is made, which keeps nothing.
 *
 * @param opcoes what else its configuration says.
 * @param arquivo a configuration file and what comes after it, as Sentinel wants it.
 */
export function iniciarServidor(
  binario: string,
  pasta: string,
  porta: number,
  opcoes: Readonly<Record<string, string>>,
  arquivo: readonly string[] = [],
): ServidorRedis {
  mkdirSync(pasta, { recursive: true });
  const args =
    arquivo.length > 0
      ? arquivo
      : Object.entries({
          bind: '127.0.0.1',
          port: String(porta),
          dir: pasta,
          save: '',
          appendonly: 'no',
          'repl-diskless-sync-delay': '0',
          ...opcoes,
        }).flatMap(([nome, valor]) => [`--${nome}`, valor]);
  const servidor: ChildProcess = spawn(binario, args, { stdio: 'ignore' });
  const aoSair = (): void => void servidor.kill('SIGKILL');
  process.once('exit', aoSair);
  return {
    porta,
    async comando(...[nome, ...resto]) {
      const cliente = new Redis(porta, '127.0.0.1', {
        lazyConnect: true,
        retryStrategy: null,
        maxRetriesPerRequest: 0,
        commandTimeout: 2000,
      });
      cliente.on('error', () => {});
      try {
        await cliente.connect();
        return await cliente.call(nome, ...resto);
      } finally {
        cliente.disconnect();
      }
    },
    async matar() {
      process.off('exit', aoSair);
      if (servidor.exitCode !== null || servidor.signalCode !== null) return;
      const saiu = once(servidor, 'exit');
      servidor.kill('SIGKILL');
      await saiu;
    },
    pausar: () => void servidor.kill('SIGSTOP'),
    continuar: () => void servidor.kill('SIGCONT'),
  };
}

/** Waits for something that servers say; one that does not answer yet has not said it. */
export async function ateResponder(verdade: () => Promise<boolean>): Promise<void> {
  const fim = performance.now() + 60_000;
  for (;;) {
    try {
      if (await verdade()) return;
    } catch (error) {
      if (performance.now() > fim) throw error;
    }
    if (performance.now() > fim) throw new Error('os servidores não ficaram prontos');
    await sleep(50);
  }
}

import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { locateServers } from '../../src/local/binaries/locate-servers.ts';

/** A Redis of the caller's own, to be killed, paused and brought back. */
export interface RedisProprio {
  readonly url: string;
  /** Sends a command as an operator would. */
  comando(...partes: [string, ...string[]]): Promise<unknown>;
  /** `kill -9`: the address stops answering at once. */
  matar(): Promise<void>;
  /** Starts it again, with the data it had or with none; resolves when it answers. */
  iniciar(dados: 'vazio' | 'antigos'): Promise<void>;
  /** It stays connected and says nothing (SIGSTOP), until `continuar`. */
  pausar(): void;
  continuar(): void;
  fechar(): Promise<void>;
}

export async function criarRedisProprio(): Promise<RedisProprio> {
  const pasta = mkdtempSync(path.join(tmpdir(), 'malha-redis-'));
  const socket = path.join(pasta, 'redis.sock');
  const { redis: programa } = await locateServers({ database: false, redis: true }, pasta, () => {});
  if (programa === undefined) throw new Error('falta o redis-server');
  const binario = programa;
  let servidor: ChildProcess | undefined;
  // However the caller ends, a paused server included.
  const aoSair = (): void => void servidor?.kill('SIGKILL');
  process.once('exit', aoSair);

  async function comando(...[nome, ...resto]: [string, ...string[]]): Promise<unknown> {
    const cliente = new Redis(socket, { lazyConnect: true, retryStrategy: null, maxRetriesPerRequest: 0 });
    cliente.on('error', () => {});
    try {
      await cliente.connect();
      return await cliente.call(nome, ...resto);
    } finally {
      cliente.disconnect();
    }
  }

  async function matar(): Promise<void> {
    if (servidor === undefined) return;
    const saiu = once(servidor, 'exit');
    servidor.kill('SIGKILL');
    await saiu;
    servidor = undefined;
  }

  async function iniciar(dados: 'vazio' | 'antigos'): Promise<void> {
    if (dados === 'vazio') rmSync(path.join(pasta, 'appendonlydir'), { recursive: true, force: true });
    rmSync(socket, { force: true });
    const args = { port: '0', unixsocket: socket, dir: pasta, save: '', appendonly: 'yes', databases: '64' };
    servidor = spawn(
      binario,
      Object.entries(args).flatMap(([nome, valor]) => [`--${nome}`, valor]),
      { stdio: 'ignore' },
    );
    for (;;) {
      try {
        await comando('PING');
        return;
      } catch {
        if (servidor.exitCode !== null) throw new Error('o redis-server não começou');
        await sleep(5);
      }
    }
  }

  await iniciar('vazio');
  return {
    url: `redis://localhost/0?path=${encodeURIComponent(socket)}`,
    comando,
    matar,
    iniciar,
    pausar: () => void servidor?.kill('SIGSTOP'),
    continuar: () => void servidor?.kill('SIGCONT'),
    async fechar() {
      await matar();
      process.off('exit', aoSair);
      rmSync(pasta, { recursive: true, force: true });
    },
  };
}

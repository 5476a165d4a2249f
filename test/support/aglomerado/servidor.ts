import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, openSync } from 'node:fs';
import path from 'node:path';
import { createDatabase } from '../../../src/platform/mysql/database.ts';
import type { Db } from '../../../src/platform/mysql/database.ts';
import type { Servido } from './haproxy.ts';

/** A server of a cluster, to be killed, frozen, cut off and brought back. */
export interface NoDoAglomerado extends Servido {
  readonly porta: number;
  /** As the schema's owner, straight to it. */
  readonly dono: Db;
  /** `kill -9` */
  matar(): Promise<void>;
  /** Is told to end, as for an upgrade of it, and ends. */
  parar(): Promise<void>;
  /** Comes back from what it had. */
  voltar(): Promise<void>;
  pausar(): void;
  continuar(): void;
  /** Resolves when it takes part again. */
  emDia(): Promise<void>;
}

export interface Aglomerado<No extends NoDoAglomerado> {
  readonly nos: readonly No[];
  /** Through the proxy, as the schema's owner and as the application. */
  readonly urlDoDono: string;
  readonly url: string;
  fechar(): Promise<void>;
}

/** Who takes writes on the way through the proxy. */
export const urlsPor = (porta: number) => ({
  urlDoDono: `mysql://dono:malha@127.0.0.1:${porta}/malha`,
  url: `mysql://aplicacao:malha@127.0.0.1:${porta}/malha`,
});

/** The database and the users of these addresses. */
export async function criarUsuarios(administrador: Db): Promise<void> {
  await administrador.raw('CREATE DATABASE malha CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci');
  for (const usuario of ['dono', 'aplicacao']) await administrador.raw(`CREATE USER ${usuario} IDENTIFIED BY 'malha'`);
  await administrador.raw('GRANT ALL ON malha.* TO dono WITH GRANT OPTION');
}

/** The program of one server, in a folder of its own. `binario`: it, after what it is to be run by, if anything. */
export function criarServidor(
  [comando, ...antes]: readonly [string, ...string[]],
  pasta: string,
  porta: number,
  env: NodeJS.ProcessEnv,
  doMotor: readonly string[],
) {
  mkdirSync(pasta, { recursive: true });
  const dados = path.join(pasta, 'dados');
  const socket = path.join(pasta, 's');
  const args = [
    '--no-defaults',
    ...(process.getuid?.() === 0 ? ['--user=root'] : []),
    `--datadir=${dados}`,
    `--socket=${socket}`,
    `--port=${porta}`,
    '--bind-address=127.0.0.1',
    '--skip-name-resolve',
    '--innodb-buffer-pool-size=128M',
    '--innodb-flush-log-at-trx-commit=0',
    '--innodb-doublewrite=OFF',
    '--character-set-server=utf8mb4',
    '--collation-server=utf8mb4_unicode_ci',
    '--log-bin-trust-function-creators=1',
    ...doMotor,
  ];
  const peloSocket = `?socketPath=${encodeURIComponent(socket)}`;
  const dono = createDatabase({ url: `mysql://dono:malha@localhost/malha${peloSocket}`, pool: 4, announces: true });
  const url = `mysql://root@localhost/${peloSocket}`;
  const conferente = createDatabase({ url, pool: 2 });
  let servidor: ChildProcess | undefined;
  process.once('exit', () => void servidor?.kill('SIGKILL'));

  const comecar = (mais: readonly string[], arquivo: string): ChildProcess => {
    const saida = openSync(path.join(pasta, arquivo), 'a');
    return spawn(comando, [...antes, ...args, ...mais], { env, stdio: ['ignore', saida, saida] });
  };
  const acabar = async (sinal: NodeJS.Signals): Promise<void> => {
    if (servidor === undefined || servidor.exitCode !== null || servidor.signalCode !== null) return;
    const saiu = once(servidor, 'exit');
    servidor.kill(sinal);
    await saiu;
  };
  return {
    dados,
    lugar: `127.0.0.1:${porta}`,
    porta,
    dono,
    /** Stays connected: one that connects each time would wait for the greeting of a server that is frozen. */
    conferente,
    iniciar(mais: readonly string[] = []): void {
      servidor = comecar(mais, 'log');
    },
    /** Runs it for something that it does and ends. */
    async rodar(mais: readonly string[], arquivo: string): Promise<void> {
      await once(comecar(mais, arquivo), 'exit');
    },
    /** As its administrator, on a connection of its own. */
    async comAdministrador<T>(fazer: (db: Db) => Promise<T>): Promise<T> {
      const db = createDatabase({ url, pool: 1 });
      try {
        return await fazer(db);
      } finally {
        await db.destroy();
      }
    },
    parar: async () => acabar('SIGTERM'),
    matar: async () => acabar('SIGKILL'),
    pausar: () => void servidor?.kill('SIGSTOP'),
    continuar: () => void servidor?.kill('SIGCONT'),
    async fechar(): Promise<void> {
      servidor?.kill('SIGCONT');
      await acabar('SIGKILL');
      for (const db of [dono, conferente]) void db.destroy();
    },
  };
}

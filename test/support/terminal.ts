import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Api } from './api.ts';

const CLI = fileURLToPath(new URL('../../src/cli.js', import.meta.url));

export interface Saida {
  readonly codigo: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** An operator's terminal, on the servers of an API. */
export interface Terminal {
  /** A folder of the test's own. */
  readonly pasta: string;
  /** Runs the program on the test's servers, with nothing else of ours in its environment. */
  malha(args: readonly string[], env?: Record<string, string>): Promise<Saida>;
  /** Runs the program, expects it to end well, and reads its JSON. */
  json<T>(args: readonly string[]): Promise<T>;
  fechar(): void;
}

/** What must not be in what the program says. */
export const INGLES =
  /\b(?:display|help for|command|usage|options|arguments|error|invalid|missing|required|default:|choices)\b/i;

export function criarTerminal(api: Pick<Api, 'databaseUrl' | 'redisUrl'>): Terminal {
  const pasta = mkdtempSync(join(tmpdir(), 'malha-cli-'));
  // A few at a time: a process that waits for a processor would miss its own deadlines.
  const vagas = Array.from({ length: Math.max(2, availableParallelism()) }, () => Promise.resolve<unknown>(undefined));
  let vez = 0;

  function executar(args: readonly string[], env: Record<string, string>): Promise<Saida> {
    const ambiente = {
      PATH: process.env['PATH'],
      DATABASE_URL: api.databaseUrl,
      REDIS_URL: api.redisUrl,
      MALHA_DATA_DIR: pasta,
      ...env,
    };
    return new Promise((resolve) => {
      const filho = execFile(process.execPath, [CLI, ...args], { env: ambiente }, (_erro, stdout, stderr) => {
        resolve({ codigo: filho.exitCode ?? -1, stdout, stderr });
      });
    });
  }

  function malha(args: readonly string[], env: Record<string, string> = {}): Promise<Saida> {
    vez = (vez + 1) % vagas.length;
    const saida = vagas[vez]!.then(() => executar(args, env));
    vagas[vez] = saida;
    return saida;
  }

  return {
    pasta,
    malha,
    async json<T>(args: readonly string[]): Promise<T> {
      const { codigo, stdout, stderr } = await malha([...args, '--json']);
      if (codigo !== 0) throw new Error(stderr);
      return JSON.parse(stdout) as T;
    },
    fechar: () => rmSync(pasta, { recursive: true, force: true }),
  };
}

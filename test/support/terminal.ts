import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { ExecutionContext } from 'ava';
import { runProgram } from '../../src/app/program.ts';
import type { Api } from './api.ts';

const CLI = fileURLToPath(new URL('../../src/cli.js', import.meta.url));

export interface Saida {
  readonly codigo: number;
  readonly stdout: string;
  readonly stderr: string;
}

type Rodar = (args: readonly string[], env?: Readonly<Record<string, string>>, entrada?: string) => Promise<Saida>;

/** An operator's terminal, on the servers of an API. */
export interface Terminal {
  /** A folder of the test's own. */
  readonly pasta: string;
  /** Runs a short command in this process, on the test's servers, with nothing else of ours in its environment. */
  readonly malha: Rodar;
  /** The same as a process of its own: costs a second of a processor, so only for what a process alone can show. */
  readonly processo: Rodar;
  /** Runs a short command in this process, expects it to end well, and reads its JSON. */
  json<T>(args: readonly string[]): Promise<T>;
  fechar(): void;
}

/** What must not be in what the program says. */
export const INGLES =
  /\b(?:display|help for|command|usage|options|arguments|error|invalid|missing|required|default:|choices)\b/i;

/** A command was refused: in one line of Portuguese that says why, after which cell was asked, with nothing of its outcome. */
export function recusado(t: ExecutionContext, { codigo, stdout, stderr }: Saida, dito: RegExp): void {
  t.is(codigo, 1);
  t.is(stdout, '');
  t.regex(stderr, /^(?:Outra célula \(MALHA_DESTINO\): .+\n)?erro: .+\n$/u);
  t.regex(stderr, dito);
  t.notRegex(stderr, INGLES);
}

/** `mais`: settings besides those of every test. */
export function criarTerminal(
  api: Pick<Api, 'databaseUrl' | 'redisUrl'>,
  mais: Readonly<Record<string, string>> = {},
): Terminal {
  const pasta = mkdtempSync(join(tmpdir(), 'malha-cli-'));
  const ambiente = { DATABASE_URL: api.databaseUrl, REDIS_URL: api.redisUrl, MALHA_DATA_DIR: pasta, ...mais };
  // A few at a time: a command that waits for a processor would miss its own deadlines.
  const vagas = Array.from({ length: Math.max(2, availableParallelism()) }, () => Promise.resolve<unknown>(undefined));
  let vez = 0;

  function naSuaVez(rodar: (...dado: Required<Parameters<Rodar>>) => Promise<Saida>): Rodar {
    return async (args, env = {}, entrada = '') => {
      vez = (vez + 1) % vagas.length;
      const saida = vagas[vez]!.then(() => rodar(args, { ...ambiente, ...env }, entrada));
      vagas[vez] = saida.catch(() => {});
      return saida;
    };
  }

  const malha = naSuaVez(async (args, env, entrada) => {
    const dito = { stdout: '', stderr: '' };
    const codigo = await runProgram(args, {
      env,
      stdin: () => Readable.from([Buffer.from(entrada)]),
      stdout: { write: (texto) => (dito.stdout += texto) },
      stderr: { write: (texto) => (dito.stderr += texto) },
      onInterrupt: () => () => {},
      holdSignals: () => () => {},
    });
    return { codigo, ...dito };
  });

  const processo = naSuaVez(
    (args, env, entrada) =>
      new Promise((resolve) => {
        const ambienteDoFilho = { PATH: process.env['PATH'], ...env };
        const filho = execFile(process.execPath, [CLI, ...args], { env: ambienteDoFilho }, (_erro, stdout, stderr) => {
          resolve({ codigo: filho.exitCode ?? -1, stdout, stderr });
        });
        filho.stdin?.end(entrada);
      }),
  );

  return {
    pasta,
    malha,
    processo,
    async json<T>(args: readonly string[]): Promise<T> {
      const { codigo, stdout, stderr } = await malha([...args, '--json']);
      if (codigo !== 0) throw new Error(stderr);
      return JSON.parse(stdout) as T;
    },
    fechar: () => rmSync(pasta, { recursive: true, force: true }),
  };
}

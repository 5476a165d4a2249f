import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const CLI = fileURLToPath(new URL('../../src/cli.js', import.meta.url));

/** Where programs of this test file keep extracts. In the project's own data folder those of other files would write the same: each has a provider 1. */
export const EXTRATOS = path.join(tmpdir(), `malha-extratos-${process.pid}`);
process.once('exit', () => rmSync(EXTRATOS, { recursive: true, force: true }));

/** A process of the service itself, as an operator would run it. */
export interface Processo {
  readonly pid: number;
  /** What it has said on stdout so far. */
  readonly linhas: readonly string[];
  /** What it has said on stderr so far. */
  readonly erros: () => string;
  /** Resolves once a line like this has been said. */
  disse(padrao: RegExp): Promise<RegExpExecArray>;
  readonly parar: (sinal?: NodeJS.Signals) => Promise<number | null>;
  /** Reads no more of what it says, as a terminal that is gone. */
  readonly largarSaida: () => void;
}

export interface Servico extends Processo {
  readonly porta: number;
  /** The port of metrics and health. */
  readonly portaDasMetricas: number;
}

export type AoDizer = (linha: string) => void;

/** Runs `malha serve` on a free port and resolves once it answers. */
export async function servir(
  env: Record<string, string>,
  aoDizer?: AoDizer,
  argumentos?: readonly string[],
): Promise<Servico> {
  const processo = await executar('serve', env, /Malha em http:\/\/127\.0\.0\.1:(\d+)/, aoDizer, argumentos);
  const porta = Number(processo.achado);
  return { ...processo, porta, portaDasMetricas: metricasDe(porta) };
}

/** Where a service on a port has its metrics and health, unless it is told where. */
export function metricasDe(porta: number): number {
  return porta + 10_000 > 65_535 ? porta - 10_000 : porta + 10_000;
}

/** Runs a command of the program that stays, and resolves once it says that it is ready; `aoDizer` hears all it says. */
export async function executar(
  comando: string,
  env: Record<string, string>,
  pronto: RegExp,
  aoDizer: AoDizer = () => {},
  argumentos: readonly string[] = [],
  cli = CLI,
): Promise<Processo & { readonly achado: string }> {
  const filho = spawn(process.execPath, [cli, comando, ...argumentos], {
    env: { ...process.env, PORT: '0', MALHA_DEMO: 'nao', MALHA_LOG: 'fatal', MALHA_EXTRATOS: EXTRATOS, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const saiu = once(filho, 'exit') as Promise<[number | null]>;
  // However the caller ends, a paused child included.
  const aoSair = (): void => void filho.kill('SIGKILL');
  process.once('exit', aoSair);
  filho.once('exit', () => process.off('exit', aoSair));
  const erros: Buffer[] = [];
  filho.stderr.on('data', (parte: Buffer) => erros.push(parte));
  // Read to the end: a service whose output nobody takes is another thing to test.
  const linhas: string[] = [];
  const leitura = createInterface({ input: filho.stdout });
  const fim = once(leitura, 'close').then(() => 'fim' as const);
  leitura.on('line', (linha) => {
    linhas.push(linha);
    aoDizer(linha);
  });

  async function disse(padrao: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const achado = linhas.map((linha) => padrao.exec(linha)).find((encontro) => encontro !== null);
      if (achado !== undefined) return achado;
      if ((await Promise.race([once(leitura, 'line'), fim])) === 'fim') break;
    }
    throw new Error(`malha ${comando} não disse ${padrao}: ${Buffer.concat(erros).toString()}`);
  }

  return {
    achado: (await disse(pronto))[1] ?? '',
    pid: filho.pid ?? 0,
    linhas,
    erros: () => Buffer.concat(erros).toString(),
    disse,
    largarSaida() {
      filho.stdout.destroy();
      filho.stderr.destroy();
    },
    async parar(sinal = 'SIGTERM') {
      filho.kill(sinal);
      const [codigo] = await saiu;
      return codigo;
    },
  };
}

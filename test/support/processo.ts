import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const CLI = fileURLToPath(new URL('../../src/cli.js', import.meta.url));

/** A process of the service itself, as an operator would run it. */
export interface Servico {
  readonly porta: number;
  readonly pid: number;
  parar(sinal?: NodeJS.Signals): Promise<number | null>;
}

export type AoDizer = (linha: string) => void;

/** Runs `malha serve` on a free port and resolves once it answers. */
export async function servir(env: Record<string, string>, aoDizer?: AoDizer): Promise<Servico> {
  const { achado, ...processo } = await executar('serve', env, /Malha em http:\/\/127\.0\.0\.1:(\d+)/, aoDizer);
  return { ...processo, porta: Number(achado) };
}

/** Runs a command of the program that stays, and resolves once it says that it is ready; `aoDizer` hears all it says. */
export async function executar(
  comando: string,
  env: Record<string, string>,
  pronto: RegExp,
  aoDizer: AoDizer = () => {},
) {
  const filho = spawn(process.execPath, [CLI, comando], {
    env: { ...process.env, PORT: '0', MALHA_DEMO: 'nao', MALHA_LOG: 'fatal', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const saiu = once(filho, 'exit') as Promise<[number | null]>;
  const erros: Buffer[] = [];
  filho.stderr.on('data', (parte: Buffer) => erros.push(parte));
  // Read to the end: a service whose output nobody takes is another thing to test.
  const linhas = createInterface({ input: filho.stdout });
  linhas.on('line', aoDizer);
  const achado = await new Promise<string | null>((resolve) => {
    linhas.on('line', (linha) => {
      const dito = pronto.exec(linha);
      if (dito !== null) resolve(dito[1] ?? '');
    });
    linhas.on('close', () => resolve(null));
  });
  if (achado === null) throw new Error(`malha ${comando} não começou: ${Buffer.concat(erros).toString()}`);
  return {
    pid: filho.pid ?? 0,
    achado,
    async parar(sinal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
      filho.kill(sinal);
      const [codigo] = await saiu;
      return codigo;
    },
  };
}

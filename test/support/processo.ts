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

/** Runs `malha serve` on a free port and resolves once it answers. */
export async function servir(env: Record<string, string>): Promise<Servico> {
  const filho = spawn(process.execPath, [CLI, 'serve'], {
    env: { ...process.env, PORT: '0', MALHA_DEMO: 'nao', MALHA_LOG: 'fatal', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const saiu = once(filho, 'exit') as Promise<[number | null]>;
  const erros: Buffer[] = [];
  filho.stderr.on('data', (parte: Buffer) => erros.push(parte));
  for await (const linha of createInterface({ input: filho.stdout })) {
    const porta = /Malha em http:\/\/127\.0\.0\.1:(\d+)/.exec(linha)?.[1];
    if (porta === undefined) continue;
    return {
      porta: Number(porta),
      pid: filho.pid ?? 0,
      async parar(sinal = 'SIGTERM') {
        filho.kill(sinal);
        const [codigo] = await saiu;
        return codigo;
      },
    };
  }
  throw new Error(`malha serve não começou: ${Buffer.concat(erros).toString()}`);
}

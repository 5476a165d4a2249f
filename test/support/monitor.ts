import { once } from 'node:events';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { PULSE_SLOT } from '../../src/platform/gate/keys.ts';

export interface Monitor {
  /** Names of the commands that reached the URL's logical database so far, those of scripts and the gate's heartbeat aside. */
  readonly comandos: readonly string[];
  /** The same with their arguments, as MONITOR writes them between quotes. */
  readonly pedidos: readonly (readonly string[])[];
  /** Resolves once a command of this name was seen; rejects when Redis ends the watch. */
  readonly visto: (comando: string) => Promise<void>;
  readonly fechar: () => void;
}

const LINHA = /^\+[\d.]+ \[(?<banco>\d+) (?<origem>[^\]]+)\] "(?<comando>[^"]*)"/;
const PARTE = /"((?:[^"\\]|\\.)*)"/g;

/**
 * Watches a Redis from the moment this resolves. Not by ioredis, which ends the connection with an error when a command of others comes in
 * the same packet as the answer to its own MONITOR.
 */
export async function monitorar(url: string): Promise<Monitor> {
  const { hostname, port, pathname, password, searchParams } = new URL(url);
  const socket = searchParams.get('path');
  const conexao = socket === null ? connect(Number(port || 6379), hostname) : connect(socket);
  await once(conexao, 'connect');
  const linhas = createInterface({ input: conexao });
  if (password !== '') {
    conexao.write(`AUTH ${decodeURIComponent(password)}\r\n`);
    await once(linhas, 'line');
  }
  const comandos: string[] = [];
  const pedidos: string[][] = [];
  const banco = pathname.slice(1) || '0';
  const pronto = new Promise<void>((resolve) => {
    linhas.on('line', (linha) => {
      const visto = LINHA.exec(linha)?.groups;
      if (visto === undefined) resolve();
      else if (linha.includes(PULSE_SLOT)) return;
      else if (visto['banco'] === banco && visto['origem'] !== 'lua') {
        comandos.push(visto['comando']!.toLowerCase());
        pedidos.push([...linha.matchAll(PARTE)].map(([, parte = '']) => parte));
      }
    });
  });
  conexao.write('MONITOR\r\n');
  await pronto;
  return {
    comandos,
    pedidos,
    visto: async (comando) =>
      new Promise((resolve, reject) => {
        const conferir = (): void => void (comandos.includes(comando) && resolve());
        linhas.on('line', conferir);
        const acabou = (): void => reject(new Error('o Redis encerrou o MONITOR'));
        linhas.once('close', acabou);
        conferir();
        if (conexao.readableEnded) acabou();
      }),
    fechar: () => conexao.destroy(),
  };
}

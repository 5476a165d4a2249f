import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { listen } from '../../../src/platform/http/server.ts';
import { bibliotecasDe, pacotesSoltos } from '../pacotes.ts';

const PACOTES_DO_HAPROXY = ['haproxy', 'liblua5.3-0', 'libopentracing-c-wrapper0', 'libopentracing1'];

/** A server of a cluster, as the proxy sees it. */
export interface Servido {
  /** As HAProxy takes an address. */
  readonly lugar: string;
  /** Whether it takes writes, as the check of an operator asks it. */
  aceitaEscritas(): Promise<boolean>;
}

/** HAProxy by a file of settings; null where its packages cannot be had. */
export async function iniciarHaproxy(arquivo: string): Promise<{ fechar(): void } | null> {
  const solto = await pacotesSoltos('haproxy', PACOTES_DO_HAPROXY);
  if (solto === null) return null;
  const haproxy = spawn(path.join(solto, 'usr/sbin/haproxy'), ['-db', '-f', arquivo], {
    stdio: 'ignore',
    env: { ...process.env, LD_LIBRARY_PATH: bibliotecasDe(solto) },
  });
  const aoSair = (): void => void haproxy.kill('SIGKILL');
  process.once('exit', aoSair);
  return {
    fechar(): void {
      process.off('exit', aoSair);
      haproxy.kill('SIGKILL');
    },
  };
}

/** One port for whichever server takes writes: the first of those that do. */
export async function criarHaproxy(pasta: string, porta: number, servidores: readonly Servido[]) {
  const conferencias = servidores.map((servidor) =>
    createServer((_, res) => {
      const tarde = sleep(CONFERENCIA_MS).then(() => false);
      void Promise.race([servidor.aceitaEscritas().catch(() => false), tarde]).then((aceita) => {
        res.writeHead(aceita ? 200 : 503, { connection: 'close' }).end();
      });
    }),
  );
  const portas = await Promise.all(conferencias.map(async (conferencia) => listen(conferencia, 0, '127.0.0.1')));
  const arquivo = path.join(pasta, 'haproxy.cfg');
  writeFileSync(
    arquivo,
    [
      'global',
      '  maxconn 2000',
      'defaults',
      '  mode tcp',
      '  timeout connect 2s',
      '  timeout client 1h',
      '  timeout server 1h',
      `  timeout check ${2 * CONFERENCIA_MS}`,
      'listen banco',
      `  bind 127.0.0.1:${porta}`,
      '  option httpchk',
      // Who came back is not gone back to: that would cut off everybody once more.
      '  stick-table type ip size 1 nopurge',
      '  stick on dst',
      '  default-server inter 500 fall 2 rise 2 on-marked-down shutdown-sessions',
      ...servidores.map(
        (servidor, n) =>
          `  server n${n} ${servidor.lugar} check addr 127.0.0.1 port ${portas[n]}${n === 0 ? '' : ' backup'}`,
      ),
      '',
    ].join('\n'),
  );
  const haproxy = await iniciarHaproxy(arquivo);
  const fechar = (): void => {
    haproxy?.fechar();
    for (const conferencia of conferencias) conferencia.close();
  };
  if (haproxy !== null) return { fechar };
  fechar();
  return null;
}

/** A server that has not said by then that it takes writes does not. */
const CONFERENCIA_MS = 2000;

import { createServer } from 'node:net';
import { promisify } from 'node:util';
import { listen } from '../../src/platform/http/server.ts';

/** Ports of loopback that nobody uses now, all different. */
export async function portasLivres(quantas: number): Promise<number[]> {
  const servidores = Array.from({ length: quantas }, () => createServer());
  const portas = await Promise.all(servidores.map(async (servidor) => listen(servidor, 0, '127.0.0.1')));
  await Promise.all(servidores.map(async (servidor) => promisify(servidor.close.bind(servidor))()));
  return portas;
}

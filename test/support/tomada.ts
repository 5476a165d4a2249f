import { createServer, connect } from 'node:net';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { listen } from '../../src/platform/http/server.ts';

/** A plug between a client and a server: it can be pulled, held or slowed. */
export interface Tomada {
  readonly porta: number;
  /** Cuts what is connected, and refuses what comes. */
  cortar(): Promise<void>;
  /** Takes connections and says nothing: what is on its way waits. */
  segurar(): void;
  /** What the server says becomes nonsense. */
  estragar(): void;
  /** Every byte takes this long, each way. */
  atrasar(ms: number): void;
  /** Leads what connects from now on to another server; what is connected stays where it is. */
  virar(destino: Destino): void;
  /** As good as new. */
  voltar(): Promise<void>;
  fechar(): Promise<void>;
}

/** A Unix socket's path, or a host and port. */
type Destino = string | { host: string; port: number };

export async function criarTomada(primeiro: Destino): Promise<Tomada> {
  let destino = primeiro;
  const abertas = new Set<Socket>();
  let atraso = 0;
  let estraga = false;
  let solta: Promise<void> | undefined;
  let soltar = (): void => {};

  async function passar(antes: Promise<unknown>, quando: number, entregar: () => unknown): Promise<void> {
    await antes;
    if (solta !== undefined) await solta;
    const falta = quando - performance.now();
    if (falta > 0) await sleep(falta);
    entregar();
  }

  function ligar(de: Socket, para: Socket, ler = (parte: Buffer): Buffer => parte): void {
    let fila: Promise<unknown> = Promise.resolve();
    de.on('data', (parte: Buffer) => {
      const quando = performance.now() + atraso;
      fila = passar(fila, quando, () => para.destroyed || para.write(ler(parte)));
    });
    de.on('error', () => {});
    de.on('close', () => {
      abertas.delete(de);
      void fila.then(() => para.destroy());
    });
  }

  const servidor = createServer((cliente) => {
    const alvo = typeof destino === 'string' ? connect(destino) : connect(destino);
    for (const socket of [cliente, alvo]) abertas.add(socket);
    ligar(cliente, alvo);
    ligar(alvo, cliente, (parte) => (estraga ? Buffer.alloc(300, 'A') : parte));
  });
  const porta = await listen(servidor, 0, '127.0.0.1');

  async function desligar(): Promise<void> {
    const fechado = new Promise((resolve) => servidor.close(resolve));
    soltar();
    for (const socket of abertas) socket.destroy();
    await fechado;
  }

  return {
    porta,
    cortar: desligar,
    segurar() {
      solta ??= new Promise((resolve) => (soltar = resolve));
    },
    estragar() {
      estraga = true;
    },
    atrasar(ms) {
      atraso = ms;
    },
    virar(outro) {
      destino = outro;
    },
    async voltar() {
      atraso = 0;
      estraga = false;
      soltar();
      solta = undefined;
      if (!servidor.listening) await listen(servidor, porta, '127.0.0.1');
    },
    async fechar() {
      if (servidor.listening) await desligar();
    },
  };
}

/** The database of a URL through a plug: the URL to use instead, and the plug. */
export async function tomadaDoBanco(url: string): Promise<{ url: string; tomada: Tomada }> {
  const partes = new URL(url);
  const socketPath = partes.searchParams.get('socketPath');
  const tomada = await criarTomada(
    socketPath ?? { host: partes.hostname, port: partes.port === '' ? 3306 : Number(partes.port) },
  );
  partes.hostname = '127.0.0.1';
  partes.port = String(tomada.porta);
  partes.searchParams.delete('socketPath');
  return { url: partes.href, tomada };
}

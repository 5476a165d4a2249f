import { createServer } from 'node:http';
import type { IncomingHttpHeaders, RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a webhook's receiver was sent. */
interface Recebido {
  readonly headers: IncomingHttpHeaders;
  readonly corpo: string;
  /** The same as it came. */
  readonly bytes: Buffer;
  readonly caminho: string;
}

export interface ReceptorDeWebhooks {
  readonly url: string;
  readonly recebidos: Recebido[];
  /** How it answers from now on, once the body is there. */
  responder: RequestListener;
  /** The most requests that were there at the same time. */
  readonly maximo: () => number;
  fechar(): void;
}

export async function criarReceptorDeWebhooks(): Promise<ReceptorDeWebhooks> {
  let agora = 0;
  let maximo = 0;
  const servidor = createServer((pedido, resposta) => {
    agora += 1;
    maximo = Math.max(maximo, agora);
    resposta.on('close', () => void (agora -= 1));
    const partes: Buffer[] = [];
    pedido.on('data', (parte: Buffer) => void partes.push(parte));
    pedido.on('end', () => {
      const bytes = Buffer.concat(partes);
      receptor.recebidos.push({ headers: pedido.headers, corpo: bytes.toString(), bytes, caminho: pedido.url ?? '' });
      receptor.responder(pedido, resposta);
    });
  });
  await new Promise<void>((feito) => {
    servidor.listen(0, '127.0.0.1', feito);
  });
  const receptor: ReceptorDeWebhooks = {
    url: `http://127.0.0.1:${(servidor.address() as AddressInfo).port}/malha`,
    recebidos: [],
    responder: (_pedido, resposta) => void resposta.end(),
    maximo: () => maximo,
    fechar() {
      servidor.closeAllConnections();
      servidor.close();
    },
  };
  return receptor;
}

/** Settings with which webhooks may be on this machine. */
export const WEBHOOKS_AQUI = { MALHA_WEBHOOKS_HTTP: 'sim', MALHA_REDES_PERMITIDAS: '127.0.0.0/8' } as const;

import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerMessages } from '../support/helper.ts';

/** Starts the server; answered with its port. */
export interface StillPanel {
  /** The size of each address's answer, and of any other's; as a page, and as a part of it. */
  readonly page: number;
  readonly part: number;
}

/** A panel that knows nothing: its pages are as large as the service's, its streams hear of each ticket, and all of it costs nothing to make. */
answerMessages(async ({ page, part }: StillPanel): Promise<object> => {
  const pages = { page: Buffer.alloc(page, 'x'), part: Buffer.alloc(part, 'x') };
  const streams = new Set<ServerResponse>();
  const server = createServer((req, res) => {
    if (req.url === '/painel/eventos') {
      res.writeHead(200, { 'Content-Type': 'text/event-stream' });
      res.write('event: ola\ndata: {}\n\n');
      streams.add(res);
      res.on('close', () => streams.delete(res));
      return;
    }
    req.resume();
    if (req.method === 'POST') {
      res.writeHead(201).end();
      for (const stream of streams) stream.write('event: chamado\ndata: {}\n\n');
      return;
    }
    res.end(req.headers['hx-request'] === undefined ? pages.page : pages.part);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as AddressInfo).port };
});

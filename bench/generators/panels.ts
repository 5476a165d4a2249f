import { Agent, request } from 'node:http';
import type { ClientRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { PANEL_HOST } from '../data/dataset.ts';
import { answerMessages } from '../support/helper.ts';

/** Opens panels, each with its stream of events, and clicks for some time; then it closes them. */
export interface Panels {
  readonly port: number;
  /** Cookies of sessions. */
  readonly sessions: readonly string[];
  /** How many panels are open, shared out among the sessions. */
  readonly panels: number;
  readonly clicksASecond: number;
  /** Addresses to click, in turn. */
  readonly targets: readonly string[];
  readonly ms: number;
  /** A request that opens a ticket, sent once while the panels are open. */
  readonly ticket: { readonly key: string; readonly body: string };
}

/** Milliseconds of each page by its target's place in the list, and how many queues asked anew when the ticket came. */
export interface PanelsResult {
  readonly took: readonly (readonly [target: number, ms: number])[];
  readonly refreshed: number;
}

/** The part of the queue's page that is asked for when a ticket comes. */
const QUEUE = '/painel/chamados';

const agent = new Agent({ keepAlive: true });

async function ask(port: number, path: string, headers: Record<string, string>, body?: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const method = body === undefined ? 'GET' : 'POST';
    const req = request(
      { host: '127.0.0.1', port, path, method, agent, headers: { host: PANEL_HOST, ...headers } },
      (res) => {
        res.resume();
        res.on('end', () => resolve(res.statusCode ?? 0));
        res.on('error', reject);
      },
    );
    req.on('error', reject);
    req.end(body);
  });
}

async function page(port: number, path: string, cookie: string, part = false): Promise<number> {
  const begun = performance.now();
  const status = await ask(port, path, { cookie, ...(part ? { 'HX-Request': 'true' } : {}) });
  if (status !== 200) throw new Error(`${path}: ${status}`);
  return performance.now() - begun;
}

/** A panel's stream: it asks for the queue anew whenever it hears of a ticket, as the page does. */
function listen(port: number, cookie: string, onTicket: () => void): ClientRequest {
  const req = request(
    { host: '127.0.0.1', port, path: '/painel/eventos', headers: { host: PANEL_HOST, cookie } },
    (res) => {
      res.setEncoding('utf8');
      res.on('data', (text: string) => {
        if (text.includes('event: chamado')) onTicket();
      });
      res.on('error', () => {});
    },
  );
  req.on('error', () => {});
  req.end();
  return req;
}

answerMessages(async (order: Panels): Promise<PanelsResult> => {
  const { port, sessions, panels, clicksASecond, targets, ms, ticket } = order;
  const took: [number, number][] = [];
  const queues: Promise<number>[] = [];
  const cookieOf = (n: number): string => sessions[n % sessions.length] ?? '';
  const streams = Array.from({ length: panels }, (_, n) =>
    listen(port, cookieOf(n), () => void queues.push(page(port, QUEUE, cookieOf(n), true))),
  );
  const begun = performance.now();
  const clicks: Promise<void>[] = [];
  for (let n = 0; performance.now() - begun < ms; n += 1) {
    const target = n % targets.length;
    const path = targets[target] ?? '';
    // The box asks for what it shows below itself; as a page, an exact hit leads on.
    const part = path.startsWith('/painel/busca');
    clicks.push(page(port, path, cookieOf(n), part).then((one) => void took.push([target, one])));
    if (n === clicksASecond) {
      const headers = { 'x-api-key': ticket.key, 'content-type': 'application/json' };
      const status = await ask(port, '/api/v1/chamados', headers, ticket.body);
      if (status !== 201) throw new Error(`/api/v1/chamados: ${status}`);
    }
    await sleep(1000 / clicksASecond);
  }
  await Promise.all([...clicks, ...queues]);
  for (const stream of streams) stream.destroy();
  return { took, refreshed: queues.length };
});

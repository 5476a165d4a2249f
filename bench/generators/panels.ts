import { Agent, request } from 'node:http';
import type { ClientRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { PANEL_HOST } from '../data/dataset.ts';
import { answerMessages } from '../support/helper.ts';

/** Opens panels, each with its stream of events, in place of those that are open; answered once each stream has spoken. */
export interface OpenPanels {
  readonly kind: 'open';
  readonly port: number;
  /** Cookies of sessions. */
  readonly sessions: readonly string[];
  /** How many panels are open, shared out among the sessions. */
  readonly panels: number;
}

/** Clicks for some time in the panels that are open. */
export interface Clicks {
  readonly kind: 'click';
  readonly clicksASecond: number;
  /** Addresses to click, in turn. */
  readonly targets: readonly string[];
  readonly ms: number;
  /** A request that opens a ticket, sent once meanwhile. */
  readonly ticket: { readonly key: string; readonly body: string };
}

/** Milliseconds of each page by its target's place in the list, and how many queues asked anew when the ticket came. */
export interface ClicksResult {
  readonly took: readonly (readonly [target: number, ms: number])[];
  readonly refreshed: number;
  /** Milliseconds from when the ticket was answered for until the last of these queues had it. */
  readonly shown: number;
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

interface Panel {
  readonly cookie: string;
  stream: ClientRequest;
}

let port = 0;
let panels: readonly Panel[] = [];
/** When the queues came that were asked for anew since the last clicks began. */
let queues: Promise<number>[] = [];

/** A panel's stream: it asks for the queue anew whenever it hears of a ticket, as the page does. Resolves once the stream has spoken. */
async function listen(cookie: string): Promise<ClientRequest> {
  return new Promise((resolve, reject) => {
    const headers = { host: PANEL_HOST, cookie };
    const req = request({ host: '127.0.0.1', port, path: '/painel/eventos', headers }, (res) => {
      res.setEncoding('utf8');
      res.on('data', (text: string) => {
        if (text.includes('event: ola')) resolve(req);
        if (text.includes('event: chamado')) queues.push(page(port, QUEUE, cookie, true).then(() => performance.now()));
      });
      res.on('error', () => {});
    });
    req.on('error', reject);
    req.end();
  });
}

async function open(order: OpenPanels): Promise<object> {
  ({ port } = order);
  for (const { stream } of panels) stream.destroy();
  const opened: Panel[] = [];
  for (let n = 0; n < order.panels; n += 1) {
    const cookie = order.sessions[n % order.sessions.length] ?? '';
    opened.push({ cookie, stream: await listen(cookie) });
  }
  panels = opened;
  return {};
}

async function click({ clicksASecond, targets, ms, ticket }: Clicks): Promise<ClicksResult> {
  const took: [number, number][] = [];
  const clicks: Promise<void>[] = [];
  queues = [];
  const begun = performance.now();
  let answered = begun;
  for (let n = 0; performance.now() - begun < ms; n += 1) {
    const target = n % targets.length;
    const path = targets[target] ?? '';
    const panel = panels[n % panels.length];
    if (panel === undefined) throw new Error('no panel is open');
    // The box asks for what it shows below itself; as a page, an exact hit leads on. Another page begins a stream of its own.
    const part = path.startsWith('/painel/busca');
    const opened = async (): Promise<void> => {
      took.push([target, await page(port, path, panel.cookie, part)]);
      if (part) return;
      panel.stream.destroy();
      panel.stream = await listen(panel.cookie);
    };
    clicks.push(opened());
    if (n === clicksASecond) {
      const headers = { 'x-api-key': ticket.key, 'content-type': 'application/json' };
      const status = await ask(port, '/api/v1/chamados', headers, ticket.body);
      if (status !== 201) throw new Error(`/api/v1/chamados: ${status}`);
      answered = performance.now();
    }
    await sleep(1000 / clicksASecond);
  }
  await Promise.all(clicks);
  const shown = Math.max(answered, ...(await Promise.all(queues))) - answered;
  return { took, refreshed: queues.length, shown };
}

answerMessages(async (order: OpenPanels | Clicks): Promise<object> =>
  order.kind === 'open' ? open(order) : click(order),
);

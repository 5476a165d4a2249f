import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { PANEL_HOST } from '../data/dataset.ts';
import { cpfOf } from '../data/rows.ts';
import { lookupTarget } from '../support/service.ts';

const READS_A_SECOND = 100;
const WRITES_A_SECOND = 25;

interface Asked {
  readonly status: number;
  readonly text: string;
}

interface Seen {
  reads: number;
  /** Look-ups that were answered with anything but 200. */
  refused: number;
  /** Look-ups that did not tell what was answered as written before. */
  stale: number;
  slowestMs: number;
  writes: number;
  /** Writes that were answered 503 while the provider was only read. */
  postponed: number;
  /** One answer that should not have been. */
  sample: string;
}

interface Options {
  readonly keys: readonly string[];
  readonly clients: number;
  readonly port: number;
}

/** Asks at a steady rate: look-ups by CPF and of the tickets that it opens, which it compares with what it wrote. */
export function startCallers({ keys, clients, port }: Options) {
  const agent = new Agent({ keepAlive: true });
  const stopping = new AbortController();
  const seen: Seen = { reads: 0, refused: 0, stale: 0, slowestMs: 0, writes: 0, postponed: 0, sample: '' };
  const written: { readonly id: number; readonly subject: string }[] = [];
  const underWay = new Set<Promise<void>>();
  let target = port;
  let turn = 0;

  const ask = async (method: string, path: string, body?: object): Promise<Asked> =>
    new Promise((resolve, reject) => {
      const key = keys[(turn += 1) % keys.length] ?? '';
      const headers = { host: PANEL_HOST, 'x-api-key': key, ...(body && { 'content-type': 'application/json' }) };
      const sent = request({ agent, host: '127.0.0.1', port: target, method, path, headers }, (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (part: string) => (text += part));
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
        answer.on('error', reject);
      });
      sent.on('error', reject);
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });

  async function read(n: number): Promise<void> {
    // Every other one of the newest ticket.
    const last = n % 2 === 0 ? written.at(-1) : undefined;
    const begun = performance.now();
    const client = 1 + ((n * 7919) % clients);
    const path = last === undefined ? lookupTarget(cpfOf(client)) : `/api/v1/chamados/${last.id}`;
    const { status, text } = await ask('GET', path);
    seen.reads += 1;
    seen.slowestMs = Math.max(seen.slowestMs, Math.round(performance.now() - begun));
    const isOld = last !== undefined && !text.includes(`"${last.subject}"`);
    if (status === 200 && !isOld) return;
    if (status === 200) seen.stale += 1;
    else seen.refused += 1;
    seen.sample = `${path}: ${status} ${text}`;
  }

  async function write(n: number): Promise<void> {
    const subject = `Chamado ${n}`;
    const body = { cliente_id: 1 + ((n * 104_729) % clients), assunto: subject, descricao: 'Sem sinal' };
    const { status, text } = await ask('POST', '/api/v1/chamados', body);
    if (status === 503) {
      seen.postponed += 1;
      return;
    }
    if (status !== 201) throw new Error(`${status} ${text}`);
    seen.writes += 1;
    written.push({ id: (JSON.parse(text) as { dados: { id: number } }).dados.id, subject });
  }

  async function repeat(aSecond: number, what: (n: number) => Promise<void>): Promise<void> {
    const begun = performance.now();
    for (let n = 0; !stopping.signal.aborted; n += 1) {
      const wait = begun + (n * 1000) / aSecond - performance.now();
      if (wait > 1) await sleep(wait);
      const asked = what(n)
        .catch((error: unknown) => {
          seen.refused += 1;
          seen.sample = String(error);
        })
        .finally(() => underWay.delete(asked));
      underWay.add(asked);
    }
  }
  const loops = [repeat(READS_A_SECOND, read), repeat(WRITES_A_SECOND, write)];

  return {
    /** From here on this process is asked. */
    ask(next: number): void {
      target = next;
    },
    during: async (ms: number): Promise<void> => sleep(ms),
    async stop(): Promise<Seen> {
      stopping.abort();
      await Promise.all(loops);
      await Promise.all(underWay);
      agent.destroy();
      return seen;
    },
  };
}

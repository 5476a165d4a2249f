// What asks the service while an upgrade is rehearsed: look-ups and writes at a steady rate, of several providers. Each answer is
// compared with the last write that was answered before the question. It stands for the callers and for the balancer, which is told
// which processes to ask.
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const READS_A_SECOND = 90;
const WRITES_A_SECOND = 25;
const PRIORITIES = ['baixa', 'normal', 'alta', 'urgente'];
const RETRY_MS = 200;

/**
 * By chance: in turn, providers, keys and processes fell in step, and every other one of them was never asked.
 *
 * @template T
 * @param {readonly T[]} list
 */
const anyOf = (list) => list[Math.floor(Math.random() * list.length)];

/** @typedef {{ id: number, prioridade: string }} Ticket */
/** @typedef {{ dados?: Ticket | Ticket[] }} Answer */

/**
 * @param {readonly (readonly string[])[]} keys of each provider.
 */
export async function startLoad(keys) {
  const agent = new Agent({ keepAlive: true });
  /** @type {number[]} */
  let ports = [];
  const stopping = new AbortController();
  const counts = { reads: 0, writes: 0, slowest: 0 };
  /** @type {string[]} */
  const wrong = [];
  /** @type {Set<Promise<void>>} */
  const underWay = new Set();

  /**
   * @param {string} method
   * @param {string} path
   * @param {string} key
   * @param {unknown} [body]
   * @returns {Promise<{ status: number, body: Answer }>}
   */
  const ask = (method, path, key, body) =>
    new Promise((resolve, reject) => {
      const port = anyOf(ports);
      const began = performance.now();
      const headers = { 'x-api-key': key, ...(body === undefined ? {} : { 'content-type': 'application/json' }) };
      const sent = request({ agent, host: '127.0.0.1', port, method, path: `/api/v1${path}`, headers }, (answer) => {
        let text = '';
        answer.setEncoding('utf8');
        answer.on('data', (part) => (text += part));
        answer.on('end', () => {
          counts.slowest = Math.max(counts.slowest, performance.now() - began);
          resolve({ status: answer.statusCode ?? 0, body: /** @type {Answer} */ (JSON.parse(text)) });
        });
        answer.on('error', reject);
      });
      sent.on('error', reject);
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });

  /** @type {{ keys: readonly string[], ticket: number, written: string, writing: string | null, version: number }[]} */
  const providers = keys.map((own) => ({ keys: own, ticket: 0, written: '', writing: null, version: 0 }));
  const keyOf = (/** @type {typeof providers[number]} */ one) => anyOf(one.keys) ?? '';

  async function read(/** @type {typeof providers[number]} */ one) {
    const { version, written } = one;
    const { status, body } = await ask('GET', `/chamados/${one.ticket}`, keyOf(one));
    counts.reads += 1;
    if (status !== 200) {
      wrong.push(`consulta: ${status} ${JSON.stringify(body)}`);
      return;
    }
    // What was being written while this was asked may be shown or not.
    const isSteady = version === one.version && one.writing === null;
    const [shown] = [body.dados ?? []].flat();
    if (isSteady && shown?.prioridade !== written) wrong.push(`velho: ${shown?.prioridade} em vez de ${written}`);
  }

  async function write(/** @type {typeof providers[number]} */ one) {
    if (one.writing !== null) return;
    const next = PRIORITIES[(PRIORITIES.indexOf(one.written) + 1) % PRIORITIES.length] ?? '';
    one.writing = next;
    one.version += 1;
    try {
      const { status, body } = await ask('PATCH', `/chamados/${one.ticket}`, keyOf(one), { prioridade: next });
      counts.writes += 1;
      if (status === 200) one.written = next;
      else wrong.push(`escrita: ${status} ${JSON.stringify(body)}`);
    } finally {
      one.version += 1;
      one.writing = null;
    }
  }

  async function begin(/** @type {typeof providers[number]} */ one) {
    const { body } = await ask('GET', '/chamados?situacao=em_aberto&por_pagina=1', keyOf(one));
    const [first] = [body.dados ?? []].flat();
    if (first === undefined) throw new Error('um provedor não tem chamados em aberto');
    one.ticket = first.id;
    one.written = first.prioridade;
  }

  /**
   * @param {number} aSecond
   * @param {(one: typeof providers[number]) => Promise<void>} what
   */
  async function repeat(aSecond, what) {
    const began = performance.now();
    for (let n = 0; !stopping.signal.aborted; n += 1) {
      const wait = began + (n * 1000) / aSecond - performance.now();
      if (wait > 1) await sleep(wait);
      const one = providers[n % providers.length];
      if (one === undefined || ports.length === 0) continue;
      const asked = what(one)
        .catch((/** @type {unknown} */ error) => void wrong.push(`sem resposta: ${String(error)}`))
        .finally(() => underWay.delete(asked));
      underWay.add(asked);
    }
  }
  /** @type {Promise<void>[]} */
  let loops = [];

  return {
    /** From here on these processes are asked, and no others. */
    ask(/** @type {number[]} */ live) {
      ports = live;
      if (loops.length > 0) return;
      const ready = (async () => {
        for (const one of providers) {
          while (one.ticket === 0 && !stopping.signal.aborted) await begin(one).catch(() => sleep(RETRY_MS));
        }
      })();
      loops = [
        [READS_A_SECOND, read],
        [WRITES_A_SECOND, write],
      ].map(async ([rate, what]) => {
        await ready;
        await repeat(/** @type {number} */ (rate), /** @type {typeof read} */ (what));
      });
    },
    /** What was asked since this was last said. */
    told() {
      const { reads, writes, slowest } = counts;
      Object.assign(counts, { reads: 0, writes: 0, slowest: 0 });
      return `${reads} consultas, ${writes} escritas, a mais lenta ${Math.round(slowest)} ms`;
    },
    /** Resolves to what was not as it should be. */
    async stop() {
      stopping.abort();
      await Promise.all(loops);
      await Promise.all(underWay);
      agent.destroy();
      return wrong;
    },
  };
}

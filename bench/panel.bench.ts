import { Redis } from 'ioredis';
import { openDataset } from './data/dataset.ts';
import { createKeys } from './data/keys.ts';
import { createPanelSessions } from './data/panel-sessions.ts';
import { cpfOf } from './data/rows.ts';
import type { Run, RunResult, Script } from './generators/load.ts';
import type { Clicks, ClicksResult, OpenPanels } from './generators/panels.ts';
import type { StillPanel } from './generators/still-panel.ts';
import type { BenchContext } from './support/bench.ts';
import { getAs, lookupTarget, requestText } from './support/service.ts';
import { median, percentile, round } from './support/stats.ts';
import { countStolen } from './support/stolen.ts';
import { printTable } from './support/table.ts';

const CLIENTS = Number(process.env['BENCH_CLIENTES'] ?? 80_000);
const KEYS = 500;
const PANELS = 50;
/** A user may have four open. */
const USERS = 20;
const CLICKS_A_SECOND = 5;
const ROUNDS = 12;
const WARM_UPS = 4;
const LOOKUPS = { rate: 1000, count: 5000 };
const ROUND_MS = 4800;
const NAP_MS = 1;
const CONNECTIONS = 16;
/** As many as are asked for in a round: from the second on, all are kept, as those of whoever is on the line are. */
const LOOKED_UP = 5_000;

/** What people open, with what the table calls it. */
const SCREENS: readonly (readonly [name: string, target: (n: number) => string])[] = [
  ['fila', () => '/painel/chamados'],
  ['cliente', (n) => `/painel/clientes/${1 + ((n * 7919) % CLIENTS)}`],
  ['clientes', () => '/painel/clientes'],
  ['busca', (n) => `/painel/busca?q=${cpfOf(1 + ((n * 104_729) % CLIENTS))}`],
  ['início', () => '/painel'],
];

/**
 * Look-ups of v1 at a steady rate, alone in one round and beside the panel in the next: fifty people have the queue of tickets open, hear
 * of a new ticket and ask anew, and five pages a second are opened, each with its stream, of which it is told how long each takes, and of
 * the queues how long after the answer to a ticket the slowest of all rounds had it (`ticket_shown_ms`). In a third round another process
 * answers the same clicks with constant bytes of the same size: what browsers alone take of the processors (`still_p99_ratio`).
 */
export async function run(context: BenchContext): Promise<Record<string, number>> {
  const { children, redisUrl, log } = context;
  const dataset = await openDataset(context, CLIENTS);
  const [ticketKey = '', ...keys] = await createKeys(dataset, KEYS, ['clientes:leitura', 'chamados:escrita']);
  const redis = new Redis(redisUrl);
  await redis.flushdb();
  redis.disconnect();
  const db = dataset.open(1);
  const sessions = await createPanelSessions(db, USERS).finally(() => void db.destroy());
  const { port } = await children.serve({ DATABASE_URL: dataset.url, REDIS_URL: redisUrl });
  const load = children.helper(new URL('generators/load.js', import.meta.url));
  const panels = children.helper(new URL('generators/panels.js', import.meta.url));
  const requests = Array.from({ length: LOOKED_UP }, (_, n) =>
    requestText(lookupTarget(cpfOf(1 + (n % CLIENTS))), keys[n % keys.length] ?? ''),
  );
  await load.ask({ kind: 'script', requests, bodies: null } satisfies Script);
  const stolen: number[] = [];
  const look = async (): Promise<number> => {
    const lost = countStolen();
    const order: Run = { kind: 'run', port, connections: CONNECTIONS, napMs: NAP_MS, ...LOOKUPS };
    const { wrong, sample, p99 } = await load.ask<RunResult>(order);
    if (wrong > 0) throw new Error(`${wrong} wrong answers, as\n${sample}`);
    stolen.push(lost());
    return p99;
  };
  const work = async (round_: number): Promise<ClicksResult> =>
    panels.ask<ClicksResult>({
      kind: 'click',
      clicksASecond: CLICKS_A_SECOND,
      targets: Array.from({ length: 40 }, (_, n) => SCREENS[n % SCREENS.length]?.[1](round_ * 40 + n) ?? ''),
      ms: ROUND_MS,
      ticket: { key: ticketKey, body: JSON.stringify({ cliente_id: 1, assunto: 'Sem conexão', descricao: 'Caiu.' }) },
    } satisfies Clicks);

  const open = async (count: number, at = port): Promise<object> =>
    panels.ask({ kind: 'open', port: at, sessions, panels: count } satisfies OpenPanels);
  const sizeOf = async (headers: Record<string, string>): Promise<number> =>
    Buffer.byteLength((await getAs(port, '/painel/chamados', { cookie: sessions[0] ?? '', ...headers })).body);
  const still = await children.helper(new URL('generators/still-panel.js', import.meta.url)).ask<{ port: number }>({
    page: await sizeOf({}),
    part: await sizeOf({ 'HX-Request': 'true' }),
  } satisfies StillPanel);

  await open(PANELS);
  for (let n = 0; n < WARM_UPS; n += 1) await Promise.all([look(), work(n)]);
  const alone: number[] = [];
  const beside: number[] = [];
  const besideStill: number[] = [];
  const took = SCREENS.map((): number[] => []);
  let refreshed = 0;
  let shown = 0;
  for (let n = 0; n < ROUNDS; n += 1) {
    log(`Rodada ${n + 1} de ${ROUNDS}…`);
    await open(0);
    alone.push(await look());
    await open(PANELS);
    const [p99, panel] = await Promise.all([look(), work(WARM_UPS + n)]);
    beside.push(p99);
    refreshed += panel.refreshed;
    shown = Math.max(shown, panel.shown);
    for (const [target, ms] of panel.took) took[target % SCREENS.length]?.push(ms);
    await open(PANELS, still.port);
    const [p99OfStill] = await Promise.all([look(), work(WARM_UPS + n)]);
    besideStill.push(p99OfStill);
  }
  // A page that is opened as the ticket comes shows it without having heard of it.
  if (refreshed < ROUNDS * PANELS * 0.9) throw new Error(`only ${refreshed} queues heard of the tickets`);
  printTable(
    ['tela, ms', 'p50', 'p95'],
    SCREENS.map(([name], n) => [name, round(percentile(took[n] ?? [], 0.5)), round(percentile(took[n] ?? [], 0.95))]),
  );
  return {
    p99_ratio: round(median(beside) / median(alone)),
    still_p99_ratio: round(median(besideStill) / median(alone)),
    p99_ms_alone: round(median(alone)),
    p99_ms: round(median(beside)),
    client_page_p95_ms: round(percentile(took[1] ?? [], 0.95)),
    first_page_p95_ms: round(percentile(took[4] ?? [], 0.95)),
    ticket_shown_ms: round(shown),
    stolen_percent: round(median(stolen)),
  };
}

import { createBuscaService } from '../src/domain/busca/busca.service.ts';
import { createTenantDb } from '../src/platform/mysql/tenant.ts';
import { HAS_SESSIONS, openBusiness } from './data/business.ts';
import { PROVIDER_ID } from './data/dataset.ts';
import { createKeys } from './data/keys.ts';
import { createPanelSessions } from './data/panel-sessions.ts';
import { cpfOf, nameOf } from './data/rows.ts';
import type { BenchContext } from './support/bench.ts';
import { get, getAs, lookupTarget } from './support/service.ts';
import { percentile, round } from './support/stats.ts';
import { printTable } from './support/table.ts';

const CLIENTS = Number(process.env['BENCH_CLIENTES'] ?? 1_000_000);
const SEARCHES = 300;
const PAGES = 200;
const KEYS = 20;
/** Each may open so many pages in a minute. */
const USERS = 4;
/** Look-ups that are asked for beside each search and each page, each of another client. */
const LOOKUPS_A_SEARCH = 5;

/** The texts that are searched for, of client `i`. */
const TEXTS: Readonly<Record<string, (i: number) => string>> = {
  name: nameOf,
  two_words: (i) => nameOf(i).split(' ').slice(0, 2).join(' '),
  name_prefix: (i) => nameOf(i).slice(0, 4),
  document: cpfOf,
  phone: (i) => `35${900_000_000 + i}`,
  phone_end: (i) => String(900_000_000 + i).slice(-4),
  login: (i) => `cliente${i}`,
  mac: (i) => `02:00:00:${String(i % 90).padStart(2, '0')}`,
};

/** The pages that are opened, by other clients than those before, half of them with sessions. */
const OPENED: Readonly<Record<string, (n: number) => string>> = {
  client_page: (n) =>
    `/painel/clientes/${clientAt(n) - (n % 2 === 0 ? clientAt(n) % HAS_SESSIONS : 0) || HAS_SESSIONS}`,
  first_page: () => '/painel',
};

/** Lists and numbers that go through many rows, each opened some times; the first time nothing of it is in memory. */
const LISTS = [
  '',
  '?aba=financeiro',
  '?aba=atendimento',
  '?aba=rede',
  '/clientes',
  '/clientes?situacao=bloqueado',
  '/clientes?conexao=online',
  '/clientes?conexao=offline&plano=2',
  '/contratos',
  '/contratos?conexao=online',
  '/contratos?conexao=offline',
  '/contratos?situacao=bloqueado&dia=10',
  '/contratos?cidade=Varginha&plano=2',
  '/faturas',
  '/faturas?situacao=vencida',
  '/faturas?situacao=todas&tipo=pix',
  '/chamados',
  '/chamados?visao=fechados',
  '/chamados/agenda',
  '/planos',
  '/rede',
  '/rede/online',
  '/rede/avisos',
  '/tarefas',
  '/notificacoes',
  '/configuracoes/auditoria',
] as const;
const OPENINGS = 10;

/**
 * The panel's search by each kind of text, and then its pages as the server answers them, while look-ups of clients go on through the service. What the first
 * page counts is kept for some seconds or minutes: `first_page_cold_ms` is of a process that has counted nothing.
 */
export async function run(context: BenchContext): Promise<Record<string, number>> {
  const { children, redisUrl } = context;
  const dataset = await openBusiness(context, CLIENTS);
  const keys = await createKeys(dataset, KEYS);
  const db = dataset.open(4);
  const sessions = await createPanelSessions(db, USERS);
  const { port } = await children.serve({ DATABASE_URL: dataset.url, REDIS_URL: redisUrl });
  const busca = createBuscaService(createTenantDb(db, PROVIDER_ID));
  let asked = 0;
  let opened = 0;

  /** Milliseconds of each. */
  async function besideLookups(count: number, what: (n: number) => Promise<unknown>): Promise<number[]> {
    const took: number[] = [];
    for (let n = 0; n < count; n += 1) {
      const beside = Array.from({ length: LOOKUPS_A_SEARCH }, async () => {
        asked += 1;
        return get(port, lookupTarget(cpfOf(1 + ((asked * 104_729) % CLIENTS))), keys[asked % KEYS] ?? '');
      });
      const begun = performance.now();
      await what(n);
      took.push(performance.now() - begun);
      await Promise.all(beside);
    }
    return took;
  }

  async function open(target: string): Promise<void> {
    opened += 1;
    const { status } = await getAs(port, target, { cookie: sessions[opened % USERS] ?? '' });
    if (status !== 200) throw new Error(`${target}: ${status}`);
  }

  const figures: Record<string, number> = {};
  for (const [kind, textOf] of Object.entries(TEXTS)) {
    const took = await besideLookups(SEARCHES, async (n) => busca.buscar(textOf(clientAt(n))));
    figures[`${kind}_p95_ms`] = round(percentile(took, 0.95));
  }
  await db.destroy();
  // Of the process, not of its numbers: the script's code and the templates of a page are ready by then.
  await open(OPENED['client_page']?.(PAGES) ?? '');
  const cold = performance.now();
  await open('/painel');
  figures['first_page_cold_ms'] = round(performance.now() - cold);
  const lists: [string, number, number][] = [];
  for (const target of LISTS) {
    const took = await besideLookups(OPENINGS, async () => open(`/painel${target}`));
    lists.push([`/painel${target}`, round(took[0] ?? 0), round(percentile(took.slice(1), 0.5))]);
  }
  printTable(['tela, ms', 'primeira', 'depois, p50'], lists);
  figures['slowest_list_ms'] = Math.max(...lists.map(([, first]) => first));
  for (const [name, targetOf] of Object.entries(OPENED)) {
    const took = await besideLookups(PAGES, async (n) => open(targetOf(n)));
    figures[`${name}_p95_ms`] = round(percentile(took, 0.95));
  }
  return figures;
}

const clientAt = (n: number): number => 1 + ((n * 7919) % CLIENTS);

import { createBuscaService } from '../src/domain/busca/busca.service.ts';
import { createTenantDb } from '../src/platform/mysql/tenant.ts';
import { openDataset, PROVIDER_ID } from './data/dataset.ts';
import { createKeys } from './data/keys.ts';
import { cpfOf, nameOf } from './data/rows.ts';
import type { BenchContext } from './support/bench.ts';
import { get, lookupTarget } from './support/service.ts';
import { round } from './support/stats.ts';

const CLIENTS = Number(process.env['BENCH_CLIENTES'] ?? 1_000_000);
const SEARCHES = 300;
const KEYS = 20;
/** Look-ups that are asked for beside each search, each of another client. */
const LOOKUPS_A_SEARCH = 5;

/** The panel's search by each kind of text, while look-ups of clients go on through the service. */
export async function run(context: BenchContext): Promise<Record<string, number>> {
  const { children, redisUrl } = context;
  const dataset = await openDataset(context, CLIENTS);
  const keys = await createKeys(dataset, KEYS);
  const service = await children.serve({ DATABASE_URL: dataset.url, REDIS_URL: redisUrl });
  const db = dataset.open(4);
  const busca = createBuscaService(createTenantDb(db, PROVIDER_ID));
  const texts: Readonly<Record<string, (i: number) => string>> = {
    name: nameOf,
    name_prefix: (i) => nameOf(i).slice(0, 4),
    document: cpfOf,
    phone: (i) => `35${900_000_000 + i}`,
    phone_end: (i) => String(900_000_000 + i).slice(-4),
    login: (i) => `cliente${i}`,
    mac: (i) => `02:00:00:${String(i % 90).padStart(2, '0')}`,
  };
  const figures: Record<string, number> = {};
  let asked = 0;
  for (const [kind, textOf] of Object.entries(texts)) {
    const took: number[] = [];
    for (let n = 0; n < SEARCHES; n += 1) {
      const client = 1 + ((n * 7919) % CLIENTS);
      const beside = Array.from({ length: LOOKUPS_A_SEARCH }, async () => {
        asked += 1;
        return get(service.port, lookupTarget(cpfOf(1 + ((asked * 104_729) % CLIENTS))), keys[asked % KEYS] ?? '');
      });
      const begun = performance.now();
      await busca.buscar(textOf(client));
      took.push(performance.now() - begun);
      await Promise.all(beside);
    }
    took.sort((a, b) => a - b);
    figures[`${kind}_p95_ms`] = round(took[Math.floor(took.length * 0.95)] ?? 0);
  }
  await db.destroy();
  return figures;
}

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startPrivateServers } from '../src/local/private-servers.ts';
import type { Bench } from './support/bench.ts';
import { printBounds } from './support/bounds.ts';
import { createChildren } from './support/children.ts';
import { print, tell } from './support/print.ts';

const BENCHES: Readonly<Record<string, () => Promise<{ run: Bench }>>> = {
  lookups: () => import('./lookups.bench.ts'),
  resumo: () => import('./resumo.bench.ts'),
  cold: () => import('./cold.bench.ts'),
  coherence: () => import('./coherence.bench.ts'),
  pdf: () => import('./pdf.bench.ts'),
  drops: () => import('./drops.bench.ts'),
  pix: () => import('./pix.bench.ts'),
  extract: () => import('./extract.bench.ts'),
  search: () => import('./search.bench.ts'),
  import: () => import('./import.bench.ts'),
  tenants: () => import('./tenants.bench.ts'),
  cluster: () => import('./cluster.bench.ts'),
  neighbours: () => import('./neighbours.bench.ts'),
  pages: () => import('./pages.bench.ts'),
  panel: () => import('./panel.bench.ts'),
  app: () => import('./app.bench.ts'),
  login: () => import('./login.bench.ts'),
  nfcom: () => import('./nfcom.bench.ts'),
  notas: () => import('./notas.bench.ts'),
  mes: () => import('./mes.bench.ts'),
  billing: () => import('./billing.bench.ts'),
  webhooks: () => import('./webhooks.bench.ts'),
  retorno: () => import('./retorno.bench.ts'),
  backup: () => import('./backup.bench.ts'),
  mover: () => import('./mover.bench.ts'),
  celula: () => import('./celula.bench.ts'),
  contenders: () => import('./contenders.bench.ts'),
};

const root = fileURLToPath(new URL('../../', import.meta.url));
const name = process.argv[2] ?? '';
const bench = BENCHES[name];
if (bench === undefined) {
  tell(`Uso: npm run bench -- ${Object.keys(BENCHES).join(' | ')}`);
  process.exitCode = 1;
} else {
  await measure(bench);
}

/** Runs one bench on servers of its own, whose data stays in `.data/bench` for the next run. */
async function measure(load: () => Promise<{ run: Bench }>): Promise<void> {
  const dataDir = join(root, '.data', 'bench');
  const scratchDir = join(dataDir, 'scratch');
  mkdirSync(scratchDir, { recursive: true });
  const servers = await startPrivateServers({ dataDir, log: tell });
  const children = createChildren(scratchDir);
  async function end(): Promise<void> {
    await children.stop();
    await servers.stop();
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => void end().finally(() => process.exit(130)));
  }
  try {
    const { run } = await load();
    const { ownerUrl: databaseUrl = '', redisUrl = '' } = servers;
    const figures = await run({ databaseUrl, redisUrl, dataDir, scratchDir, root, children, log: tell });
    printBounds(name, figures);
    print(JSON.stringify({ bench: name, figures }));
  } finally {
    await end();
  }
}

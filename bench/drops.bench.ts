import { avisarMudancas } from '../src/domain/conexoes/avisar-mudancas.ts';
import { createAgregacao } from '../src/domain/conexoes/agregacao.ts';
import type { Db } from '../src/platform/mysql/database.ts';
import { openSessions, SESSIONS_NOW } from './data/sessions.ts';
import { checkResults } from './drops/check.ts';
import { countInOneStatement } from './drops/one-statement.ts';
import type { BenchContext } from './support/bench.ts';
import { keepInMemory } from './support/memory.ts';
import { median, medianRatio } from './support/stats.ts';
import { printTable } from './support/table.ts';

/** Fewer make a short run, to try things out. */
const SESSIONS = Number(process.env['MALHA_BENCH_SESSIONS'] ?? 1_000_000);
const ROUNDS = 5;
const INTERVAL_SECONDS = 300;
const BACKLOG = 'bench_mudancas';
const RESULTS = ['quedas_diarias', 'conexoes', 'conexoes_pendentes', 'eventos', 'bench_quedas'];

interface Side {
  readonly name: string;
  readonly work: () => Promise<void>;
  /** Changes a second, by round. */
  readonly perSecond: number[];
}

/**
 * A backlog of session changes through the aggregation, beside one `INSERT … SELECT … GROUP BY` over the same rows. Each result of
 * ours is held against a computation of its own: the first row that differs ends the bench.
 */
export async function run(context: BenchContext): Promise<Record<string, number>> {
  const { log } = context;
  const dataset = await openSessions(context, SESSIONS);
  const db = dataset.open(10);
  try {
    await keepInMemory(db);
    await db.raw('CREATE TABLE IF NOT EXISTS bench_quedas LIKE quedas_diarias');
    await keepBacklog(db);
    const agregacao = createAgregacao({
      db,
      relogio: { agora: () => SESSIONS_NOW },
      intervaloPadraoSegundos: INTERVAL_SECONDS,
      aoMudar: avisarMudancas,
    });
    const ours: Side = {
      name: 'agregação',
      async work() {
        const { mudancas } = await agregacao.agregarMudancas(SESSIONS);
        if (mudancas !== SESSIONS) throw new Error(`${mudancas} of ${SESSIONS} changes were taken`);
      },
      perSecond: [],
    };
    const changed: Side = {
      name: 'um INSERT … SELECT do que mudou',
      work: () => countInOneStatement(db, 'bench_quedas', 'changed'),
      perSecond: [],
    };
    const all: Side = {
      name: 'um INSERT … SELECT de todo o radacct',
      work: () => countInOneStatement(db, 'bench_quedas', 'all'),
      perSecond: [],
    };
    const sides = [ours, changed, all];

    for (let turn = 0; turn <= ROUNDS; turn += 1) {
      log(turn === 0 ? 'Aquecendo…' : `Rodada ${turn} de ${ROUNDS}…`);
      for (const side of turn % 2 === 0 ? sides : sides.toReversed()) {
        await restore(db);
        const begun = performance.now();
        await side.work();
        const perSecond = (SESSIONS / (performance.now() - begun)) * 1000;
        if (turn > 0) side.perSecond.push(perSecond);
        if (side === ours) await checkResults(db, SESSIONS_NOW, INTERVAL_SECONDS);
      }
    }

    printTable(
      [`${SESSIONS} mudanças`, 'mudanças/s', 's'],
      sides.map(({ name, perSecond }) => [
        name,
        Math.round(median(perSecond)),
        (SESSIONS / median(perSecond)).toFixed(2),
      ]),
    );
    return {
      ratio: medianRatio(ours.perSecond, changed.perSecond),
      // Beside a statement that need not find out what has changed.
      ratio_all: medianRatio(ours.perSecond, all.perSecond),
      differences: 0,
    };
  } finally {
    await db.destroy();
  }
}

/** The changes as the triggers wrote them, to be put back before each turn. */
async function keepBacklog(db: Db): Promise<void> {
  if (await db.schema.hasTable(BACKLOG)) return;
  await db.raw('CREATE TABLE ?? LIKE radacct_mudancas', [BACKLOG]);
  await db.raw('INSERT INTO ?? SELECT * FROM radacct_mudancas ORDER BY id', [BACKLOG]);
}

/** The backlog whole, no results, the same pages in memory, and nothing left for the server to tidy up from the turn before. */
async function restore(db: Db): Promise<void> {
  for (const table of [...RESULTS, 'radacct_mudancas']) await db.raw('TRUNCATE TABLE ??', [table]);
  await db.raw('INSERT INTO radacct_mudancas SELECT * FROM ?? ORDER BY id', [BACKLOG]);
  await db.raw("SELECT COUNT(*) FROM radacct FORCE INDEX (username) WHERE username > '' AND acctauthentic = 'none'");
  for (let tidy = false; !tidy;) {
    const [rows] = await db.raw<{ n: number }[][]>(
      "SELECT COUNT AS n FROM information_schema.innodb_metrics WHERE name = 'trx_rseg_history_len'",
    );
    tidy = (rows?.[0]?.n ?? 0) < 100;
    if (!tidy) await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

import { avisarMudancas } from '../src/domain/conexoes/avisar-mudancas.ts';
import { createAgregacao } from '../src/domain/conexoes/agregacao.ts';
import type { Db } from '../src/platform/mysql/database.ts';
import { openSessions, SESSIONS_NOW } from './data/sessions.ts';
import { checkMinutes } from './drops/check-minutes.ts';
import { checkResults } from './drops/check.ts';
import { keepLinesOnline, restoreLinesOnline, STOPS } from './drops/lines-online.ts';
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
/** Of these, a commit from before outages were detected has no `rede_quedas`. */
const RESULTS = [
  'quedas_diarias',
  'conexoes',
  'conexoes_pendentes',
  'eventos',
  'rede_horas',
  'rede_quedas',
  'bench_quedas',
];

interface Side {
  readonly name: string;
  readonly changes: number;
  /** Puts everything back as it is before the work. */
  readonly restore: () => Promise<void>;
  readonly work: () => Promise<void>;
  /** Ends the bench where what came of it is wrong. */
  readonly check?: () => Promise<void>;
  /** Changes a second, by round. */
  readonly perSecond: number[];
}

/**
 * A backlog of session changes through the aggregation, beside one `INSERT … SELECT … GROUP BY` over the same rows; and the Stops of lines
 * that were known to be online, as an outage writes them: only these are counted by the minute, for who detects outages. Each result of
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
    const { ours, stops, changed, all } = await sidesOf(db, log);
    const sides = [ours, stops, changed, all];

    for (let turn = 0; turn <= ROUNDS; turn += 1) {
      log(turn === 0 ? 'Aquecendo…' : `Rodada ${turn} de ${ROUNDS}…`);
      for (const side of turn % 2 === 0 ? sides : sides.toReversed()) {
        await side.restore();
        const begun = performance.now();
        await side.work();
        const perSecond = (side.changes / (performance.now() - begun)) * 1000;
        if (turn > 0) side.perSecond.push(perSecond);
        await side.check?.();
      }
    }

    printTable(
      [`${SESSIONS} mudanças`, 'mudanças/s', 's'],
      sides.map(({ name, changes, perSecond }) => [
        name,
        Math.round(median(perSecond)),
        (changes / median(perSecond)).toFixed(2),
      ]),
    );
    return {
      ratio: medianRatio(ours.perSecond, changed.perSecond),
      // Beside a statement that need not find out what has changed.
      ratio_all: medianRatio(ours.perSecond, all.perSecond),
      // To be compared with those of another commit: what is counted for outages is counted here.
      per_second: median(ours.perSecond),
      stops_per_second: median(stops.perSecond),
      differences: 0,
    };
  } finally {
    await db.destroy();
  }
}

async function sidesOf(
  db: Db,
  log: (line: string) => void,
): Promise<Record<'ours' | 'stops' | 'changed' | 'all', Side>> {
  const agregacao = createAgregacao({
    db,
    relogio: { agora: () => SESSIONS_NOW },
    intervaloPadraoSegundos: INTERVAL_SECONDS,
    aoMudar: avisarMudancas,
  });
  const aggregate = async (changes: number): Promise<void> => {
    const { mudancas } = await agregacao.agregarMudancas(SESSIONS);
    if (mudancas !== changes) throw new Error(`${mudancas} of ${changes} changes were taken`);
  };
  await keepLinesOnline(db, SESSIONS_NOW, async () => {
    log('Agregando as linhas, todas online…');
    await restore(db, BACKLOG);
    await aggregate(SESSIONS);
  });
  const [[{ n: stopped = 0 } = {}] = []] = await db.raw<{ n?: number }[][]>('SELECT COUNT(*) AS n FROM ??', [STOPS]);
  const check = async (): Promise<void> => checkResults(db, SESSIONS_NOW, INTERVAL_SECONDS);
  const detects = await db.schema.hasTable('rede_quedas');
  const ofBacklog = { changes: SESSIONS, restore: async () => restore(db, BACKLOG) };
  return {
    ours: { name: 'agregação', ...ofBacklog, work: async () => aggregate(SESSIONS), check, perSecond: [] },
    stops: {
      name: 'agregação do fim de linhas online',
      changes: stopped,
      restore: async () => restore(db, STOPS, async () => restoreLinesOnline(db)),
      work: async () => aggregate(stopped),
      async check() {
        await check();
        if (detects) await checkMinutes(db, SESSIONS_NOW, INTERVAL_SECONDS);
      },
      perSecond: [],
    },
    changed: {
      name: 'um INSERT … SELECT do que mudou',
      ...ofBacklog,
      work: async () => countInOneStatement(db, 'bench_quedas', 'changed'),
      perSecond: [],
    },
    all: {
      name: 'um INSERT … SELECT de todo o radacct',
      ...ofBacklog,
      work: async () => countInOneStatement(db, 'bench_quedas', 'all'),
      perSecond: [],
    },
  };
}

/** The changes as the triggers wrote them, to be put back before each turn. */
async function keepBacklog(db: Db): Promise<void> {
  if (await db.schema.hasTable(BACKLOG)) return;
  await db.raw('CREATE TABLE ?? LIKE radacct_mudancas', [BACKLOG]);
  await db.raw('INSERT INTO ?? SELECT * FROM radacct_mudancas ORDER BY id', [BACKLOG]);
}

/** The backlog whole, nothing known but what `fill` puts there, the same pages in memory, and nothing left for the server to tidy up. */
async function restore(db: Db, backlog: string, fill: () => Promise<void> = async () => {}): Promise<void> {
  for (const table of [...RESULTS, 'radacct_mudancas']) {
    if (await db.schema.hasTable(table)) await db.raw('TRUNCATE TABLE ??', [table]);
  }
  await fill();
  await db.raw('INSERT INTO radacct_mudancas SELECT * FROM ?? ORDER BY id', [backlog]);
  await db.raw("SELECT COUNT(*) FROM radacct FORCE INDEX (username) WHERE username > '' AND acctauthentic = 'none'");
  for (let tidy = false; !tidy;) {
    const [rows] = await db.raw<{ n: number }[][]>(
      "SELECT COUNT AS n FROM information_schema.innodb_metrics WHERE name = 'trx_rseg_history_len'",
    );
    tidy = (rows?.[0]?.n ?? 0) < 100;
    if (!tidy) await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

import { Redis } from 'ioredis';
import { createThreads } from '../src/platform/threads/threads.ts';
import { amostra, SENHA_DA_AMOSTRA } from '../test/support/nfcom/notas.ts';
import type { ArquivoPfx, CertificadoLido } from '../workers/threads/certificado-a1/contract.ts';
import { openDataset } from './data/dataset.ts';
import { createKeys } from './data/keys.ts';
import { cpfOf } from './data/rows.ts';
import type { Run, RunResult, Script } from './generators/load.ts';
import type { Made, Order } from './generators/notes.ts';
import type { BenchContext } from './support/bench.ts';
import { peakMemoryMb } from './support/peak.ts';
import { lookupTarget, requestText } from './support/service.ts';
import { median, medianRatio, round } from './support/stats.ts';
import { printTable } from './support/table.ts';

const CLIENTS = 2000;
const KEYS = 200;
const LOOKUPS = { rate: 1000, count: 6000, connections: 16, napMs: 1 };
const ROUNDS = 5;
const NOTES_A_ROUND = 2000;
/** They take longer than a run of look-ups. */
const SIGNATURES_BESIDE = 40_000;
const NOTES = Number(process.env['MALHA_BENCH_NOTES'] ?? 100_000);
/** After so many notes all is compiled, and memory has what it will need. */
const WARM = 10_000;

/**
 * Notes built, validated and signed in one thread, by turns beside a loop of `node:crypto` that signs the same bytes.
 * Then look-ups at a steady rate, by turns alone and while notes are made, in another process as the worker is, up to
 * 100,000 of them, with the memory that they take.
 */
export async function run(context: BenchContext): Promise<Record<string, number>> {
  const { children, redisUrl, log } = context;
  const dataset = await openDataset(context, CLIENTS);
  const keys = await createKeys(dataset, KEYS);
  const redis = new Redis(redisUrl);
  await redis.flushdb();
  redis.disconnect();

  // As the worker is started.
  const notes = children.helper(new URL('generators/notes.js', import.meta.url), ['--v8-pool-size=1']);
  const ask = async (order: Order): Promise<Made> => notes.ask<Made>(order);
  await ask({ kind: 'key', chave: await sampleKey() });

  log('Aquecendo…');
  await ask({ kind: 'notes', count: NOTES_A_ROUND });
  await ask({ kind: 'bare', count: NOTES_A_ROUND });
  const ours: Made[] = [];
  const bare: Made[] = [];
  for (let turn = 1; turn <= ROUNDS; turn += 1) {
    log(`Rodada ${turn} de ${ROUNDS}…`);
    ours.push(await ask({ kind: 'notes', count: NOTES_A_ROUND }));
    bare.push(await ask({ kind: 'bare', count: NOTES_A_ROUND }));
  }

  const { port } = await children.serve({ DATABASE_URL: dataset.url, REDIS_URL: redisUrl });
  const lookups = children.helper(new URL('generators/load.js', import.meta.url));
  const requests = Array.from({ length: CLIENTS }, (_, n) =>
    requestText(lookupTarget(cpfOf(n + 1)), keys[n % KEYS] ?? ''),
  );
  await lookups.ask({ kind: 'script', requests, bodies: null } satisfies Script);
  async function look(): Promise<number> {
    const found = await lookups.ask<RunResult>({ kind: 'run', port, ...LOOKUPS } satisfies Run);
    if (found.wrong > 0) throw new Error(`${found.wrong} wrong answers, as\n${found.sample}`);
    return found.p99;
  }
  await look();
  const alone: number[] = [];
  const beside: number[] = [];
  const besideBare: number[] = [];
  let last: Made | undefined;
  let warm: Made | undefined;
  for (let turn = 1; turn <= ROUNDS; turn += 1) {
    log(`Consultas, rodada ${turn} de ${ROUNDS}…`);
    alone.push(await look());
    await ask({ kind: 'start' });
    beside.push(await look());
    last = await ask({ kind: 'stop' });
    if (last.total >= WARM) warm ??= last;
    const signing = ask({ kind: 'bare', count: SIGNATURES_BESIDE });
    besideBare.push(await look());
    await signing;
  }
  printTable(
    ['por segundo', 'mediana', 'cada rodada'],
    [
      [
        'notas montadas, validadas e assinadas',
        Math.round(median(speeds(ours))),
        speeds(ours).map(Math.round).join(' '),
      ],
      ['só a assinatura', Math.round(median(speeds(bare))), speeds(bare).map(Math.round).join(' ')],
    ],
  );
  printTable(
    [`p99 de ${LOOKUPS.rate} consultas por segundo, ms`, 'mediana', 'cada rodada'],
    [
      ['sozinhas', round(median(alone)), alone.map(round).join(' ')],
      ['enquanto se fazem notas', round(median(beside)), beside.map(round).join(' ')],
      ['enquanto só se assina', round(median(besideBare)), besideBare.map(round).join(' ')],
    ],
  );
  log(`Até ${NOTES} notas…`);
  last = await ask({ kind: 'notes', count: Math.max(0, NOTES - (last?.total ?? 0)) });
  return {
    ratio: medianRatio(speeds(ours), speeds(bare)),
    // By processor time, in which handing over is too; the thread of notes lets others go first, and the bare loop does not.
    cpu_ratio: medianRatio(times(bare), times(ours)),
    notes_per_second: Math.round(median(speeds(ours))),
    p99_ratio: medianRatio(beside, alone),
    // The control: what a loop of node:crypto in the place of the notes does to them.
    bare_p99_ratio: medianRatio(besideBare, alone),
    notes: last.total,
    rss_mb_early: warm?.rssMb ?? Number.NaN,
    rss_mb: last.rssMb,
    rss_growth: round(last.rssMb / (warm?.rssMb ?? Number.NaN)),
    rss_mb_peak: peakMemoryMb(notes.pid),
  };
}

const speeds = (rounds: readonly Made[]): number[] => rounds.map(({ perSecond }) => perSecond);
const times = (rounds: readonly Made[]): number[] => rounds.map(({ cpuMs }) => cpuMs);

async function sampleKey() {
  const threads = createThreads({ maxThreads: 1 });
  try {
    const file = { pfx: amostra('test-a1.pfx'), senha: SENHA_DA_AMOSTRA };
    const read = await threads.run<ArquivoPfx, CertificadoLido>('certificado-a1', file);
    if (!read.certo) throw new Error(read.motivo);
    return { chavePem: read.certificado.chavePem, certificadoPem: read.certificado.certificadoPem };
  } finally {
    await threads.close();
  }
}

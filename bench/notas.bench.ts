import { setTimeout as sleep } from 'node:timers/promises';
import { abrirAutoridade } from '../seeds/autoridade/autoridade.ts';
import { createContainer } from '../src/app/compose/container.ts';
import { loadConfig } from '../src/platform/config.ts';
import { relogioDoSistema } from '../src/platform/timing/relogio.ts';
import { cartorio, escrever, provedorFiscal } from '../test/support/fiscal.ts';
import type { ProvedorFiscal } from '../test/support/fiscal.ts';
import { openGenerated } from './data/dataset.ts';
import type { BenchContext } from './support/bench.ts';
import { SETTINGS } from './support/children.ts';
import { peakMemoryMb } from './support/peak.ts';
import { round } from './support/stats.ts';
import { printTable } from './support/table.ts';

/** After which the authority answers each note. */
const ANSWER_MS = 300;
/** So many at a time, and so many notes that a round takes about as long each time. */
const ROUNDS: readonly (readonly [atATime: number, notes: number])[] = [
  [1, 60],
  [8, 400],
  [16, 600],
];
const DEADLINE_MS = 300_000;

/**
 * A provider's notes built, signed, sent and authorised by one worker, with so many at a time at an authority that answers each after 300 ms:
 * notes a second, beside those that such an authority can answer at most.
 */
export async function run(context: BenchContext): Promise<Record<string, number>> {
  const { children, redisUrl, log } = context;
  const dataset = await openGenerated(context, 'bench_notas_v1', async () => {});
  const db = dataset.open(4);
  // Providers of runs before have the hosts that those of this one are given.
  await db('provedores').update({ panel_host: db.raw("CONCAT('antes-', UUID())") });
  // An address of this machine is called by none that is in production.
  const settings = { ...SETTINGS, NODE_ENV: 'development', MALHA_REDES_PERMITIDAS: '127.0.0.1/32' };
  const container = createContainer({
    config: loadConfig({ ...settings, MALHA_LOG: 'fatal' }),
    databaseUrl: dataset.url,
    redisUrl,
    relogio: relogioDoSistema,
  });
  await container.redisReady();
  const authority = await abrirAutoridade({
    cartorio,
    agora: () => new Date(),
    humor: (operation) => ({ atrasoMs: operation === 'recepcao' ? ANSWER_MS : 0 }),
  });
  const worker = children.worker({ ...settings, DATABASE_URL: dataset.url, REDIS_URL: redisUrl });

  async function prepare(atATime: number, notes: number): Promise<ProvedorFiscal> {
    const provider = await provedorFiscal({ container, dono: db }, authority, {
      configuracao: { simultaneas: atATime },
      // Providers of runs before have the same, and the authority of this one does not know their numbers.
      sva: '30',
    });
    for (let n = 0; n < notes; n += 1) await provider.fatura();
    return provider;
  }

  /** Notes a second, from the first that arrives to the last that is written as authorised. */
  async function measure({ provedor }: ProvedorFiscal, notes: number): Promise<number> {
    const before = authority.recebidas.length;
    await escrever(container, provedor, async ({ nfcom }) => nfcom.pedirLote({}));
    const done = async (): Promise<number> => {
      const [row] = await db('nfcom').where({ provedor_id: provedor, situacao: 'autorizada' }).count({ n: '*' });
      return Number(row?.['n']);
    };
    let begun: number | null = null;
    const asked = performance.now();
    for (;;) {
      if (begun === null && authority.recebidas.length > before) begun = performance.now() - ANSWER_MS;
      if (begun !== null && (await done()) === notes) return notes / ((performance.now() - begun) / 1000);
      if (performance.now() - asked > DEADLINE_MS) throw new Error(`${await done()} of ${notes} notes in time`);
      await Promise.race([sleep(20), worker.ended]);
    }
  }

  try {
    const found: { readonly atATime: number; readonly perSecond: number; readonly ratio: number }[] = [];
    for (const [atATime, notes] of ROUNDS) {
      log(`${notes} notas, ${atATime} de cada vez: preparando…`);
      const provider = await prepare(atATime, notes);
      log(`${notes} notas, ${atATime} de cada vez: emitindo…`);
      const perSecond = await measure(provider, notes);
      found.push({ atATime, perSecond, ratio: perSecond / ((atATime * 1000) / ANSWER_MS) });
    }
    printTable(
      ['de cada vez', 'notas por segundo', 'do que a autoridade responde'],
      found.map(({ atATime, perSecond, ratio }) => [atATime, round(perSecond), `${Math.round(ratio * 100)} %`]),
    );
    return {
      ...Object.fromEntries(found.map(({ atATime, perSecond }) => [`per_second_${atATime}`, round(perSecond)])),
      ...Object.fromEntries(found.map(({ atATime, ratio }) => [`ratio_${atATime}`, round(ratio)])),
      worker_rss_mb_peak: peakMemoryMb(worker.pid),
    };
  } finally {
    await authority.fechar();
    await container.close();
    await db.destroy();
  }
}

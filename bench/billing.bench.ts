import { Redis } from 'ioredis';
import { hojeEm, inicioDoDiaEm, somarDias } from '../src/brazil/calendario/datas.ts';
import type { Data } from '../src/brazil/calendario/datas.ts';
import { somarMeses } from '../src/domain/faturamento/calculo/meses.regras.ts';
import { createContainer } from '../src/app/compose/container.ts';
import type { Container } from '../src/app/compose/container.ts';
import { loadConfig } from '../src/platform/config.ts';
import type { Db } from '../src/platform/mysql/database.ts';
import { giveWay } from '../src/platform/process/priority.ts';
import { AUTOR } from '../test/support/autor.ts';
import { PROVIDER_ID, generate, openGenerated } from './data/dataset.ts';
import { createKeys } from './data/keys.ts';
import { ROWS_VERSION, cpfOf } from './data/rows.ts';
import type { Run, RunResult, Script } from './generators/load.ts';
import type { BenchContext } from './support/bench.ts';
import { keepInMemory, settle } from './support/memory.ts';
import { lookupTarget, requestText } from './support/service.ts';
import { median, medianRatio, round } from './support/stats.ts';
import { printTable } from './support/table.ts';

const CLIENTS = Number(process.env['MALHA_BENCH_CLIENTS'] ?? 20_000);
const KEYS = 200;
const ROUNDS = 3;
const LOOKUPS = { rate: 1000, count: 6000, connections: 16, napMs: 1 };
const ZONE = 'America/Sao_Paulo';
const FIRST_MONTH = '2027-01-01' as Data;
const LEAD_DAYS = 10;

/**
 * Months of one provider's contracts billed by the daily job, an invoice each with its PIX code, by turns beside hand-written
 * INSERT … SELECTs of the same rows: invoices, charges, events, who waits for them and lines of the audit log. Then look-ups at a steady rate, by turns alone and
 * while months are billed in another process, as the worker is.
 */
export async function run(context: BenchContext): Promise<Record<string, number>> {
  const { children, redisUrl, log } = context;
  const dataset = await openGenerated(context, `bench_billing_${CLIENTS}_v${ROWS_VERSION}`, async (db) =>
    generate(db, CLIENTS, () => {}),
  );
  const keys = await createKeys(dataset, KEYS);
  const redis = new Redis(redisUrl);
  await redis.flushdb();
  redis.disconnect();

  let today = FIRST_MONTH;
  const relogio = { agora: () => new Date(inicioDoDiaEm(ZONE, today).getTime() + 3_600_000) };
  const config = loadConfig({ NODE_ENV: 'production', MALHA_LOG: 'error', MALHA_DEMO: 'nao' });
  const container = createContainer({ config, databaseUrl: dataset.url, redisUrl, relogio });
  const bare = dataset.open(1);
  let months = 0;
  let made = 0;
  /** Bills the next month; resolves to how many invoices. */
  async function billMonth(): Promise<number> {
    months += 1;
    today = somarDias(somarMeses(FIRST_MONTH, months), 9 - LEAD_DAYS);
    let seen = 0;
    return bill(container, hojeEm(ZONE, relogio.agora()), (feitas) => {
      made += feitas - seen;
      seen = feitas;
    });
  }
  const ours: number[] = [];
  const same: number[] = [];
  const invoicesAlone: number[] = [];
  const alone: number[] = [];
  const beside: number[] = [];
  const besideLookups: number[] = [];
  try {
    await container.redisReady();
    await keepInMemory(container.db);
    await prepare(bare);
    for (let turn = 0; turn <= ROUNDS; turn += 1) {
      log(turn === 0 ? 'Aquecendo…' : `Rodada ${turn} de ${ROUNDS}…`);
      await settle(container.db);
      const marks = await newest(bare);
      const billed = await perSecond(billMonth);
      await settle(container.db);
      const copied = await copy(bare, marks);
      if (turn === 0) continue;
      ours.push(billed);
      same.push(copied.all);
      invoicesAlone.push(copied.invoices);
    }

    const { port } = await children.serve({ DATABASE_URL: dataset.url, REDIS_URL: redisUrl });
    const lookups = children.helper(new URL('generators/load.js', import.meta.url));
    const requests = Array.from({ length: 2000 }, (_, n) =>
      requestText(lookupTarget(cpfOf(n + 1)), keys[n % KEYS] ?? ''),
    );
    await lookups.ask({ kind: 'script', requests, bodies: null } satisfies Script);
    const look = async (): Promise<number> => {
      const found = await lookups.ask<RunResult>({ kind: 'run', port, ...LOOKUPS } satisfies Run);
      if (found.wrong > 0) throw new Error(`${found.wrong} wrong answers, as\n${found.sample}`);
      return found.p99;
    };
    /** All that was written is published, and what is asked for is kept: only what is billed beside it makes it stale. */
    const warm = async (): Promise<void> => {
      while ((await container.publicacao.publicar()) > 0);
      await look();
    };
    // As the worker does. What it started before keeps its priority.
    giveWay();
    for (let turn = 1; turn <= ROUNDS; turn += 1) {
      log(`Consultas, rodada ${turn} de ${ROUNDS}…`);
      await warm();
      alone.push(await look());
      const looked = new AbortController();
      const billing = (async () => {
        while (!looked.signal.aborted) await billMonth();
      })();
      const [before, begun] = [made, performance.now()];
      beside.push(await look());
      besideLookups.push(((made - before) * 1000) / (performance.now() - begun));
      looked.abort();
      await billing;
    }
  } finally {
    await bare.destroy();
    await container.close();
  }
  printTable(
    ['faturas por segundo', 'mediana', 'cada rodada'],
    [
      ['faturas.gerar', Math.round(median(ours)), ours.map(Math.round).join(' ')],
      ['INSERT … SELECT das mesmas linhas', Math.round(median(same)), same.map(Math.round).join(' ')],
      ['só o das faturas', Math.round(median(invoicesAlone)), invoicesAlone.map(Math.round).join(' ')],
      [
        'faturas.gerar, ao lado das consultas',
        Math.round(median(besideLookups)),
        besideLookups.map(Math.round).join(' '),
      ],
    ],
  );
  printTable(
    [`p99 de ${LOOKUPS.rate} consultas por segundo, ms`, 'mediana', 'cada rodada'],
    [
      ['sozinhas', round(median(alone)), alone.map(round).join(' ')],
      ['enquanto se fatura', round(median(beside)), beside.map(round).join(' ')],
    ],
  );
  return {
    ratio: medianRatio(ours, same),
    ratio_invoices: medianRatio(ours, invoicesAlone),
    invoices_per_second: Math.round(median(ours)),
    p99_ratio: medianRatio(beside, alone),
  };
}

/** Contracts that are all due on the tenth, with nothing billed yet. */
async function prepare(db: Db): Promise<void> {
  for (const table of ['faturamento_cobrancas', 'faturas', 'faturamentos', 'tarefas_diarias', 'eventos', 'auditoria']) {
    await db.raw('DELETE FROM ??', [table]);
  }
  await db('provedores')
    .where('id', PROVIDER_ID)
    .update({ pix_chave: '123e4567-e12b-12d3-a456-426655440000', pix_nome: 'BANCADA', pix_cidade: 'VARGINHA' });
  await db('contratos').update({
    situacao: 'ativo',
    tipo_cobranca: 'pos_pago',
    dia_vencimento: 10,
    valor: '99.90',
    ativado_em: '2025-01-01',
    criado_em: '2025-01-01 12:00:00',
  });
  await db.raw(
    'REPLACE INTO faturamento_configuracoes (provedor_id, desde, antecedencia, atualizado_em) VALUES (?, ?, ?, ?)',
    [PROVIDER_ID, FIRST_MONTH, LEAD_DAYS, '2026-12-01'],
  );
}

async function bill({ tarefas }: Container, dia: Data, onMade: (made: number) => void): Promise<number> {
  const execucao = {
    signal: new AbortController().signal,
    aoAvancar: ({ feitas }: { readonly feitas: number }) => onMade(feitas),
  };
  const task = { tarefa: 'faturas.gerar', provedorId: PROVIDER_ID, dia } as const;
  const { linhas } = await tarefas.executar(AUTOR, task, execucao);
  if (linhas !== CLIENTS) throw new Error(`${linhas} of ${CLIENTS} invoices made`);
  return linhas;
}

async function perSecond(work: () => Promise<number>): Promise<number> {
  const begun = performance.now();
  const rows = await work();
  return (rows * 1000) / (performance.now() - begun);
}

interface Marks {
  readonly faturas: number;
  readonly eventos: number;
  readonly auditoria: number;
}

async function newest(db: Db): Promise<Marks> {
  const of = async (table: string): Promise<number> => {
    const [rows = []] = await db.raw<{ id: number | null }[][]>('SELECT MAX(id) AS id FROM ??', [table]);
    return rows[0]?.id ?? 0;
  };
  return { faturas: await of('faturas'), eventos: await of('eventos'), auditoria: await of('auditoria') };
}

const INVOICE =
  'provedor_id, cliente_id, contrato_id, cobrador_id, descricao, situacao, tipo, valor, vencimento, emitida_em, pix_copia_cola, faturamento_id, competencia';

const AUDIT =
  'provedor_id, acao, autor, ator_tipo, ator_id, ator_tarefa, chave_id, usuario_id, cliente_id, ip, recurso, recurso_id, dados';
/** What consumers wait for has no row of its own to point at: ids far above those of events. */
const NO_EVENT = 1_000_000_000;

/** Writes the rows of a run once more, as one would by hand, and takes them away again. */
async function copy(db: Db, { faturas, eventos, auditoria }: Marks): Promise<{ all: number; invoices: number }> {
  const trx = await db.transaction();
  const begun = performance.now();
  await trx.raw(
    `INSERT INTO faturas (${INVOICE}, token, pix_txid)
     SELECT ${INVOICE}, CONCAT(SUBSTR(token, 2), 'z'), CONCAT('Z', SUBSTR(pix_txid, 1, 24)) FROM faturas WHERE id > ?`,
    [faturas],
  );
  const invoices = performance.now() - begun;
  await trx.raw(
    `INSERT INTO faturamento_cobrancas
       (provedor_id, contrato_id, competencia, tipo, faturamento_id, fatura_id, vencimento, valor, dias, isenta, bloqueado, itens)
     SELECT provedor_id, contrato_id, competencia, 'carne', faturamento_id, fatura_id, vencimento, valor, dias, isenta, bloqueado, itens
       FROM faturamento_cobrancas WHERE fatura_id > ?`,
    [faturas],
  );
  await trx.raw(
    `INSERT INTO eventos (provedor_id, tipo, recurso_id, etiquetas, dados)
     SELECT provedor_id, tipo, recurso_id, etiquetas, dados FROM eventos WHERE id > ? AND tipo = 'fatura.criada'`,
    [eventos],
  );
  await trx.raw(
    `INSERT INTO eventos_pendentes (provedor_id, consumidor, evento_id)
     SELECT p.provedor_id, p.consumidor, p.evento_id + ?
       FROM eventos_pendentes p JOIN eventos e ON e.id = p.evento_id AND e.tipo = 'fatura.criada'
      WHERE p.evento_id > ? AND p.evento_id <= ?`,
    [NO_EVENT, eventos, NO_EVENT],
  );
  await trx.raw(
    `INSERT INTO auditoria (${AUDIT})
     SELECT ${AUDIT} FROM auditoria WHERE id > ?`,
    [auditoria],
  );
  await trx.commit();
  const all = performance.now() - begun;
  await db.raw("DELETE FROM faturamento_cobrancas WHERE tipo = 'carne'");
  await db.raw('DELETE FROM eventos_pendentes WHERE evento_id > ?', [NO_EVENT]);
  // Ours are hexadecimal.
  await db.raw("DELETE FROM faturas WHERE id > ? AND pix_txid LIKE 'Z%'", [faturas]);
  return { all: (CLIENTS * 1000) / all, invoices: (CLIENTS * 1000) / invoices };
}

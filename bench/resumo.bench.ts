import { isDeepStrictEqual } from 'node:util';
import { Redis } from 'ioredis';
import type { HandSqlOptions } from './contenders/hand-sql.ts';
import { openCalls } from './data/calls.ts';
import { PROVIDER_ID } from './data/dataset.ts';
import { createKeys } from './data/keys.ts';
import { cpfOf } from './data/rows.ts';
import type { Run, RunResult, Script } from './generators/load.ts';
import type { BenchContext } from './support/bench.ts';
import type { Helper } from './support/children.ts';
import { processorMs } from './support/processor.ts';
import { get, lookupTarget, requestText } from './support/service.ts';
import { median, medianRatio, round } from './support/stats.ts';
import { printTable } from './support/table.ts';
import { prepareWrk } from './support/wrk.ts';
import type { Wrk } from './support/wrk.ts';

/** Their rows and a year's invoices fit into memory. */
const CLIENTS = 12_000;
const KEPT_CLIENTS = 1000;
/** No key may ask more than 1,200 times a minute. */
const KEYS = 4000;
const CONNECTIONS = 64;
const COLD_CONNECTIONS = 4;
/** So few that the process has read the record of each before anything is measured. */
const COLD_KEYS = 100;
const ROUNDS = 5;
const SECONDS_A_ROUND = 3;
const WARM_UP_SECONDS = 3;
const COLD_REQUESTS = 700;
/** So many answers until what V8 compiles of either process no longer makes its answers faster. */
const COLD_WARM_UP = 8000;
/** Of each contender's connections to the database. */
const POOL = 10;
/** `fria`: only what nobody asked for before. */
const PART = process.env['BENCH_PARTE'];
const PERMISSIONS = ['clientes:leitura', 'financeiro:leitura', 'chamados:leitura'];

const GENERATOR = new URL('generators/load.js', import.meta.url);

const callTarget = (cpf: string): string => `/api/v1/resumo?cpf_cnpj=${cpf}`;

interface Kept {
  readonly name: string;
  readonly wrk: Wrk;
  readonly generator: Helper;
  readonly perSecond: number[];
  readonly p99: number[];
}

interface Cold {
  readonly name: string;
  readonly port: number;
  readonly generator: Helper;
  readonly results: RunResult[];
  readonly pid: number;
  /** Of the process that answers, each answer. */
  readonly processorMs: number[];
}

/** One answer for one call: kept, beside a kept look-up of the same clients; and of clients nobody asked for, beside SQL by hand. */
export async function run(context: BenchContext): Promise<Record<string, number>> {
  const { children, redisUrl, log } = context;
  const dataset = await openCalls(context, CLIENTS);
  const keys = await createKeys(dataset, KEYS, PERMISSIONS);
  const redis = new Redis(redisUrl);
  await redis.flushdb();
  redis.disconnect();
  const service = await children.serve({ DATABASE_URL: dataset.url, REDIS_URL: redisUrl, MALHA_POOL: String(POOL) });
  const options: HandSqlOptions = { databaseUrl: dataset.url, provedorId: PROVIDER_ID, pool: POOL };
  const byHandItself = children.helper(new URL('contenders/hand-resumo.js', import.meta.url));
  const byHand = { pid: byHandItself.pid, ...(await byHandItself.ask<{ port: number }>(options)) };

  const cold = await measureCold();
  return PART === 'fria' ? cold : { ...(await measureKept()), ...cold };

  async function measureCold(): Promise<Record<string, number>> {
    // Every client once in the whole run, in an order with no locality, none of those that are kept afterwards.
    let taken = 0;
    const nextCpf = (): string => cpfOf(KEPT_CLIENTS + 1 + ((taken++ * 7919) % (CLIENTS - KEPT_CLIENTS)));
    const contender = async (
      name: string,
      { port, pid }: { port: number; pid: number },
      warmUp: (n: number) => string,
    ): Promise<Cold> => {
      const generator = children.helper(GENERATOR);
      log(`Sem cache: aquecendo ${name}…`);
      const others = Array.from({ length: COLD_WARM_UP }, (_, n) =>
        requestText(warmUp(KEPT_CLIENTS + 1 + n), keys[n % COLD_KEYS] ?? ''),
      );
      await generator.ask({ kind: 'script', requests: others, bodies: null } satisfies Script);
      const order: Run = { kind: 'run', port, connections: COLD_CONNECTIONS, rate: null, count: COLD_WARM_UP };
      await ask(name, generator, order);
      const asked = (1 + ROUNDS) * COLD_REQUESTS;
      const requests = Array.from({ length: asked }, (_, i) =>
        requestText(callTarget(nextCpf()), keys[i % COLD_KEYS] ?? ''),
      );
      await generator.ask({ kind: 'script', requests, bodies: null } satisfies Script);
      return { name, port, pid, generator, results: [], processorMs: [] };
    };
    for (let n = 0; n < COLD_KEYS; n += 1) await checkSame(service.port, byHand.port, nextCpf(), keys[n] ?? '');
    // What is asked for by the contract is kept under another name: the same is found out, and nothing of what is measured is kept.
    const both = [
      await contender('malha serve', service, (n) => `/api/v1/resumo?contrato_id=${n}`),
      await contender('SQL à mão (mysql2)', byHand, (n) => callTarget(cpfOf(n))),
    ];
    for (let turn = 0; turn <= ROUNDS; turn += 1) {
      log(turn === 0 ? 'Sem cache: a primeira vez…' : `Sem cache, rodada ${turn} de ${ROUNDS}…`);
      for (const each of both) {
        const before = processorMs(each.pid);
        const result = await ask(each.name, each.generator, {
          kind: 'run',
          port: each.port,
          connections: COLD_CONNECTIONS,
          rate: null,
          count: COLD_REQUESTS,
        });
        if (turn === 0) continue;
        each.results.push(result);
        each.processorMs.push((processorMs(each.pid) - before) / COLD_REQUESTS);
      }
    }
    printTable(
      ['resumos nunca pedidos', 'req/s', 'p50 ms', 'p99 ms', 'processador ms'],
      both.map(({ name, results, ...each }) => [
        name,
        Math.round(median(results.map(({ perSecond }) => perSecond))),
        round(median(results.map(({ p50 }) => p50))),
        round(median(results.map(({ p99 }) => p99))),
        round(median(each.processorMs)),
      ]),
    );
    const [ours = [], theirs = []] = both.map(({ results }) => results.map(({ p50 }) => p50));
    const [own = [], other = []] = both.map((each) => each.processorMs);
    return { cold_ratio: medianRatio(ours, theirs), cold_processor_ratio: medianRatio(own, other) };
  }

  async function measureKept(): Promise<Record<string, number>> {
    log('Em cache: aquecendo…');
    const contender = async (name: string, target: (cpf: string) => string): Promise<Kept> => {
      const at = (i: number): string => target(cpfOf((i % KEPT_CLIENTS) + 1));
      const bodies: string[] = [];
      for (let i = 0; i < KEYS; i += 1) {
        const { status, body } = await get(service.port, at(i), keys[i] ?? '');
        if (status !== 200 || !body.includes(cpfOf((i % KEPT_CLIENTS) + 1))) throw new Error(body);
        if (i < KEPT_CLIENTS) bodies.push(body);
        else if (bodies[i % KEPT_CLIENTS] !== body) throw new Error('a kept answer differs from the first');
      }
      const requests = Array.from({ length: KEYS }, (_, i) => requestText(at(i), keys[i] ?? ''));
      const generator = children.helper(GENERATOR);
      const bodyOf = requests.map((_, i) => i % KEPT_CLIENTS);
      await generator.ask({ kind: 'script', requests, bodies: { list: bodies, bodyOf } } satisfies Script);
      return { name, wrk: await prepareWrk(context, `resumo-${name}`, requests), generator, perSecond: [], p99: [] };
    };
    const both = [await contender('resumo', callTarget), await contender('clientes', lookupTarget)];
    const { port } = service;
    for (const { wrk } of both) await wrk.saturate({ port, connections: CONNECTIONS, seconds: WARM_UP_SECONDS });
    for (let turn = 1; turn <= ROUNDS; turn += 1) {
      log(`Em cache, saturação, rodada ${turn} de ${ROUNDS}…`);
      for (const { wrk, perSecond } of both) {
        perSecond.push((await wrk.saturate({ port, connections: CONNECTIONS, seconds: SECONDS_A_ROUND })).perSecond);
      }
    }
    const p50: number[][] = [[], []];
    for (let turn = 1; turn <= ROUNDS; turn += 1) {
      log(`Em cache, meia carga, rodada ${turn} de ${ROUNDS}…`);
      for (const [n, { name, generator, perSecond, p99 }] of both.entries()) {
        const rate = median(perSecond) / 2;
        const order = (seconds: number): Run => {
          return { kind: 'run', port, connections: CONNECTIONS, rate, count: Math.ceil(rate * seconds) };
        };
        await ask(name, generator, order(0.5));
        const result = await ask(name, generator, order(SECONDS_A_ROUND));
        p99.push(result.p99);
        p50[n]?.push(result.p50);
      }
    }
    printTable(
      ['em cache, à metade da própria saturação', 'req/s', 'p50 ms', 'p99 ms'],
      both.map(({ name, perSecond, p99 }, n) => [
        name,
        Math.round(median(perSecond)),
        round(median(p50[n] ?? [])),
        round(median(p99)),
      ]),
    );
    const [ours, theirs] = both;
    return { p99_ratio: medianRatio(ours?.p99 ?? [], theirs?.p99 ?? []) };
  }
}

async function ask(name: string, generator: Helper, order: Run): Promise<RunResult> {
  const result = await generator.ask<RunResult>(order);
  if (result.wrong > 0) throw new Error(`${name}: ${result.wrong} wrong answers, as\n${result.sample}`);
  return result;
}

interface Found {
  readonly cliente: { readonly id: number };
  readonly contratos: readonly { readonly id: number }[];
  readonly faturas_abertas: readonly { readonly id: number }[];
  readonly chamados_em_aberto: readonly { readonly id: number }[];
}

/** Both read the same rows of one client, and it is that client. */
async function checkSame(ours: number, theirs: number, cpf: string, key: string): Promise<void> {
  const [a, b] = await Promise.all([get(ours, callTarget(cpf), key), get(theirs, callTarget(cpf))]);
  const idsIn = (body: string): unknown =>
    (JSON.parse(body) as { dados: Found[] }).dados.map(
      ({ cliente, contratos, faturas_abertas: f, chamados_em_aberto: c }) =>
        [[cliente], contratos, f, c].map((rows) => rows.map(({ id }) => id)),
    );
  const same = a.status === 200 && a.body.includes(cpf) && isDeepStrictEqual(idsIn(a.body), idsIn(b.body));
  if (!same) throw new Error(`the contenders disagree:\n${a.body}\n${b.body}`);
}

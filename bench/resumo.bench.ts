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
/** Of each contender's connections to the database. */
const POOL = 10;
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
  const byHand = await children
    .helper(new URL('contenders/hand-resumo.js', import.meta.url))
    .ask<{ port: number }>(options);

  const cold = await measureCold();
  const kept = await measureKept();
  return { ...kept, ...cold };

  async function measureCold(): Promise<Record<string, number>> {
    // Every client once in the whole run, in an order with no locality, none of those that are kept afterwards.
    let taken = 0;
    const nextCpf = (): string => cpfOf(KEPT_CLIENTS + 1 + ((taken++ * 7919) % (CLIENTS - KEPT_CLIENTS)));
    const contender = async (name: string, port: number): Promise<Cold> => {
      const generator = children.helper(GENERATOR);
      const asked = (1 + ROUNDS) * COLD_REQUESTS;
      const requests = Array.from({ length: asked }, (_, i) =>
        requestText(callTarget(nextCpf()), keys[i % COLD_KEYS] ?? ''),
      );
      await generator.ask({ kind: 'script', requests, bodies: null } satisfies Script);
      return { name, port, generator, results: [] };
    };
    for (let n = 0; n < COLD_KEYS; n += 1) await checkSame(service.port, byHand.port, nextCpf(), keys[n] ?? '');
    const both = [await contender('malha serve', service.port), await contender('SQL à mão (mysql2)', byHand.port)];
    for (let turn = 0; turn <= ROUNDS; turn += 1) {
      log(turn === 0 ? 'Sem cache: aquecendo…' : `Sem cache, rodada ${turn} de ${ROUNDS}…`);
      for (const each of both) {
        const result = await ask(each.name, each.generator, {
          kind: 'run',
          port: each.port,
          connections: COLD_CONNECTIONS,
          rate: null,
          count: COLD_REQUESTS,
        });
        if (turn > 0) each.results.push(result);
      }
    }
    printTable(
      ['resumos nunca pedidos', 'req/s', 'p50 ms', 'p99 ms'],
      both.map(({ name, results }) => [
        name,
        Math.round(median(results.map(({ perSecond }) => perSecond))),
        round(median(results.map(({ p50 }) => p50))),
        round(median(results.map(({ p99 }) => p99))),
      ]),
    );
    const [ours = [], theirs = []] = both.map(({ results }) => results.map(({ p50 }) => p50));
    return { cold_ratio: medianRatio(ours, theirs) };
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

import { join } from 'node:path';
import { Redis } from 'ioredis';
import type { BareOptions } from './contenders/bare.ts';
import { openDataset, PROVIDER_ID } from './data/dataset.ts';
import { createKeys } from './data/keys.ts';
import { cpfOf } from './data/rows.ts';
import type { Run, RunResult, Script } from './generators/load.ts';
import type { BenchContext } from './support/bench.ts';
import type { Helper } from './support/children.ts';
import { installContender } from './support/install-contender.ts';
import { tagsOfOneHit } from './support/observe-gate.ts';
import { get, lookupTarget, requestText } from './support/service.ts';
import type { Sample } from './support/service.ts';
import { median, medianRatio, round } from './support/stats.ts';
import { printTable } from './support/table.ts';
import { prepareWrk } from './support/wrk.ts';
import type { Wrk } from './support/wrk.ts';
import { print } from './support/print.ts';

const CLIENTS = 2000;
/** No key may ask more than 1,200 times a minute: with this many, 80,000 requests a second stay within the limits. */
const KEYS = 4000;
const CONNECTIONS = 64;
const ROUNDS = 5;
const SECONDS_A_ROUND = 4;
const WARM_UP_SECONDS = 3;

const SERVICE = new URL('contenders/bare.js', import.meta.url);
const GENERATOR = new URL('generators/load.js', import.meta.url);

interface Contender {
  readonly name: string;
  readonly port: number;
  readonly wrk: Wrk;
  readonly generator: Helper;
  readonly perSecond: number[];
  readonly p50: number[];
  readonly p99: number[];
}

/** A cached client by CPF through the service, beside bare servers that send the same bytes, and Feathers. */
export async function run(context: BenchContext): Promise<Record<string, number>> {
  const { children, redisUrl, log } = context;
  const dataset = await openDataset(context, CLIENTS);
  const keys = await createKeys(dataset, KEYS);
  const redis = new Redis(redisUrl);
  await redis.flushdb();
  redis.disconnect();
  const feathersServer = join(await installContender(context, 'feathers'), 'server.mjs');

  const service = await children.serve({ DATABASE_URL: dataset.url, REDIS_URL: redisUrl });
  const targets = Array.from({ length: CLIENTS }, (_, i) => lookupTarget(cpfOf(i + 1)));
  const at = (i: number): { key: string; target: string } => ({
    key: keys[i % KEYS] ?? '',
    target: targets[i % CLIENTS] ?? '',
  });

  log('Aquecendo…');
  const samples: Sample[] = [];
  for (let i = 0; i < KEYS; i += 1) {
    const { key, target } = at(i);
    const sample = await get(service.port, target, key);
    if (sample.status !== 200 || !sample.body.includes(cpfOf((i % CLIENTS) + 1))) throw new Error(sample.body);
    if (i < CLIENTS) samples.push(sample);
    else if (samples[i % CLIENTS]?.body !== sample.body) throw new Error('a cached answer differs from the first');
  }
  const { key, target } = at(0);
  const tags = await tagsOfOneHit(redisUrl, () => get(service.port, target, key));

  const answers = samples.map(({ headers, body }, i) => ({ target: at(i).target, headers, body }));
  const bare = async (redisUrlOrNull: string | null): Promise<number> => {
    const options: BareOptions = { redisUrl: redisUrlOrNull, answers, tags };
    return (await children.helper(SERVICE).ask<{ port: number }>(options)).port;
  };
  const feathersPort = (await children.helper(feathersServer).ask<{ port: number }>({ databaseUrl: dataset.url })).port;
  const feathersTargets = Array.from({ length: CLIENTS }, (_, i) => feathersTarget(cpfOf(i + 1)));
  await checkFeathers(feathersPort, feathersTargets, samples);

  const requests = Array.from({ length: KEYS }, (_, i) => requestText(at(i).target, at(i).key));
  const feathersRequests = feathersTargets.map((text) => requestText(text, ''));
  const wrk = await prepareWrk(context, 'lookups', requests);
  const generator = children.helper(GENERATOR);
  const bodyOf = requests.map((_, i) => i % CLIENTS);
  await generator.ask({
    kind: 'script',
    requests,
    bodies: { list: samples.map(({ body }) => body), bodyOf },
  } satisfies Script);
  const feathersGenerator = children.helper(GENERATOR);
  await feathersGenerator.ask({ kind: 'script', requests: feathersRequests, bodies: null } satisfies Script);

  const contender = (name: string, port: number): Contender => {
    return { name, port, wrk, generator, perSecond: [], p50: [], p99: [] };
  };
  const ours = contender('malha serve', service.port);
  const gate = contender('node:http + EVALSHA', await bare(redisUrl));
  const nothing = contender('node:http', await bare(null));
  const feathers = {
    ...contender('@feathersjs/koa + knex', feathersPort),
    wrk: await prepareWrk(context, 'feathers', feathersRequests),
    generator: feathersGenerator,
  };
  const all = [ours, gate, nothing, feathers];

  for (const each of all) await each.wrk.saturate({ ...each, connections: CONNECTIONS, seconds: WARM_UP_SECONDS });
  for (let turn = 1; turn <= ROUNDS; turn += 1) {
    log(`Saturação, rodada ${turn} de ${ROUNDS}…`);
    for (const each of all) {
      const found = await each.wrk.saturate({ ...each, connections: CONNECTIONS, seconds: SECONDS_A_ROUND });
      each.perSecond.push(found.perSecond);
      // The generator of latencies compares whole bodies; wrk only counts bytes, and an answer of another kind has others.
      const expected = responseBytes(samples);
      if (each !== feathers && Math.abs(found.bytesAResponse - expected) > 0.03 * expected) {
        throw new Error(`${each.name}: ${found.bytesAResponse} bytes a response instead of about ${expected}`);
      }
    }
  }

  const half = median(ours.perSecond) / 2;
  for (let turn = 1; turn <= ROUNDS; turn += 1) {
    log(`Meia carga, rodada ${turn} de ${ROUNDS}…`);
    for (const each of all) {
      const rate = each === feathers ? median(each.perSecond) / 2 : half;
      const { p50, p99 } = await measureAtRate(each, rate);
      each.p50.push(p50);
      each.p99.push(p99);
    }
  }

  printTable(
    ['consulta por CPF, em cache', 'req/s', 'p50 ms', 'p99 ms'],
    all.map(({ name, perSecond, p50, p99 }) => [
      name,
      Math.round(median(perSecond)),
      round(median(p50)),
      round(median(p99)),
    ]),
  );
  print(`Latências a ${Math.round(half)} req/s (Feathers: à metade da sua própria saturação), laço aberto.`);
  return {
    ratio_gate: medianRatio(ours.perSecond, gate.perSecond),
    ratio_bare: medianRatio(ours.perSecond, nothing.perSecond),
    p99_ratio: medianRatio(ours.p99, gate.p99),
    ratio_feathers: medianRatio(ours.perSecond, feathers.perSecond),
  };
}

async function measureAtRate({ name, port, generator }: Contender, rate: number): Promise<RunResult> {
  const ask = async (seconds: number): Promise<RunResult> => {
    const count = Math.ceil(rate * seconds);
    const result = await generator.ask<RunResult>({
      kind: 'run',
      port,
      connections: CONNECTIONS,
      rate,
      count,
    } satisfies Run);
    if (result.wrong > 0) throw new Error(`${name}: ${result.wrong} wrong answers, as\n${result.sample}`);
    return result;
  };
  await ask(0.5);
  return ask(SECONDS_A_ROUND);
}

const feathersTarget = (cpf: string): string => `/clientes?provedor_id=${PROVIDER_ID}&cpf_cnpj=${cpf}`;

/** Its answers have a shape of their own, and the same client, phones, contracts, plan and connection in it. */
async function checkFeathers(port: number, targets: readonly string[], samples: readonly Sample[]): Promise<void> {
  for (let i = 0; i < targets.length; i += 97) {
    const { body } = await get(port, targets[i] ?? '');
    const theirs = (JSON.parse(body) as { data: Found[] }).data[0];
    const ours = (JSON.parse(samples[i]?.body ?? '') as { dados: Found[] }).dados[0];
    const same =
      ours !== undefined &&
      theirs?.id === ours.id &&
      theirs.telefones.length === ours.telefones.length &&
      theirs.contratos[0]?.login === ours.contratos[0]?.login &&
      theirs.contratos[0]?.plano.nome === ours.contratos[0]?.plano.nome &&
      theirs.contratos[0]?.conexao !== undefined;
    if (!same) throw new Error(`Feathers answered another client: ${body}`);
  }
}

interface Found {
  readonly id: number;
  readonly telefones: readonly unknown[];
  readonly contratos: readonly { login: string; plano: { nome: string }; conexao: unknown }[];
}

/** Mean size of the service's responses on the wire: status line, headers, those that node adds, body. */
function responseBytes(samples: readonly Sample[]): number {
  const automatic = 'Date: Sat, 21 Nov 2026 12:00:00 GMT\r\nConnection: keep-alive\r\nKeep-Alive: timeout=65\r\n'
    .length;
  const sizes = samples.map(({ headers, body }) => {
    // Each name and value has two more bytes: ": " or the line's end.
    const head = headers.reduce((sum, text) => sum + text.length + 2, 'HTTP/1.1 200 OK\r\n\r\n'.length + automatic);
    return head + Buffer.byteLength(body);
  });
  return sizes.reduce((sum, size) => sum + size, 0) / sizes.length;
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createInterface } from 'node:readline';
import test from 'ava';
import type { ExecutionContext } from 'ava';
import { PASSOS, criarEscritor, rastroDaCadeia } from '../support/cadeia.ts';
import { criarApi } from '../support/api.ts';
import type { Api } from '../support/api.ts';
import { criarFabrica } from '../support/fabrica.ts';
import { ate } from '../support/espera.ts';
import { quanto } from '../support/prova.ts';

const FILHO = fileURLToPath(new URL('../support/filhos/muda-ate-morrer.js', import.meta.url));
const MORTES = quanto(6, 25);
/** Chains that a process writes at the same time, and how long at most it lives after its first step. */
const MAOS = 4;
const MAIS_TARDE_MS = 1500;
const POR_MORTE = 1000;

let api: Api;
let urls: { databaseUrl: string; redisUrl: string };
test.before(async () => {
  api = await criarApi();
  urls = { databaseUrl: api.databaseUrl, redisUrl: api.redisUrl };
});
test.after.always(() => api.fechar());

async function criarProvedor() {
  const fabrica = criarFabrica(api.dono);
  const provedor = await fabrica.provedor();
  const [plano, outroPlano] = [await fabrica.plano(provedor), await fabrica.plano(provedor, { valor: '129.90' })];
  return { db: api.dono, provedor, plano, outroPlano };
}

/** What a chain leaves after none of its steps, after the first, and so on. */
async function rastrosInteiros(t: ExecutionContext): Promise<Record<string, unknown>[]> {
  const quem = await criarProvedor();
  const escritor = await criarEscritor(urls, quem);
  t.teardown(async () => escritor.fechar());
  const n = 900_000;
  const rastros = [await rastroDaCadeia(quem, n)];
  for (const passo of PASSOS) {
    await escritor.dar(n, passo);
    rastros.push(await rastroDaCadeia(quem, n));
  }
  return rastros;
}

test(`kill -9 a meio de cadastros, movimentos, faturas e acordos, ${MORTES} vezes: o que foi dito está inteiro, e o que não foi, inteiro ou nada`, async (t) => {
  t.timeout(20 * 60_000);
  const inteiros = (await rastrosInteiros(t)).map((rastro) =>
    JSON.stringify(rastro).replaceAll('cadeia900000', 'login'),
  );
  t.is(new Set(inteiros).size, PASSOS.length + 1, 'cada passo se vê');
  const quem = await criarProvedor();
  const ditos = new Map<number, number>();

  for (let morte = 0; morte < MORTES; morte += 1) {
    const argumentos = [quem.provedor, quem.plano, quem.outroPlano, 1 + morte * POR_MORTE, MAOS].map(String);
    const filho = spawn(process.execPath, [FILHO, urls.databaseUrl, urls.redisUrl, ...argumentos], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let erros = '';
    filho.stderr.setEncoding('utf8').on('data', (parte: string) => (erros += parte));
    const saiu = once(filho, 'close');
    const linhas = createInterface({ input: filho.stdout });
    linhas.on('line', (linha) => {
      const [n = 0, passo = 0] = linha.split(' ').map(Number);
      ditos.set(n, passo + 1);
    });
    await Promise.race([once(linhas, 'line'), saiu]);
    await sleep(Math.random() * MAIS_TARDE_MS);
    filho.kill('SIGKILL');
    const [, sinal] = await saiu;
    t.is(sinal, 'SIGKILL', erros);
  }

  // The server ends what the last one left open a moment later.
  await ate(async () => (await transacoesAbertas()) === 0);
  let aMeio = 0;
  const escritor = await criarEscritor(urls, quem);
  t.teardown(async () => escritor.fechar());
  for (let morte = 0; morte < MORTES; morte += 1) {
    for (let mao = 0; mao < MAOS; mao += 1) {
      for (let n = 1 + morte * POR_MORTE + mao; ; n += MAOS) {
        const onde = inteiros.indexOf(await rastroSemNome(quem, n));
        const dito = ditos.get(n) ?? 0;
        t.true(onde === dito || onde === dito + 1, `cadeia ${n}: dito até ${dito}, está em ${onde}`);
        if (onde === 0) break;
        if (onde < PASSOS.length) {
          aMeio += 1;
          // Whoever finds it goes on from there.
          for (const passo of PASSOS.slice(onde)) await escritor.dar(n, passo);
          t.is(await rastroSemNome(quem, n), inteiros.at(-1)!, `cadeia ${n}, continuada`);
        }
      }
    }
  }
  t.true(aMeio >= MORTES, `${aMeio} cadeias a meio`);
});

const rastroSemNome = async (quem: Awaited<ReturnType<typeof criarProvedor>>, n: number): Promise<string> =>
  JSON.stringify(await rastroDaCadeia(quem, n)).replaceAll(`cadeia${n}`, 'login');

async function transacoesAbertas(): Promise<number> {
  const [[linha] = []] = await api.dono.raw<{ n: number }[][]>(
    `SELECT COUNT(*) AS n FROM information_schema.innodb_trx t JOIN information_schema.processlist p ON p.id = t.trx_mysql_thread_id
      WHERE p.db = DATABASE()`,
  );
  return linha!.n;
}

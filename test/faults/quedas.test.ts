import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { createAgregacao } from '../../src/domain/conexoes/agregacao.ts';
import { relogioDoSistema } from '../../src/platform/relogio.ts';
import { criarBanco } from '../support/banco.ts';
import type { Banco } from '../support/banco.ts';
import { ate } from '../support/espera.ts';
import { executar } from '../support/processo.ts';
import type { Processo } from '../support/processo.ts';
import { criarRedisProprio } from '../support/redis-proprio.ts';
import type { RedisProprio } from '../support/redis-proprio.ts';
import { criarProvedor, sessao } from '../domain/conexoes/apoio.ts';

const MORTES = 25;
const LOGINS = 1500;
const SESSOES_POR_LOGIN = 12;
/** How long at most the aggregation has been at work when something dies. */
const MAIS_TARDE_MS = 250;

let banco: Banco;
let redis: RedisProprio;
test.before(async () => {
  banco = await criarBanco();
  redis = await criarRedisProprio();
});
test.after.always(async () => {
  await banco.fechar();
  await redis.fechar();
});

const ambiente = (): Record<string, string> => ({ DATABASE_URL: banco.url, REDIS_URL: redis.url });

/** Two providers whose subscribers have the same logins, with sessions of the last 20 days. */
async function encher(): Promise<void> {
  const { db } = banco;
  const logins = Array.from({ length: LOGINS }, (_, n) => `login${n}`);
  await criarProvedor(db, { host: 'a.test', nas: ['10.0.0.1'], logins });
  await criarProvedor(db, { host: 'b.test', nas: ['10.0.0.2'], logins, fuso: 'America/Manaus' });
  const agora = Date.now();
  const linhas = logins.flatMap((login, n) =>
    Array.from({ length: SESSOES_POR_LOGIN }, (_, k) => {
      const fim = agora - ((n * 7919 + k * 104_729) % (20 * 86_400)) * 1000 - 60_000;
      // Of the open ones, an interval that no run of this test outlasts.
      const aberta = k === 0;
      return sessao(login, `10.0.0.${1 + ((n + k) % 2)}`, {
        acctstarttime: texto(fim - 3_600_000),
        acctstoptime: aberta ? null : texto(fim),
        acctinterval: 40 * 86_400,
        acctterminatecause: aberta ? '' : ['Lost-Carrier', 'User-Request', 'NAS-Reboot'][(n + k) % 3]!,
      });
    }),
  );
  await db.batchInsert('radacct', linhas, 1000);
}

const texto = (ms: number): string => new Date(ms).toISOString().slice(0, 19).replace('T', ' ');

/** All that FreeRADIUS does in a while, at once: it hears of every session, closes some, opens some, and some are deleted. */
async function mudar(rodada: number): Promise<void> {
  const { db } = banco;
  await db.raw('UPDATE radacct SET acctinputoctets = COALESCE(acctinputoctets, 0) + 1');
  await db('radacct')
    .whereNull('acctstoptime')
    .whereRaw('radacctid % 50 = ?', [rodada])
    .update({ acctstoptime: texto(Date.now() - 3_600_000 * rodada), acctterminatecause: 'Lost-Carrier' });
  // Never all of a contract: one that never had a session, as far as radacct knows, has no record.
  await db('radacct').where('acctterminatecause', 'User-Request').whereRaw('radacctid % 97 = ?', [rodada]).delete();
}

/** The rows of both tables, each as one text. */
async function tabelas(): Promise<{ quedas: string[]; conexoes: string[] }> {
  const { db } = banco;
  const quedas: object[] = await db('quedas_diarias').orderBy(['provedor_id', 'contrato_id', 'dia']);
  const conexoes: object[] = await db('conexoes')
    .orderBy(['provedor_id', 'contrato_id'])
    .select('provedor_id', 'contrato_id', 'ouvida_em', 'intervalo_segundos');
  const textos = (rows: object[]): string[] => rows.map((row) => JSON.stringify(row));
  return { quedas: textos(quedas), conexoes: textos(conexoes) };
}

/** Rows that only one of two lists has. */
function diferentes(a: readonly string[], b: readonly string[]): string[] {
  const [deA, deB] = [new Set(a), new Set(b)];
  return [...a.filter((row) => !deB.has(row)), ...b.filter((row) => !deA.has(row))];
}

async function restam(): Promise<{ mudancas: number; pendentes: number }> {
  const [rows] = await banco.db.raw<{ mudancas: number; pendentes: number }[][]>(
    'SELECT (SELECT COUNT(*) FROM radacct_mudancas) AS mudancas, (SELECT COUNT(*) FROM conexoes_pendentes) AS pendentes',
  );
  return rows![0]!;
}

test(`kill -9 do worker e do Redis a meio da agregação, ${MORTES} vezes: o resultado é o de quem nada sofreu, linha por linha`, async (t) => {
  t.timeout(5 * 60_000);
  const { db } = banco;
  await encher();
  let worker: Processo | undefined;
  t.teardown(async () => worker?.parar('SIGKILL'));
  let aMeio = 0;
  for (let morte = 0; morte < MORTES; morte += 1) {
    await mudar(morte);
    const { mudancas } = await restam();
    worker ??= await executar('worker', ambiente(), /Worker do Malha em execução/);
    // The first transaction of the backlog is through.
    await ate(async () => (await restam()).mudancas < mudancas);
    await sleep(Math.random() * MAIS_TARDE_MS);
    if (morte % 2 === 0) {
      await worker.parar('SIGKILL');
      worker = undefined;
    } else {
      await redis.matar();
      await sleep(Math.random() * MAIS_TARDE_MS);
      await redis.iniciar(morte % 4 === 1 ? 'antigos' : 'vazio');
    }
    const depois = await restam();
    if (depois.mudancas + depois.pendentes > 0) aMeio += 1;
  }
  worker ??= await executar('worker', ambiente(), /Worker do Malha em execução/);
  await ate(async () => {
    const { mudancas, pendentes } = await restam();
    return mudancas + pendentes === 0;
  }, 60_000);
  t.is(await worker.parar(), 0);
  const comFalhas = await tabelas();

  // The same, undisturbed: from nothing, by one aggregation of every change.
  await db('quedas_diarias').delete();
  await db('conexoes').delete();
  await db.raw('UPDATE radacct SET acctinputoctets = 0');
  await createAgregacao({ db, relogio: relogioDoSistema, intervaloPadraoSegundos: 300 }).agregarMudancas();
  const semFalhas = await tabelas();
  t.is(comFalhas.conexoes.length, 2 * LOGINS);
  t.true(comFalhas.quedas.length > LOGINS);
  t.deepEqual(diferentes(comFalhas.quedas, semFalhas.quedas), []);
  t.deepEqual(diferentes(comFalhas.conexoes, semFalhas.conexoes), []);
  t.log(`${aMeio} de ${MORTES} mortes a meio; ${comFalhas.quedas.length} dias com quedas`);
  t.true(aMeio >= MORTES / 2, `só ${aMeio} mortes foram a meio`);
});

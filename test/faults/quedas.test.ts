import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { createAgregacao } from '../../src/domain/conexoes/agregacao.ts';
import { relogioDoSistema } from '../../src/platform/timing/relogio.ts';
import { criarBanco } from '../support/banco.ts';
import type { Banco } from '../support/banco.ts';
import { ate } from '../support/espera.ts';
import { executar } from '../support/processo.ts';
import type { Processo } from '../support/processo.ts';
import { quanto } from '../support/prova.ts';
import { criarRedisProprio } from '../support/redis-proprio.ts';
import type { RedisProprio } from '../support/redis-proprio.ts';
import { criarProvedor, sessao } from '../domain/conexoes/apoio.ts';

const MORTES = quanto(8, 25);
/** Each death has subscribers of its own: what it made the aggregation lose, no later change mends. */
const LOGINS_POR_MORTE = 900;
const SESSOES_POR_CONTRATO = 3;
/** How long at most the aggregation has been at work when something dies. */
const MAIS_TARDE_MS = 120;
const CONTRATOS = 2 * MORTES * LOGINS_POR_MORTE;

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

/** Two providers whose subscribers have the same logins, with sessions of the last 20 days, none of which is recorded as changed. */
async function encher(): Promise<void> {
  const { db } = banco;
  const provedores = [
    await criarProvedor(db, { host: 'a.test', nas: ['10.0.0.1'], logins: [] }),
    await criarProvedor(db, { host: 'b.test', nas: ['10.0.0.2'], logins: [], fuso: 'America/Manaus' }),
  ];
  const logins = Array.from({ length: CONTRATOS / 2 }, (_, n) => `${n % MORTES}-${Math.floor(n / MORTES)}`);
  for (const { id: provedor_id } of provedores) {
    const cliente: { id: number } = await db('clientes').where({ provedor_id }).first('id');
    const plano: { id: number } = await db('planos').where({ provedor_id }).first('id');
    const base = { provedor_id, cliente_id: cliente.id, plano_id: plano.id, situacao: 'ativo', valor: '99.90' };
    const contratos = logins.map((login) => ({ ...base, login, tipo_cobranca: 'pos_pago', dia_vencimento: 10 }));
    await db.batchInsert('contratos', contratos, 1000);
  }
  const agora = Date.now();
  const linhas = logins.flatMap((login, n) =>
    Array.from({ length: 2 * SESSOES_POR_CONTRATO }, (_, k) => {
      const fim = agora - ((n * 7919 + k * 104_729) % (20 * 86_400)) * 1000 - 60_000;
      const causa = ['', 'Lost-Carrier', 'User-Request', 'NAS-Reboot', 'Lost-Carrier', 'User-Request'][k]!;
      return sessao(login, `10.0.0.${1 + (k % 2)}`, {
        acctstarttime: texto(fim - 3_600_000),
        acctstoptime: causa === '' ? null : texto(fim),
        // Of the open ones, an interval that no run of this test outlasts.
        acctinterval: 40 * 86_400,
        acctterminatecause: causa,
      });
    }),
  );
  await db.batchInsert('radacct', linhas, 1000);
  await db.raw('TRUNCATE TABLE radacct_mudancas');
}

const texto = (ms: number): string => new Date(ms).toISOString().slice(0, 19).replace('T', ' ');

/** All that FreeRADIUS does in a while, at once: it hears of every session, closes some, and some are deleted. */
async function mudar(rodada: number): Promise<void> {
  const sessoes = () => banco.db('radacct').where('username', 'like', `${rodada}-%`);
  await sessoes().update({ acctinputoctets: 1 });
  await sessoes()
    .whereNull('acctstoptime')
    .whereRaw('radacctid % 3 = 0')
    .update({ acctstoptime: texto(Date.now() - 3_600_000), acctterminatecause: 'Lost-Carrier' });
  // Never all of a contract: one that never had a session, as far as radacct knows, has no record.
  await sessoes().where('acctterminatecause', 'User-Request').whereRaw('radacctid % 4 = 0').delete();
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

test.serial(
  `kill -9 do worker e do Redis a meio da agregação, ${MORTES} vezes: o resultado é o de quem nada sofreu, linha por linha`,
  async (t) => {
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
      // The first transaction of the backlog is through. A job whose worker died is taken up again after 16 s, where its next turn was not
      // yet queued.
      await ate(async () => (await restam()).mudancas < mudancas, 60_000);
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
    await db.raw('UPDATE radacct SET acctinputoctets = 2');
    await createAgregacao({ db, relogio: relogioDoSistema, intervaloPadraoSegundos: 300 }).agregarMudancas();
    const semFalhas = await tabelas();
    t.is(comFalhas.conexoes.length, CONTRATOS);
    t.true(comFalhas.quedas.length > CONTRATOS);
    t.deepEqual(diferentes(comFalhas.quedas, semFalhas.quedas), []);
    t.deepEqual(diferentes(comFalhas.conexoes, semFalhas.conexoes), []);
    t.log(`${aMeio} de ${MORTES} mortes a meio; ${comFalhas.quedas.length} dias com quedas`);
    t.true(aMeio >= MORTES / 2, `só ${aMeio} mortes foram a meio`);
  },
);

test.serial(
  'kill -9 do worker a meio de uma queda em massa: abre-se um aviso, um só, e conta todas as linhas',
  async (t) => {
    t.timeout(5 * 60_000);
    const { db } = banco;
    const linhas = quanto(1500, 20_000);
    const logins = Array.from({ length: linhas }, (_, n) => `massa-${n}`);
    const { id } = await criarProvedor(db, { host: 'c.test', nas: ['10.0.0.3'], logins: [] });
    const cliente: { id: number } = await db('clientes').where({ provedor_id: id }).first('id');
    const plano: { id: number } = await db('planos').where({ provedor_id: id }).first('id');
    const base = { provedor_id: id, cliente_id: cliente.id, plano_id: plano.id, situacao: 'ativo', valor: '99.90' };
    const contratos = logins.map((login) => ({ ...base, login, tipo_cobranca: 'pos_pago', dia_vencimento: 10 }));
    await db.batchInsert('contratos', contratos, 1000);
    const inicio = texto(Date.now() - 600_000);
    await db.batchInsert(
      'radacct',
      logins.map((login) => sessao(login, '10.0.0.3', { acctstarttime: inicio, acctupdatetime: texto(Date.now()) })),
      1000,
    );
    await createAgregacao({ db, relogio: relogioDoSistema, intervaloPadraoSegundos: 300 }).agregarMudancas();

    await db('radacct')
      .where('nasipaddress', '10.0.0.3')
      .update({ acctstoptime: texto(Date.now()), acctterminatecause: 'NAS-Reboot' });
    const avisos = async (): Promise<{ detectado_quedas: number }[]> => db('avisos_de_rede').where('provedor_id', id);
    const porAvaliar = async () => db('rede_quedas').where({ provedor_id: id, por_avaliar: 1 });
    let worker: Processo | undefined;
    t.teardown(async () => worker?.parar('SIGKILL'));
    for (let morte = 0; morte < 4; morte += 1) {
      worker = await executar('worker', ambiente(), /Worker do Malha em execução/);
      await sleep(Math.random() * 1500);
      await worker.parar('SIGKILL');
    }
    worker = await executar('worker', ambiente(), /Worker do Malha em execução/);
    // A queue takes a job for lost half a minute after the death of who had it.
    await ate(async () => (await avisos())[0]?.detectado_quedas === linhas, 180_000).catch(async (error: unknown) => {
      t.log(await avisos(), await db('rede_quedas').where('provedor_id', id), await restam());
      throw error;
    });
    await ate(async () => (await porAvaliar()).length === 0);
    t.is((await avisos()).length, 1);
    t.is(await worker.parar(), 0);
  },
);

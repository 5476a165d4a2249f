import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import type { ExecutionContext } from 'ava';
import { hojeEm } from '../../src/brazil/calendario/datas.ts';
import { createContainer } from '../../src/app/compose/container.ts';
import type { Container } from '../../src/app/compose/container.ts';
import { diaDaTarefa } from '../../src/domain/tarefas/dia.regras.ts';
import { loadConfig } from '../../src/platform/config.ts';
import { jsonColumn } from '../../src/platform/mysql/database.ts';
import { relogioDoSistema } from '../../src/platform/timing/relogio.ts';
import { AUTOR } from '../support/autor.ts';
import { criarBanco } from '../support/banco.ts';
import type { Banco } from '../support/banco.ts';
import { ate } from '../support/espera.ts';
import { criarFabrica } from '../support/fabrica.ts';
import { EXTRATOS, executar } from '../support/processo.ts';
import type { Processo } from '../support/processo.ts';
import { quanto } from '../support/prova.ts';
import { criarRedisProprio } from '../support/redis-proprio.ts';
import type { RedisProprio } from '../support/redis-proprio.ts';

const MORTES = quanto(8, 25);
/** What one death cuts off waits until its lock has run out; meanwhile there are others' invoices for the next one. */
const PROVEDORES = 12;
const FATURAS_DE_CADA = 10_000;
/** How long at most a chunk has been done when something dies. */
const MAIS_TARDE_MS = 100;
const FUSO = 'America/Sao_Paulo';
const DIGITOS =
  '(SELECT 0 d UNION SELECT 1 UNION SELECT 2 UNION SELECT 3 UNION SELECT 4 UNION SELECT 5 UNION SELECT 6 UNION SELECT 7 UNION SELECT 8 UNION SELECT 9)';

let banco: Banco;
let redis: RedisProprio;
let container: Container;
test.before(async () => {
  banco = await criarBanco();
  redis = await criarRedisProprio();
  const config = loadConfig({ NODE_ENV: 'test', MALHA_LOG: 'fatal', MALHA_EXTRATOS: EXTRATOS });
  container = createContainer({ config, databaseUrl: banco.url, redisUrl: redis.url, relogio: relogioDoSistema });
});
test.after.always(async () => {
  await container.close();
  await banco.fechar();
  await redis.fechar();
});

/** More providers whose invoices all fell due, with values and days of their own; one in fifty was paid in part. */
async function encher(quantos: number): Promise<number[]> {
  const fabrica = criarFabrica(banco.db);
  const ids: number[] = [];
  for (let n = 0; n < quantos; n += 1) {
    const provedorId = await fabrica.provedor({ fuso_horario: FUSO });
    const clienteId = await fabrica.cliente(provedorId);
    ids.push(provedorId);
    await banco.db.raw(
      `INSERT INTO faturas (provedor_id, cliente_id, situacao, valor, valor_pago, vencimento, emitida_em, token, pix_txid)
       SELECT ?, ?, 'pendente', 20 + n.n / 7, IF(n.n % 50 = 0, 5, 0), ? - INTERVAL (1 + n.n % 200) DAY,
              '2026-01-01 12:00:00' + INTERVAL n.n SECOND, CONCAT(LPAD(?, 11, '0'), LPAD(n.n, 11, '0')), CONCAT('T', n.n)
         FROM (SELECT a.d + 10 * b.d + 100 * c.d + 1000 * e.d AS n
                 FROM ${DIGITOS} a, ${DIGITOS} b, ${DIGITOS} c, ${DIGITOS} e) AS n
        ORDER BY n.n`,
      [provedorId, clienteId, hojeEm(FUSO, new Date()), provedorId],
    );
  }
  return ids;
}

async function andamento(): Promise<{ lotes: number; concluidas: number }> {
  const [row] = await banco
    .db('tarefas_diarias')
    .where('tarefa', 'pix.recalcular')
    .select<{ lotes: number; concluidas: number }[]>(
      banco.db.raw('CAST(COALESCE(SUM(lotes), 0) AS UNSIGNED) AS lotes, COUNT(concluida_em) AS concluidas'),
    );
  return row!;
}

/** Waits for longer than a job's pause before its last try, which is 128 s at most; says how far it has come where it is in vain. */
async function logo(t: ExecutionContext, condicao: () => Promise<boolean>): Promise<void> {
  try {
    await ate(condicao, 200_000);
  } catch (error) {
    t.log(JSON.stringify(await banco.db('tarefas_diarias').where('tarefa', 'pix.recalcular')));
    t.log(JSON.stringify(await container.tarefas.pendentes()));
    throw error;
  }
}

const COLUNAS = ['situacao', 'valor_atualizado', 'apurada_em', 'pix_copia_cola'];

test(`kill -9 do worker e do Redis a meio do recálculo, ${MORTES} vezes: o resultado é o de quem nada sofreu, linha por linha`, async (t) => {
  t.timeout(20 * 60_000);
  const { db } = banco;
  const provedores: number[] = [];
  const ambiente = { DATABASE_URL: banco.url, REDIS_URL: redis.url };
  let worker: Processo | undefined;
  t.teardown(async () => worker?.parar('SIGKILL'));
  let aMeio = 0;
  for (let morte = 0; morte < MORTES; morte += 1) {
    const antes = await andamento();
    if (worker === undefined) {
      // A quick machine has done all of it before the last death: each worker finds as much left to do as the first one.
      provedores.push(...(await encher(antes.concluidas + PROVEDORES - provedores.length)));
      worker = await executar('worker', ambiente, /Worker do Malha em execução/);
    }
    await logo(t, async () => {
      const { lotes, concluidas } = await andamento();
      return lotes > antes.lotes || concluidas === provedores.length;
    });
    await sleep(Math.random() * MAIS_TARDE_MS);
    if (morte % 2 === 0) {
      await worker.parar('SIGKILL');
      worker = undefined;
    } else {
      await redis.matar();
      await sleep(Math.random() * MAIS_TARDE_MS);
      await redis.iniciar(morte % 4 === 1 ? 'antigos' : 'vazio');
    }
    if ((await andamento()).concluidas < provedores.length) aMeio += 1;
  }
  // Two schedulers from here on.
  worker ??= await executar('worker', ambiente, /Worker do Malha em execução/);
  const outro = await executar('worker', ambiente, /Worker do Malha em execução/);
  t.teardown(async () => outro.parar('SIGKILL'));
  await logo(t, async () => (await container.tarefas.pendentes()).length === 0);
  t.is(await worker.parar(), 0);
  t.is(await outro.parar(), 0);
  t.true(aMeio >= MORTES / 2, `só ${aMeio} mortes foram a meio`);
  t.log(`${aMeio} de ${MORTES} mortes a meio`);

  const dia = diaDaTarefa(FUSO, new Date());
  const feitas = await db('tarefas_diarias').where({ tarefa: 'pix.recalcular', dia });
  t.deepEqual(
    feitas.map(({ linhas }) => linhas),
    provedores.map(() => FATURAS_DE_CADA),
  );
  const eventos = await db('eventos').where('tipo', 'faturas.recalculadas');
  t.is(eventos.filter(({ dados }) => jsonColumn<{ dia: string }>(dados).dia === dia).length, provedores.length);

  // The same, undisturbed: from nothing, by one run a provider.
  await db.raw(`CREATE TABLE com_falhas (PRIMARY KEY (id)) SELECT id, ${COLUNAS.join(', ')} FROM faturas`);
  await db('faturas').update({ situacao: 'pendente', valor_atualizado: null, apurada_em: null, pix_copia_cola: null });
  await db('tarefas_diarias').delete();
  const execucao = { signal: new AbortController().signal, aoAvancar: () => {} };
  for (const tarefa of await container.tarefas.pendentes()) await container.tarefas.executar(AUTOR, tarefa, execucao);
  const iguais = COLUNAS.map((coluna) => `f.${coluna} <=> c.${coluna}`).join(' AND ');
  const [diferentes] = await db.raw(
    `SELECT f.id FROM faturas f JOIN com_falhas c ON c.id = f.id WHERE NOT (${iguais})`,
  );
  t.is(diferentes.length, 0);
  const [row] = await db('faturas').where('situacao', 'vencida').whereNotNull('apurada_em').count({ quantas: '*' });
  t.is(row!['quantas'], provedores.length * FATURAS_DE_CADA);
});

import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { hojeEm, somarDias } from '../../src/brazil/calendario/datas.ts';
import { somarMeses } from '../../src/domain/faturamento/calculo/meses.regras.ts';
import { TERMINAL } from '../../src/domain/actor.ts';
import { createContainer } from '../../src/app/compose/container.ts';
import type { Container } from '../../src/app/compose/container.ts';
import { jsonColumn } from '../../src/platform/mysql/database.ts';
import { loadConfig } from '../../src/platform/config.ts';
import { relogioDoSistema } from '../../src/platform/timing/relogio.ts';
import { criarBanco } from '../support/banco.ts';
import type { Banco } from '../support/banco.ts';
import { ate } from '../support/espera.ts';
import { criarFabrica } from '../support/fabrica.ts';
import { EXTRATOS, executar } from '../support/processo.ts';
import type { Processo } from '../support/processo.ts';
import { quanto } from '../support/prova.ts';
import { criarRedisProprio } from '../support/redis-proprio.ts';
import type { RedisProprio } from '../support/redis-proprio.ts';

const MORTES = quanto(4, 25);
/** What one death cuts off waits until its lock has run out; meanwhile there are others' contracts for the next one. */
const PROVEDORES = quanto(6, 30);
const CONTRATOS_DE_CADA = 6000;
const FUSO = 'America/Sao_Paulo';
const MAIS_TARDE_MS = 400;
/** Of those that are billed first, so many take their month back, while the worker dies so often. */
const MORTES_AO_DESFAZER = quanto(2, 25);
const DESFAZEM = quanto(3, 30);

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

/** Providers whose contracts were all active for long, with prices of their own, and are due in these days. */
async function encher(): Promise<void> {
  const fabrica = criarFabrica(banco.db);
  const hoje = hojeEm(FUSO, new Date());
  const vencimento = Number(somarDias(hoje, 5).slice(8));
  for (let n = 0; n < PROVEDORES; n += 1) {
    const provedor_id = await fabrica.provedor({ fuso_horario: FUSO });
    const cliente_id = await fabrica.cliente(provedor_id);
    const plano_id = await fabrica.plano(provedor_id);
    await banco.db('faturamento_configuracoes').insert({
      provedor_id,
      desde: somarMeses(hoje, -2),
      antecedencia: 10,
      atualizado_em: new Date(),
    });
    for (let de = 0; de < CONTRATOS_DE_CADA; de += 1000) {
      await banco.db('contratos').insert(
        Array.from({ length: 1000 }, (_, k) => ({
          provedor_id,
          cliente_id,
          plano_id,
          situacao: 'ativo',
          login: `p${provedor_id}c${de + k}`,
          tipo_cobranca: k % 3 === 0 ? 'pre_pago' : 'pos_pago',
          dia_vencimento: vencimento,
          valor: (30 + ((de + k) % 700) / 7).toFixed(2),
          ativado_em: '2020-01-01',
          criado_em: '2020-01-01 12:00:00',
        })),
      );
    }
  }
}

async function feitas(): Promise<number> {
  const [row] = await banco.db('faturamento_cobrancas').count({ n: '*' });
  return Number(row!['n']);
}

test.serial(
  `kill -9 do worker a meio do faturamento, ${MORTES} vezes: cada contrato tem uma cobrança do mês, e cada cobrança a sua fatura`,
  async (t) => {
    t.timeout(12 * 60_000);
    const { db } = banco;
    await encher();
    const todas = PROVEDORES * CONTRATOS_DE_CADA;
    const ambiente = { DATABASE_URL: banco.url, REDIS_URL: redis.url };
    let worker: Processo | undefined;
    t.teardown(async () => worker?.parar('SIGKILL'));
    let aMeio = 0;
    for (let morte = 0; morte < MORTES; morte += 1) {
      const antes = await feitas();
      worker = await executar('worker', ambiente, /Worker do Malha em execução/);
      await ate(async () => (await feitas()) > antes || antes === todas, 90_000);
      await sleep(Math.random() * MAIS_TARDE_MS);
      await worker.parar('SIGKILL');
      worker = undefined;
      if ((await feitas()) < todas) aMeio += 1;
    }
    worker = await executar('worker', ambiente, /Worker do Malha em execução/);
    const pendentes = async (): Promise<number> =>
      (await container.tarefas.pendentes()).filter(({ tarefa }) => tarefa === 'faturas.gerar').length;
    await ate(async () => (await pendentes()) === 0, 240_000);
    t.is(await worker.parar(), 0);
    t.log(`${aMeio} de ${MORTES} mortes a meio`);
    t.true(aMeio >= MORTES / 2, `só ${aMeio} mortes foram a meio`);

    t.is(await feitas(), todas);
    const [[row]] = await db.raw(
      `SELECT COUNT(*) AS faturas, COUNT(DISTINCT f.contrato_id) AS contratos,
            SUM(c.fatura_id IS NOT NULL AND c.valor = f.valor AND f.pix_copia_cola IS NOT NULL) AS certas,
            SUM(e.recurso_id IS NOT NULL) AS ditas
       FROM faturas f
       JOIN faturamento_cobrancas c ON c.provedor_id = f.provedor_id AND c.fatura_id = f.id AND c.contrato_id = f.contrato_id
       LEFT JOIN (SELECT DISTINCT provedor_id, recurso_id FROM auditoria WHERE acao = 'fatura.criada') e
         ON e.provedor_id = f.provedor_id AND e.recurso_id = f.id`,
    );
    const [total] = await db('faturas').count({ n: '*' });
    const iguais = [row.faturas, row.contratos, row.certas, row.ditas, total!['n']].map(Number);
    t.deepEqual(
      iguais,
      Array.from({ length: 5 }, () => todas),
    );
    const vezes = await db('faturamentos').select('faturas', 'cobrancas');
    t.deepEqual(
      vezes.map(({ faturas }) => faturas),
      Array.from({ length: PROVEDORES }, () => CONTRATOS_DE_CADA),
    );
  },
);

const emOrdem = (ids: readonly (number | string)[]): number[] => ids.map(Number).toSorted((a, b) => a - b);

interface PedidoRow {
  provedor_id: number;
  vistos: number;
  total: number;
  terminado_em: string | null;
  resultado: string | { desfeitas: number; ficaram: number; quais: { fatura: number }[] };
}

// After the other, whose months it takes back.
test.serial(
  `kill -9 do worker a meio de desfazer um mês, ${MORTES_AO_DESFAZER} vezes: cada fatura se cancela uma vez, e a que se pagou antes fica`,
  async (t) => {
    t.timeout(12 * 60_000);
    const comeco = performance.now();
    const { db } = banco;
    const vezes = await db('faturamentos').select('id', 'provedor_id').orderBy('id').limit(DESFAZEM);
    for (const { id, provedor_id } of vezes) {
      const provedor = await container.provedores.exigirPorId(provedor_id);
      await container.changeTenant(TERMINAL, provedor, async (_, { faturamento }) => faturamento.desfazer(id));
    }
    const pedidos = async (): Promise<PedidoRow[]> =>
      db('faturamento_pedidos').where({ tipo: 'desfazer' }).orderBy('id');
    const vistas = async (): Promise<number> => (await pedidos()).reduce((soma, { vistos }) => soma + vistos, 0);
    /** Somebody pays the invoice that comes last in a run of which a part is undone, unless its turn has come meanwhile. */
    const pagas: number[] = [];
    const pagarUma = async (): Promise<void> => {
      const [meio] = (await pedidos()).filter(({ vistos, terminado_em: fim }) => vistos > 0 && fim === null);
      if (meio === undefined) return;
      const abertas = db('faturas').where({ provedor_id: meio.provedor_id, grupo: 'aberta', valor_pago: 0 });
      const [id] = await abertas.orderBy('id', 'desc').limit(1).pluck('id');
      if (id === undefined) return;
      const feito = await db('faturas').where({ id, grupo: 'aberta' }).update({ valor_pago: '1.00' });
      if (feito === 1) pagas.push(Number(id));
    };
    const ambiente = { DATABASE_URL: banco.url, REDIS_URL: redis.url };
    let worker: Processo | undefined;
    t.teardown(async () => worker?.parar('SIGKILL'));
    let aMeio = 0;
    for (let morte = 0; morte < MORTES_AO_DESFAZER; morte += 1) {
      const antes = await vistas();
      worker = await executar('worker', ambiente, /Worker do Malha em execução/);
      await ate(async () => (await vistas()) > antes, 90_000);
      await pagarUma();
      await sleep(Math.random() * MAIS_TARDE_MS);
      await worker.parar('SIGKILL');
      worker = undefined;
      if ((await pedidos()).some(({ terminado_em: fim, vistos }) => fim === null && vistos > 0)) aMeio += 1;
    }
    worker = await executar('worker', ambiente, /Worker do Malha em execução/);
    await ate(async () => (await pedidos()).every(({ terminado_em: fim }) => fim !== null), 240_000);
    t.is(await worker.parar(), 0);
    t.log(
      `${aMeio} de ${MORTES_AO_DESFAZER} mortes a meio, ${pagas.length} faturas pagas no meio, em ${Math.round((performance.now() - comeco) / 1000)} s`,
    );
    t.true(aMeio >= MORTES_AO_DESFAZER / 2, `só ${aMeio} mortes foram a meio`);

    const feitos = await pedidos();
    t.is(feitos.length, DESFAZEM);
    for (const { vistos, total } of feitos) t.deepEqual([vistos, total], [CONTRATOS_DE_CADA, CONTRATOS_DE_CADA]);
    const resultados = feitos.map(({ resultado }) => jsonColumn(resultado));
    t.is(
      resultados.reduce((soma, { desfeitas }) => soma + desfeitas, 0),
      DESFAZEM * CONTRATOS_DE_CADA - pagas.length,
    );
    const ficaram = resultados.flatMap(({ quais }) => quais.map(({ fatura }) => fatura));
    t.deepEqual(emOrdem(ficaram), emOrdem(pagas));
    const deles = vezes.map(({ provedor_id }) => provedor_id as number);
    const abertas = await db('faturas').whereIn('provedor_id', deles).whereNot('situacao', 'cancelada').pluck('id');
    t.deepEqual(emOrdem(abertas), emOrdem(pagas));
    // Only what stays charged has its charge still; all else of these contracts can be charged anew.
    const cobradas = await db('faturamento_cobrancas').whereIn('provedor_id', deles).pluck('fatura_id');
    t.deepEqual(emOrdem(cobradas), emOrdem(pagas));
    const [[ditas]] = await db.raw(
      `SELECT SUM(acao = 'fatura.cancelada') AS canceladas,
            COUNT(DISTINCT IF(acao = 'fatura.cancelada', recurso_id, NULL)) AS faturas,
            SUM(acao = 'faturamento.desfeito') AS vezes
       FROM auditoria`,
    );
    const canceladas = DESFAZEM * CONTRATOS_DE_CADA - pagas.length;
    t.deepEqual([ditas.canceladas, ditas.faturas, ditas.vezes].map(Number), [canceladas, canceladas, DESFAZEM]);
    t.is((await db('faturamentos').where('desfazendo', 1)).length, 0);
    t.is((await db('faturamentos').whereNotNull('desfeito_em')).length, DESFAZEM);
  },
);

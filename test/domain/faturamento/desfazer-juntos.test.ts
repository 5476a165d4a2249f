import test from 'ava';
import type { ExecutionContext } from 'ava';
import { atorDaTarefa } from '../../../src/domain/actor.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { ate } from '../../support/espera.ts';
import { relogioEm } from '../../support/relogio.ts';
import { criarCasaDoWorker } from './casa-do-worker.ts';
import { comandosDe } from './comandos.ts';

const AGORA = '2027-03-02T12:00:00.000Z';
const relogio = relogioEm(AGORA);
let api: Api;
test.before(async () => {
  api = await criarApi({ relogio });
});
test.after.always(() => api.fechar());
test.beforeEach(() => relogio.definir(AGORA));

/** One whose month was made whole by a button. */
async function casaComMes(contratos: number) {
  const c = await criarCasaDoWorker(api, contratos);
  await c.pedir('faturas');
  await c.executar();
  const [{ id: vez }] = await c.linhas('faturamentos');
  const desfazer = async () => c.mudar(async ({ faturamento }) => faturamento.desfazer(vez));
  return { ...c, vez: vez as number, desfazer };
}

/** Holds a provider's turn as whoever charges does, and says whether somebody waits for it. */
async function naVez(t: ExecutionContext, provedorId: number) {
  const trx = await api.dono.transaction();
  t.teardown(async () => trx.isCompleted() || (await trx.rollback()));
  await trx('faturamento_configuracoes').where({ provedor_id: provedorId }).forUpdate();
  let esperando = false;
  const ouvir = ({ sql }: { sql: string }): void => {
    esperando ||= /`faturamento_configuracoes`.* for update$/.test(sql);
  };
  const { db } = api.container;
  db.on('query', ouvir);
  t.teardown(() => void db.off('query', ouvir));
  return { trx, esperado: () => esperando };
}

test.serial(
  'o fim do que o worker desfaz vem antes ou depois de outro desfazer, e nenhuma cobrança de nada fica',
  async (t) => {
    const c = await casaComMes(1100);
    await c.desfazer();
    // Of one contract it has charged nothing, and a later run has charged what follows from that.
    const { contrato_id } = (await c.linhas('faturamento_cobrancas'))[0];
    const desta = { provedor_id: c.id, faturamento_id: c.vez, contrato_id };
    await api.dono('faturamento_cobrancas').where(desta).update({ fatura_id: null });
    const outra = { provedor_id: c.id, dia: '2027-03-02', origem: 'carne', iniciado_em: '2027-03-02 12:00:00' };
    const [posterior = 0] = await api.dono('faturamentos').insert(outra);
    await api.dono.raw(
      `INSERT INTO faturamento_cobrancas (provedor_id, contrato_id, competencia, tipo, faturamento_id, vencimento, valor, dias, itens)
     SELECT provedor_id, contrato_id, '2027-04-01', tipo, ?, vencimento, valor, dias, itens
       FROM faturamento_cobrancas WHERE provedor_id = ? AND contrato_id = ?`,
      [posterior, c.id, contrato_id],
    );
    const { trx, esperado } = await naVez(t, c.id);
    let acabou = false;
    const executado = c.executar().finally(() => {
      acabou = true;
    });
    await ate(async () => esperado() || acabou, 60_000);
    // As whoever undoes the later run in his turn: this one is not undone yet, so what it has left is its own affair.
    await trx('faturamento_cobrancas').where({ provedor_id: c.id, faturamento_id: posterior }).delete();
    await trx.commit();
    t.is((await executado).feito, 1);
    t.is(await c.contar('faturamento_cobrancas'), 0);
  },
);

test.serial('o que se desfaz na hora faz o mês em aberto recomeçar, também o que um worker está fazendo', async (t) => {
  const c = await criarCasaDoWorker(api, 600);
  const { signal } = new AbortController();
  const tarefa = { tarefa: 'faturas.gerar', provedorId: c.id, dia: '2027-03-12' } as const;
  relogio.definir('2027-03-12T04:00:00.000Z');
  await api.container.tarefas.executar(atorDaTarefa('faturas.gerar'), tarefa, { signal, aoAvancar: () => {} });
  const doDia = await c.contar('faturas');
  t.true(doDia > 0 && doDia < 500);
  const [{ id: vez }] = await c.linhas('faturamentos');
  await c.pedir('faturas');
  await t.throwsAsync(c.executar(1), { message: 'morreu' });
  t.not((await c.pedidos())[0].lugar, null);
  t.is((await c.mudar(async ({ faturamento }) => faturamento.desfazer(vez))).pedido, null);
  t.like((await c.pedidos())[0], { lugar: null, vistos: 0, terminado_em: null });

  // Once more, with a worker that waits for its turn to make a part.
  await t.throwsAsync(c.executar(1), { message: 'morreu' });
  const { trx, esperado } = await naVez(t, c.id);
  const executado = c.executar();
  await ate(async () => esperado(), 60_000);
  await trx('faturamento_pedidos').where({ provedor_id: c.id }).update({ lugar: null, vistos: 0, total: null });
  await trx.commit();
  t.is((await executado).feito, 1);
  t.is(await c.contar('faturamento_cobrancas'), 600);
});

test.serial('se alguém cobrou enquanto se olhava, sabe-se dos faturamentos desse tempo, por índice', async (t) => {
  const c = await casaComMes(10);
  // As of a provider that has made booklets for years.
  const carne = { provedor_id: c.id, origem: 'carne', iniciado_em: '2024-01-01 12:00:00' };
  const dia = (n: number): string => new Date(Date.UTC(2024, 0, 1 + n)).toISOString().slice(0, 10);
  const antigos = Array.from({ length: 900 }, (_, n) => ({ ...carne, dia: dia(n), desfeito_em: '2026-12-31' }));
  await api.dono('faturamentos').insert(antigos);
  const { comandos, erro } = await comandosDe(api, async () => c.desfazer());
  t.is(erro, null);
  const somas = comandos.filter(({ sql }) => /SUM\(cobrancas\)/i.test(sql));
  t.is(somas.length, 2);
  for (const { sql, bindings } of somas) {
    const [plano] = await api.dono.raw(`EXPLAIN FORMAT=TRADITIONAL ${sql}`, bindings as never);
    t.like(plano[0], { key: 'faturamentos_um', type: 'range' });
    t.true(Number(plano[0].rows) < 50, String(plano[0].rows));
  }
});

import test from 'ava';
import type { ExecutionContext } from 'ava';
import { atorDaTarefa } from '../../../src/domain/actor.ts';
import { createEscrita } from '../../../src/domain/escrita.ts';
import { createExecucaoDoFaturamentoService } from '../../../src/domain/faturamento/pedidos/execucao.service.ts';
import { jsonColumn } from '../../../src/platform/mysql/database.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { falharCobrancas } from '../../support/falha-de-cobranca.ts';
import { relogioEm } from '../../support/relogio.ts';
import { execucao, recusa } from './apoio.ts';
import { criarCasaDoWorker } from './casa-do-worker.ts';

const AGORA = '2027-03-02T12:00:00.000Z';
const relogio = relogioEm(AGORA);
/** More than a part of an undoing. */
const CONTRATOS = 1100;
const WORKER = atorDaTarefa('faturamento.executar');
const ERRO = 'banco de dados: ER_SIGNAL_EXCEPTION';
let api: Api;
test.before(async () => {
  api = await criarApi({ relogio });
});
test.after.always(() => api.fechar());
test.beforeEach(() => relogio.definir(AGORA));

/** One whose month is to be undone, which the database refuses for the invoice of its third contract; a month waits for it. */
async function casaPresa() {
  const c = await criarCasaDoWorker(api, CONTRATOS);
  await c.pedir('faturas');
  await c.executar();
  const [{ id: vez }] = await c.linhas('faturamentos');
  const cobrancas = (await c.linhas('faturamento_cobrancas')).toSorted((a, b) => a.fatura_id - b.fatura_id);
  const [, , presa] = cobrancas;
  const { pedido } = await c.mudar(async ({ faturamento }) => faturamento.desfazer(vez));
  await c.pedir('faturas');
  /** Until its next wait is over. */
  const esperar = async (): Promise<void> => {
    const { falha } = (await c.ler(async ({ faturamento }) => faturamento.pedido(pedido!)))!;
    if (falha !== null) relogio.definir(falha.proximaEm.toISOString());
  };
  const falharTresVezes = async (t: ExecutionContext): Promise<void> => {
    for (let n = 0; n < 3; n += 1) {
      await esperar();
      await t.throwsAsync(c.executar(), { message: ERRO });
    }
  };
  const desistir = async (id = pedido!, como = {}) =>
    c.mudar(async ({ faturamento }) => faturamento.desistir(id, como));
  const fim = async () => (await c.ler(async ({ faturamento }) => faturamento.pedido(pedido!)))!;
  const canceladas = async () => (await c.linhas('faturas')).filter(({ situacao }) => situacao === 'cancelada').length;
  const faturas: number[] = cobrancas.map(({ fatura_id: id }) => id);
  return {
    ...c,
    vez: vez as number,
    pedido: pedido!,
    presa,
    faturas,
    esperar,
    falharTresVezes,
    desistir,
    fim,
    canceladas,
  };
}

test.serial(
  'de um desfazer que sempre falha se desiste: o que não se desfaz fica, com o porquê, e o mês que espera segue',
  async (t) => {
    const c = await casaPresa();
    const mendar = await falharCobrancas(api, 'UPDATE', `NEW.fatura_id = ${c.presa.fatura_id}`);
    t.teardown(mendar);
    t.is(await recusa(c.desistir()), 'transicao_invalida');
    await c.falharTresVezes(t);
    t.is(await c.canceladas(), 0);
    const mes = (await c.pedidos()).at(-1).id;
    t.is(await recusa(c.desistir(mes)), 'transicao_invalida');
    t.is(await recusa(c.desistir(0)), 'nao_encontrado');
    await c.desistir();
    await c.desistir();
    const linhas = await api.dono('auditoria').where({ provedor_id: c.id, acao: 'faturamento.desistido' });
    t.is(linhas.length, 1);
    t.like(linhas[0], { recurso_id: c.pedido });

    t.is((await c.executar()).feito, 2);
    const porque = `não se conseguiu cancelar (${ERRO})`;
    const { desfeito, desistidoPor, terminadoEm } = await c.fim();
    t.deepEqual(desfeito, {
      desfeitas: CONTRATOS - 1,
      ficaram: 1,
      quais: [{ fatura: c.presa.fatura_id, porque }],
    });
    t.truthy(terminadoEm);
    t.is(desistidoPor, linhas[0].autor);
    t.like((await c.linhas('faturamentos'))[0], { desfazendo: null });
    t.is(await c.canceladas(), CONTRATOS - 1);
    // What stayed keeps its charge; all others are charged anew by the month that has waited.
    t.is(await c.contar('faturamento_cobrancas'), CONTRATOS);
    t.is(await c.contar('faturas'), CONTRATOS + CONTRATOS - 1);
    t.is(await recusa(c.desistir()), 'transicao_invalida');
  },
);

/** From now on the database refuses to cancel some invoices' charges, by an error of its own. */
async function falharPor(errno: number, condicao: string): Promise<void> {
  await api.dono.raw('DROP TRIGGER IF EXISTS falha_de_teste');
  await api.dono.raw(
    `CREATE TRIGGER falha_de_teste BEFORE UPDATE ON faturamento_cobrancas FOR EACH ROW
     IF ${condicao} THEN SIGNAL SQLSTATE 'HY000' SET MYSQL_ERRNO = ${errno}, MESSAGE_TEXT = 'não'; END IF`,
  );
}

test.serial(
  'o que falha no último passo, ou mata quem o faz, espera como antes, e nenhuma cobrança fica por isso',
  async (t) => {
    const c = await casaPresa();
    const mendar = async () => void (await api.dono.raw('DROP TRIGGER IF EXISTS nao_solta'));
    await mendar();
    await api.dono.raw(
      `CREATE TRIGGER nao_solta BEFORE DELETE ON faturamento_cobrancas FOR EACH ROW
     IF OLD.provedor_id = ${c.id} THEN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'não'; END IF`,
    );
    t.teardown(mendar);
    await c.falharTresVezes(t);
    t.is(await c.canceladas(), CONTRATOS);
    await c.desistir();
    await t.throwsAsync(c.executar(), { message: ERRO });
    t.like(await c.fim(), { terminadoEm: null, falha: { vezes: 1, erro: ERRO } });
    await mendar();

    // Two runs were killed at it.
    await c.esperar();
    await api.dono('faturamento_pedidos').where('id', c.pedido).update({ tentativas: 2 });
    await t.throwsAsync(c.executar(), { message: /morreu/ });
    const { terminadoEm, falha } = await c.fim();
    t.is(terminadoEm, null);
    t.is(falha?.vezes, 2);
    t.is((await c.executar()).feito, 0);
    t.like((await c.linhas('faturamentos'))[0], { desfazendo: 1 });

    await c.esperar();
    t.is((await c.executar()).feito, 2);
    t.deepEqual((await c.fim()).desfeito, { desfeitas: CONTRATOS, ficaram: 0, quais: [] });
    t.is(await c.contar('faturas'), 2 * CONTRATOS);
  },
);

test.serial(
  'do que não falha por uma fatura nenhuma fica: vinte seguidas esperam, e menos ficam se a seguinte se cancela',
  async (t) => {
    const c = await casaPresa();
    const mendar = await falharCobrancas(
      api,
      'UPDATE',
      `NEW.provedor_id = ${c.id} AND NEW.fatura_id > ${c.presa.fatura_id}`,
    );
    t.teardown(mendar);
    await c.falharTresVezes(t);
    await c.desistir();
    await t.throwsAsync(c.executar(), { message: `20 faturas seguidas não se conseguiram cancelar (${ERRO})` });
    t.deepEqual((await c.fim()).desfeito, { desfeitas: 3, ficaram: 0, quais: [] });
    t.like((await c.fim()).falha, { vezes: 1 });

    // What passes by itself: a statement that was ended from outside.
    await falharPor(1317, `NEW.fatura_id = ${c.faturas[3]}`);
    await c.esperar();
    await t.throwsAsync(c.executar(), { message: /ER_QUERY_INTERRUPTED/ });
    t.like((await c.fim()).desfeito, { desfeitas: 3, ficaram: 0 });

    // Two of the invoices that fail were paid: that they stay says nothing of the others.
    const pagas = c.faturas.slice(10, 12);
    await api.dono('faturas').whereIn('id', pagas).update({ valor_pago: '1.00' });
    await falharPor(1644, `NEW.fatura_id BETWEEN ${c.faturas[3]} AND ${c.faturas[24]}`);
    await c.esperar();
    await t.throwsAsync(c.executar(), { message: /20 faturas seguidas/ });
    t.like((await c.fim()).desfeito, { desfeitas: 3, ficaram: 0 });

    await falharPor(1644, `NEW.fatura_id BETWEEN ${c.faturas[3]} AND ${c.faturas[23]}`);
    await c.esperar();
    await c.executar();
    const { desfeito, terminadoEm } = await c.fim();
    t.truthy(terminadoEm);
    t.like(desfeito, { desfeitas: CONTRATOS - 21, ficaram: 21 });
    t.deepEqual(
      desfeito!.quais.map(({ fatura }) => fatura),
      c.faturas.slice(3, 24),
    );
    t.is(await c.canceladas(), CONTRATOS - 21);
  },
);

test.serial('quem desiste enquanto se tenta não espera: tenta-se logo de novo, com o que se desistiu', async (t) => {
  const c = await casaPresa();
  t.teardown(await falharCobrancas(api, 'UPDATE', `NEW.fatura_id = ${c.presa.fatura_id}`));
  await c.falharTresVezes(t);
  await c.esperar();
  const { db, provedores } = api.container;
  const write = createEscrita({ db, gate: { bump: async () => {} }, onUnconfirmed: () => {} });
  let escritas = 0;
  const worker = createExecucaoDoFaturamentoService({
    db,
    // The first write of a run is that it begins.
    write: async (...escrita) => {
      escritas += 1;
      if (escritas === 2) await c.desistir();
      return write(...escrita);
    },
    relogio,
    provedores,
    descansoMs: () => 0,
    ritmo: () => ({ linhas: 500, descansoMs: 0 }),
    leituraDe: () => ({ previa: async () => Promise.reject(new Error('sem prévia')), quantosFaltam: async () => 0 }),
  });
  await t.throwsAsync(worker.executarPedidos(WORKER, c.id, execucao), { message: ERRO });
  t.like((await c.fim()).desfeito, { desfeitas: CONTRATOS - 1, ficaram: 1 });
  t.truthy((await c.fim()).terminadoEm);
});

test.serial('quem morre numa parte inteira enquanto se desiste não culpa a primeira fatura', async (t) => {
  const c = await casaPresa();
  const falhou = { falhas: 3, falhou_em: '2027-03-02 11:00:00', erro: 'x', proxima_em: '2027-03-02 11:30:00' };
  // The second run in a row is at it.
  await api
    .dono('faturamento_pedidos')
    .where('id', c.pedido)
    .update({ tentativas: 2, ...falhou });
  await c.desistir();
  t.is((await c.executar()).feito, 2);
  t.like((await c.fim()).desfeito, { desfeitas: CONTRATOS, ficaram: 0 });
});

test.serial('a fatura em que o processo morre se acha e fica, e o resto se desfaz', async (t) => {
  const c = await casaPresa();
  const pedido = () => api.dono('faturamento_pedidos').where('id', c.pedido);
  // As after runs that were killed: nobody has heard of them.
  const falhou = { falhas: 2, falhou_em: '2027-03-02 11:00:00', erro: 'x', proxima_em: '2027-03-02 11:30:00' };
  await pedido().update({ tentativas: 2, ...falhou });
  await t.throwsAsync(c.executar(), { message: /morreu/ });
  t.like((await c.fim()).falha, { vezes: 3 });
  await c.desistir();
  // One more dies at the first invoice, and another one after it.
  await pedido().update({ tentativas: 2 });
  await c.executar();
  const [ficou] = (await c.fim()).desfeito!.quais;
  t.is(ficou!.fatura, Math.min(...(await c.linhas('faturas')).map(({ id }) => id)));
  t.like((await c.fim()).desfeito, { desfeitas: CONTRATOS - 1, ficaram: 1 });
  t.regex(ficou!.porque, /o processo que o fazia morreu/);
});

test.serial(
  'as últimas que falham todas pela mesma causa não ficam; depois de falhar de novo, desiste-se também dessas',
  async (t) => {
    const c = await casaPresa();
    const ultimas = c.faturas.slice(-5);
    t.teardown(await falharCobrancas(api, 'UPDATE', `NEW.fatura_id >= ${ultimas[0]}`));
    await c.falharTresVezes(t);
    const mesmo = { mesmoSeguidas: true };
    t.is(await recusa(c.desistir(c.pedido, mesmo)), 'transicao_invalida');
    await c.desistir();
    t.is(await recusa(c.desistir(c.pedido, mesmo)), 'transicao_invalida');
    for (let n = 0; n < 3; n += 1) {
      await c.esperar();
      await t.throwsAsync(c.executar(), { message: `5 faturas seguidas não se conseguiram cancelar (${ERRO})` });
      t.like((await c.fim()).desfeito, { desfeitas: CONTRATOS - 5, ficaram: 0 });
    }
    await c.desistir(c.pedido, mesmo);
    await c.desistir(c.pedido, mesmo);
    const linhas = await api.dono('auditoria').where({ provedor_id: c.id, acao: 'faturamento.desistido' });
    t.deepEqual(
      linhas.map(({ dados }) => jsonColumn<{ seguidas?: boolean }>(dados).seguidas ?? false),
      [false, true],
    );
    t.is((await c.executar()).feito, 2);
    const { desfeito, terminadoEm } = await c.fim();
    t.truthy(terminadoEm);
    t.like(desfeito, { desfeitas: CONTRATOS - 5, ficaram: 5 });
    t.deepEqual(
      desfeito!.quais.map(({ fatura }) => fatura),
      ultimas,
    );
  },
);

test.serial(
  'mesmo das seguidas se desiste: mais de vinte que nunca se cancelam ficam, e os meses seguem',
  async (t) => {
    const c = await casaPresa();
    const presas = c.faturas.slice(3, 33);
    t.teardown(await falharCobrancas(api, 'UPDATE', `NEW.fatura_id BETWEEN ${presas[0]} AND ${presas.at(-1)}`));
    await c.falharTresVezes(t);
    await c.desistir();
    for (let n = 0; n < 3; n += 1) {
      await c.esperar();
      await t.throwsAsync(c.executar(), { message: /^20 faturas seguidas/ });
    }
    await c.desistir(c.pedido, { mesmoSeguidas: true });
    t.is((await c.executar()).feito, 2);
    t.like((await c.fim()).desfeito, { desfeitas: CONTRATOS - presas.length, ficaram: presas.length });
    t.is(await c.contar('faturas'), 2 * CONTRATOS - presas.length);
  },
);

test.serial('onde os processos morrem em três faturas seguidas, nenhuma fica por isso', async (t) => {
  const c = await casaPresa();
  const pedido = () => api.dono('faturamento_pedidos').where('id', c.pedido);
  const falhou = { falhas: 3, falhou_em: '2027-03-02 11:00:00', erro: 'x', proxima_em: '2027-03-02 11:30:00' };
  await pedido().update(falhou);
  await c.desistir();
  // Two processes have died at each: those after it find the order so.
  const morrem = async () => {
    await pedido().update({ tentativas: 2 });
    const morte = new AbortController();
    morte.abort(new Error('morreu'));
    const opcoes = { signal: morte.signal, aoAvancar: () => {} };
    return api.container.execucaoDoFaturamento.executarPedidos(WORKER, c.id, opcoes);
  };
  for (let n = 0; n < 2; n += 1) {
    await t.throwsAsync(morrem(), { message: 'morreu' });
    t.like((await c.fim()).desfeito, { ficaram: 0 });
  }
  await t.throwsAsync(morrem(), { message: /o processo que o fazia morreu/ });
  t.like(await c.fim(), { terminadoEm: null, desfeito: { desfeitas: 0, ficaram: 0 }, falha: { vezes: 1 } });
  // What killed them is over, save for the two that they have died at.
  await c.esperar();
  await c.executar();
  const { desfeito } = await c.fim();
  t.like(desfeito, { desfeitas: CONTRATOS - 2, ficaram: 2 });
  t.deepEqual(
    desfeito!.quais.map(({ fatura }) => fatura),
    c.faturas.slice(0, 2),
  );
});

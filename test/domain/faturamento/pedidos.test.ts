import test from 'ava';
import { atorDoVisitante } from '../../../src/domain/actor.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { vindoDe } from '../../support/autor.ts';
import { relogioEm } from '../../support/relogio.ts';
import { recusa } from './apoio.ts';
import { criarCasaDoWorker } from './casa-do-worker.ts';

const AGORA = '2027-03-02T12:00:00.000Z';
const relogio = relogioEm(AGORA);
/** More than two parts of a run. */
const CONTRATOS = 1200;
let api: Api;
test.before(async () => {
  api = await criarApi({ relogio, processos: 2 });
});
test.after.always(() => api.fechar());
test.beforeEach(() => relogio.definir(AGORA));

const casa = async () => criarCasaDoWorker(api, CONTRATOS);

test.serial(
  'quem aperta muitas vezes começa uma só, e cada contrato é cobrado uma vez, também por dois workers',
  async (t) => {
    const c = await casa();
    const ids = await Promise.all(Array.from({ length: 6 }, async () => c.pedir('faturas')));
    t.is(new Set(ids).size, 1);
    t.is(await c.contar('faturas'), 0);
    const [um, outro] = await Promise.all([c.executar(), c.executar()]);
    t.is(um.feito + outro.feito, 1);
    t.is(await c.contar('faturas'), CONTRATOS);
    t.is(await c.contar('faturamento_cobrancas'), CONTRATOS);
    const [pedido] = await c.pedidos();
    t.like(pedido, { vistos: CONTRATOS, total: CONTRATOS, faturas: CONTRATOS, motivo: null });
    t.truthy(pedido.terminado_em);
    const [vez] = await api.dono('faturamentos').where({ provedor_id: c.id });
    t.is(vez.autor, pedido.autor);
    // Asked for again, there is nothing left to be made.
    t.not(await c.pedir('faturas'), ids[0]);
    await c.executar();
    t.is(await c.contar('faturas'), CONTRATOS);
  },
);

test.serial('o que o worker faz de um pedido diz a requisição em que se pediu', async (t) => {
  const c = await criarCasaDoWorker(api, 3);
  const provedor = await api.container.provedores.exigirPorId(c.id);
  await api.container.changeTenant(atorDoVisitante(vindoDe()), provedor, async (_, { faturamento }) =>
    faturamento.pedir('faturas', { mes: '2027-03' }),
  );
  await c.executar();
  await c.pedir('faturas', '2027-04');
  await c.executar();
  for (const [tabela, nome] of [
    ['eventos', 'tipo'],
    ['auditoria', 'acao'],
  ] as const) {
    const criadas = (await c.linhas(tabela)).filter((linha) => linha[nome] === 'fatura.criada');
    const { requestId } = vindoDe();
    t.deepEqual(
      criadas.map(({ requisicao_id }) => requisicao_id),
      [requestId, requestId, requestId, null, null, null],
      tabela,
    );
  }
});

test.serial('o worker que morre no meio deixa partes inteiras, e o seguinte vai daí até o fim', async (t) => {
  const c = await casa();
  await c.pedir('faturas');
  await t.throwsAsync(c.executar(500), { message: 'morreu' });
  const feitas = await c.contar('faturas');
  t.true(feitas > 0 && feitas < CONTRATOS, String(feitas));
  t.like((await c.pedidos())[0], { vistos: feitas, faturas: feitas, terminado_em: null });
  const id = await c.pedir('faturas');
  t.is((await c.pedidos())[0].id, id);
  const { andou } = await c.executar();
  t.true(andou.every((vistos) => vistos > feitas));
  t.is(await c.contar('faturas'), CONTRATOS);
  t.like((await c.pedidos())[0], { vistos: CONTRATOS, faturas: CONTRATOS });
});

test.serial('a prévia do worker é a mesma, mostra quanto falta, e recomeça depois de uma morte', async (t) => {
  const c = await casa();
  await Promise.all([c.pedir('previa'), c.pedir('previa')]);
  await t.throwsAsync(c.executar(500), { message: 'morreu' });
  const [no_meio] = await c.ler(async ({ faturamento }) => faturamento.pedidos('previa', 3));
  t.like(no_meio, { total: CONTRATOS, terminadoEm: null, resultado: null });
  const { andou } = await c.executar();
  t.true(andou.length > 1 && andou.at(-1) === CONTRATOS);
  const [pedido, ...outros] = await c.ler(async ({ faturamento }) => faturamento.pedidos('previa', 3));
  t.is(outros.length, 0);
  const direta = await c.ler(async ({ faturamento }) => faturamento.previa({ mes: '2027-03' }));
  t.deepEqual(pedido!.resultado, direta);
  t.is(direta.faturas, CONTRATOS);
  t.is(await c.contar('faturas'), 0);
});

test.serial('o que não se pode mais fazer termina com o motivo, e não trava o que vem depois', async (t) => {
  const c = await casa();
  await c.pedir('faturas');
  await c.pedir('previa', '2027-04');
  relogio.definir('2027-04-02T12:00:00.000Z');
  t.is((await c.executar()).feito, 2);
  const [fatura, previa] = await c.pedidos();
  t.regex(fatura.motivo, /mês/);
  t.truthy(fatura.terminado_em);
  t.is(previa.motivo, null);
  t.is(await c.contar('faturas'), 0);
});

test.serial('o que se para fica parado na parte em que está, e o que foi pedido depois se faz', async (t) => {
  const c = await casa();
  const id = await c.pedir('faturas');
  await c.pedir('previa');
  // Whoever stops it does so while the worker is at its work: the part that it is at may still be made.
  let parado: Promise<void> | undefined;
  await c.executar(Infinity, () => {
    parado ??= c.mudar(async ({ faturamento }) => faturamento.parar(id));
  });
  await parado;
  const [faturas, previa] = await c.pedidos();
  t.regex(faturas.motivo, /^Parado por \S+\.$/);
  t.truthy(faturas.terminado_em);
  t.true(faturas.faturas < CONTRATOS);
  t.is(await c.contar('faturas'), faturas.faturas);
  t.truthy(previa.terminado_em);
  t.is(previa.motivo, null);
  await c.executar();
  t.is(await c.contar('faturas'), faturas.faturas);
  t.is(await recusa(c.mudar(async ({ faturamento }) => faturamento.parar(id))), 'transicao_invalida');
  t.is(await recusa(c.mudar(async ({ faturamento }) => faturamento.parar(999_999_999))), 'nao_encontrado');
  // Asked for again, the rest is made.
  await c.pedir('faturas');
  await c.executar();
  t.is(await c.contar('faturas'), CONTRATOS);
});

test.serial('dois minutos sem que nada ande, e o pedido diz que ninguém o faz', async (t) => {
  const c = await casa();
  await c.pedir('faturas');
  await c.pedir('previa');
  const semNinguem = async () =>
    c.ler(async ({ faturamento }) => (await faturamento.pedidosAbertos()).map((um) => um.semNinguem));
  relogio.definir('2027-03-02T12:02:00.000Z');
  t.deepEqual(await semNinguem(), [false, false]);
  relogio.definir('2027-03-02T12:02:01.000Z');
  t.deepEqual(await semNinguem(), [true, true]);
  // One that waits behind another is not forgotten while that one goes on.
  await t.throwsAsync(c.executar(500), { message: 'morreu' });
  t.deepEqual(await semNinguem(), [false, false]);
  relogio.definir('2027-03-02T12:05:00.000Z');
  t.deepEqual(await semNinguem(), [true, true]);
  await c.executar();
  t.deepEqual(await semNinguem(), []);
});

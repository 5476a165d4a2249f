import test from 'ava';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { relogioEm } from '../../support/relogio.ts';
import { BLOQUEADO, criarAssinante, devolucao, pix } from './assinante.ts';
import { TERMINAL } from '../../../src/domain/actor.ts';

// Of 150.00 with 2 % and 1 % a month, five centavos a day. The 10th is a Tuesday: on the 20th 150.00 + 3.00 + 0.50 are owed.
const [NO_DIA, NA_VESPERA, DOIS_DIAS_ANTES] = ['153.50', '153.45', '153.40'];

const relogio = relogioEm('2026-11-20T15:00:00.000Z');
let api: Api;
test.before(async () => {
  api = await criarApi({ relogio });
});
test.after.always(() => api.fechar());

const novo = async (regras: Record<string, unknown> = {}, doContrato: object = {}) =>
  criarAssinante(api, doContrato, regras);

// What was owed on the days before

test('os códigos da véspera quitam as duas faturas vencidas de um contrato bloqueado, e o liberam', async (t) => {
  const a = await novo({}, BLOQUEADO);
  const [uma, outra] = [await a.fatura(), await a.fatura()];
  t.deepEqual(await a.avisar(pix(uma.txid, NA_VESPERA), pix(outra.txid, NA_VESPERA)), ['quitada', 'quitada']);
  t.is(await a.situacaoDoContrato(), 'ativo');
  for (const { ler, lancamentos } of [uma, outra]) {
    t.like(await ler(), { situacao: 'paga', valor_pago: 153.45, valor_atualizado: null, segunda_via: null });
    t.deepEqual(await lancamentos(), { desconto: '0.05' });
  }
  const [paga] = await a.eventos();
  t.like(paga, { tipo: 'fatura.paga', dados: { valor: NA_VESPERA, desconto: '0.05' } });
  t.deepEqual(await a.notificacoes(), []);
});

test('um centavo menos que o menor dos dias que contam não quita', async (t) => {
  const a = await novo({}, BLOQUEADO);
  const { txid, ler, lancamentos } = await a.fatura();
  t.deepEqual(await a.avisar(pix(txid, '153.44')), ['parcial']);
  t.is((await ler()).valor_atualizado, 0.06);
  t.deepEqual(await lancamentos(), {});
  t.is(await a.situacaoDoContrato(), 'bloqueado');
});

test('quantos dias antes contam é regra do provedor, de 0 a 7', async (t) => {
  for (const [dias, valor, resultado] of [
    [0, NO_DIA, 'quitada'],
    [0, NA_VESPERA, 'parcial'],
    [1, DOIS_DIAS_ANTES, 'parcial'],
    [2, DOIS_DIAS_ANTES, 'quitada'],
    [7, '153.15', 'quitada'],
    [7, '153.14', 'parcial'],
  ] as const) {
    const a = await novo({ tolerancia_pix_dias: dias });
    const { txid } = await a.fatura();
    t.deepEqual(await a.avisar(pix(txid, valor)), [resultado], `${dias} ${valor}`);
  }
});

test('quem completa em partes paga o que faltava na véspera, com o que já pagou, também no mesmo dia', async (t) => {
  const [a, b] = [await novo(), await novo()];
  const [na, nb] = [await a.fatura(), await b.fatura()];
  const hoje = (hora: string) => ({ horario: `2026-11-20T${hora}:00:00Z` });
  t.deepEqual(await a.avisar(pix(na.txid, '100.00', hoje('12')), pix(na.txid, '53.45', hoje('13'))), [
    'parcial',
    'quitada',
  ]);
  t.deepEqual(await b.avisar(pix(nb.txid, '53.44', hoje('13')), pix(nb.txid, '100.00', hoje('12'))), [
    'parcial',
    'parcial',
  ]);
  t.deepEqual(await na.lancamentos(), { desconto: '0.05' });
  t.is((await nb.ler()).valor_atualizado, 0.06);
});

test('a devolução inteira do que quitou com desconto tira o desconto também', async (t) => {
  const a = await novo();
  const { id, txid, ler, lancamentos } = await a.fatura();
  const pago = pix(txid, NA_VESPERA);
  await a.avisar(pago);
  t.deepEqual(await a.avisar({ ...pago, devolucoes: [devolucao(NA_VESPERA)] }), ['estornada']);
  t.deepEqual(await lancamentos(), {});
  t.deepEqual(await a.avisar(pix(txid, NO_DIA)), ['quitada']);
  t.deepEqual(await lancamentos(), {});
  t.is((await ler()).situacao, 'paga');
  const [lancado] = await api.dono('faturas_lancamentos').where({ fatura_id: id });
  t.like(lancado, { tipo: 'desconto', valor: '0.00' });
});

test('regras que mudam depois não reabrem o que se quitou, ainda que se devolva uma parte', async (t) => {
  const a = await novo({}, BLOQUEADO);
  const { txid, ler, lancamentos } = await a.fatura();
  const [pago, aMais] = [pix(txid, NA_VESPERA), pix(txid, '20.00', { horario: '2026-11-20T14:59:30Z' })];
  await a.avisar(pago, aMais);
  await api
    .dono('regras_cobranca')
    .where({ provedor_id: a.provedor })
    .update({ juros_mensal_percentual: 2, tolerancia_pix_dias: 0 });
  t.deepEqual(await a.avisar({ ...pago, devolucoes: [devolucao('1.00')] }), ['devolvida']);
  t.deepEqual(await a.avisar({ ...aMais, devolucoes: [devolucao('20.00')] }), ['devolvida']);
  t.like(await ler(), { situacao: 'paga', valor_pago: 152.45 });
  t.deepEqual(await a.avisar({ ...pago, devolucoes: [devolucao('1.00'), devolucao('152.45', 'MED_FRAUDE', 'D2')] }), [
    'devolvida',
  ]);
  t.is((await ler()).situacao, 'vencida');
  t.deepEqual(await lancamentos(), {});
});

test('o PIX da cobrança de um banco que a versão 1.0 guardou sem txid, rejulgado, quita pela conta do banco', async (t) => {
  const a = await novo({}, BLOQUEADO);
  const [cobranca, estatico] = [await a.fatura(), await a.fatura()];
  await a.avisar(pix(cobranca.txid, '150.00'), pix(estatico.txid, '150.00'));
  const doBanco = 'b'.repeat(32);
  await api.dono('faturas').where({ id: cobranca.id }).update({ pix_txid: doBanco });
  await api.dono('pix_recebidos').where({ provedor_id: a.provedor }).update({ txid: null });
  const { rejulgamento } = api.container;
  t.deepEqual(await rejulgamento.rejulgar(TERMINAL, a.provedor), { vistas: 2, quitadas: 1 });
  t.deepEqual([(await cobranca.ler()).situacao, (await estatico.ler()).situacao], ['paga', 'vencida']);
  const guardados = await api.dono('pix_recebidos').where({ provedor_id: a.provedor }).orderBy('fatura_id');
  t.deepEqual(
    guardados.map(({ txid }) => txid as string | null),
    [doBanco, null],
  );
  const antes = await a.linhas('auditoria');
  t.deepEqual(await rejulgamento.rejulgar(TERMINAL, a.provedor), { vistas: 2, quitadas: 0 });
  t.deepEqual(await a.linhas('auditoria'), antes);
});

test('o que regras novas já dão por quitado se quita à mão, uma vez, e libera', async (t) => {
  const a = await novo({ tolerancia_pix_dias: 0 }, BLOQUEADO);
  const [basta, falta] = [await a.fatura(), await a.fatura({ vencimento: '2026-12-10' })];
  await a.avisar(pix(basta.txid, NA_VESPERA), pix(falta.txid, '10.00'));
  t.is(await a.situacaoDoContrato(), 'bloqueado');
  const { rejulgamento } = api.container;
  t.deepEqual(await rejulgamento.rejulgar(TERMINAL, a.provedor), { vistas: 2, quitadas: 0 });
  await api.dono('regras_cobranca').where({ provedor_id: a.provedor }).update({ tolerancia_pix_dias: 1 });
  t.deepEqual(await rejulgamento.rejulgar(TERMINAL, a.provedor), { vistas: 2, quitadas: 1 });
  t.is((await basta.ler()).situacao, 'paga');
  t.is(await a.situacaoDoContrato(), 'ativo');
  t.deepEqual(await basta.lancamentos(), { desconto: '0.05' });
  const antes = await a.linhas('auditoria');
  t.deepEqual(await rejulgamento.rejulgar(TERMINAL, a.provedor), { vistas: 2, quitadas: 0 });
  t.deepEqual(await a.linhas('auditoria'), antes);
});

// A bank's own charge

const DINAMICO = 'COBRANCADOPSPCOMTRINTAEDOIS0000';

test('o que o banco dá por pago de uma cobrança sua quita, com os centavos dele', async (t) => {
  for (const [n, [valor, lancamento, notificadas]] of (
    [
      ['153.43', { desconto: '0.07' }, []],
      ['153.57', { excedente: '0.07' }, ['fatura.paga_a_mais']],
      // A discount that the bank's charge carried.
      ['140.00', { desconto: '13.50' }, ['fatura.paga_com_desconto']],
    ] as const
  ).entries()) {
    const a = await novo({ tolerancia_pix_dias: 0 }, BLOQUEADO);
    const { txid, ler, lancamentos } = await a.fatura({ pix_txid: `${DINAMICO}${n}` });
    t.deepEqual(await a.avisar(pix(txid, valor)), ['quitada']);
    t.is((await ler()).situacao, 'paga');
    t.deepEqual(await lancamentos(), lancamento);
    t.is(await a.situacaoDoContrato(), 'ativo');
    t.deepEqual(await a.notificacoes(), notificadas);
  }
});

test('do que o MED tomou de uma cobrança do banco se deve o resto; e o que alguém lhe vinculou à mão conta pelo valor', async (t) => {
  const a = await novo();
  const [tomada, aMao] = [await a.fatura({ pix_txid: `${DINAMICO}A` }), await a.fatura()];
  const pago = pix(tomada.txid, '153.43');
  await a.avisar(pago);
  t.deepEqual(await a.avisar({ ...pago, devolucoes: [devolucao('50.00', 'MED_FRAUDE')] }), ['devolvida']);
  t.like(await tomada.ler(), { situacao: 'vencida', valor_atualizado: 50.07 });

  await a.avisar(pix(`${DINAMICO}B`, '20.00'));
  const [solto] = await a.linhas('pix_recebidos').whereNull('fatura_id');
  t.is(await api.container.identificacao.vincular(TERMINAL, a.provedor, solto.id, aMao.id), 'parcial');
});

// Returns by their nature

for (const natureza of ['MED_FRAUDE', 'MED_OPERACIONAL', 'MED_PIX_AUTOMATICO']) {
  test(`o que o MED toma de volta se deve de novo, como se não viesse: ${natureza}`, async (t) => {
    const a = await novo();
    const { txid, ler } = await a.fatura();
    const pago = pix(txid, NO_DIA);
    await a.avisar(pago);
    t.deepEqual(await a.avisar({ ...pago, devolucoes: [devolucao(NO_DIA, natureza)] }), ['devolvida']);
    t.like(await ler(), { situacao: 'vencida', valor_pago: 0, valor_atualizado: 153.5, pago_em: null });
    const ultimo = (await a.eventos()).at(-1)!;
    t.like(ultimo, { tipo: 'fatura.devolvida_em_parte', dados: { tomado: NO_DIA, falta: NO_DIA } });
    t.deepEqual(ultimo.dados.naturezas, [natureza]);
    t.deepEqual(await a.notificacoes(), ['fatura.tomada_pelo_med']);
    t.deepEqual(await a.avisar({ ...pago, devolucoes: [devolucao(NO_DIA, natureza)] }, pix(txid, NO_DIA)), [
      'repetida',
      'quitada',
    ]);
  });

  test(`o que o MED toma em parte se deve de novo em parte: ${natureza}`, async (t) => {
    const a = await novo();
    const { txid, ler } = await a.fatura();
    const pago = pix(txid, NO_DIA);
    await a.avisar(pago);
    t.deepEqual(await a.avisar({ ...pago, devolucoes: [devolucao('53.50', natureza)] }), ['devolvida']);
    t.like(await ler(), { situacao: 'vencida', valor_pago: 100, valor_atualizado: 53.5 });
  });
}

for (const natureza of [undefined, 'ORIGINAL', 'RETIRADA', 'DE_AMANHA', 'devolução'.repeat(9)]) {
  test(`o que o provedor devolve em parte é concessão sua: ${natureza}`, async (t) => {
    const a = await novo();
    const { txid, ler } = await a.fatura();
    const pago = pix(txid, NO_DIA);
    await a.avisar(pago);
    t.deepEqual(await a.avisar({ ...pago, devolucoes: [devolucao('53.50', natureza)] }), ['devolvida']);
    t.like(await ler(), { situacao: 'paga', valor_pago: 100, valor_atualizado: null });
    t.deepEqual(await a.avisar({ ...pago, devolucoes: [devolucao('100.00', natureza, 'D2')] }), ['estornada']);
  });
}

test('uma devolução que se guardou sem natureza toma a que se diz depois', async (t) => {
  const a = await novo();
  const { txid, ler } = await a.fatura();
  const pago = pix(txid, NO_DIA);
  await a.avisar({ ...pago, devolucoes: [devolucao(NO_DIA)] });
  t.is((await ler()).situacao, 'estornada');
  t.deepEqual(await a.avisar({ ...pago, devolucoes: [devolucao(NO_DIA, 'MED_FRAUDE')] }), ['devolvida']);
  t.like(await ler(), { situacao: 'vencida', valor_pago: 0, valor_atualizado: 153.5 });
  t.deepEqual(await a.avisar({ ...pago, devolucoes: [devolucao(NO_DIA)] }), ['repetida']);
});

test('uma fatura estornada se reabre: deve como se nada viesse, e novo pagamento e nova devolução contam', async (t) => {
  const a = await novo();
  const { id, txid, ler } = await a.fatura();
  const pago = pix(txid, NO_DIA);
  await a.avisar(pago, { ...pago, devolucoes: [devolucao(NO_DIA)] });
  t.is((await ler()).situacao, 'estornada');
  const { rejulgamento } = api.container;
  t.like(await rejulgamento.reabrir(TERMINAL, a.provedor, id), { situacao: 'vencida', falta: 15_350 });
  t.like(await ler(), { situacao: 'vencida', valor_pago: 0, valor_atualizado: 153.5 });
  t.is((await a.eventos()).at(-1)?.tipo, 'fatura.reaberta');
  const erro = await t.throwsAsync(async () => rejulgamento.reabrir(TERMINAL, a.provedor, id));
  t.is(erro.message, `a fatura ${id} está vencida; só se reabre uma estornada`);

  // What was given back before does not return it again, whatever is told of it.
  t.deepEqual(await a.avisar({ ...pago, devolucoes: [devolucao(NO_DIA), devolucao('1.00', undefined, 'D2')] }), [
    'devolvida',
  ]);
  t.is((await ler()).situacao, 'vencida');
  relogio.definir('2026-11-20T16:00:00.000Z');
  const denovo = pix(txid, NO_DIA, { horario: '2026-11-20T15:30:00Z' });
  t.deepEqual(await a.avisar(denovo), ['quitada']);
  t.deepEqual(await a.avisar({ ...denovo, devolucoes: [devolucao(NO_DIA)] }), ['estornada']);
});

test('reabrir o que outro programa deu por estornado não conta o que constava como pago', async (t) => {
  const a = await novo();
  const { id, ler } = await a.fatura({ situacao: 'estornada', valor_pago: '150.00' });
  t.like(await api.container.rejulgamento.reabrir(TERMINAL, a.provedor, id), { situacao: 'vencida' });
  t.like(await ler(), { situacao: 'vencida', valor_pago: 0, valor_atualizado: 153.5 });
});

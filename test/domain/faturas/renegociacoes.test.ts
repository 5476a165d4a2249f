import test from 'ava';
import * as fc from 'fast-check';
import { somarDias } from '../../../src/brazil/calendario/datas.ts';
import type { Data } from '../../../src/brazil/calendario/datas.ts';
import { centavos, escreverDinheiro } from '../../../src/brazil/dinheiro/dinheiro.ts';
import { mesesDepois, parcelar } from '../../../src/domain/renegociacoes/parcelas.regras.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import { relogioEm } from '../../support/relogio.ts';
import { BLOQUEADO, devolucao, pix } from '../recebimentos/assinante.ts';
import { criarDevedor } from './apoio.ts';
import type { Devedor } from './apoio.ts';

// Of 150.00 with 2 % and 1 % a month: on the 20th 153.50 are owed of what was due on the 10th, and 154.90 of what was due on 10 October, a Saturday.

const relogio = relogioEm('2026-11-20T15:00:00.000Z');
let api: Api;
test.before(async () => {
  api = await criarApi({ relogio });
});
test.after.always(() => api.fechar());

const novo = async (doContrato: object = {}) => criarDevedor(api, doContrato);
const ACORDO = { parcelas: 3, primeiro_vencimento: '2026-12-10' };
const renegociar = async (a: Devedor, dados: object = {}) =>
  a.escrever(async ({ renegociacoes }) => renegociacoes.criar({ ...ACORDO, cliente_id: a.cliente, ...dados }));
const quebrar = async (a: Devedor, id: number) =>
  a.escrever(async ({ renegociacoes }) => renegociacoes.quebrar(id, { motivo: 'Não pagou' }));
const baixar = async (a: Devedor, id: number, valor: string, pago_em?: string) =>
  a.escrever(async ({ baixas }) =>
    baixas.registrar(id, { forma: 'dinheiro', valor, ...(pago_em === undefined ? {} : { pago_em }) }),
  );

test('as parcelas somam o total ao centavo, diferem de um no máximo, e vencem de mês em mês', (t) => {
  const caso = fc.record({
    total: fc.integer({ min: 200, max: 10_000_000 }),
    parcelas: fc.integer({ min: 1, max: 60 }),
    entrada: fc.nat({ max: 100 }),
    dia: fc.nat({ max: 800 }),
  });
  fc.assert(
    fc.property(caso, ({ total, parcelas, entrada, dia }) => {
      const primeiroVencimento = somarDias('2026-11-20' as Data, dia);
      const hoje = '2026-11-20' as Data;
      const feitas = parcelar({
        total: centavos(total),
        parcelas,
        entrada: centavos(entrada),
        primeiroVencimento,
        hoje,
      });
      const valores = feitas.map(({ valor }): number => valor);
      if (valores.reduce((soma, valor) => soma + valor, 0) !== total) t.fail(JSON.stringify(feitas));
      const mensais = feitas.filter(({ numero }) => numero > 0);
      const doMes = mensais.map(({ valor }): number => valor);
      if (mensais.length !== parcelas || Math.max(...doMes) - Math.min(...doMes) > 1 || Math.min(...doMes) < 1) {
        t.fail(JSON.stringify(feitas));
      }
      for (const [n, { vencimento }] of mensais.entries()) {
        const [ano, mes] = vencimento.split('-').map(Number);
        const [ano0, mes0] = primeiroVencimento.split('-').map(Number);
        if (ano! * 12 + mes! !== ano0! * 12 + mes0! + n) t.fail(`${primeiroVencimento} ${n} ${vencimento}`);
        const mesmoDia = vencimento.slice(8) === primeiroVencimento.slice(8);
        const ultimo = somarDias(vencimento, 1).endsWith('-01');
        if (!mesmoDia && !ultimo) t.fail(`${primeiroVencimento} ${n} ${vencimento}`);
      }
    }),
    { numRuns: 2000 },
  );
  t.is(mesesDepois('2027-01-31' as Data, 1), '2027-02-28' as Data);
  t.is(mesesDepois('2027-12-31' as Data, 2), '2028-02-29' as Data);
  t.throws(() =>
    parcelar({
      total: centavos(2),
      parcelas: 3,
      entrada: centavos(0),
      primeiroVencimento: '2026-12-01' as Data,
      hoje: '2026-11-20' as Data,
    }),
  );
});

test('as vencidas dão lugar a parcelas do que se deve hoje, dizem-no, e o contrato que nada mais deve é liberado', async (t) => {
  const a = await novo(BLOQUEADO);
  const [uma, outra] = [await a.fatura({ vencimento: '2026-10-10' }), await a.fatura()];
  const aVencer = await a.fatura({ vencimento: '2026-12-10' });
  await a.avisar(pix(outra.txid, '100.00'));
  const devidos = [await a.deve(uma.id), await a.deve(outra.id)];
  t.deepEqual(devidos, [15_490, 5350]);
  const { id, devido, parcelas, origens } = await renegociar(a, { entrada: '30.00', desconto: '8.51' });
  t.deepEqual([Number(devido), origens], [20_840, [uma.id, outra.id]]);
  t.deepEqual(
    parcelas.map(({ numero, vencimento, valor }) => [numero, vencimento, Number(valor)]),
    [
      [0, '2026-11-20', 3000],
      [1, '2026-12-10', 5663],
      [2, '2027-01-10', 5663],
      [3, '2027-02-10', 5663],
    ],
  );
  for (const { id: origem } of [uma, outra]) {
    t.like(await a.linhaDe(origem), {
      situacao: 'cancelada',
      motivo_codigo: 'renegociacao',
      motivo: `Renegociação ${id}.`,
    });
  }
  t.like(await a.linhaDe(parcelas[1]!.faturaId), {
    contrato_id: a.contrato,
    tipo: 'pix',
    descricao: `Renegociação ${id}: parcela 1 de 3`,
  });
  t.is((await a.linhaDe(aVencer.id)).situacao, 'pendente');
  t.is(await a.situacaoDoContrato(), 'ativo');
  // What had been paid stays applied; what comes by an old code is surplus, and may be credit of an instalment.
  t.like(await a.conferir(), { avisado: 10_000, aplicado: 10_000, excedente: 0, diferenca: 0 });
  t.deepEqual(await a.avisar(pix(outra.txid, '53.50')), ['excedente']);
  t.like(await a.conferir(), { avisado: 15_350, aplicado: 10_000, excedente: 5350, diferenca: 0 });
  const composicao = await a.escrever(async (_, dominio) => dominio.composicao.buscar(uma.id));
  t.like(composicao, { renegociacoes: [{ renegociacao_id: id, papel: 'origem' }] });
});

test('com liberar falso o bloqueio fica; o que ainda se deve em atraso também o mantém', async (t) => {
  const [a, b] = [await novo(BLOQUEADO), await novo(BLOQUEADO)];
  await a.fatura();
  await renegociar(a, { liberar: false });
  t.is(await a.situacaoDoContrato(), 'bloqueado');
  const [uma] = [await b.fatura(), await b.fatura()];
  await renegociar(b, { faturas: [uma.id] });
  t.is(await b.situacaoDoContrato(), 'bloqueado');
});

test('o que um acordo não pode ser se diz pelo campo, e nada fica', async (t) => {
  const a = await novo();
  const recusa = async (dados: object) =>
    a.recusa(async ({ renegociacoes }) => renegociacoes.criar({ ...ACORDO, cliente_id: a.cliente, ...dados }));
  t.is(await recusa({}), 'faturas');
  const { id } = await a.fatura();
  const aVencer = await a.fatura({ vencimento: '2026-11-20' });
  for (const [dados, dito] of [
    [{ parcelas: 0 }, 'parcelas'],
    [{ parcelas: 61 }, 'parcelas'],
    [{ primeiro_vencimento: '2026-11-19' }, 'primeiro_vencimento'],
    [{ desconto: '153.50' }, 'desconto'],
    [{ entrada: '153.49' }, 'entrada'],
    [{ entrada: '200.00' }, 'entrada'],
    [{ desconto: '153.48' }, 'parcelas'],
    [{ tipo: 'boleto' }, 'tipo'],
    [{ faturas: [] }, 'faturas'],
    [{ faturas: [id, aVencer.id] }, 'fatura_nao_vencida'],
    [{ faturas: [id, 999_999] }, 'nao_encontrado'],
    [{ faturas: 'todas' }, 'faturas'],
    [{ liberar: 'sim' }, 'liberar'],
    [{ cliente_id: 999_999 }, 'nao_encontrado'],
  ] as const) {
    t.is(await recusa(dados), dito, JSON.stringify(dados));
  }
  t.deepEqual(await a.linhas('renegociacoes'), []);
  t.deepEqual(await a.tipos(), []);
});

test('quebrado, as de antes voltam menos o que se pagou, as mais velhas primeiro; o pago fica pago e o aberto se cancela', async (t) => {
  const a = await novo();
  const [velha, nova] = [await a.fatura({ vencimento: '2026-10-10' }), await a.fatura()];
  const antes = [await a.deve(velha.id), await a.deve(nova.id)];
  const { id, parcelas } = await renegociar(a);
  const [p1, p2, p3] = parcelas.map(({ faturaId }) => faturaId);
  t.is((await baixar(a, p1!, '102.80')).situacao, 'paga');
  await baixar(a, p2!, '70.00');
  t.is(await a.recusa(async ({ faturas }) => faturas.cancelar(p3!, { motivo: 'x' })), 'fatura_de_renegociacao');
  t.is(
    await a.recusa(async ({ renegociacoes }) =>
      renegociacoes.criar({ ...ACORDO, cliente_id: a.cliente, faturas: [p3] }),
    ),
    'fatura_nao_vencida',
  );
  const { pago, voltaram, canceladas } = await quebrar(a, id);
  t.deepEqual([Number(pago), voltaram, canceladas], [17_280, [velha.id, nova.id], [p2!, p3!]]);
  // On the same day: 172.80 pay the older one, and what is left goes to the other.
  t.like(await a.linhaDe(velha.id), { situacao: 'paga', cancelada_em: null, motivo_codigo: null });
  t.is(await a.deve(nova.id), antes[0]! + antes[1]! - 17_280);
  t.like(await a.linhaDe(p1!), { situacao: 'paga', valor_pago: '102.80' });
  for (const parcela of [p2!, p3!]) t.like(await a.linhaDe(parcela), { situacao: 'cancelada' });
  t.like(await a.conferir(), { baixado: 17_280, aplicado: 17_280, excedente: 0, diferenca: 0 });
  t.is(
    await a.recusa(async ({ renegociacoes }) => renegociacoes.quebrar(id, { motivo: 'x' })),
    'renegociacao_encerrada',
  );
  t.is(await a.recusa(async ({ faturas }) => faturas.cancelar(nova.id, { motivo: 'x' })), 'fatura_com_pagamento');
  // What is still owed may be renegotiated again.
  const outra = await renegociar(a);
  t.is(Number(outra.devido), antes[0]! + antes[1]! - 17_280);
  const { rejulgamento } = api.container;
  const { TERMINAL } = await import('../../../src/domain/actor.ts');
  await rejulgamento.rejulgar(TERMINAL, a.provedor);
  t.like(await a.conferir(), { baixado: 17_280, aplicado: 17_280, excedente: 0, diferenca: 0 });
});

test('quebrado o acordo, quem já pagara o código de antes e nada mais deve em atraso é liberado', async (t) => {
  const a = await novo(BLOQUEADO);
  const { id: velha, txid } = await a.fatura();
  const { id } = await renegociar(a, { liberar: false });
  await a.avisar(pix(txid, '153.50', { horario: '2026-11-20T15:00:00.000Z' }));
  t.is(await a.situacaoDoContrato(), 'bloqueado');
  await quebrar(a, id);
  t.is((await a.linhaDe(velha)).situacao, 'paga');
  t.is(await a.situacaoDoContrato(), 'ativo');
  const [liberado] = (await a.eventos()).filter(({ tipo }) => tipo === 'contrato.liberado');
  t.like(liberado?.dados, { por: 'pagamento', fatura: velha });
  const [dito] = await api.dono('contratos_historico').where({ contrato_id: a.contrato, acao: 'liberacao' });
  t.is(dito.descricao, `Liberado pela quebra da renegociação ${id}.`);
});

test('quebrar um acordo cujas faturas voltam vencidas não libera ninguém, nem o irmão que nada deve', async (t) => {
  const a = await novo(BLOQUEADO);
  const { plano_id, cliente_id } = await api.dono('contratos').where({ id: a.contrato }).first();
  const irmao = await criarFabrica(api.dono).contrato(a.provedor, { plano_id, cliente_id, ...BLOQUEADO });
  await a.fatura({ contrato_id: irmao, vencimento: '2026-12-10' });
  const { id: velha, txid } = await a.fatura();
  const { id } = await renegociar(a, { liberar: false });
  await a.avisar(pix(txid, '150.00', { horario: '2026-11-20T15:00:00.000Z' }));
  await quebrar(a, id);
  t.is(await a.deve(velha), 350);
  t.is(await a.situacaoDoContrato(), 'bloqueado');
  t.is((await api.dono('contratos').where({ id: irmao }).first()).situacao, 'bloqueado');
  t.false((await a.tipos()).includes('contrato.liberado'));
});

test('das faturas de dois contratos que voltam, uma paga e outra vencida, só o que nada deve é liberado', async (t) => {
  const a = await novo(BLOQUEADO);
  const { plano_id, cliente_id } = await api.dono('contratos').where({ id: a.contrato }).first();
  const irmao = await criarFabrica(api.dono).contrato(a.provedor, { plano_id, cliente_id, ...BLOQUEADO });
  const [{ txid }] = [await a.fatura(), await a.fatura({ contrato_id: irmao })];
  const { id } = await renegociar(a, { liberar: false });
  await a.avisar(pix(txid, '153.50', { horario: '2026-11-20T15:00:00.000Z' }));
  await quebrar(a, id);
  t.is(await a.situacaoDoContrato(), 'ativo');
  t.is((await api.dono('contratos').where({ id: irmao }).first()).situacao, 'bloqueado');
});

test('cancelar o contrato ou o cliente, ou trocar o titular, com as faturas futuras, deixa devidas as parcelas do acordo', async (t) => {
  const dados = { faturas_futuras: 'cancelar' };
  const novoTitular = async (a: Devedor) => criarFabrica(api.dono).cliente(a.provedor);
  const caminhos = [
    async (a: Devedor) => a.escrever(async ({ movimentos }) => movimentos.cancelar(a.contrato, dados)),
    async (a: Devedor) => a.escrever(async ({ clientes }) => clientes.cancelar(a.cliente, dados)),
    async (a: Devedor) => {
      const titular = { ...dados, cliente_id: await novoTitular(a) };
      return a.escrever(async ({ contratos }) => contratos.trocarTitular(a.contrato, titular));
    },
  ];
  for (const [n, cancelar] of caminhos.entries()) {
    const a = await novo();
    const { id: velha } = await a.fatura();
    const { id: aVencer } = await a.fatura({ vencimento: '2026-12-15' });
    const { id, parcelas } = await renegociar(a);
    await cancelar(a);
    t.is((await a.linhaDe(aVencer)).situacao, 'cancelada', String(n));
    for (const { faturaId } of parcelas) t.is((await a.linhaDe(faturaId)).situacao, 'pendente', String(n));
    // Broken, what was owed before is owed again.
    await quebrar(a, id);
    t.is(await a.deve(velha), 15_350);
  }
  // Of an agreement that was broken, nothing is left to protect: its instalments were cancelled by that.
  const b = await novo();
  await b.fatura();
  const { id, parcelas } = await renegociar(b);
  await quebrar(b, id);
  await b.escrever(async ({ clientes }) => clientes.cancelar(b.cliente, dados));
  t.is((await b.linhaDe(parcelas[0]!.faturaId)).motivo_codigo, 'renegociacao');
});

test('o que se pagou de um acordo quebrado não se perde numa fatura que se cancela com o contrato', async (t) => {
  const a = await novo();
  const { id: velha } = await a.fatura();
  const { id, parcelas } = await renegociar(a);
  await baixar(a, parcelas[0]!.faturaId, '50.00');
  await quebrar(a, id);
  await a.escrever(async ({ faturas }) => faturas.alterar(velha, { vencimento: '2026-12-20' }));
  await a.escrever(async ({ movimentos }) => movimentos.cancelar(a.contrato, { faturas_futuras: 'cancelar' }));
  t.like(await a.linhaDe(velha), { situacao: 'pendente', abatido: '50.00' });
});

test('de duas pessoas que quebram um acordo ao mesmo tempo, uma o quebra', async (t) => {
  const a = await novo();
  const { id: velha } = await a.fatura();
  const { id, parcelas } = await renegociar(a);
  await baixar(a, parcelas[0]!.faturaId, '51.17');
  const feitos = await Promise.all(
    [0, 1].map(async () => a.recusa(async ({ renegociacoes }) => renegociacoes.quebrar(id, { motivo: 'x' }))),
  );
  t.deepEqual(feitos.toSorted(), ['feito', 'renegociacao_encerrada']);
  t.is(await a.deve(velha), 15_350 - 5117);
  t.is((await a.tipos()).filter((tipo) => tipo === 'renegociacao.quebrada').length, 1);
});

test.serial('o acordo de que já se pagou mais do que se devia antes não se quebra', async (t) => {
  relogio.definir('2026-11-20T15:00:00.000Z');
  const a = await novo();
  const { id: velha } = await a.fatura();
  const { id, parcelas } = await renegociar(a, { parcelas: 2, primeiro_vencimento: '2026-11-20' });
  const [primeira, segunda] = parcelas.map(({ faturaId }) => faturaId);
  relogio.avancar(40 * 86_400_000);
  // Charges of the second instalment alone come to more than what is left open.
  const daSegunda = await a.deve(segunda!);
  await baixar(a, primeira!, escreverDinheiro(centavos(await a.deve(primeira!))));
  await baixar(a, segunda!, escreverDinheiro(centavos(daSegunda - 1)));
  t.is(await a.recusa(async ({ renegociacoes }) => renegociacoes.quebrar(id, { motivo: 'x' })), 'renegociacao_paga');
  t.like(await a.linhaDe(velha), { situacao: 'cancelada', motivo_codigo: 'renegociacao' });
  t.is(await a.deve(segunda!), 1);
  t.deepEqual(await a.linhas('renegociacoes').whereNotNull('quebrada_em'), []);
  relogio.definir('2026-11-20T15:00:00.000Z');
});

test.serial(
  'o que se pagou do acordo conta no dia em que se pagou: os encargos só correm do que faltava',
  async (t) => {
    relogio.definir('2026-11-20T15:00:00.000Z');
    const a = await novo();
    const { id: fatura } = await a.fatura();
    const { id, parcelas } = await renegociar(a, { parcelas: 2, primeiro_vencimento: '2026-11-20' });
    await baixar(a, parcelas[0]!.faturaId, '76.75');
    const gemea = await novo();
    const outra = await gemea.fatura();
    await baixar(gemea, outra.id, '76.75');
    relogio.avancar(40 * 86_400_000);
    await quebrar(a, id);
    t.is(await a.deve(fatura), await gemea.deve(outra.id));
    relogio.definir('2026-11-20T15:00:00.000Z');
  },
);

test('de quem pagou o código de antes, o crédito nas parcelas não conta duas vezes quando o acordo se quebra', async (t) => {
  const a = await novo();
  const { id: fatura, txid } = await a.fatura();
  const devia = await a.deve(fatura);
  const { id, parcelas } = await renegociar(a);
  await a.avisar(pix(txid, '60.00', { horario: '2026-11-20T15:00:00.000Z' }));
  await a.escrever(async ({ ajustes }) => ajustes.aplicarCredito(parcelas[0]!.faturaId, { origem: fatura }));
  t.is((await a.linhaDe(parcelas[0]!.faturaId)).situacao, 'paga');
  await quebrar(a, id);
  t.is(await a.deve(fatura), devia - 6000);
  t.is((await a.linhaDe(parcelas[0]!.faturaId)).situacao, 'paga');
  t.like(await a.conferir(), { avisado: 6000, aplicado: 6000, excedente: 0, diferenca: 0 });
  t.false((await a.notificacoes()).includes('fatura.credito_descoberto'));
});

test('o que já cobre tudo o que se devia não se quebra, e uma cumprida também não', async (t) => {
  const a = await novo();
  const [uma] = [await a.fatura()];
  const { id, parcelas } = await renegociar(a, { parcelas: 2, entrada: '153.48' });
  await baixar(a, parcelas[0]!.faturaId, '160.00');
  // Surplus of an instalment is the client's, and not the agreement's.
  t.like(await a.conferir(), { aplicado: 15_348, excedente: 652, diferenca: 0 });
  await baixar(a, parcelas[1]!.faturaId, '0.01');
  const { pago } = await quebrar(a, id);
  t.is(Number(pago), 15_349);
  t.is(await a.deve(uma.id), 1);
  t.like(await a.conferir(), { aplicado: 15_349, excedente: 652, diferenca: 0 });
  const b = await novo();
  await b.fatura();
  const cumprida = await renegociar(b, { parcelas: 1 });
  await baixar(b, cumprida.parcelas[0]!.faturaId, '153.50');
  const quebra = { motivo: 'x' };
  t.is(
    await b.recusa(async ({ renegociacoes }) => renegociacoes.quebrar(cumprida.id, quebra)),
    'renegociacao_encerrada',
  );
  const listadas = await b.escrever(async (_, { renegociacoes }) => renegociacoes.listar({}, 10));
  t.like(listadas[0], { id: cumprida.id, situacao: 'cumprida', abertaDesde: null });
});

test('o que o MED toma de uma fatura que um acordo assumiu volta a ser devido nela; o que o acordo assumiu fica com ele', async (t) => {
  const a = await novo();
  const { id: fatura, txid } = await a.fatura();
  const pago = pix(txid, '100.00');
  await a.avisar(pago);
  const { id, parcelas } = await renegociar(a);
  await a.avisar({ ...pago, devolucoes: [devolucao('100.00', 'MED_FRAUDE')] });
  t.like(await a.linhaDe(fatura), {
    situacao: 'vencida',
    valor_pago: '0.00',
    abatido: '53.50',
    cancelada_em: null,
    motivo: null,
    motivo_codigo: null,
  });
  t.is(await a.deve(fatura), 10_000);
  for (const { faturaId } of parcelas) t.is((await a.linhaDe(faturaId)).situacao, 'pendente');
  t.like(await a.conferir(), { avisado: 10_000, devolvido: 10_000, aplicado: 0, excedente: 0, diferenca: 0 });
  const [dito] = (await a.eventos()).filter(({ tipo }) => tipo === 'fatura.reaberta');
  t.deepEqual(dito?.dados, { cliente: a.cliente, falta: '100.00' });
  const notificacoes = await a.notificacoes();
  for (const tipo of ['fatura.reaberta', 'fatura.tomada_pelo_med']) t.true(notificacoes.includes(tipo), tipo);
  // Told again, nothing changes; and it is of that agreement for as long as it is in force.
  t.deepEqual(await a.avisar({ ...pago, devolucoes: [devolucao('100.00', 'MED_FRAUDE')] }), ['repetida']);
  const outro = { ...ACORDO, cliente_id: a.cliente, faturas: [fatura] };
  t.is(await a.recusa(async ({ renegociacoes }) => renegociacoes.criar(outro)), 'fatura_de_renegociacao');
  t.is(await a.recusa(async ({ faturas }) => faturas.cancelar(fatura, { motivo: 'x' })), 'fatura_com_pagamento');
  await quebrar(a, id);
  t.is(await a.deve(fatura), 15_350);
});

test('a fatura reaberta pelo MED que se paga de novo deve, quebrado o acordo, só o que ele tinha assumido', async (t) => {
  const a = await novo();
  const { id: fatura, txid } = await a.fatura();
  const pago = pix(txid, '100.00');
  await a.avisar(pago);
  const { id, parcelas } = await renegociar(a);
  await a.avisar({ ...pago, devolucoes: [devolucao('100.00', 'MED_FRAUDE')] });
  t.deepEqual(await a.avisar(pix(txid, '100.00', { horario: '2026-11-20T15:00:00.000Z' })), ['quitada']);
  t.like(await a.linhaDe(fatura), { situacao: 'paga', valor_pago: '100.00', abatido: '53.50' });
  await baixar(a, parcelas[0]!.faturaId, '10.00');
  await quebrar(a, id);
  t.is(await a.deve(fatura), 5350 - 1000);
  t.like(await a.conferir(), { baixado: 1000, aplicado: 11_000, devolvido: 10_000, excedente: 0, diferenca: 0 });
});

test('o que o provedor devolve de uma fatura que um acordo assumiu é concessão: ninguém o deve', async (t) => {
  for (const devolvido of ['40.00', '100.00']) {
    const a = await novo();
    const { id: fatura, txid } = await a.fatura();
    const pago = pix(txid, '100.00');
    await a.avisar(pago);
    await renegociar(a);
    await a.avisar({ ...pago, devolucoes: [devolucao(devolvido)] });
    t.like(await a.linhaDe(fatura), { situacao: 'cancelada', motivo_codigo: 'renegociacao' });
    t.like(await a.conferir(), { excedente: 0, diferenca: 0 });
  }
});

test('o que o MED toma e sobrava na fatura que um acordo assumiu não a reabre', async (t) => {
  const a = await novo();
  const { id: fatura, txid } = await a.fatura();
  await a.avisar(pix(txid, '100.00'));
  await renegociar(a);
  const deMais = pix(txid, '60.00', { horario: '2026-11-20T15:00:00.000Z' });
  await a.avisar(deMais);
  t.like(await a.conferir(), { excedente: 6000 });
  await a.avisar({ ...deMais, devolucoes: [devolucao('60.00', 'MED_FRAUDE')] });
  t.is((await a.linhaDe(fatura)).situacao, 'cancelada');
  t.like(await a.conferir(), { avisado: 16_000, aplicado: 10_000, excedente: 0, devolvido: 6000, diferenca: 0 });
});

test('o que o MED toma da parcela de um acordo quebrado, paga em parte, volta a ser devido nela, e uma vez só', async (t) => {
  const a = await novo();
  const { id: velha } = await a.fatura();
  const { id, parcelas } = await renegociar(a);
  const [parcela] = parcelas.map(({ faturaId }) => faturaId);
  const pago = pix((await a.linhaDe(parcela!)).pix_txid, '30.00');
  await a.avisar(pago);
  await quebrar(a, id);
  t.is((await a.linhaDe(parcela!)).situacao, 'cancelada');
  t.is(await a.deve(velha), 15_350 - 3000);
  await a.avisar({ ...pago, devolucoes: [devolucao('30.00', 'MED_OPERACIONAL')] });
  t.like(await a.linhaDe(parcela!), { situacao: 'pendente', valor_pago: '0.00', cancelada_em: null });
  t.is(await a.deve(parcela!), 3000);
  t.is(await a.deve(velha), 15_350 - 3000);
  t.like(await a.conferir(), { avisado: 3000, devolvido: 3000, aplicado: 0, excedente: 0, diferenca: 0 });
});

test.serial('o número de comandos não cresce com as faturas, nem ao renegociar nem ao quebrar', async (t) => {
  const medir = async (quantas: number, parcelas: number) => {
    const a = await novo(BLOQUEADO);
    for (let n = 0; n < quantas; n += 1) await a.fatura({ vencimento: `2026-10-${String(10 + n)}` });
    const contar = async <T>(fazer: () => Promise<T>): Promise<[number, T]> => {
      let feitos = 0;
      const ouvir = (): void => void (feitos += 1);
      api.container.db.on('query', ouvir);
      const feito = await fazer();
      api.container.db.off('query', ouvir);
      return [feitos, feito];
    };
    const [aoFazer, acordo] = await contar(async () => renegociar(a, { parcelas }));
    await baixar(a, acordo.parcelas[0]!.faturaId, '50.00');
    const [aoQuebrar] = await contar(async () => quebrar(a, acordo.id));
    return [aoFazer, aoQuebrar];
  };
  t.deepEqual(await medir(12, 24), await medir(2, 2));
});

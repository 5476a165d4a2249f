import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import * as fc from 'fast-check';
import { getPixPayloadInfo } from '@brazilian-utils/brazilian-utils';
import { TERMINAL } from '../../../src/domain/actor.ts';
import { jsonColumn } from '../../../src/platform/mysql/database.ts';
import { createTenantWriter } from '../../../src/platform/mysql/tenant.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import { quanto } from '../../support/prova.ts';
import type { Fabrica } from '../../support/fabrica.ts';
import { criarPsp, novoFimAFim } from '../../support/recebimentos.ts';
import type { PixDoPsp } from '../../support/recebimentos.ts';
import { relogioEm } from '../../support/relogio.ts';

/** Friday, a bank holiday; noon in São Paulo. */
const AGORA = '2026-11-20T15:00:00.000Z';
/** Ten days late: 99.90 + 2.00 + 0.33. */
const VENCIDA = { vencimento: '2026-11-10', valor: '99.90' };

const relogio = relogioEm(AGORA);
let api: Api;
let fabrica: Fabrica;
let psp: ReturnType<typeof criarPsp>;
let serie = 0;

test.before(async () => {
  api = await criarApi({ relogio, processos: 2 });
  fabrica = criarFabrica(api.dono);
  psp = criarPsp(api);
});
test.after.always(() => api.fechar());

/** A provider with a receiver, a client and a contract. */
async function assinante(doContrato: Record<string, unknown> = {}) {
  const provedor = await fabrica.provedor();
  const plano = await fabrica.plano(provedor);
  const cliente = await fabrica.cliente(provedor);
  const contrato = await fabrica.contrato(provedor, { cliente_id: cliente, plano_id: plano, ...doContrato });
  const { texto: chave } = await api.criarChave(provedor);
  const { segredo } = await api.container.receptores.criar(TERMINAL, provedor, { nome: 'Banco de teste' });
  return {
    provedor,
    plano,
    cliente,
    contrato,
    chave,
    segredo,
    async fatura(linha: Record<string, unknown> = {}) {
      serie += 1;
      const txid = `TXDETESTE${serie}`;
      const id = await fabrica.fatura(provedor, {
        cliente_id: cliente,
        contrato_id: contrato,
        pix_txid: txid,
        ...VENCIDA,
        ...linha,
      });
      const ler = async (processo = 0): Promise<any> =>
        (await api.get(`/faturas/${id}`, { chave, processo })).corpo.dados;
      return { id, txid, ler };
    },
    async contratoAgora(id = contrato): Promise<any> {
      return (await api.get(`/contratos/${id}`, { chave })).corpo.dados;
    },
    /** What the provider's tables hold, to see whether anything was written. */
    async tudo(): Promise<string> {
      const tabelas = [
        'faturas',
        'contratos',
        'pix_recebidos',
        'pix_devolucoes',
        'eventos',
        'auditoria',
        'rede_pedidos',
      ];
      const linhas = [];
      for (const tabela of [...tabelas, 'contratos_historico', 'notificacoes']) {
        linhas.push(await api.container.db(tabela).where({ provedor_id: provedor }).orderBy('id'));
      }
      return JSON.stringify(linhas, (nome, valor: unknown) => (nome === 'publicado_em' ? null : valor));
    },
    async ultimoEvento(): Promise<{ tipo: string; dados: any }> {
      const linha = await api.container.db('eventos').where({ provedor_id: provedor }).orderBy('id', 'desc').first();
      return { tipo: linha.tipo, dados: jsonColumn(linha.dados) };
    },
    async notificacoes(): Promise<string[]> {
      return api.container.db('notificacoes').where({ provedor_id: provedor }).orderBy('id').pluck('tipo');
    },
    async eventos(): Promise<string[]> {
      const linhas = await api.container.db('eventos').where({ provedor_id: provedor }).orderBy('id').select('tipo');
      return linhas.map(({ tipo }: { tipo: string }) => tipo).filter((tipo) => !/^(?:chave|receptor)\./.test(tipo));
    },
  };
}

function pix(txid: string, valor: string, mais: Partial<PixDoPsp> = {}): PixDoPsp {
  return { endToEndId: novoFimAFim(), txid, valor, horario: '2026-11-20T14:59:00.123Z', ...mais };
}

const devolucao = (valor: string, id = 'D1', status = 'DEVOLVIDO') => ({
  id,
  rtrId: `D${novoFimAFim()}`,
  valor,
  status,
});

test('um PIX do que se deve quita a fatura, com auditoria e evento', async (t) => {
  const a = await assinante();
  const { id, txid, ler } = await a.fatura();
  t.is((await ler()).valor_atualizado, 102.23);
  t.deepEqual(await psp.avisar(a.segredo, [pix(txid, '102.23', { infoPagador: 'obrigado' })]), ['quitada']);
  for (const processo of [0, 1]) {
    t.like(await ler(processo), {
      situacao: 'paga',
      valor_pago: 102.23,
      valor_atualizado: null,
      pago_em: '2026-11-20T14:59:00.123Z',
      segunda_via: null,
    });
  }
  const [linha] = await api.container.db('auditoria').where({ provedor_id: a.provedor, acao: 'fatura.paga' });
  t.like(linha, { recurso: 'fatura', recurso_id: id, autor: 'PIX: Banco de teste', ip: '127.0.0.1', chave_id: null });
  t.deepEqual(await a.eventos(), ['fatura.paga']);
  t.notRegex(await a.tudo(), /obrigado/);
});

test('o mesmo PIX avisado de novo não muda nada', async (t) => {
  const a = await assinante();
  const { txid } = await a.fatura();
  const pago = pix(txid, '102.23');
  await psp.avisar(a.segredo, [pago]);
  const antes = await a.tudo();
  t.deepEqual(await psp.avisar(a.segredo, [pago]), ['repetida']);
  t.deepEqual(await psp.avisar(a.segredo, [{ ...pago, horario: '2026-11-01T00:00:00Z' }]), ['repetida']);
  t.is(await a.tudo(), antes);
});

test('o mesmo PIX avisado vinte vezes ao mesmo tempo, por dois processos, conta uma', async (t) => {
  const a = await assinante();
  const { txid, ler } = await a.fatura();
  const pago = pix(txid, '102.23');
  const feitos = await Promise.all(Array.from({ length: 20 }, (_, i) => psp.avisar(a.segredo, [pago], i % 2)));
  t.is(feitos.filter(([resultado]) => resultado === 'quitada').length, 1);
  t.is(feitos.filter(([resultado]) => resultado === 'repetida').length, 19);
  t.is((await ler()).valor_pago, 102.23);
  t.deepEqual(await a.eventos(), ['fatura.paga']);
});

test('o que a noite gravou de uma fatura sai dela com o pagamento', async (t) => {
  const a = await assinante();
  const { id, txid } = await a.fatura();
  const faturas = () => api.container.db('faturas').where({ id });
  await faturas().update({ situacao: 'vencida', valor_atualizado: '102.23', apurada_em: '2026-11-20' });
  t.deepEqual(await psp.avisar(a.segredo, [pix(txid, '10.00')]), ['parcial']);
  t.like(await faturas().first(), { situacao: 'vencida', valor_atualizado: null, apurada_em: null });
});

test('um PIX a menos fica à vista, e o que falta é o que se cobra', async (t) => {
  const a = await assinante();
  const { txid, ler } = await a.fatura();
  t.deepEqual(await psp.avisar(a.segredo, [pix(txid, '99.90')]), ['parcial']);
  const emParte = await ler();
  t.like(emParte, { situacao: 'vencida', valor: 99.9, valor_pago: 99.9, valor_atualizado: 2.33, pago_em: null });
  t.is(getPixPayloadInfo(emParte.segunda_via.pix_copia_cola)?.amount, 2.33);
  const [{ n }] = (await api.container
    .db('notificacoes')
    .where({ provedor_id: a.provedor, tipo: 'fatura.paga_em_parte' })
    .count({ n: '*' })) as [{ n: number }];
  t.is(n, 1);

  t.deepEqual(await psp.avisar(a.segredo, [pix(txid, '2.33', { horario: '2026-11-20T15:00:00Z' })]), ['quitada']);
  t.like(await ler(), { situacao: 'paga', valor_pago: 102.23, pago_em: '2026-11-20T15:00:00.000Z' });
  t.deepEqual(await a.eventos(), ['fatura.paga_em_parte', 'fatura.paga']);
});

test('a lista conta os pagamentos de cada fatura paga em parte, e só os dela', async (t) => {
  const a = await assinante();
  const [uma, outra, intacta] = [await a.fatura(), await a.fatura(), await a.fatura()];
  await psp.avisar(a.segredo, [pix(uma.txid, '50.00'), pix(outra.txid, '30.00'), pix(outra.txid, '20.00')]);
  const { dados } = (await api.get('/faturas', { chave: a.chave })).corpo;
  const porId = new Map(dados.map((fatura: any) => [fatura.id, [fatura.valor_pago, fatura.valor_atualizado]]));
  t.deepEqual(porId.get(uma.id), [50, 52.23]);
  t.deepEqual(porId.get(outra.id), [50, 52.23]);
  t.deepEqual(porId.get(intacta.id), [0, 102.23]);
});

test('dois pagamentos de parte quitam na ordem em que chegarem', async (t) => {
  const [a, b] = [await assinante(), await assinante()];
  const [na, nb] = [await a.fatura(), await b.fatura()];
  // 50.00 before it is due leaves 49.90, which on the 20th is 49.90 + 1.00 + 0.17.
  const cedo = { valor: '50.00', horario: '2026-11-05T12:00:00Z' };
  const tarde = { valor: '51.07', horario: '2026-11-20T12:00:00Z' };
  t.deepEqual(await psp.avisar(a.segredo, [pix(na.txid, '', cedo), pix(na.txid, '', tarde)]), ['parcial', 'quitada']);
  t.deepEqual(await psp.avisar(b.segredo, [pix(nb.txid, '', tarde), pix(nb.txid, '', cedo)]), ['parcial', 'quitada']);
  const esperada = { situacao: 'paga', valor_pago: 101.07, pago_em: '2026-11-20T12:00:00.000Z' };
  t.like(await na.ler(), esperada);
  t.like(await nb.ler(), esperada);
});

test('vale o dia em que se pagou, e não o do aviso nem o de um relógio adiantado', async (t) => {
  const a = await assinante();
  const noDia = await a.fatura();
  // 23:59:59.999 of the due date in São Paulo.
  t.deepEqual(await psp.avisar(a.segredo, [pix(noDia.txid, '99.90', { horario: '2026-11-11T02:59:59.999Z' })]), [
    'quitada',
  ]);
  t.is((await noDia.ler()).pago_em, '2026-11-11T02:59:59.999Z');
  // The day after still counts what was owed on the day before; the next one does not.
  for (const [horario, resultado] of [
    ['2026-11-12T02:59:59.999Z', 'quitada'],
    ['2026-11-12T03:00:00Z', 'parcial'],
  ] as const) {
    const depois = await a.fatura();
    t.deepEqual(await psp.avisar(a.segredo, [pix(depois.txid, '99.90', { horario })]), [resultado]);
  }
  const adiantado = await a.fatura();
  t.deepEqual(await psp.avisar(a.segredo, [pix(adiantado.txid, '102.23', { horario: '2026-11-29T12:00:00-03:00' })]), [
    'quitada',
  ]);
  t.is((await adiantado.ler()).pago_em, AGORA);
});

for (const situacao of ['processando', 'estornada']) {
  test(`um PIX quita também uma fatura ${situacao}`, async (t) => {
    const a = await assinante();
    const { txid, ler } = await a.fatura({ situacao });
    t.deepEqual(await psp.avisar(a.segredo, [pix(txid, '102.23')]), ['quitada']);
    t.like(await ler(), { situacao: 'paga', valor_pago: 102.23 });
  });
}

test('um PIX de fatura já paga ou cancelada fica à vista e não a muda', async (t) => {
  const a = await assinante();
  const paga = await a.fatura({ situacao: 'paga', valor_pago: '99.90', pago_em: '2026-11-09 12:00:00.000' });
  const cancelada = await a.fatura({ situacao: 'cancelada' });
  t.deepEqual(await psp.avisar(a.segredo, [pix(paga.txid, '99.90'), pix(cancelada.txid, '10.00')]), [
    'excedente',
    'excedente',
  ]);
  t.like(await paga.ler(), { situacao: 'paga', valor_pago: 199.8, pago_em: '2026-11-09T12:00:00.000Z' });
  t.like(await cancelada.ler(), { situacao: 'cancelada', valor_pago: 10, pago_em: null });
  t.deepEqual(await a.eventos(), ['fatura.paga_a_mais', 'fatura.paga_a_mais']);
});

test('quem paga a mais de uma vez quita, e o que sobrou fica à vista', async (t) => {
  const a = await assinante();
  const { txid, ler } = await a.fatura();
  t.deepEqual(await psp.avisar(a.segredo, [pix(txid, '150.00')]), ['quitada']);
  t.like(await ler(), { situacao: 'paga', valor_pago: 150 });
  t.deepEqual(await a.eventos(), ['fatura.paga']);
  t.like(await a.ultimoEvento(), { tipo: 'fatura.paga', dados: { valor: '150.00', excedente: '47.77' } });
  t.deepEqual(await a.notificacoes(), ['fatura.paga_a_mais']);
});

for (const [vencimento, falta, atualizado] of [
  ['2026-12-10', 39.9, null],
  // 39.90 + 0.80 + 0.13.
  ['2026-11-10', 40.83, 40.83],
] as const) {
  test(`o que se recebeu sem data (caixa, arquivo do banco) conta em dia, de hoje em diante: vence em ${vencimento}`, async (t) => {
    const a = await assinante();
    const { txid, ler } = await a.fatura({ vencimento, valor_pago: '60.00' });
    const { segunda_via, valor_atualizado } = await ler();
    t.is(getPixPayloadInfo(segunda_via.pix_copia_cola)?.amount, falta);
    t.is(valor_atualizado, atualizado);
    t.deepEqual(await psp.avisar(a.segredo, [pix(txid, falta.toFixed(2))]), ['quitada']);
    t.like(await ler(), { situacao: 'paga', valor_pago: 60 + falta });
  });
}

// Devolutions

test('a devolução inteira estorna a fatura', async (t) => {
  const a = await assinante();
  const { txid, ler } = await a.fatura();
  const pago = pix(txid, '102.23');
  await psp.avisar(a.segredo, [pago]);
  t.deepEqual(await psp.avisar(a.segredo, [{ ...pago, devolucoes: [devolucao('102.23')] }]), ['estornada']);
  t.like(await ler(), { situacao: 'estornada', valor_pago: 0, segunda_via: null });
  t.deepEqual(await a.eventos(), ['fatura.paga', 'fatura.estornada']);
  const antes = await a.tudo();
  t.deepEqual(await psp.avisar(a.segredo, [{ ...pago, devolucoes: [devolucao('102.23')] }, pago]), [
    'repetida',
    'repetida',
  ]);
  t.is(await a.tudo(), antes);
});

test('a devolução de parte deixa a fatura paga; a do resto a estorna, em avisos inteiros ou um a um', async (t) => {
  const a = await assinante();
  const { txid, ler } = await a.fatura();
  const pago = pix(txid, '102.23');
  await psp.avisar(a.segredo, [pago]);
  const primeira = devolucao('40.00', 'D1');
  t.deepEqual(await psp.avisar(a.segredo, [{ ...pago, devolucoes: [primeira] }]), ['devolvida']);
  t.like(await ler(), { situacao: 'paga', valor_pago: 62.23 });
  t.deepEqual(await psp.avisar(a.segredo, [{ ...pago, devolucoes: [primeira, devolucao('60.00', 'D2')] }]), [
    'devolvida',
  ]);
  t.like(await ler(), { situacao: 'paga', valor_pago: 2.23 });
  t.deepEqual(await psp.avisar(a.segredo, [{ ...pago, devolucoes: [devolucao('2.23', 'D3')] }]), ['estornada']);
  t.like(await ler(), { situacao: 'estornada', valor_pago: 0 });
});

test('a devolução que chega antes do pagamento, ou com ele, dá no mesmo', async (t) => {
  const a = await assinante();
  const { txid, ler } = await a.fatura();
  const pago = pix(txid, '102.23');
  t.deepEqual(await psp.avisar(a.segredo, [{ ...pago, devolucoes: [devolucao('102.23')] }, pago]), [
    'estornada',
    'repetida',
  ]);
  t.like(await ler(), { situacao: 'estornada', valor_pago: 0 });
});

test('uma devolução em curso ou que não se fez não devolve nada', async (t) => {
  const a = await assinante();
  const { txid, ler } = await a.fatura();
  const pago = pix(txid, '102.23');
  await psp.avisar(a.segredo, [pago]);
  for (const status of ['EM_PROCESSAMENTO', 'NAO_REALIZADO']) {
    t.deepEqual(await psp.avisar(a.segredo, [{ ...pago, devolucoes: [devolucao('102.23', 'D1', status)] }]), [
      'repetida',
    ]);
  }
  t.is((await ler()).situacao, 'paga');
  t.deepEqual(await psp.avisar(a.segredo, [{ ...pago, devolucoes: [devolucao('102.23')] }]), ['estornada']);
});

test('devolver um de dois pagamentos não estorna; nem o de uma fatura ainda em aberto', async (t) => {
  const a = await assinante();
  const dobrada = await a.fatura();
  const [um, dois] = [pix(dobrada.txid, '102.23'), pix(dobrada.txid, '102.23')];
  await psp.avisar(a.segredo, [um, dois]);
  t.deepEqual(await psp.avisar(a.segredo, [{ ...um, devolucoes: [devolucao('102.23')] }]), ['devolvida']);
  t.like(await dobrada.ler(), { situacao: 'paga', valor_pago: 102.23 });

  const aberta = await a.fatura();
  const parte = pix(aberta.txid, '50.00');
  await psp.avisar(a.segredo, [parte]);
  t.deepEqual(await psp.avisar(a.segredo, [{ ...parte, devolucoes: [devolucao('50.00')] }]), ['devolvida']);
  t.like(await aberta.ler(), { situacao: 'vencida', valor_pago: 0, valor_atualizado: 102.23 });
  // What was given back counts for nothing in what comes after it.
  t.deepEqual(await psp.avisar(a.segredo, [pix(aberta.txid, '52.23')]), ['parcial']);
  t.deepEqual(await psp.avisar(a.segredo, [pix(aberta.txid, '50.00')]), ['quitada']);
});

test('não se devolve mais do que veio', async (t) => {
  const a = await assinante();
  const { txid, ler } = await a.fatura();
  const [um, dois] = [pix(txid, '60.00'), pix(txid, '102.23')];
  await psp.avisar(a.segredo, [um, dois]);
  t.deepEqual(await psp.avisar(a.segredo, [{ ...um, devolucoes: [devolucao('90.00')] }]), ['devolvida']);
  t.like(await ler(), { situacao: 'paga', valor_pago: 102.23 });
});

test('o que se devolve inteiro é como se não viesse: a fatura volta a dever, antes ou depois de quitada', async (t) => {
  const [a, b] = [await assinante(), await assinante()];
  const [na, nb] = [await a.fatura(), await b.fatura()];
  const inteira = [devolucao('60.00')];
  const deA = [pix(na.txid, '60.00'), pix(na.txid, '42.23')] as const;
  t.deepEqual(await psp.avisar(a.segredo, [...deA, { ...deA[0], devolucoes: inteira }]), [
    'parcial',
    'quitada',
    'devolvida',
  ]);
  t.like(await a.ultimoEvento(), { tipo: 'fatura.devolvida_em_parte', dados: { falta: '60.00' } });
  const deB = [pix(nb.txid, '60.00'), pix(nb.txid, '42.23')] as const;
  t.deepEqual(await psp.avisar(b.segredo, [deB[0], { ...deB[0], devolucoes: inteira }, deB[1]]), [
    'parcial',
    'devolvida',
    'parcial',
  ]);
  for (const { ler } of [na, nb]) {
    const fatura = await ler();
    t.like(fatura, { situacao: 'vencida', valor_pago: 42.23, valor_atualizado: 60, pago_em: null });
    t.is(getPixPayloadInfo(fatura.segunda_via.pix_copia_cola)?.amount, 60);
  }
});

test('o PIX que quita e de que já se devolveu parte é pago e devolvido', async (t) => {
  const a = await assinante();
  const { txid, ler } = await a.fatura();
  const pago = pix(txid, '150.00', { devolucoes: [devolucao('47.77')] });
  t.deepEqual(await psp.avisar(a.segredo, [pago]), ['devolvida']);
  t.like(await ler(), { situacao: 'paga', valor_pago: 102.23 });
  t.deepEqual(await a.eventos(), ['fatura.paga', 'fatura.devolvida_em_parte']);
  t.deepEqual(await a.notificacoes(), ['fatura.devolvida_em_parte']);
});

test('o mesmo identificador de devolução duas vezes em um aviso é uma devolução', async (t) => {
  const a = await assinante();
  const { txid, ler } = await a.fatura();
  const pago = pix(txid, '102.23', { devolucoes: [devolucao('10.00'), devolucao('10.00')] });
  t.deepEqual(await psp.avisar(a.segredo, [pago, pago]), ['devolvida', 'repetida']);
  t.like(await ler(), { situacao: 'paga', valor_pago: 92.23 });
});

test('uma devolução avisada sem txid, ou com um que já não é de fatura, é do PIX que se conhece', async (t) => {
  const [a, alheio] = [await assinante(), await assinante()];
  const { id, txid, ler } = await a.fatura();
  const pago = pix(txid, '102.23');
  await psp.avisar(a.segredo, [pago]);
  const { txid: _, ...semTxid } = pago;
  t.deepEqual(await psp.avisar(alheio.segredo, [{ ...semTxid, devolucoes: [devolucao('2.23')] }]), [
    'nao_identificada',
  ]);
  t.deepEqual(await psp.avisar(a.segredo, [{ ...semTxid, devolucoes: [devolucao('2.23')] }]), ['devolvida']);
  await api.container.db('faturas').where({ provedor_id: a.provedor, id }).update({ pix_txid: 'OUTROTXID' });
  t.deepEqual(await psp.avisar(a.segredo, [{ ...pago, devolucoes: [devolucao('100.00', 'D2')] }]), ['estornada']);
  t.like(await ler(), { situacao: 'estornada', valor_pago: 0 });
});

for (const situacao of ['processando', 'estornada']) {
  test(`um PIX a menos reabre uma fatura ${situacao}, que cobra o que falta`, async (t) => {
    const a = await assinante();
    const { txid, ler } = await a.fatura({ situacao });
    t.deepEqual(await psp.avisar(a.segredo, [pix(txid, '50.00')]), ['parcial']);
    t.like(await ler(), { situacao: 'vencida', valor_pago: 50, valor_atualizado: 52.23 });
  });
}

test('o que se quitou por outro meio, com desconto que fosse, não muda com um PIX nem com a sua devolução', async (t) => {
  const a = await assinante();
  const pagoEm = '2026-11-09 12:00:00.000';
  const { txid, ler } = await a.fatura({ situacao: 'paga', valor_pago: '90.00', pago_em: pagoEm });
  const pago = pix(txid, '50.00');
  t.deepEqual(await psp.avisar(a.segredo, [pago]), ['excedente']);
  t.deepEqual(await psp.avisar(a.segredo, [{ ...pago, devolucoes: [devolucao('50.00')] }]), ['devolvida']);
  t.like(await ler(), { situacao: 'paga', valor_pago: 90, pago_em: '2026-11-09T12:00:00.000Z' });
});

test('em qualquer ordem e agrupamento, os mesmos pagamentos e devoluções dão o mesmo estado', async (t) => {
  const a = await assinante();
  const pagamento = fc.record({
    // What is owed on some day, parts of it, and too much.
    valor: fc.constantFrom('30.00', '42.23', '49.90', '60.00', '99.90', '102.23', '150.00'),
    dia: fc.constantFrom('05', '10', '11', '15', '20'),
    devolvidos: fc.array(fc.constantFrom('10.00', '30.00', '60.00', '150.00'), { maxLength: 2 }),
  });
  const cenario = fc.record({
    semData: fc.constantFrom('0.00', '0.00', '30.00'),
    pagamentos: fc.array(pagamento, { minLength: 1, maxLength: 3 }),
    ordens: fc.array(fc.array(fc.nat(), { minLength: 9, maxLength: 9 }), { minLength: 3, maxLength: 3 }),
    porAviso: fc.integer({ min: 1, max: 4 }),
  });
  await fc.assert(
    fc.asyncProperty(cenario, async ({ semData, pagamentos, ordens, porAviso }) => {
      const vistos = new Set<string>();
      for (const [n, ordem] of ordens.entries()) {
        const { txid, ler } = await a.fatura({ valor_pago: semData });
        // Each PIX is told by itself, and again with each of its devolutions.
        const avisos = pagamentos.flatMap(({ valor, dia, devolvidos }) => {
          const pago = pix(txid, valor, { horario: `2026-11-${dia}T14:00:00Z` });
          const comDevolucao = devolvidos.map((d, i) => ({ ...pago, devolucoes: [devolucao(d, `D${i}`)] }));
          return n % 2 === 0 ? [pago, ...comDevolucao] : comDevolucao.length === 0 ? [pago] : comDevolucao;
        });
        const naOrdem = avisos
          .map((aviso, i) => ({ aviso, posicao: ordem[i]! }))
          .toSorted((x, y) => x.posicao - y.posicao)
          .map(({ aviso }) => aviso);
        for (let i = 0; i < naOrdem.length; i += porAviso) {
          await psp.avisar(a.segredo, naOrdem.slice(i, i + porAviso), i % 2);
        }
        const { situacao, valor_pago, valor_atualizado, pago_em } = await ler();
        vistos.add(JSON.stringify({ situacao, valor_pago, valor_atualizado, pago_em }));
      }
      t.is(vistos.size, 1, [...vistos].join(' '));
    }),
    { numRuns: quanto(25, 200) },
  );
});

// What is not ours

test('o que não é deste provedor fica guardado sem fatura, e não muda nada de ninguém', async (t) => {
  const [meu, alheio] = [await assinante(), await assinante()];
  const [minha, dele] = [await meu.fatura(), await alheio.fatura()];
  const antes = await alheio.tudo();
  const { txid: _, ...semTxid } = pix('', '102.23');
  t.deepEqual(await psp.avisar(meu.segredo, [pix(dele.txid, '102.23'), pix('DESCONHECIDO', '102.23'), semTxid]), [
    'nao_identificada',
    'nao_identificada',
    'nao_identificada',
  ]);
  t.is(await alheio.tudo(), antes);
  t.is((await api.container.identificacao.naoIdentificados(meu.provedor, 10)).length, 3);
  t.is((await minha.ler()).situacao, 'vencida');
});

test('um identificador de ponta a ponta vale para uma fatura só, e cada provedor tem os seus', async (t) => {
  const [a, b] = [await assinante(), await assinante()];
  const [uma, outra, dele] = [await a.fatura(), await a.fatura(), await b.fatura()];
  const pago = pix(uma.txid, '102.23');
  t.deepEqual(await psp.avisar(a.segredo, [pago, { ...pago, txid: outra.txid }]), ['quitada', 'repetida']);
  t.is((await outra.ler()).situacao, 'vencida');
  t.deepEqual(await psp.avisar(b.segredo, [{ ...pago, txid: dele.txid }]), ['quitada']);
});

// Release

const BLOQUEADO = { situacao: 'bloqueado', bloqueio_origem: 'financeiro', bloqueado_em: '2026-11-15 08:00:00.000' };

test('o contrato bloqueado por cobrança é liberado quando fica em dia', async (t) => {
  const a = await assinante(BLOQUEADO);
  const [uma, outra] = [await a.fatura(), await a.fatura({ vencimento: '2026-10-10' })];
  await a.fatura({ vencimento: '2026-12-10' });
  t.is((await a.contratoAgora()).situacao, 'bloqueado');
  await psp.avisar(a.segredo, [pix(uma.txid, '102.23')]);
  t.is((await a.contratoAgora()).situacao, 'bloqueado');
  await psp.avisar(a.segredo, [pix(outra.txid, '90.00')]);
  t.is((await a.contratoAgora()).situacao, 'bloqueado');
  await psp.avisar(a.segredo, [pix(outra.txid, '100.00')]);
  t.like(await a.contratoAgora(), { situacao: 'ativo', bloqueado_em: null });
  const pedidos = await api.container.db('rede_pedidos').where({ provedor_id: a.provedor });
  t.is(pedidos.length, 1);
  t.like(pedidos[0], { contrato_id: a.contrato, acao: 'liberar', aplicado_em: null });
  const historico = await api.container.db('contratos_historico').where({ provedor_id: a.provedor });
  t.is(historico.length, 1);
  t.like(historico[0], { acao: 'liberacao', autor: 'PIX: Banco de teste' });
  t.deepEqual((await a.eventos()).slice(-2), ['fatura.paga', 'contrato.liberado']);
});

test.serial(
  'quem paga no domingo o que devia é liberado, ainda que outra fatura tenha vencido no sábado',
  async (t) => {
    t.teardown(() => relogio.definir(AGORA));
    const a = await assinante(BLOQUEADO);
    const [uma, outra] = [await a.fatura(), await a.fatura({ vencimento: '2026-11-21' })];
    relogio.definir('2026-11-22T15:00:00.000Z');
    t.is((await outra.ler()).situacao, 'vencida');
    await psp.avisar(a.segredo, [pix(uma.txid, '110.00', { horario: '2026-11-22T14:59:00.000Z' })]);
    t.is((await a.contratoAgora()).situacao, 'ativo');
  },
);

test('um bloqueio manual, e um contrato que não está bloqueado, ficam como estão', async (t) => {
  for (const doContrato of [{ ...BLOQUEADO, bloqueio_origem: 'manual' }, { situacao: 'inativo' }]) {
    const a = await assinante(doContrato);
    const { txid } = await a.fatura();
    t.deepEqual(await psp.avisar(a.segredo, [pix(txid, '102.23')]), ['quitada']);
    t.is((await a.contratoAgora()).situacao, doContrato.situacao);
    t.deepEqual(await a.eventos(), ['fatura.paga']);
  }
});

test('a fatura sem contrato libera os contratos do cliente que nada mais devem', async (t) => {
  const a = await assinante(BLOQUEADO);
  const deve = await fabrica.contrato(a.provedor, { cliente_id: a.cliente, plano_id: a.plano, ...BLOQUEADO });
  await a.fatura({ contrato_id: deve });
  // One without invoices of its own would answer for those of the other.
  await a.fatura({ situacao: 'paga' });
  const { txid } = await a.fatura({ contrato_id: null });
  await psp.avisar(a.segredo, [pix(txid, '102.23')]);
  t.is((await a.contratoAgora()).situacao, 'ativo');
  t.is((await a.contratoAgora(deve)).situacao, 'bloqueado');
});

test('o contrato sem faturas suas é liberado quando nada mais se deve do irmão que o bloqueava', async (t) => {
  const a = await assinante(BLOQUEADO);
  const semFaturas = await fabrica.contrato(a.provedor, { cliente_id: a.cliente, plano_id: a.plano, ...BLOQUEADO });
  const [uma, outra] = [await a.fatura(), await a.fatura()];
  await psp.avisar(a.segredo, [pix(uma.txid, '102.23')]);
  t.is((await a.contratoAgora(semFaturas)).situacao, 'bloqueado');
  await psp.avisar(a.segredo, [pix(outra.txid, '102.23')]);
  for (const id of [a.contrato, semFaturas]) t.is((await a.contratoAgora(id)).situacao, 'ativo');
});

test('o pagamento da fatura do irmão libera quem só depois de bloqueado teve a sua primeira, e não quem deve das suas', async (t) => {
  const a = await assinante();
  const irmao = async () => fabrica.contrato(a.provedor, { cliente_id: a.cliente, plano_id: a.plano, ...BLOQUEADO });
  const [emDia, deve] = [await irmao(), await irmao()];
  const { id: fatura, txid } = await a.fatura();
  await a.fatura({ contrato_id: emDia, vencimento: '2026-12-10' });
  await a.fatura({ contrato_id: deve });
  await psp.avisar(a.segredo, [pix(txid, '102.23')]);
  t.is((await a.contratoAgora(emDia)).situacao, 'ativo');
  t.is((await a.contratoAgora(deve)).situacao, 'bloqueado');
  t.deepEqual((await a.eventos()).slice(-2), ['fatura.paga', 'contrato.liberado']);
  t.like((await a.ultimoEvento()).dados, { por: 'pagamento', fatura });
  const [liberado] = await api.container.db('contratos_historico').where({ contrato_id: emDia });
  t.is(liberado.descricao, `Liberado pelo pagamento da fatura ${fatura}.`);
});

test('quem paga e logo recebe de volta não é liberado', async (t) => {
  const a = await assinante(BLOQUEADO);
  const { txid } = await a.fatura();
  await psp.avisar(a.segredo, [pix(txid, '102.23', { devolucoes: [devolucao('102.23')] })]);
  t.is((await a.contratoAgora()).situacao, 'bloqueado');
});

test('pagamento e desbloqueio de confiança ao mesmo tempo: nenhum falha, e o contrato fica ativo', async (t) => {
  for (let i = 0; i < 15; i += 1) {
    const a = await assinante(BLOQUEADO);
    await api.container.db('regras_cobranca').where({ provedor_id: a.provedor }).update({ desbloqueio_habilitado: 1 });
    const { txid } = await a.fatura();
    const [pago, desbloqueio] = await Promise.all([
      psp.avisar(a.segredo, [pix(txid, '102.23')]),
      api.pedir('POST', `/contratos/${a.contrato}/desbloqueio-confianca`, { chave: a.chave, processo: 1 }),
    ]);
    t.deepEqual(pago, ['quitada']);
    t.true([201, 422].includes(desbloqueio.status), desbloqueio.texto);
    t.is((await a.contratoAgora()).situacao, 'ativo');
  }
});

// The address

test('só o segredo do receptor abre o endereço dele', async (t) => {
  const [a, b] = [await assinante(), await assinante()];
  const { txid } = await a.fatura();
  const corpo = JSON.stringify({ pix: [pix(txid, '102.23')] });
  const antes = await a.tudo();
  const trocado = `${a.segredo.slice(0, -1)}${a.segredo.endsWith('A') ? 'B' : 'A'}`;
  for (const segredo of ['', 'x', trocado, a.segredo.toLowerCase(), `${a.segredo}A`, a.segredo.slice(1)]) {
    const resposta = await psp.pedir(`/webhooks/pix/${segredo}`, { corpo });
    t.is(resposta.status, 404, segredo);
    t.is(resposta.corpo.erro.codigo, 'nao_encontrado');
  }
  const [{ panel_host: deOutro }] = await api.container.db('provedores').where({ id: b.provedor });
  t.is((await psp.pedir(`/webhooks/pix/${a.segredo}`, { corpo, headers: { host: deOutro } })).status, 404);
  t.is(await a.tudo(), antes);

  const [{ panel_host: proprio }] = await api.container.db('provedores').where({ id: a.provedor });
  for (const caminho of ['', '/', '/pix', '/pix/', '?hmac=x', '/pix?ignorar=']) {
    const resposta = await psp.pedir(`/webhooks/pix/${a.segredo}${caminho}`, { corpo, headers: { host: proprio } });
    t.is(resposta.status, 200, caminho);
    t.truthy(resposta.headers['x-request-id']);
    t.is(resposta.headers['cache-control'], 'no-store');
  }
});

test('um receptor revogado deixa de valer na hora, e a lista de IPs é respeitada', async (t) => {
  const a = await assinante();
  const { receptores } = api.container;
  const { id, segredo } = await receptores.criar(TERMINAL, a.provedor, {
    nome: 'Outro',
    ipsPermitidos: ['203.0.113.0/24'],
  });
  const corpo = JSON.stringify({ pix: [] });
  const fora = await psp.pedir(`/webhooks/pix/${segredo}`, { corpo });
  t.is(fora.status, 403);
  t.is(fora.corpo.erro.codigo, 'ip_nao_autorizado');
  t.is((await psp.pedir(`/webhooks/pix/${a.segredo}`, { corpo, metodo: 'PUT' })).status, 405);
  t.true(await receptores.revogar(TERMINAL, a.provedor, id));
  t.is((await psp.pedir(`/webhooks/pix/${segredo}`, { corpo })).status, 404);
});

// The body

test('um corpo que não é da API Pix é recusado, e nada é gravado', async (t) => {
  const a = await assinante();
  const { txid } = await a.fatura();
  const bom = pix(txid, '102.23');
  const antes = await a.tudo();
  for (const [corpo, campo] of [
    ['', 'corpo'],
    ['{', 'corpo'],
    ['"pix"', 'corpo'],
    [Buffer.from([0x7b, 0xff, 0x7d]), 'corpo'],
    ['{"pix":{}}', 'pix'],
    [JSON.stringify({ pix: Array.from({ length: 1001 }, () => 0) }), 'pix'],
  ] as const) {
    const resposta = await psp.pedir(`/webhooks/pix/${a.segredo}`, { corpo });
    t.is(resposta.status, 400, String(corpo).slice(0, 80));
    t.is(resposta.corpo.erro.codigo, 'parametro_invalido');
    t.is(resposta.corpo.erro.mensagem.split(':')[0], campo, String(corpo).slice(-200));
  }
  const corpo = JSON.stringify({ pix: [bom] });
  for (const headers of [{ 'content-type': 'text/plain' }, { 'content-encoding': 'gzip' }]) {
    t.is((await psp.pedir(`/webhooks/pix/${a.segredo}`, { corpo, headers })).status, 400);
  }
  const enorme = JSON.stringify({ pix: [bom], resto: 'x'.repeat(1_100_000) });
  t.is((await psp.pedir(`/webhooks/pix/${a.segredo}`, { corpo: enorme })).status, 400);
  t.is(await a.tudo(), antes);
});

test('um corpo que é só a lista dos PIX é tomado como o do esquema', async (t) => {
  const a = await assinante();
  const { txid } = await a.fatura();
  const { status, corpo } = await psp.pedir(`/webhooks/pix/${a.segredo}?ignorar=/pix`, {
    corpo: JSON.stringify([pix(txid, '102.23')]),
  });
  t.is(status, 200);
  t.is(corpo.dados[0].resultado, 'quitada');
});

test('um PIX fora do formato é recusado pelo nome do campo, sem mudar o dinheiro, e os outros do aviso são registrados', async (t) => {
  const a = await assinante();
  const { txid } = await a.fatura();
  const bom = pix(txid, '102.23');
  await psp.avisar(a.segredo, [bom]);
  const { provedor: provedor_id } = a;
  const dinheiro = async (): Promise<string> =>
    JSON.stringify([
      await api.container.db('faturas').where({ provedor_id }),
      await api.container.db('pix_recebidos').where({ provedor_id }),
    ]);
  const antes = await dinheiro();
  for (const [item, campo] of [
    [null, 'pix/1'],
    ['E1', 'pix/1'],
    [{ endToEndId: undefined }, 'pix/1/endToEndId'],
    [{ endToEndId: 'E123' }, 'pix/1/endToEndId'],
    [{ endToEndId: 7 }, 'pix/1/endToEndId'],
    [{ txid: 7 }, 'pix/1/txid'],
    [{ valor: undefined }, 'pix/1/valor'],
    [{ valor: 102.23 }, 'pix/1/valor'],
    [{ valor: '102,23' }, 'pix/1/valor'],
    [{ valor: '102.2' }, 'pix/1/valor'],
    [{ valor: '-1.00' }, 'pix/1/valor'],
    [{ valor: '0.00' }, 'pix/1/valor'],
    [{ valor: '99999999999.00' }, 'pix/1/valor'],
    [{ horario: undefined }, 'pix/1/horario'],
    [{ horario: 'ontem' }, 'pix/1/horario'],
    [{ horario: '2026-02-30T12:00:00Z' }, 'pix/1/horario'],
    [{ horario: '2026-11-20T25:00:00Z' }, 'pix/1/horario'],
    [{ horario: '2026-11-20T12:00:00' }, 'pix/1/horario'],
    [{ horario: '1000-01-01T00:00:00Z' }, 'pix/1/horario'],
    [{ horario: '0000-01-01T00:00:00+14:00' }, 'pix/1/horario'],
    [{ devolucoes: {} }, 'pix/1/devolucoes'],
    [{ devolucoes: [{ id: 'D1', valor: '1.00' }] }, 'pix/1/devolucoes/0/status'],
    [{ devolucoes: [{ ...devolucao('1.00'), valor: '1' }] }, 'pix/1/devolucoes/0/valor'],
    [{ devolucoes: [{ ...devolucao('1.00'), natureza: 1 }] }, 'pix/1/devolucoes/0/natureza'],
    [{ valor: `\0${'é'.repeat(62)}\u{1f600}` }, 'pix/1/valor'],
    [{ valor: '\ud83d' }, 'pix/1/valor'],
  ] as const) {
    const ruim = typeof item === 'object' && item !== null ? { ...pix(txid, '1.00'), ...item } : item;
    const corpo = JSON.stringify({ pix: [bom, ruim, bom] });
    const resposta = await psp.pedir(`/webhooks/pix/${a.segredo}`, { corpo });
    t.is(resposta.status, 200, corpo);
    const [antesDele, recusado, depoisDele] = resposta.corpo.dados;
    t.deepEqual([antesDele.resultado, depoisDele.resultado], ['repetida', 'repetida']);
    t.is(recusado.resultado, 'recusada', corpo);
    t.is(recusado.motivo.split(':')[0], campo, corpo);
  }
  // So deep that it cannot be written as JSON again.
  const fundo = JSON.stringify({ pix: [bom, { ...pix(txid, '1.00'), valor: '@' }, bom] }).replace(
    '"@"',
    '['.repeat(100_000) + ']'.repeat(100_000),
  );
  const respostaAoFundo = await psp.pedir(`/webhooks/pix/${a.segredo}`, { corpo: fundo });
  t.is(respostaAoFundo.status, 200);
  t.is(respostaAoFundo.corpo.dados[1].motivo, 'pix/1/valor: fora do formato da API Pix.');
  t.is(await dinheiro(), antes);
  const outra = await a.fatura();
  const corpo = JSON.stringify({ pix: [{ endToEndId: 'E1' }, pix(outra.txid, '102.23')] });
  const { corpo: lido } = await psp.pedir(`/webhooks/pix/${a.segredo}`, { corpo });
  t.like(lido.dados[0], { endToEndId: 'E1', resultado: 'recusada' });
  t.is(lido.dados[1].resultado, 'quitada');
});

test('o que falta pode vir nulo ou vazio', async (t) => {
  const a = await assinante();
  const { txid } = await a.fatura();
  t.deepEqual(
    await psp.avisar(a.segredo, [
      { ...pix('', '1.00'), devolucoes: null },
      { ...pix('', '1.00'), txid: null },
      pix(txid, '102.23', { devolucoes: null }),
    ]),
    ['nao_identificada', 'nao_identificada', 'quitada'],
  );
});

test('um PIX que falha não impede os seguintes; a resposta é 500, e o aviso de novo só faz o que faltou', async (t) => {
  const a = await assinante();
  const [falha, boa] = [await a.fatura(), await a.fatura()];
  const [ruim, bom] = [pix(falha.txid, '102.23'), pix(boa.txid, '102.23')];
  await api.dono.raw(`
    CREATE TRIGGER falha_de_teste BEFORE INSERT ON pix_recebidos FOR EACH ROW
    IF NEW.end_to_end_id = '${ruim.endToEndId}' THEN SIGNAL SQLSTATE '45000'; END IF`);
  try {
    const resposta = await psp.pedir(`/webhooks/pix/${a.segredo}`, { corpo: JSON.stringify({ pix: [ruim, bom] }) });
    t.is(resposta.status, 500);
    t.is(resposta.corpo.erro.codigo, 'erro_interno');
  } finally {
    await api.dono.raw('DROP TRIGGER falha_de_teste');
  }
  t.is((await boa.ler()).situacao, 'paga');
  t.deepEqual(await psp.avisar(a.segredo, [ruim, bom]), ['quitada', 'repetida']);
});

test.serial('um PIX que outro registra ao mesmo tempo para outra fatura é só dela, e nenhum aviso falha', async (t) => {
  const a = await assinante();
  const [uma, outra] = [await a.fatura(), await a.fatura()];
  const pago = pix(uma.txid, '102.23');
  const meio = await api.dono.transaction();
  await createTenantWriter(meio, a.provedor).insert('pix_recebidos', {
    fatura_id: outra.id,
    end_to_end_id: pago.endToEndId,
    valor: pago.valor,
    pago_em: '2026-11-20 14:59:00.000',
    criado_em: '2026-11-20 15:00:00.000',
  });
  const aviso = psp.avisar(a.segredo, [pago]);
  // It waits for the other's row, which is not committed yet.
  await sleep(300);
  await meio.commit();
  t.deepEqual(await aviso, ['repetida']);
  t.is((await uma.ler()).situacao, 'vencida');
});

test('campos que não usamos, e o aviso de teste de um PSP, passam', async (t) => {
  const a = await assinante();
  const { txid } = await a.fatura();
  const corpo = { evento: 'teste_webhook', data_criacao: '2026-11-20T12:00:00.000Z' };
  const vazio = await psp.pedir(`/webhooks/pix/${a.segredo}/pix`, { corpo: JSON.stringify(corpo) });
  t.deepEqual([vazio.status, vazio.corpo], [200, { sucesso: true, dados: [] }]);
  const cheio = {
    ...pix(txid, '102.23'),
    chave: 'x',
    componentesValor: { original: { valor: '102.23' } },
    gnExtras: {},
  };
  t.deepEqual(await psp.avisar(a.segredo, [cheio]), ['quitada']);
});

test('muitas tentativas de adivinhar um endereço são recusadas, e as certas não', async (t) => {
  const proprio = await criarApi({ relogio, bancoDe: api });
  try {
    const outro = criarPsp(proprio);
    const a = await assinante();
    const corpo = JSON.stringify({ pix: [] });
    const vistos = new Set<number>();
    for (let i = 0; i < 65; i += 1) vistos.add((await outro.pedir('/webhooks/pix/x', { corpo })).status);
    t.deepEqual([...vistos], [404, 429]);
    t.truthy((await outro.pedir('/webhooks/pix/x', { corpo })).headers['retry-after']);
    t.is((await outro.pedir(`/webhooks/pix/${a.segredo}`, { corpo })).status, 200);
  } finally {
    await proprio.fechar();
  }
});

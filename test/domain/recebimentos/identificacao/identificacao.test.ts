import test from 'ava';
import { TERMINAL } from '../../../../src/domain/actor.ts';
import { createIdentificacaoService } from '../../../../src/domain/recebimentos/identificacao/identificacao.service.ts';
import { jsonColumn } from '../../../../src/platform/mysql/database.ts';
import { createRecebimentosIdentificarJob } from '../../../../workers/jobs/recebimentos-identificar.job.ts';
import { criarApi } from '../../../support/api.ts';
import type { Api } from '../../../support/api.ts';
import { relogioEm } from '../../../support/relogio.ts';
import { contextoDeTarefa } from '../../../support/trabalhador.ts';
import { criarDevedor } from '../../faturas/apoio.ts';
import { BLOQUEADO, criarAssinante, devolucao, pix } from '../assinante.ts';
import type { Assinante } from '../assinante.ts';

/** 150.00 of the 10th, owed on the 20th. */
const DEVIDO = '153.50';

const relogio = relogioEm('2026-11-20T15:00:00.000Z');
let api: Api;
test.before(async () => {
  api = await criarApi({ relogio });
});
test.after.always(() => api.fechar());

const novo = async (doContrato: object = {}) => criarAssinante(api, doContrato);

/** The job is everybody's: who looks at what it has not done yet runs alone. */
async function rodarJob(): Promise<void> {
  const identificacao = createIdentificacaoService({ ...api.container, relogio });
  await createRecebimentosIdentificarJob(identificacao)({}, contextoDeTarefa());
}

const conferir = async ({ provedor }: Assinante) => api.container.identificacao.conferir(provedor);
const soltos = async ({ provedor }: Assinante) => api.container.identificacao.naoIdentificados(provedor, 100);

test('um PIX com txid desconhecido, ou sem txid, fica guardado e à vista', async (t) => {
  const a = await novo();
  const { txid: _, ...semTxid } = pix('', '20.00');
  const avisados = [pix('DESCONHECIDO', '10.00'), semTxid, pix('***', '30.00'), pix('x'.repeat(36), '40.00')];
  const resultados = Array.from(avisados, () => 'nao_identificada');
  t.deepEqual(await a.avisar(...avisados), resultados);
  t.deepEqual(
    (await soltos(a)).map(({ txid, valor }) => [txid, valor]),
    [
      ['DESCONHECIDO', 1000],
      [null, 2000],
      [null, 3000],
      [null, 4000],
    ],
  );
  t.deepEqual(
    await a.notificacoes(),
    Array.from(avisados, () => 'recebimento.nao_identificado'),
  );
  const auditoria = await a.linhas('auditoria').where({ acao: 'recebimento.nao_identificado' });
  t.is(auditoria.length, 4);
  t.like(auditoria[0], { recurso: 'recebimento', autor: 'PIX: Banco de teste' });
  t.like(await conferir(a), { avisado: 10_000, naoIdentificado: 10_000, aplicado: 0, diferenca: 0 });
  const antes = JSON.stringify(await a.linhas('eventos').select('id'));
  t.deepEqual(
    await a.avisar(...avisados),
    Array.from(avisados, () => 'repetida'),
  );
  t.is(JSON.stringify(await a.linhas('eventos').select('id')), antes);
});

test.serial(
  'o PIX que chegou antes da sua fatura a quita quando ela vem, pela tarefa, e libera o contrato',
  async (t) => {
    const a = await novo(BLOQUEADO);
    await a.avisar(pix('AINDANAO', DEVIDO), pix('NUNCA', '1.00'));
    await rodarJob();
    t.is((await soltos(a)).length, 2);
    const { ler } = await a.fatura({ pix_txid: 'AINDANAO' });
    t.is(await a.situacaoDoContrato(), 'bloqueado');
    await rodarJob();
    t.like(await ler(), { situacao: 'paga', valor_pago: 153.5, pago_em: '2026-11-20T14:59:00.123Z' });
    t.is(await a.situacaoDoContrato(), 'ativo');
    t.deepEqual(
      (await a.eventos()).map(({ tipo }) => tipo),
      ['recebimento.nao_identificado', 'recebimento.nao_identificado', 'fatura.paga', 'contrato.liberado'],
    );
    t.is((await soltos(a)).length, 1);
    const antes = await a.linhas('auditoria');
    await rodarJob();
    t.deepEqual(await a.linhas('auditoria'), antes);
  },
);

test.serial('ou quando é avisado de novo, também o que veio sem txid e depois com ele', async (t) => {
  const a = await novo();
  const [comTxid, semTxid] = [pix('DEPOIS1', DEVIDO), { ...pix('', DEVIDO), txid: null }];
  await a.avisar(comTxid, semTxid);
  const [uma, outra] = [await a.fatura({ pix_txid: 'DEPOIS1' }), await a.fatura({ pix_txid: 'DEPOIS2' })];
  t.deepEqual(await a.avisar(comTxid, { ...semTxid, txid: 'DEPOIS2' }), ['quitada', 'quitada']);
  t.is((await uma.ler()).situacao, 'paga');
  t.is((await outra.ler()).situacao, 'paga');
  t.like(await conferir(a), { avisado: 30_700, aplicado: 30_700, naoIdentificado: 0, diferenca: 0 });
});

test.serial(
  'a tarefa procura por 90 dias, também o que se devolveu inteiro; o mais antigo é de quem o vincular',
  async (t) => {
    const a = await novo();
    const devolvido = { ...pix('DEVOLVIDO', DEVIDO), devolucoes: [devolucao(DEVIDO)] };
    await a.avisar(pix('VELHO', DEVIDO), devolvido);
    await api.dono('pix_recebidos').where({ txid: 'VELHO' }).update({ criado_em: '2026-08-22 14:59:59.000' });
    const [velho, nova] = [await a.fatura({ pix_txid: 'VELHO' }), await a.fatura({ pix_txid: 'DEVOLVIDO' })];
    await rodarJob();
    t.like(await nova.ler(), { situacao: 'estornada', valor_pago: 0 });
    t.is((await velho.ler()).situacao, 'vencida');
    const [solto, ...mais] = await soltos(a);
    t.deepEqual(mais, []);
    t.is(await api.container.identificacao.vincular(TERMINAL, a.provedor, solto!.id, velho.id), 'quitada');
  },
);

test('à mão, vale o dia em que se pagou; e o que se vinculou por engano se desfaz', async (t) => {
  const a = await novo(BLOQUEADO);
  const { id, ler } = await a.fatura();
  await a.avisar(pix('OUTRACOISA', '150.00', { horario: '2026-11-10T15:00:00Z' }));
  const [solto] = await soltos(a);
  const { identificacao } = api.container;
  t.is(await identificacao.vincular(TERMINAL, a.provedor, solto!.id, id), 'quitada');
  t.like(await ler(), { situacao: 'paga', pago_em: '2026-11-10T15:00:00.000Z' });
  t.is(await a.situacaoDoContrato(), 'ativo');
  const [vinculo] = await a.linhas('auditoria').where({ acao: 'recebimento.vinculado' });
  t.like(vinculo, { recurso: 'recebimento', recurso_id: solto!.id, autor: 'linha de comando' });

  const denovo = await t.throwsAsync(async () => identificacao.vincular(TERMINAL, a.provedor, solto!.id, id));
  t.is(denovo.message, `o PIX ${solto!.id} já é de uma fatura`);
  await identificacao.desvincular(TERMINAL, a.provedor, solto!.id);
  t.like(await ler(), { situacao: 'vencida', valor_pago: 0, valor_atualizado: 153.5 });
  t.deepEqual(
    (await a.eventos()).slice(-2).map(({ tipo }) => tipo),
    ['recebimento.desvinculado', 'fatura.reaberta'],
  );
  t.is((await soltos(a)).length, 1);
  t.like(await conferir(a), { naoIdentificado: 15_000, aplicado: 0, diferenca: 0 });
  const erro = await t.throwsAsync(async () => identificacao.desvincular(TERMINAL, a.provedor, solto!.id));
  t.regex(erro.message, /não foi vinculado à mão/);
});

test('o PIX de cujo excedente se fez um crédito não se desvincula antes do crédito', async (t) => {
  const a = await criarDevedor(api);
  const [de, para] = [await a.fatura(), await a.fatura({ vencimento: '2026-12-10', valor: '50.00' })];
  await a.avisar(pix('DEMAIS', '203.50'));
  const [solto] = await soltos(a);
  const { identificacao } = api.container;
  await identificacao.vincular(TERMINAL, a.provedor, solto!.id, de.id);
  const { id: credito } = await a.escrever(async ({ ajustes }) => ajustes.aplicarCredito(para.id, { origem: de.id }));
  t.is((await para.ler()).situacao, 'paga');
  const tudo = async () =>
    Promise.all(['pix_recebidos', 'faturas', 'auditoria', 'notificacoes'].map(async (tabela) => a.linhas(tabela)));
  const antes = await tudo();
  const erro = await t.throwsAsync(async () => identificacao.desvincular(TERMINAL, a.provedor, solto!.id));
  t.like(erro, { motivo: 'excedente_usado', detalhe: { registroId: para.id } });
  t.deepEqual(await tudo(), antes);
  await a.escrever(async ({ ajustes }) => ajustes.desfazer(credito, { motivo: 'engano' }));
  await identificacao.desvincular(TERMINAL, a.provedor, solto!.id);
  for (const { ler } of [de, para]) t.not((await ler()).situacao, 'paga');
  t.like(await a.conferir(), { avisado: 20_350, naoIdentificado: 20_350, aplicado: 0, excedente: 0, diferenca: 0 });
});

test('o que o txid identificou não se desvincula; nem há PIX ou fatura de outro provedor', async (t) => {
  const [a, b] = [await novo(), await novo()];
  const [minha, dele] = [await a.fatura(), await b.fatura()];
  await a.avisar(pix(minha.txid, DEVIDO), pix('SOLTO', '1.00'));
  const [pago, solto] = await a.linhas('pix_recebidos');
  const { identificacao } = api.container;
  for (const [fazer, dito] of [
    [async () => identificacao.desvincular(TERMINAL, a.provedor, pago.id), /não foi vinculado à mão/],
    [async () => identificacao.vincular(TERMINAL, a.provedor, solto.id, dele.id), /não tem a fatura/],
    [async () => identificacao.vincular(TERMINAL, b.provedor, solto.id, dele.id), /não tem o PIX/],
    [async () => identificacao.vincular(TERMINAL, 999_999, solto.id, dele.id), /não existe/],
  ] as const) {
    t.regex((await t.throwsAsync<Error>(fazer)).message, dito);
  }
  t.is((await minha.ler()).situacao, 'paga');
});

test('as devoluções do que não se identificou ficam guardadas, e contam quando a fatura vem', async (t) => {
  const a = await novo();
  const pago = pix('SEMFATURA', DEVIDO);
  t.deepEqual(await a.avisar({ ...pago, devolucoes: [devolucao('3.50')] }), ['nao_identificada']);
  t.deepEqual(await a.avisar({ ...pago, devolucoes: [devolucao('3.50'), devolucao('50.00', 'MED_FRAUDE', 'D2')] }), [
    'devolvida',
  ]);
  t.like(await conferir(a), { avisado: 15_350, naoIdentificado: 10_000, devolvido: 5350, diferenca: 0 });
  const { ler } = await a.fatura({ pix_txid: 'SEMFATURA' });
  await rodarJob();
  t.like(await ler(), { situacao: 'vencida', valor_pago: 100, valor_atualizado: 50 });
  t.like(await conferir(a), { aplicado: 10_000, naoIdentificado: 0, devolvido: 5350, diferenca: 0 });
});

test('o que é a mais fica em linha, e sai dela quando se devolve', async (t) => {
  const a = await novo();
  const [dobrada, cancelada] = [await a.fatura(), await a.fatura({ situacao: 'cancelada' })];
  const emDobro = pix(dobrada.txid, DEVIDO);
  await a.avisar(pix(dobrada.txid, DEVIDO), emDobro, pix(cancelada.txid, '10.00'));
  const { identificacao } = api.container;
  t.deepEqual(
    (await identificacao.comExcedente(a.provedor, 10)).map(({ faturaId, excedente }) => [faturaId, excedente]),
    [
      [dobrada.id, 15_350],
      [cancelada.id, 1000],
    ],
  );
  t.like(await conferir(a), { avisado: 31_700, aplicado: 15_350, excedente: 16_350, diferenca: 0 });
  await a.avisar({ ...emDobro, devolucoes: [devolucao(DEVIDO)] });
  t.deepEqual(await dobrada.lancamentos(), {});
  t.like(await conferir(a), { aplicado: 15_350, excedente: 1000, devolvido: 15_350, diferenca: 0 });
});

test('de uma fatura paga por outro meio, é a mais o que veio depois, e o que a paga duas vezes', async (t) => {
  const a = await novo();
  const paga = { situacao: 'paga', pago_em: '2026-11-12 12:00:00.000' };
  const [comDesconto, duasVezes, emParte] = [
    await a.fatura({ ...paga, valor_pago: '140.00' }),
    await a.fatura({ ...paga, valor_pago: '150.00' }),
    await a.fatura(),
  ];
  const cedo = { horario: '2026-11-09T12:00:00Z' };
  await a.avisar(pix(comDesconto.txid, '50.00'), pix(duasVezes.txid, '150.00', cedo), pix(emParte.txid, '50.00', cedo));
  t.deepEqual(await comDesconto.lancamentos(), { excedente: '50.00' });
  // Charges of the two days are not what it was paid twice.
  t.deepEqual(await duasVezes.lancamentos(), { excedente: '150.00' });
  // A cashier takes the rest.
  await api
    .dono('faturas')
    .where({ id: emParte.id })
    .update({ ...paga, valor_pago: '152.07' });
  const pouco = pix(emParte.txid, '1.00');
  t.deepEqual(await a.avisar(pouco), ['excedente']);
  t.deepEqual(await emParte.lancamentos(), { excedente: '1.00' });
});

test('o PIX de outra fatura fica onde está, e o que diverge do primeiro aviso fica à vista, uma vez', async (t) => {
  const a = await novo();
  const [uma, outra] = [await a.fatura(), await a.fatura()];
  const pago = pix(uma.txid, DEVIDO);
  t.deepEqual(await a.avisar(pago, { ...pago, txid: outra.txid }, { ...pago, valor: '1.00' }), [
    'quitada',
    'repetida',
    'repetida',
  ]);
  t.is((await outra.ler()).situacao, 'vencida');
  t.like(await uma.ler(), { situacao: 'paga', valor_pago: 153.5 });
  const { identificacao } = api.container;
  const recusados = await identificacao.recusados(a.provedor, 10);
  t.deepEqual(
    recusados.map(({ motivo }) => motivo),
    ['valor: não é o que se avisou antes deste PIX.', 'txid: não é o que se avisou antes deste PIX.'],
  );
  t.deepEqual(recusados[0]!.dito, { endToEndId: pago.endToEndId, txid: uma.txid, valor: '1.00' });
  t.deepEqual(await a.notificacoes(), ['pix_recusado.guardado', 'pix_recusado.guardado']);
  const antes = await a.linhas('auditoria');
  await a.avisar({ ...pago, txid: outra.txid }, { ...pago, valor: '1.00' });
  t.deepEqual(await a.linhas('auditoria'), antes);
  t.like(await conferir(a), { avisado: 15_350, aplicado: 15_350, diferenca: 0 });

  // What is told of it under another's txid is still of this payment.
  t.deepEqual(await a.avisar({ ...pago, txid: outra.txid, devolucoes: [devolucao('3.50')] }), ['devolvida']);
  t.is((await uma.ler()).valor_pago, 150);
});

test('uma devolução que se avisa de novo com outro valor ou outra natureza fica como era, e à vista, uma vez', async (t) => {
  const a = await novo();
  const { txid, ler } = await a.fatura();
  const pago = pix(txid, DEVIDO);
  const com = (valor: string, natureza: string) => ({ ...pago, devolucoes: [devolucao(valor, natureza)] });
  await a.avisar(pago, com('3.50', 'ORIGINAL'));
  for (let vez = 0; vez < 2; vez += 1) {
    t.deepEqual(await a.avisar(com('50.00', 'ORIGINAL'), com('3.50', 'med_fraude'), com('3.50', 'original')), [
      'repetida',
      'repetida',
      'repetida',
    ]);
  }
  t.like(await ler(), { situacao: 'paga', valor_pago: 150 });
  const recusados = await api.container.identificacao.recusados(a.provedor, 10);
  t.deepEqual(
    recusados.map(({ motivo }) => motivo),
    Array.from({ length: 2 }, () => 'devolucoes: não é o que se avisou antes deste PIX.'),
  );
  t.deepEqual(
    recusados.map(({ dito }) => (dito as { devolucoes: object }).devolucoes),
    [[{ id: 'D1', valor: '3.50', natureza: 'MED_FRAUDE' }], [{ id: 'D1', valor: '50.00', natureza: 'ORIGINAL' }]],
  );
  t.like(await conferir(a), { avisado: 15_350, diferenca: 0 });
});

test('o que não se pode ler fica guardado como veio, sem quem pagou, uma vez', async (t) => {
  const a = await novo();
  const ruim = {
    ...pix('TXID', '12,50'),
    infoPagador: 'segredo do pagador',
    pagador: { cpf: '52998224725', nome: 'Maria da Silva' },
    devolucoes: [{ ...devolucao('1.00'), descricao: 'segredo da devolução' }],
  };
  for (const item of [ruim, { ...ruim }]) {
    const { status, corpo } = await a.responder(pix('OUTRO', '1.00'), item);
    t.is(status, 200);
    t.like(corpo.dados[1], { resultado: 'recusada', motivo: 'pix/1/valor: fora do formato da API Pix.' });
  }
  const [recusado, ...mais] = await a.linhas('pix_recusados');
  t.deepEqual(mais, []);
  t.like(recusado, { motivo: 'valor: fora do formato da API Pix.', receptor: 'Banco de teste' });
  const dito = jsonColumn<Record<string, unknown>>(recusado.dito);
  t.like(dito, { endToEndId: ruim.endToEndId, txid: 'TXID', valor: '12,50', horario: ruim.horario });
  t.notRegex(JSON.stringify([recusado, await a.linhas('auditoria'), await a.linhas('eventos')]), /segredo|Maria|5299/);
  const enorme = { ...pix('TXID', '1.00'), endToEndId: 'E'.repeat(10_000), valor: { a: 'v'.repeat(10_000) } };
  await a.responder(enorme, null, 'E1', 7);
  const guardados = await a.linhas('pix_recusados');
  t.is(guardados.length, 3);
  t.true(JSON.stringify(guardados).length < 2000);
  t.deepEqual(
    (await a.notificacoes()).filter((tipo) => tipo === 'pix_recusado.guardado'),
    Array.from({ length: 3 }, () => 'pix_recusado.guardado'),
  );
});

test('um PIX avisado oito vezes ao mesmo tempo que a sua fatura vem conta uma vez', async (t) => {
  const a = await novo();
  const pago = pix('AOMESMOTEMPO', DEVIDO);
  const [, ...feitos] = await Promise.all([
    a.fatura({ pix_txid: 'AOMESMOTEMPO' }),
    ...Array.from({ length: 8 }, async () => a.avisar(pago)),
    rodarJob(),
    rodarJob(),
  ]);
  await rodarJob();
  const novas = feitos.flat().filter((resultado) => resultado !== undefined && resultado !== 'repetida');
  t.true(novas.length >= 1 && novas.length <= 2, novas.join());
  t.like(await conferir(a), { avisado: 15_350, aplicado: 15_350, diferenca: 0 });
  t.deepEqual((await a.eventos()).filter(({ tipo }) => tipo === 'fatura.paga').length, 1);
});

test('quem vincula à mão enquanto o PIX é avisado não o põe em duas faturas', async (t) => {
  const a = await novo();
  for (let vez = 0; vez < 10; vez += 1) {
    const pago = pix(`DISPUTA${vez}`, DEVIDO);
    await a.avisar(pago);
    const [solto] = await soltos(a);
    const outra = await a.fatura();
    await a.fatura({ pix_txid: `DISPUTA${vez}` });
    const [vinculo] = await Promise.allSettled([
      api.container.identificacao.vincular(TERMINAL, a.provedor, solto!.id, outra.id),
      a.avisar({ ...pago, devolucoes: [devolucao('3.50')] }),
      rodarJob(),
    ]);
    if (vinculo.status === 'rejected') t.regex(String(vinculo.reason), /já é de uma fatura/);
    t.deepEqual(await soltos(a), []);
    const { diferenca, devolvido } = await conferir(a);
    t.deepEqual([diferenca, devolvido], [0, 350 * (vez + 1)]);
  }
});

test('o que outro programa tira de uma fatura aparece na conferência', async (t) => {
  const a = await novo();
  const { id, txid } = await a.fatura();
  await a.avisar(pix(txid, DEVIDO));
  await api.dono('faturas').where({ id }).update({ valor_pago: '100.00' });
  t.like(await conferir(a), { avisado: 15_350, aplicado: 10_000, diferenca: 5350 });
});

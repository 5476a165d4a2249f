import { getPixPayloadInfo } from '@brazilian-utils/brazilian-utils';
import test from 'ava';
import { centavos, escreverDinheiro } from '../../../src/brazil/dinheiro/dinheiro.ts';
import { Recusa } from '../../../src/domain/erros.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { relogioEm } from '../../support/relogio.ts';
import { sorteio } from '../../support/sorteio.ts';
import { BLOQUEADO, devolucao, pix } from '../recebimentos/assinante.ts';
import { criarDevedor } from './apoio.ts';
import type { Devedor } from './apoio.ts';

// Of 150.00 with 2 % and 1 % a month, five centavos a day: on the 20th, ten days late, 153.50 are owed.

const relogio = relogioEm('2026-11-20T15:00:00.000Z');
let api: Api;
test.before(async () => {
  api = await criarApi({ relogio, processos: 2 });
});
test.after.always(() => api.fechar());

const novo = async (doContrato: object = {}, regras: Record<string, unknown> = {}) =>
  criarDevedor(api, doContrato, regras);
const baixar = async (a: Devedor, id: number, valor: string, mais: object = {}) =>
  a.escrever(async ({ baixas }) => baixas.registrar(id, { forma: 'dinheiro', valor, ...mais }));
const desfazerBaixa = async (a: Devedor, id: number) =>
  a.escrever(async ({ baixas }) => baixas.desfazer(id, { motivo: 'engano' }));

test('um pagamento registrado à mão quita, libera, e é dito com a sua forma; desfeito, a fatura volta e ninguém é bloqueado', async (t) => {
  const a = await novo(BLOQUEADO);
  const { id, ler } = await a.fatura();
  const { id: manual, situacao } = await baixar(a, id, '153.50', { observacao: 'Recibo 12' });
  t.is(situacao, 'paga');
  t.is(await a.situacaoDoContrato(), 'ativo');
  t.like(await ler(), { situacao: 'paga', valor_pago: 153.5, pago_em: '2026-11-20T15:00:00.000Z' });
  t.deepEqual(await a.tipos(), ['fatura.baixada', 'fatura.paga', 'contrato.liberado']);
  const [baixada] = await a.linhas('auditoria').where({ acao: 'fatura.baixada' });
  t.like(baixada, { recurso: 'fatura', recurso_id: id, autor: 'linha de comando' });
  t.like(await a.conferir(), { avisado: 0, baixado: 15_350, aplicado: 15_350, excedente: 0, diferenca: 0 });

  await desfazerBaixa(a, manual);
  t.like(await a.linhaDe(id), { situacao: 'vencida', valor_pago: '0.00', pago_em: null });
  t.is(await a.situacaoDoContrato(), 'ativo');
  t.deepEqual((await a.tipos()).slice(3), ['fatura.baixa_desfeita', 'fatura.reaberta']);
  t.is(await a.recusa(async ({ baixas }) => baixas.desfazer(manual, { motivo: 'x' })), 'ja_desfeito');
  t.like(await a.conferir(), { baixado: 0, aplicado: 0, diferenca: 0 });
});

test('vale o dia em que se pagou, e não o do registro; quem registra leu o que se devia, e não tem tolerância', async (t) => {
  const a = await novo({}, { tolerancia_pix_dias: 7 });
  const [em, atrasada] = [await a.fatura(), await a.fatura()];
  t.is((await baixar(a, em.id, '150.00', { pago_em: '2026-11-10' })).situacao, 'paga');
  t.like(await a.linhaDe(em.id), { pago_em: '2026-11-10 15:00:00.000' });
  t.is((await baixar(a, atrasada.id, '153.49')).situacao, 'pendente');
  t.is(await a.deve(atrasada.id), 1);
  for (const [mais, campo] of [
    [{ pago_em: '2026-11-21' }, 'pago_em'],
    [{ pago_em: '2019-11-21' }, 'pago_em'],
    [{ valor: '0' }, 'valor'],
    [{ valor: '0.001' }, 'valor'],
    [{ forma: 'fiado' }, 'forma'],
    [{ chave: 'com espaço' }, 'chave'],
    [{ valor: '9999999999.99' }, 'valor'],
  ] as const) {
    const dados = { forma: 'dinheiro', valor: '1.00', ...mais };
    t.is(await a.recusa(async ({ baixas }) => baixas.registrar(atrasada.id, dados)), campo, JSON.stringify(mais));
  }
});

test('pagamentos à mão e PIX se julgam juntos: partes dos dois quitam, e o que passa sobra', async (t) => {
  const a = await novo();
  const { id, txid, lancamentos } = await a.fatura();
  const { id: manual } = await baixar(a, id, '100.00');
  t.deepEqual(await a.avisar(pix(txid, '60.00')), ['quitada']);
  t.deepEqual(await lancamentos(), { excedente: '6.50' });
  t.like(await a.conferir(), { avisado: 6000, baixado: 10_000, aplicado: 15_350, excedente: 650, diferenca: 0 });
  await desfazerBaixa(a, manual);
  t.like(await a.linhaDe(id), { situacao: 'vencida', valor_pago: '60.00' });
  t.deepEqual(await lancamentos(), {});
  t.like(await a.conferir(), { avisado: 6000, baixado: 0, aplicado: 6000, excedente: 0, diferenca: 0 });
});

test('a mesma chave outra vez é o mesmo pagamento, e de outro é recusada', async (t) => {
  const a = await novo();
  const [uma, outra] = [await a.fatura(), await a.fatura()];
  const com = { chave: 'caixa-1' };
  const { id } = await baixar(a, uma.id, '10.00', com);
  t.like(await baixar(a, uma.id, '10.00', com), { id, repetida: true });
  t.is((await a.linhas('recebimentos_manuais')).length, 1);
  const dados = { forma: 'dinheiro', valor: '10.00', ...com };
  const reutilizada = 'chave_idempotencia_reutilizada';
  t.is(await a.recusa(async ({ baixas }) => baixas.registrar(outra.id, dados)), reutilizada);
  const outroValor = { ...dados, valor: '11.00' };
  t.is(await a.recusa(async ({ baixas }) => baixas.registrar(uma.id, outroValor)), reutilizada);
});

test('um desconto baixa o que se deve desde o seu dia, primeiro dos encargos; o boleto inteiro deixa de ser oferecido', async (t) => {
  const a = await novo();
  const { id, ler } = await a.fatura();
  const { id: ajuste } = await a.escrever(async ({ ajustes }) =>
    ajustes.darDesconto(id, { valor: '3.50', motivo: 'Queda longa' }),
  );
  t.is(await a.deve(id), 15_000);
  t.like(await ler(), { valor: 150, valor_pago: 0, valor_atualizado: null });
  t.like(await a.linhaDe(id), { abatido: '3.50' });
  const acima = { valor: '150.01', motivo: 'x' };
  t.is(await a.recusa(async ({ ajustes }) => ajustes.darDesconto(id, acima)), 'valor_acima_do_devido');
  await a.escrever(async ({ ajustes }) => ajustes.desfazer(ajuste, { motivo: 'engano' }));
  t.is(await a.deve(id), 15_350);
  t.is(await a.recusa(async ({ ajustes }) => ajustes.desfazer(ajuste, { motivo: 'x' })), 'ja_desfeito');
  t.deepEqual(await a.tipos(), ['fatura.ajustada', 'fatura.alterada', 'fatura.ajuste_desfeito', 'fatura.alterada']);
});

test('um desconto do que se deve quita sem que nada tenha entrado, e libera; desfeito, volta a dever', async (t) => {
  const a = await novo(BLOQUEADO);
  const { id, txid } = await a.fatura();
  await a.avisar(pix(txid, '100.00'));
  const { id: ajuste, situacao } = await a.escrever(async ({ ajustes }) =>
    ajustes.darDesconto(id, { valor: '53.50', motivo: 'Acordo' }),
  );
  t.is(situacao, 'paga');
  t.is(await a.situacaoDoContrato(), 'ativo');
  t.like(await a.linhaDe(id), { valor_pago: '100.00', abatido: '53.50' });
  t.like(await a.conferir(), { aplicado: 10_000, excedente: 0, diferenca: 0 });
  // What is paid all the same was not owed.
  t.deepEqual(await a.avisar(pix(txid, '53.50', { horario: '2026-11-20T15:00:00.000Z' })), ['excedente']);
  t.like(await a.conferir(), { aplicado: 10_000, excedente: 5350, diferenca: 0 });
  await a.escrever(async ({ ajustes }) => ajustes.desfazer(ajuste, { motivo: 'engano' }));
  t.like(await a.linhaDe(id), { situacao: 'paga', valor_pago: '153.50', abatido: '0.00' });
});

test('a fatura com desconto cujo PIX se devolve inteiro fica estornada, e reaberta guarda o desconto', async (t) => {
  const a = await novo();
  const { id, txid } = await a.fatura();
  await a.escrever(async ({ ajustes }) => ajustes.darDesconto(id, { valor: '53.50', motivo: 'Acordo' }));
  const pago = pix(txid, '100.00', { horario: '2026-11-20T15:00:00.000Z' });
  t.deepEqual(await a.avisar(pago), ['quitada']);
  t.deepEqual(await a.avisar({ ...pago, devolucoes: [devolucao('100.00')] }), ['estornada']);
  const { rejulgamento } = api.container;
  const { TERMINAL } = await import('../../../src/domain/actor.ts');
  await rejulgamento.reabrir(TERMINAL, a.provedor, id);
  t.is(await a.deve(id), 10_000);
});

test('o que sobrou de uma fatura vira crédito de outra, e já não sobra; desfeito, sobra de novo', async (t) => {
  const a = await novo();
  const [de, para] = [await a.fatura(), await a.fatura({ vencimento: '2026-12-10' })];
  await a.avisar(pix(de.txid, '203.50'));
  t.like(await a.conferir(), { aplicado: 15_350, excedente: 5000, diferenca: 0 });
  const aplicar = async (dados: object) =>
    a.escrever(async ({ ajustes }) => ajustes.aplicarCredito(para.id, { origem: de.id, ...dados }));
  const { id, valor } = await aplicar({});
  t.is(Number(valor), 5000);
  t.is(await a.deve(para.id), 10_000);
  t.like(await para.ler(), { situacao: 'pendente', valor_pago: 0, valor_atualizado: 100 });
  t.like(await a.conferir(), { aplicado: 20_350, excedente: 0, diferenca: 0 });
  const recusado = async (dados: object) =>
    a.recusa(async ({ ajustes }) => ajustes.aplicarCredito(para.id, { origem: de.id, ...dados }));
  t.is(await recusado({}), 'excedente_insuficiente');
  t.is(await recusado({ valor: '0.01' }), 'excedente_insuficiente');
  t.is(await recusado({ origem: para.id }), 'origem');
  t.is(await recusado({ origem: null }), 'valor');
  t.deepEqual(await api.container.identificacao.comExcedente(a.provedor, 10), []);
  await a.escrever(async ({ ajustes }) => ajustes.desfazer(id, { motivo: 'engano' }));
  t.like(await a.conferir(), { aplicado: 15_350, excedente: 5000, diferenca: 0 });
  await aplicar({ valor: '20.00' });
  await a.escrever(async ({ faturas }) => faturas.cancelar(para.id, { motivo: 'x' }));
  t.like(await a.conferir(), { aplicado: 15_350, excedente: 5000, diferenca: 0 });
  t.like(await a.linhaDe(para.id), { situacao: 'cancelada', abatido: '0.00' });
});

test('o excedente que se devolve depois de usado é dito à equipe, e nenhuma soma fica negativa', async (t) => {
  const a = await novo();
  const [de, para] = [await a.fatura(), await a.fatura({ vencimento: '2026-12-10' })];
  const segundo = pix(de.txid, '50.00');
  await a.avisar(pix(de.txid, '153.50'), segundo);
  await a.escrever(async ({ ajustes }) => ajustes.aplicarCredito(para.id, { origem: de.id }));
  await a.avisar({ ...segundo, devolucoes: [devolucao('50.00')] });
  t.true((await a.notificacoes()).includes('fatura.credito_descoberto'));
  const [dito] = (await a.eventos()).filter(({ tipo }) => tipo === 'fatura.credito_descoberto');
  t.deepEqual(dito?.dados, { cliente: a.cliente, valor: '50.00' });
  t.like(await a.conferir(), { aplicado: 15_350, excedente: 0, devolvido: 5000, diferenca: 0 });
});

test('a baixa, ou o desconto, de que veio o que virou crédito de outra fatura não se desfaz antes do crédito', async (t) => {
  const a = await novo();
  const [de, para] = [await a.fatura(), await a.fatura({ vencimento: '2026-12-10' })];
  const { id: desconto } = await a.escrever(async ({ ajustes }) =>
    ajustes.darDesconto(de.id, { valor: '3.50', motivo: 'x' }),
  );
  const { id: pequena } = await baixar(a, de.id, '20.00');
  const { id: grande } = await baixar(a, de.id, '180.00');
  t.deepEqual(await de.lancamentos(), { excedente: '50.00' });
  const { id: credito } = await a.escrever(async ({ ajustes }) =>
    ajustes.aplicarCredito(para.id, { origem: de.id, valor: '48.00' }),
  );
  const antes = await a.linhaDe(de.id);
  const quem = { motivo: 'engano' };
  for (const desfazer of [
    async () => desfazerBaixa(a, grande),
    async () => desfazerBaixa(a, pequena),
    async () => a.escrever(async ({ ajustes }) => ajustes.desfazer(desconto, quem)),
  ]) {
    const recusa = await t.throwsAsync(desfazer, { instanceOf: Recusa });
    t.like(recusa, { motivo: 'excedente_usado', detalhe: { registroId: para.id } });
  }
  t.deepEqual(await a.linhaDe(de.id), antes);
  t.deepEqual(await a.notificacoes(), []);
  t.false((await a.tipos()).includes('fatura.credito_descoberto'));
  // Without the credit it can be undone.
  await a.escrever(async ({ ajustes }) => ajustes.desfazer(credito, quem));
  await desfazerBaixa(a, grande);
  t.like(await a.linhaDe(de.id), { situacao: 'vencida', valor_pago: '20.00' });
  t.like(await a.conferir(), { baixado: 2000, aplicado: 2000, excedente: 0, diferenca: 0 });
});

test('um crédito em fatura que um PIX de antes já pagava volta a sobrar nela', async (t) => {
  const a = await novo();
  const [de, para] = [await a.fatura(), await a.fatura()];
  await a.avisar(pix(de.txid, '203.50'));
  await a.escrever(async ({ ajustes }) => ajustes.aplicarCredito(para.id, { origem: de.id }));
  t.deepEqual(await a.avisar(pix(para.txid, '150.00', { horario: '2026-11-09T15:00:00Z' })), ['quitada']);
  t.deepEqual(await para.lancamentos(), { excedente: '50.00' });
  t.like(await a.conferir(), { avisado: 35_350, aplicado: 30_350, excedente: 5000, diferenca: 0 });
});

test('um desconto de mais do que se devia, como se sabe depois, não sobra a ninguém', async (t) => {
  const a = await novo();
  const fatura = await a.fatura();
  await a.escrever(async ({ ajustes }) => ajustes.darDesconto(fatura.id, { valor: '153.50', motivo: 'cortesia' }));
  // Paid on the due day: then less of the charges were owed than were forgiven.
  t.deepEqual(await a.avisar(pix(fatura.txid, '50.00', { horario: '2026-11-10T15:00:00Z' })), ['excedente']);
  t.deepEqual(await fatura.lancamentos(), { excedente: '50.00' });
  t.like(await a.conferir(), { avisado: 5000, aplicado: 0, excedente: 5000, diferenca: 0 });
});

test('o que sobra de um crédito não é mais do que veio à fatura de que ele sobrou, nem se perde na soma', async (t) => {
  const a = await novo();
  const [de, para] = [await a.fatura(), await a.fatura()];
  await a.avisar(pix(de.txid, '273.50'));
  await a.escrever(async ({ ajustes }) => ajustes.aplicarCredito(para.id, { origem: de.id }));
  t.is(await a.deve(para.id), 3350);
  await a.escrever(async ({ ajustes }) => ajustes.darDesconto(para.id, { valor: '33.50', motivo: 'cortesia' }));
  // It was paid on the due day, and is told now.
  t.deepEqual(await a.avisar(pix(para.txid, '10.00', { horario: '2026-11-10T15:00:00Z' })), ['excedente']);
  const { excedente } = await para.lancamentos();
  const conferido = await a.conferir();
  t.is(excedente, escreverDinheiro(conferido.excedente));
  t.true(conferido.excedente > 1000, 'mais do que o PIX trouxe');
  t.like(conferido, { avisado: 28_350, diferenca: 0 });
});

test.serial(
  'cinquenta registros e desfazimentos de uma fatura ao mesmo tempo, em dois processos, somam ao centavo',
  async (t) => {
    const a = await novo(BLOQUEADO);
    const { id } = await a.fatura({ valor: '1000.00', vencimento: '2026-12-10' });
    const feitas = await Promise.all(
      Array.from({ length: 25 }, async (_, n) =>
        a.escrever(async ({ baixas }) => baixas.registrar(id, { forma: 'dinheiro', valor: '10.00' }), n % 2),
      ),
    );
    const ditas = await Promise.all(
      Array.from({ length: 50 }, async (_, n): Promise<string> => {
        try {
          if (n % 2 === 0) {
            await a.escrever(async ({ baixas }) => baixas.desfazer(feitas[n >> 1]!.id, { motivo: 'x' }), (n % 4) >> 1);
          } else {
            const dados = { forma: 'cartao', valor: '40.00', chave: `k${n % 10}` };
            return String((await a.escrever(async ({ baixas }) => baixas.registrar(id, dados), (n % 4) >> 1)).repetida);
          }
          return 'desfeita';
        } catch (error) {
          return String(error);
        }
      }),
    );
    const contar = (dita: string) => ditas.filter((uma) => uma === dita).length;
    t.deepEqual([contar('desfeita'), contar('false'), contar('true')], [25, 5, 20]);
    t.like(await a.linhaDe(id), { valor_pago: '200.00', situacao: 'pendente' });
    t.like(await a.conferir(), { baixado: 20_000, aplicado: 20_000, diferenca: 0 });
    const emVigor = await a.linhas('recebimentos_manuais').where({ desfeito_em: null });
    t.is(emVigor.length, 5);
  },
);

test.serial('cinquenta créditos do mesmo excedente ao mesmo tempo não usam mais do que sobrou', async (t) => {
  const a = await novo();
  const de = await a.fatura();
  await a.avisar(pix(de.txid, '203.50'));
  const outras = await Promise.all(Array.from({ length: 10 }, async () => a.fatura({ vencimento: '2026-12-10' })));
  const ditos = await Promise.all(
    Array.from({ length: 50 }, async (_, n) =>
      a.recusa(async ({ ajustes }) => ajustes.aplicarCredito(outras[n % 10]!.id, { origem: de.id, valor: '4.00' })),
    ),
  );
  t.is(ditos.filter((dito) => dito === 'feito').length, 12);
  t.is(ditos.filter((dito) => dito === 'excedente_insuficiente').length, 38);
  t.like(await a.conferir(), { excedente: 200, aplicado: 20_150, diferenca: 0 });
});

test.serial(
  'valor_a_pagar é ao centavo o valor do código PIX, também do que foi pago em parte, e é valor, multa e juros menos o que se pagou',
  async (t) => {
    t.teardown(() => relogio.definir('2026-11-20T15:00:00.000Z'));
    const a = await novo({}, { multa_percentual: '1.37', juros_mensal_percentual: '2.91', carencia_dias: 2 });
    const { um, ate } = sorteio(22);
    const ids: number[] = [];
    for (let n = 0; n < 24; n += 1) {
      const vencimento = `2026-${um(['09', '10', '11', '12'])}-${String(1 + ate(28)).padStart(2, '0')}`;
      const valor = escreverDinheiro(centavos(500 + ate(40_000)));
      const { id } = await a.fatura({ valor, vencimento, situacao: 'pendente' });
      ids.push(id);
      for (const parte of n % 3 === 0 ? [] : [ate(200), ate(200)]) {
        await baixar(a, id, escreverDinheiro(centavos(1 + parte)), { pago_em: `2026-11-${10 + ate(11)}` });
      }
    }
    let emParte = 0;
    for (const dia of ['2026-11-20', '2026-11-23', '2026-12-31']) {
      relogio.definir(`${dia}T15:00:00.000Z`);
      for (const id of ids) {
        const dita = (await api.get(`/faturas/${id}`, { chave: a.chave })).corpo.dados;
        const { amount } = getPixPayloadInfo(dita.segunda_via.pix_copia_cola)!;
        t.is(dita.valor_a_pagar, amount);
        const soma = [dita.valor, dita.multa, dita.juros, -dita.valor_pago].map((reais) => Math.round(reais * 100));
        t.is(
          Math.round(dita.valor_a_pagar * 100),
          soma.reduce((total, parte) => total + parte),
        );
        t.is(dita.valor_atualizado ?? dita.valor, dita.valor_atualizado === null ? dita.valor : dita.valor_a_pagar);
        t.is(dita.pago_parcialmente, dita.valor_pago > 0);
        t.is(
          dita.dias_atraso === 0,
          dita.vencimento >= dia || (dia === '2026-11-23' && dita.vencimento >= '2026-11-20'),
        );
        emParte += Number(dita.pago_parcialmente);
      }
    }
    t.is(emParte, 16 * 3);
  },
);

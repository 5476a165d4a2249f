import test from 'ava';
import { atorDaTarefa } from '../../../src/domain/actor.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { ate } from '../../support/espera.ts';
import { relogioEm } from '../../support/relogio.ts';
import { recusa } from './apoio.ts';
import { criarCasaDoWorker } from './casa-do-worker.ts';
import { comandosDe } from './comandos.ts';

const AGORA = '2027-03-02T12:00:00.000Z';
const relogio = relogioEm(AGORA);
/** More than two parts of an undoing. */
const CONTRATOS = 2300;
const PARTE = 1000;
const ACORDO = { devido: '99.90', desconto: '0.00', autor: 'Ana', criada_em: '2027-03-02 12:00:00' };
let api: Api;
test.before(async () => {
  api = await criarApi({ relogio, processos: 2 });
});
test.after.always(() => api.fechar());
test.beforeEach(() => relogio.definir(AGORA));

/** One whose month was made whole by a button. */
async function casaComMes(contratos = CONTRATOS) {
  const c = await criarCasaDoWorker(api, contratos);
  await c.pedir('faturas');
  await c.executar();
  const [vez] = await c.linhas('faturamentos');
  const faturas = (await c.linhas('faturas')).map(({ id }) => id as number).toSorted((a, b) => a - b);
  const desfazer = async (id: number = vez.id) => c.mudar(async ({ faturamento }) => faturamento.desfazer(id));
  const mexer = async (fatura: number, colunas: object) => api.dono('faturas').where('id', fatura).update(colunas);
  const canceladas = async () => (await c.linhas('faturas')).filter((uma) => uma.situacao === 'cancelada').length;
  return { ...c, vez: vez.id as number, faturas, desfazer, mexer, canceladas };
}

test.serial(
  'um mês inteiro se desfaz em partes, também depois de uma morte; o que se pagou ou cancelou no meio fica, e se diz',
  async (t) => {
    const c = await casaComMes();
    t.is(c.faturas.length, CONTRATOS);
    const mandado = await c.desfazer();
    t.is(mandado.faturas, CONTRATOS);
    t.is(await c.canceladas(), 0);
    t.deepEqual(await c.desfazer(), mandado);
    await t.throwsAsync(c.executar(PARTE), { message: 'morreu' });
    t.is(await c.canceladas(), PARTE);
    const [no_meio] = await c.ler(async ({ faturamento }) => faturamento.pedidos('desfazer', 3));
    t.like(no_meio, { vistos: PARTE, total: CONTRATOS, terminadoEm: null, faturamentoId: c.vez });
    t.like(await c.ler(async ({ faturamento }) => faturamento.buscar(c.vez)), { desfazendo: true });

    // Nobody makes its charges anew while it goes on: not the month, nor a booklet.
    const outra = await c.mudar(async ({ faturamento }) => faturamento.gerar({ mes: '2027-04' }));
    t.is(outra.faturas, 0);
    const [{ contrato_id }] = await c.linhas('faturamento_cobrancas');
    const carne = c.mudar(async ({ faturamento }) => faturamento.carnes.gerar({ contrato_id, parcelas: 2 }));
    t.is(await recusa(carne), 'transicao_invalida');
    t.is(await c.contar('faturas'), CONTRATOS);
    t.is(await c.contar('faturamento_cobrancas'), CONTRATOS);

    const [paga, cancelada] = [c.faturas[PARTE + 5]!, c.faturas[PARTE + 6]!];
    await c.mexer(paga, { valor_pago: '1.00' });
    await c.mudar(async ({ faturas }) => faturas.cancelar(cancelada, { motivo: 'cortesia' }));
    const feitos = await Promise.all([c.executar(), c.executar()]);
    t.is(feitos[0].feito + feitos[1].feito, 1);
    const [fim] = await c.ler(async ({ faturamento }) => faturamento.pedidos('desfazer', 3));
    t.like(fim, { vistos: CONTRATOS, motivo: null });
    t.truthy(fim!.terminadoEm);
    t.deepEqual(fim!.desfeito, {
      desfeitas: CONTRATOS - 2,
      ficaram: 1,
      quais: [{ fatura: paga, porque: 'já recebeu um pagamento' }],
    });
    t.is(await c.canceladas(), CONTRATOS - 1);
    const ficam = (await c.linhas('faturamento_cobrancas')).map(({ fatura_id }) => fatura_id);
    t.deepEqual(new Set(ficam), new Set([paga, cancelada]));
    const eventos = (await c.linhas('eventos')).map(({ tipo }) => tipo);
    t.is(eventos.filter((tipo) => tipo === 'fatura.cancelada').length, CONTRATOS - 1);
    t.is(eventos.filter((tipo) => tipo === 'faturamento.desfeito').length, 1);
    t.is(await recusa(c.desfazer()), 'transicao_invalida');

    // The month is made anew, for those that were undone.
    await c.pedir('faturas');
    await c.executar();
    t.is(await c.contar('faturas'), CONTRATOS + CONTRATOS - 2);
    t.is(await c.contar('faturamento_cobrancas'), CONTRATOS);
  },
);

test.serial('o que impede se diz antes de se cancelar a primeira, e de muitas não se lê uma a uma', async (t) => {
  const c = await casaComMes(1100);
  const [primeira, cancelada, ultima] = [c.faturas[0]!, c.faturas.at(-3)!, c.faturas.at(-1)!];
  const { cliente_id } = (await c.linhas('faturas'))[0];
  const nota = { provedor_id: c.id, cliente_id, valor: '99.90', situacao: 'pendente', ambiente: 'homologacao' };
  const [acordo] = await api.dono('renegociacoes').insert({ provedor_id: c.id, cliente_id, ...ACORDO });
  const naFatura = (colunas: object, como: object) => ({
    por: async () => c.mexer(ultima, colunas),
    tirar: async () => c.mexer(ultima, como),
  });
  const impedimentos = [
    ['não está mais em aberto', naFatura({ situacao: 'paga' }, { situacao: 'pendente' })],
    ['já recebeu um pagamento', naFatura({ valor_pago: '1.00' }, { valor_pago: '0.00' })],
    ['tem boleto numa remessa ao banco', naFatura({ boleto_situacao: 'enviado' }, { boleto_situacao: null })],
    ['tem boleto de um banco', naFatura({ linha_digitavel: '1'.repeat(47) }, { linha_digitavel: null })],
    ['tem cobrança num PSP', naFatura({ pix_txid: 'a'.repeat(26) }, { pix_txid: null })],
    [
      'já tem nota fiscal, ou um número reservado para ela',
      {
        por: async () => api.dono('nfcom').insert({ ...nota, fatura_id: ultima }),
        tirar: async () => api.dono('nfcom').where('fatura_id', ultima).delete(),
      },
    ],
    [
      'entrou numa renegociação',
      {
        por: async () =>
          api
            .dono('renegociacoes_faturas')
            .insert({ provedor_id: c.id, renegociacao_id: acordo, fatura_id: ultima, papel: 'origem' }),
        tirar: async () => api.dono('renegociacoes_faturas').where('fatura_id', ultima).delete(),
      },
    ],
  ] as const;
  // What was cancelled stays as it is, and a code of the provider's own, or a note that was given up, hinders nobody.
  await c.mudar(async ({ faturas }) => faturas.cancelar(cancelada, { motivo: 'cortesia' }));
  await api.dono('nfcom').insert({ ...nota, fatura_id: cancelada });
  await api.dono('nfcom').insert({ ...nota, fatura_id: primeira, motivo_codigo: 'descartada' });
  await c.mexer(primeira, { pix_txid: 'a'.repeat(25) });
  for (const [porque, { por, tirar }] of impedimentos) {
    await por();
    const { comandos, erro } = await comandosDe(api, async () => c.desfazer());
    t.regex(String(erro), new RegExp(`a fatura ${ultima} ${porque}`));
    // None names a part of the run's invoices one by one. A refused write bumps what others have left in the outbox, some events at a time.
    const deles = comandos.filter((um) => !um.sql.includes('`eventos`'));
    t.true(deles.length < 25, `${porque}: ${deles.length} instruções`);
    for (const { sql, bindings } of deles) t.true(bindings.length < 50, `${porque}: ${sql.slice(0, 80)}`);
    for (const { sql, bindings } of comandos.filter((um) => /straight_join/i.test(um.sql))) {
      const [plano] = await api.dono.raw(`EXPLAIN FORMAT=TRADITIONAL ${sql}`, bindings as never);
      t.is(plano[0].key, 'faturamento_cobrancas_faturas_da_vez', porque);
      for (const { table, key } of plano) t.truthy(key, `${porque}: ${table}`);
    }
    await tirar();
  }
  t.is(await c.contar('faturamento_pedidos'), 1);
  t.like((await c.linhas('faturamentos'))[0], { desfazendo: null, desfeito_em: null });
  // Of several, it is the first.
  await c.mexer(ultima, { valor_pago: '1.00' });
  await api.dono('nfcom').insert({ ...nota, fatura_id: c.faturas[7]! });
  const erro = await t.throwsAsync(c.desfazer());
  t.regex(erro.message, new RegExp(`a fatura ${c.faturas[7]} já tem nota fiscal`));
  await api.dono('nfcom').where('fatura_id', c.faturas[7]!).delete();
  await c.mexer(ultima, { valor_pago: '0.00' });
  t.truthy((await c.desfazer()).pedido);
});

test.serial('o que se desfaz continua, também enquanto se desfaz outro do mesmo dia', async (t) => {
  const c = await casaComMes(1100);
  const { pedido } = await c.desfazer();
  const [{ dia }] = await c.linhas('faturamentos');
  const marca = { desfazendo: 1, desfeito_em: '2027-03-02 12:00:00', desfeito_por: 'Ana' };
  const [outra = 0] = await api
    .dono('faturamentos')
    .insert({ provedor_id: c.id, dia, origem: 'pedido', iniciado_em: '2027-03-02 12:00:00', ...marca });
  const dela = await c.desfazer(outra);
  t.not(dela.pedido, pedido);
  t.deepEqual(await c.desfazer(outra), dela);
  t.is((await c.desfazer()).pedido, pedido);
  await c.executar();
  t.is(await c.contar('faturamento_cobrancas'), 0);
  t.true((await c.linhas('faturamentos')).every(({ desfazendo }) => desfazendo === null));
});

test.serial('um dia que o trabalho ainda faz não se desfaz antes que termine, ou que outro dia comece', async (t) => {
  const c = await criarCasaDoWorker(api, 30);
  const tarefa = { tarefa: 'faturas.gerar', provedorId: c.id } as const;
  const ATOR = atorDaTarefa('faturas.gerar');
  /** `morre`: once it has charged a part, before it says that the day is done. */
  async function fazer(dia: string, morre = false): Promise<void> {
    relogio.definir(`${dia}T04:00:00.000Z`);
    const aoAvancar = (): void => {
      if (morre) throw new Error('morreu');
    };
    const { signal } = new AbortController();
    await api.container.tarefas.executar(ATOR, { ...tarefa, dia }, { signal, aoAvancar });
  }
  await t.throwsAsync(fazer('2027-03-12', true), { message: 'morreu' });
  const [{ id: vez }] = await c.linhas('faturamentos');
  const desfazer = async (id: number) => c.mudar(async ({ faturamento }) => faturamento.desfazer(id));
  const erro = await t.throwsAsync(desfazer(vez));
  t.regex(erro.message, /o trabalho do dia 12\/03\/2027 ainda está fazendo as cobranças: espere que termine/);
  await fazer('2027-03-12');
  t.is((await desfazer(vez)).pedido, null);
  t.is(await c.contar('faturamento_cobrancas'), 0);

  // A day that was not finished never will be, once the next one has begun.
  await t.throwsAsync(fazer('2027-03-13', true), { message: 'morreu' });
  const segunda = (await c.linhas('faturamentos')).at(-1).id;
  t.is(await recusa(desfazer(segunda)), 'transicao_invalida');
  await fazer('2027-03-14');
  t.is((await desfazer(segunda)).pedido, null);
});

test.serial('o que ainda se faz não se desfaz antes que se pare, e o que se desfaz vai até o fim', async (t) => {
  const c = await criarCasaDoWorker(api, 1200);
  const pedido = await c.pedir('faturas');
  await t.throwsAsync(c.executar(1000), { message: 'morreu' });
  const [{ id: vez }] = await c.linhas('faturamentos');
  const desfazer = async () => c.mudar(async ({ faturamento }) => faturamento.desfazer(vez));
  const erro = await t.throwsAsync(desfazer());
  t.regex(erro.message, /as faturas de 03\/2027 ainda estão sendo feitas: pare-as antes/);
  await c.mudar(async ({ faturamento }) => faturamento.parar(pedido));
  // A thousand are taken back at once.
  t.deepEqual(await desfazer(), { faturas: 1000, pedido: null });
  t.is(await c.contar('faturamento_cobrancas'), 0);

  await c.pedir('faturas');
  await c.executar();
  const outra = (await c.linhas('faturamentos')).at(-1).id;
  const { pedido: mandado } = await c.mudar(async ({ faturamento }) => faturamento.desfazer(outra));
  t.is(await recusa(c.mudar(async ({ faturamento }) => faturamento.parar(mandado!))), 'transicao_invalida');
  // An order that was lost is made anew, and goes over what was cancelled.
  await t.throwsAsync(c.executar(1000), { message: 'morreu' });
  await api.dono('faturamento_pedidos').where('id', mandado).delete();
  const { pedido: outro } = await c.mudar(async ({ faturamento }) => faturamento.desfazer(outra));
  t.not(outro, mandado);
  await c.executar();
  t.is(await c.contar('faturamento_cobrancas'), 0);
  t.like((await c.linhas('faturamentos')).at(-1), { desfazendo: null });
});

test.serial(
  'o que se olha de todas as faturas não segura quem cobra, e o que se cobrou enquanto se olhava se vê',
  async (t) => {
    const c = await casaComMes(1100);
    const pelaVez = /`faturamento_configuracoes`.* for update$/;
    const olhares = (comandos: readonly { sql: string }[]) =>
      comandos.filter(({ sql }) => /join /i.test(sql) || /count\(distinct/i.test(sql)).length;
    const outra = { provedor_id: c.id, dia: '2027-03-02', origem: 'carne', iniciado_em: '2027-03-02 12:00:00' };
    const [posterior = 0] = await api.dono('faturamentos').insert({ ...outra, cobrancas: 0 });
    const trx = await api.dono.transaction();
    t.teardown(async () => trx.isCompleted() || (await trx.rollback()));
    await trx('faturamento_configuracoes').where({ provedor_id: c.id }).forUpdate();
    const { db } = api.container;
    let esperando = false;
    const ouvir = ({ sql }: { sql: string }): void => void (esperando ||= pelaVez.test(sql));
    db.on('query', ouvir);
    t.teardown(() => void db.off('query', ouvir));
    const aDesfazer = comandosDe(api, async () => c.desfazer());
    await ate(async () => esperando, 10_000);
    // As whoever charges writes it, in his turn.
    const { contrato_id } = await trx('faturamento_cobrancas').where({ provedor_id: c.id }).first();
    await trx.raw(
      `INSERT INTO faturamento_cobrancas (provedor_id, contrato_id, competencia, tipo, faturamento_id, vencimento, valor, dias, itens)
       SELECT provedor_id, contrato_id, '2027-04-01', tipo, ?, vencimento, valor, dias, itens
         FROM faturamento_cobrancas WHERE provedor_id = ? AND contrato_id = ?`,
      [posterior, c.id, contrato_id],
    );
    await trx('faturamentos').where('id', posterior).update({ cobrancas: 1 });
    await trx.commit();
    const { erro } = await aDesfazer;
    t.regex(String(erro), new RegExp(`o contrato ${contrato_id} já tem cobrança de um mês posterior`));

    await api.dono('faturamento_cobrancas').where('faturamento_id', posterior).delete();
    const { comandos } = await comandosDe(api, async () => c.desfazer());
    const daVez = comandos.findIndex(({ sql }) => pelaVez.test(sql));
    t.true(daVez > 0);
    t.is(olhares(comandos.slice(0, daVez)), 5);
    t.is(olhares(comandos.slice(daVez)), 0);
    t.like((await c.linhas('faturamento_pedidos')).at(-1), { tipo: 'desfazer', total: 1100 });
  },
);

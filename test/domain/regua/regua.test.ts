import { randomBytes } from 'node:crypto';
import test from 'ava';
import { somarDias } from '../../../src/brazil/calendario/datas.ts';
import { TERMINAL } from '../../../src/domain/actor.ts';
import { candidatas } from '../../../src/domain/regua/dia/candidatas.queries.ts';
import { TEXTOS_DA_CASA, faltasDoTexto, preencher, CAMPOS_DO_TEXTO } from '../../../src/domain/regua/textos.regras.ts';
import { createTenantDb } from '../../../src/platform/mysql/tenant.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import type { Fabrica } from '../../support/fabrica.ts';
import { DIA, ZERO, cenarios, faturaConjunta, ir, relogio } from './apoio.ts';

let api: Api;
let fabrica: Fabrica;
let cenario: ReturnType<typeof cenarios>;

test.before(async () => {
  api = await criarApi({ relogio });
  fabrica = criarFabrica(api.dono);
  cenario = cenarios(api);
});
test.after.always(async () => api.fechar());

test.serial('no primeiro dia, as dívidas antigas recebem aviso, e ninguém é bloqueado antes de 15 dias', async (t) => {
  const c = await cenario();
  const devedores = [];
  for (let n = 0; n < 12; n += 1) {
    const d = await c.devedor();
    for (const meses of [1, 4, 11]) await d.dever(somarDias(ZERO, -30 * meses - n));
    devedores.push(d);
  }
  t.like(await c.rodar(ZERO), { linhas: 0 });
  t.deepEqual(await c.passos(), [], 'ligada hoje, começa amanhã');
  t.like(await c.rodar(DIA(1)), { linhas: 36 });
  for (let n = 2; n < 16; n += 1) await c.rodar(DIA(n));
  t.deepEqual([...new Set(await c.passos())], ['aviso']);
  const [aviso] = await api.dono('regua_passos').where({ provedor_id: c.id }).limit(1);
  t.is(aviso.prazo, DIA(16));
  t.regex(aviso.texto, /Maria.*vencida em .*R\$\s99,90/s);
  t.regex(aviso.texto, /bloqueado a partir de 17\/03\/2027/);
  await c.rodar(DIA(16));
  t.is((await c.passos('bloqueio')).length, 36);
  for (const { contrato } of devedores) t.is(await c.situacao(contrato), 'bloqueado');
  t.is(
    await api
      .dono('eventos')
      .where({ provedor_id: c.id, tipo: 'contrato.bloqueado' })
      .then((r) => r.length),
    12,
  );
});

test.serial('menos dias do que a regulação manda são recusados, e um texto diz o que ela pede', async (t) => {
  const c = await cenario();
  for (const dados of [
    { bloqueio_dias: 14 },
    { rescisao_dias: 59 },
    { segundo_aviso_dias: 50 },
    { hora: 3 },
    { texto_aviso: 'Pague logo o que você deve, {nome}.' },
    { texto_bloqueio: 'Hoje são {valor}, {apelido}, pague.' },
  ]) {
    const erro = await t.throwsAsync(c.mudar(async ({ regua }) => regua.configurar(dados)));
    t.is(erro?.constructor.name, 'CamposInvalidos', JSON.stringify(dados));
  }
  t.deepEqual(faltasDoTexto('aviso', TEXTOS_DA_CASA.aviso), []);
  const semPix = preencher(TEXTOS_DA_CASA.lembrete.texto, { ...CAMPOS_DO_TEXTO, pix: '', linha: '' });
  t.false(/PIX|Linha/.test(semPix));
});

test.serial('quem muda as regras no meio não bloqueia antes do dia que o aviso disse', async (t) => {
  const c = await cenario({ bloqueio_dias: 24 });
  const { contrato, dever } = await c.devedor();
  await dever('2027-02-10');
  await c.rodar(DIA(1));
  await c.mudar(async ({ regua }) => regua.configurar({ bloqueio_dias: 15 }));
  await c.rodar(DIA(16));
  t.is(await c.situacao(contrato), 'ativo');
  // 26 March is Good Friday, the day before it an eve; then comes a weekend.
  for (const n of [24, 25, 26, 27]) await c.rodar(DIA(n));
  t.is(await c.situacao(contrato), 'ativo');
  await c.rodar(DIA(28));
  t.is(await c.situacao(contrato), 'bloqueado');
});

test.serial('fora da hora e de outro dia a régua não anda, e dias sem ela não perdem nada', async (t) => {
  const c = await cenario({ lembrete_dias: 3 });
  const { contrato, dever } = await c.devedor();
  const fatura = await dever(DIA(3), { situacao: 'pendente' });
  await t.throwsAsync(c.rodar(DIA(1), 10), { message: /só anda das 9 às 20/ });
  await t.throwsAsync(c.rodar(DIA(1), 23), { message: /só anda das 9 às 20/ });
  const pendente = async () =>
    (await api.container.tarefas.pendentes()).some((p) => p.tarefa === 'regua.aplicar' && p.provedorId === c.id);
  ir(DIA(1), 10);
  t.false(await pendente());
  ir(DIA(1), 12);
  t.true(await pendente());
  await c.rodar(DIA(1));
  t.deepEqual(await c.passos(), ['lembrete']);
  await t.throwsAsync(
    async () => {
      ir(DIA(5), 13);
      const semParar = { signal: new AbortController().signal, aoAvancar: () => {} };
      await api.container.tarefas.executar(
        TERMINAL,
        { tarefa: 'regua.aplicar', provedorId: c.id, dia: DIA(2) },
        semParar,
      );
    },
    { message: /próprio dia/ },
  );
  await c.rodar(DIA(7));
  t.deepEqual(await c.passos(), ['lembrete', 'aviso']);
  await c.rodar(DIA(22));
  t.is(await c.situacao(contrato), 'bloqueado');
  t.is((await api.dono('regua_passos').where({ fatura_id: fatura, passo: 'aviso' })).length, 1);
});

test.serial('cancelada, paga, adiada, em pausa, com promessa ou em processamento: nada bloqueia', async (t) => {
  const c = await cenario();
  const casos = [
    'cancelada',
    'paga',
    'adiada',
    'pausa',
    'so_bloqueio',
    'promessa',
    'processando',
    'isento',
    'minimo',
  ] as const;
  const deles = new Map<string, { contrato: number; fatura: number; cliente: number }>();
  for (const caso of casos) {
    const { contrato, cliente, dever } = await c.devedor(caso === 'isento' ? { tipo_cobranca: 'isento' } : {});
    deles.set(caso, { contrato, cliente, fatura: await dever('2027-02-10') });
  }
  await c.rodar(DIA(1));
  const de = (caso: string) => deles.get(caso)!;
  await c.mudar(async ({ faturas }) =>
    faturas.cancelar(de('cancelada').fatura, { motivo: 'a_pedido', motivo_codigo: 'a_pedido' }).catch(async () =>
      api
        .dono('faturas')
        .where({ id: de('cancelada').fatura })
        .update({ situacao: 'cancelada' }),
    ),
  );
  await c.mudar(async ({ baixas }) => baixas.registrar(de('paga').fatura, { forma: 'dinheiro', valor: '120.00' }));
  await api
    .dono('faturas')
    .where({ id: de('adiada').fatura })
    .update({ vencimento: DIA(12), situacao: 'pendente' });
  await c.mudar(async ({ regua }) => regua.pausarCliente(de('pausa').cliente, { motivo: 'contestou' }));
  await c.mudar(async ({ regua }) =>
    regua.pausarContrato(de('so_bloqueio').contrato, { motivo: 'hospital', so_bloqueio: true }),
  );
  await fabrica.fatura(c.id, {
    cliente_id: de('processando').cliente,
    contrato_id: de('processando').contrato,
    situacao: 'processando',
  });
  await api
    .dono('faturas')
    .where({ id: de('minimo').fatura })
    .update({ valor_pago: '95.00' });
  ir(DIA(15), 13);
  await c.mudar(async ({ promessas }) => promessas.registrar(de('promessa').contrato, DIA(18)));
  const previsao = await c.ler(async ({ regua }) => regua.previsao());
  t.is(previsao.dia, DIA(16));
  t.deepEqual(
    Object.fromEntries(
      previsao.previstos.map(({ contratoId, espera }) => [
        [...deles].find(([, d]) => d.contrato === contratoId)?.[0],
        espera,
      ]),
    ),
    {
      pausa: 'pausa',
      so_bloqueio: 'pausa',
      promessa: 'promessa',
      processando: 'processando',
      isento: 'isento',
      minimo: 'minimo',
    },
  );
  await c.rodar(DIA(16));
  for (const caso of casos) t.is(await c.situacao(de(caso).contrato), 'ativo', caso);
  t.is(
    (await api.dono('regua_passos').where({ fatura_id: de('adiada').fatura, passo: 'aviso' })).length,
    2,
    'o vencimento novo tem aviso novo',
  );
});

test.serial('duas faturas bloqueiam uma vez, e o que a equipe libera não se bloqueia de novo por elas', async (t) => {
  const c = await cenario();
  const { contrato, dever } = await c.devedor();
  const primeira = await dever('2027-01-10');
  await dever('2027-02-10');
  await c.rodar(DIA(1));
  await c.rodar(DIA(16));
  t.is(await c.situacao(contrato), 'bloqueado');
  t.deepEqual(await c.passos('bloqueio'), ['bloqueio', 'bloqueio']);
  const ditos = await api
    .dono('regua_passos')
    .where({ provedor_id: c.id, passo: 'bloqueio' })
    .whereNotNull('texto')
    .pluck('fatura_id');
  t.deepEqual(ditos, [primeira]);
  await c.mudar(async ({ movimentos }) => movimentos.liberar(contrato, { motivo: 'acordo de boca' }));
  await c.rodar(DIA(17));
  t.is(await c.situacao(contrato), 'ativo');
});

test.serial(
  'um acordo em dia segura o que já se devia quando se fez, e não o que se deixa de pagar depois',
  async (t) => {
    const c = await cenario({ rescinde: true });
    const { cliente, contrato, dever } = await c.devedor();
    const renegociada = await dever('2027-01-10', { valor: '100.00' });
    const outra = await dever('2027-02-10');
    await c.rodar(DIA(1));
    const acordo = { cliente_id: cliente, faturas: [renegociada], parcelas: 12, primeiro_vencimento: DIA(160) };
    await c.mudar(async ({ renegociacoes }) => renegociacoes.criar(acordo));
    await c.rodar(DIA(16));
    t.is(await c.situacao(contrato), 'ativo');
    await c.mudar(async ({ baixas }) => baixas.registrar(outra, { forma: 'dinheiro', valor: '120.00' }));
    await dever(DIA(10));
    for (let n = 17; n <= 35; n += 1) await c.rodar(DIA(n));
    t.is(await c.situacao(contrato), 'bloqueado');
    // Nor is it held back that he is rescinded for it.
    for (const n of [65, 66, 95, 96, 97]) await c.rodar(DIA(n));
    t.is(await c.situacao(contrato), 'cancelado');
  },
);

test.serial(
  'paga a fatura que bloqueou, o acordo em dia segura a rescisão pelo que já se devia antes dele',
  async (t) => {
    const c = await cenario({ rescinde: true });
    const { cliente, contrato, dever } = await c.devedor();
    const renegociada = await dever('2027-01-10', { valor: '100.00' });
    await dever('2027-02-10');
    await c.rodar(DIA(1));
    const acordo = { cliente_id: cliente, faturas: [renegociada], parcelas: 12, primeiro_vencimento: DIA(160) };
    await c.mudar(async ({ renegociacoes }) => renegociacoes.criar(acordo));
    const depois = await dever(DIA(10));
    for (let n = 16; n <= 35; n += 1) await c.rodar(DIA(n));
    t.is(await c.situacao(contrato), 'bloqueado');
    await c.mudar(async ({ baixas }) => baixas.registrar(depois, { forma: 'dinheiro', valor: '120.00' }));
    for (const n of [65, 66, 95, 96, 97]) await c.rodar(DIA(n));
    t.is(await c.situacao(contrato), 'bloqueado');
  },
);

test.serial('a fatura sem contrato bloqueia o único que o cliente tem, e nenhum de vários', async (t) => {
  const c = await cenario();
  const um = await c.devedor();
  const dois = await c.devedor();
  await fabrica.contrato(c.id, { cliente_id: dois.cliente, plano_id: c.plano_id });
  const nenhum = await fabrica.cliente(c.id);
  for (const cliente_id of [um.cliente, dois.cliente, nenhum])
    await fabrica.fatura(c.id, { cliente_id, contrato_id: null, vencimento: '2027-02-10', situacao: 'vencida' });
  await c.rodar(DIA(1));
  await c.rodar(DIA(16));
  t.is((await c.passos('aviso')).length, 3);
  t.deepEqual([await c.situacao(um.contrato), await c.situacao(dois.contrato)], ['bloqueado', 'ativo']);
});

test.serial(
  'para bloquear à mão, a equipe sabe se houve aviso entregue há 15 dias de uma fatura em aberto',
  async (t) => {
    const c = await cenario();
    const { cliente, contrato, dever } = await c.devedor();
    const fatura = await dever('2027-02-10');
    await c.rodar(DIA(1));
    const avisado = async (n: number) => {
      ir(DIA(n), 13);
      return c.ler(async ({ regua }) => regua.avisado(cliente, contrato));
    };
    t.false(await avisado(15));
    t.true(await avisado(16));
    await c.mudar(async ({ regua }) => regua.configurar({ sem_entrega: false }));
    t.false(await avisado(16), 'ninguém sabe que chegou');
    await api.dono('regua_passos').where({ fatura_id: fatura }).update({ entregue_em: '2027-03-02 13:00:00.000' });
    t.true(await avisado(16));
    await api.dono('faturas').where({ id: fatura }).update({ situacao: 'paga' });
    t.false(await avisado(16), 'a fatura de que se avisou já não está em aberto');
  },
);

test.serial('a fatura de vários contratos bloqueia os que ela cobra, com um aviso e uma linha', async (t) => {
  const c = await cenario();
  const { cliente, contrato: primeiro } = await c.devedor();
  const de = { cliente_id: cliente, plano_id: c.plano_id };
  const segundo = await fabrica.contrato(c.id, de);
  const pausado = await fabrica.contrato(c.id, de);
  const deFora = await fabrica.contrato(c.id, de);
  const fatura = await faturaConjunta(api, c.id, cliente, [primeiro, segundo, pausado]);
  await c.mudar(async ({ regua }) => regua.pausarContrato(pausado, { motivo: 'contestou' }));
  await c.rodar(DIA(1));
  await c.rodar(DIA(16));
  t.deepEqual(await c.passos(), ['aviso', 'bloqueio']);
  const situacoes = [primeiro, segundo, pausado, deFora].map(async (id) => c.situacao(id));
  t.deepEqual(await Promise.all(situacoes), ['bloqueado', 'bloqueado', 'ativo', 'ativo']);
  await c.mudar(async ({ baixas }) => baixas.registrar(fatura, { forma: 'dinheiro', valor: '400.00' }));
  t.deepEqual([await c.situacao(primeiro), await c.situacao(segundo)], ['ativo', 'ativo']);
});

test.serial('o que segurava um contrato da fatura de vários acaba, e ele é bloqueado depois dos outros', async (t) => {
  const c = await cenario();
  const { cliente, contrato: primeiro } = await c.devedor();
  const de = { cliente_id: cliente, plano_id: c.plano_id };
  const [pausado, suspenso] = [await fabrica.contrato(c.id, de), await fabrica.contrato(c.id, de)];
  const contratos = [primeiro, pausado, suspenso];
  await faturaConjunta(api, c.id, cliente, contratos);
  const situacoes = async () => Promise.all(contratos.map(async (id) => c.situacao(id)));
  await c.rodar(DIA(1));
  await c.mudar(async ({ regua }) => regua.pausarContrato(pausado, { motivo: 'contestou', ate: DIA(16) }));
  await c.mudar(async ({ movimentos }) => movimentos.suspender(suspenso, {}));
  await c.rodar(DIA(16));
  t.deepEqual(await situacoes(), ['bloqueado', 'ativo', 'inativo']);
  // Whom staff release is left alone; the others' turn comes.
  await c.mudar(async ({ movimentos }) => movimentos.liberar(primeiro, { motivo: 'prometeu por carta' }));
  const previstos = async () => (await c.ler(async ({ regua }) => regua.previsao())).previstos;
  t.deepEqual(
    (await previstos()).map(({ contratoId, espera }) => [contratoId, espera]),
    [
      [pausado, null],
      [suspenso, 'nao_ativo'],
    ],
  );
  await c.rodar(DIA(17));
  t.deepEqual(await situacoes(), ['ativo', 'bloqueado', 'inativo']);
  await c.mudar(async ({ movimentos }) => movimentos.reativar(suspenso, {}));
  await c.mudar(async ({ movimentos }) => movimentos.liberar(pausado, { motivo: 'prometeu por carta' }));
  await c.rodar(DIA(18));
  await c.rodar(DIA(21));
  t.deepEqual(await situacoes(), ['ativo', 'ativo', 'bloqueado']);
  t.is((await previstos()).length, 0);
  t.deepEqual(await c.passos(), ['aviso', 'bloqueio', 'bloqueio', 'bloqueio']);
});

test.serial(
  'quem já estava bloqueado quando a fatura de vários bloqueou os outros, e a equipe libera, fica liberado',
  async (t) => {
    const c = await cenario();
    const { cliente, contrato: primeiro, dever } = await c.devedor();
    const segundo = await fabrica.contrato(c.id, { cliente_id: cliente, plano_id: c.plano_id });
    const propria = await dever('2027-02-05');
    await c.rodar(DIA(1));
    await c.rodar(DIA(16));
    const conjunta = await faturaConjunta(api, c.id, cliente, [primeiro, segundo]);
    await c.rodar(DIA(17));
    await c.rodar(DIA(35));
    const situacoes = async () => [await c.situacao(primeiro), await c.situacao(segundo)];
    t.deepEqual(await situacoes(), ['bloqueado', 'bloqueado']);
    await c.mudar(async ({ baixas }) => baixas.registrar(propria, { forma: 'dinheiro', valor: '200.00' }));
    for (const id of [primeiro, segundo])
      await c.mudar(async ({ movimentos }) => movimentos.liberar(id, { motivo: 'prometeu por carta' }));
    await c.rodar(DIA(36));
    t.deepEqual(await situacoes(), ['ativo', 'ativo']);
    t.is((await api.dono('regua_passos').where({ alvo_id: conjunta, passo: 'bloqueio' })).length, 1);
  },
);

test.serial(
  'de contratos encerrados a régua não avisa ninguém, e quem não tem contrato não é ameaçado de bloqueio',
  async (t) => {
    const c = await cenario();
    const saiu = await c.devedor({ situacao: 'cancelado' });
    await saiu.dever('2027-02-10');
    // Imported, of none; all of the client's contracts are over.
    await fabrica.fatura(c.id, {
      cliente_id: saiu.cliente,
      contrato_id: null,
      vencimento: '2027-02-10',
      situacao: 'vencida',
    });
    const ficou = await c.devedor();
    await ficou.dever('2027-02-10');
    const semContrato = await fabrica.cliente(c.id, { email: 'jose@malha.test' });
    await fabrica.fatura(c.id, {
      cliente_id: semContrato,
      contrato_id: null,
      vencimento: '2027-02-11',
      situacao: 'vencida',
    });
    await c.rodar(DIA(1));
    const ditos = await api.dono('regua_passos').where({ provedor_id: c.id }).orderBy('id');
    t.deepEqual(
      ditos.map(({ cliente_id, prazo }) => [cliente_id, prazo]),
      [
        [ficou.cliente, DIA(16)],
        [semContrato, null],
      ],
    );
    t.notRegex(ditos[1].texto, /bloqueado a partir/);
  },
);

test.serial('quem é isento não é ameaçado de um bloqueio que não vem; quem deixa de ser, é avisado dele', async (t) => {
  const c = await cenario();
  const { contrato, dever } = await c.devedor({ tipo_cobranca: 'isento' });
  await dever('2027-02-10');
  await c.rodar(DIA(1));
  const ditos = async () => api.dono('regua_passos').where({ provedor_id: c.id, passo: 'aviso' }).orderBy('id');
  const [dito] = await ditos();
  t.is(dito.prazo, null);
  t.notRegex(dito.texto, /bloqueado a partir/);
  await c.rodar(DIA(16));
  t.is(await c.situacao(contrato), 'ativo');
  await c.mudar(async ({ contratos }) => contratos.alterar(contrato, { tipo_cobranca: 'pos_pago' }));
  await c.rodar(DIA(17));
  t.deepEqual(
    (await ditos()).map(({ prazo }) => prazo),
    [null, DIA(32)],
  );
  t.is(await c.situacao(contrato), 'ativo');
});

test.serial('a pausa dos contratos que respondem por uma fatura vale também para o que se diz dela', async (t) => {
  const c = await cenario();
  const { cliente, contrato } = await c.devedor();
  const deNenhum = { cliente_id: cliente, contrato_id: null, situacao: 'vencida' };
  await fabrica.fatura(c.id, { ...deNenhum, vencimento: '2027-02-10' });
  const pausa = await c.mudar(async ({ regua }) => regua.pausarContrato(contrato, { motivo: 'contestou' }));
  await c.rodar(DIA(1));
  t.deepEqual(await c.passos(), []);
  await c.mudar(async ({ regua }) => regua.retomar(pausa));
  await c.rodar(DIA(2));
  t.deepEqual(await c.passos(), ['aviso']);
});

test.serial('a previsão conta todos e deixa de fora o que não está ativo, por mais que seja', async (t) => {
  const c = await cenario();
  const saiu = await c.devedor();
  const uma = {
    provedor_id: c.id,
    cliente_id: saiu.cliente,
    contrato_id: saiu.contrato,
    situacao: 'vencida',
    valor: '99.90',
    emitida_em: '2026-11-01 09:00:00.000',
  };
  const antigas = Array.from({ length: 501 }, (_, n) => ({
    ...uma,
    vencimento: somarDias(ZERO, -30 - n),
    token: randomBytes(16).toString('base64url'),
  }));
  await api.dono.batchInsert('faturas', antigas, 500);
  const deles = [await c.devedor(), await c.devedor()];
  const faturas = [await deles[0]!.dever('2027-02-10'), await deles[1]!.dever('2027-02-11')];
  await c.rodar(DIA(1));
  await api.dono('contratos').where({ id: saiu.contrato }).update({ situacao: 'cancelado' });
  await c.mudar(async ({ regua }) => regua.pausarCliente(deles[1]!.cliente, { motivo: 'contestou' }));
  ir(DIA(15), 13);
  const { contagem, previstos } = await c.ler(async ({ regua }) => regua.previsao());
  t.deepEqual(contagem, [
    { espera: null, quantos: 1 },
    { espera: 'pausa', quantos: 1 },
  ]);
  t.deepEqual(
    previstos.map(({ faturaId }) => faturaId),
    faturas.toReversed(),
  );
});

test.serial('sem entrega conhecida ninguém é bloqueado, até que a equipe a anote e passem os 15 dias', async (t) => {
  const c = await cenario({ sem_entrega: false });
  const { contrato, cliente, dever } = await c.devedor();
  await dever('2027-02-10');
  await c.rodar(DIA(1));
  await c.rodar(DIA(17));
  t.is(await c.situacao(contrato), 'ativo');
  const [aviso] = await c.ler(async ({ regua }) => regua.doCliente(cliente));
  await c.mudar(async ({ regua }) => regua.anotarEntrega(aviso!.id));
  await c.rodar(DIA(31));
  t.is(await c.situacao(contrato), 'ativo');
  await c.rodar(DIA(35));
  t.is(await c.situacao(contrato), 'bloqueado');
});

test.serial('quem deve várias lê que uma só não o libera, e qual é a que se paga pelo aviso', async (t) => {
  const c = await cenario();
  const semRescisao = await cenario({ segundo_aviso_dias: null });
  for (const uma of [c, semRescisao]) {
    const { dever } = await uma.devedor();
    for (const dia of ['2027-02-10', '2027-02-11']) await dever(dia);
    for (const n of [1, 16]) await uma.rodar(DIA(n));
  }
  const textos = async ({ id: provedor_id }: { id: number }, passo: string): Promise<string[]> =>
    api.dono('regua_passos').where({ provedor_id, passo }).whereNotNull('texto').pluck('texto');
  for (const uma of [c, semRescisao]) {
    const [texto] = await textos(uma, 'bloqueio');
    t.regex(texto!, /automática depois que se paga tudo o que está vencido/);
    t.is(/rescindido/.test(texto!), uma === c);
  }
  await c.rodar(DIA(46));
  const [segundo] = await textos(c, 'segundo_aviso');
  const [antiga] = await api.dono('faturas').where({ provedor_id: c.id }).orderBy('id').pluck('id');
  t.regex(segundo!, new RegExp(`mais antiga, que se paga abaixo, é a ${antiga}, vencida em 10/02/2027`));
});

test.serial('depois do bloqueio vem o aviso de rescisão, e a equipe decide; quem quer, deixa cancelar', async (t) => {
  for (const rescinde of [false, true]) {
    const c = await cenario({ rescinde });
    const { contrato, dever } = await c.devedor();
    await dever('2027-02-10');
    await c.rodar(DIA(1));
    await c.rodar(DIA(16));
    for (const n of [45, 46, 75, 76, 77]) await c.rodar(DIA(n));
    const [segundo] = await api.dono('regua_passos').where({ provedor_id: c.id, passo: 'segundo_aviso' });
    t.is(segundo.dia, DIA(46));
    t.is(segundo.prazo, DIA(76));
    const [rescisao] = await api.dono('regua_passos').where({ provedor_id: c.id, passo: 'rescisao' });
    t.is(rescisao.dia, DIA(76));
    t.is(await c.situacao(contrato), rescinde ? 'cancelado' : 'bloqueado');
    const sinos = await api
      .dono('notificacoes')
      .where({ provedor_id: c.id, tipo: 'contrato.rescisao_devida' })
      .pluck('recurso_id');
    t.deepEqual(sinos, rescinde ? [] : [contrato]);
  }
});

test.serial(
  'quem paga a qualquer momento é liberado, e duas rodadas ao mesmo tempo fazem cada passo uma vez',
  async (t) => {
    const c = await cenario();
    const devedores = [];
    for (let n = 0; n < 25; n += 1) {
      const d = await c.devedor();
      devedores.push({ ...d, fatura: await d.dever('2027-02-10') });
    }
    await Promise.allSettled([c.rodar(DIA(1)), c.rodar(DIA(1)), c.rodar(DIA(1))]);
    await c.rodar(DIA(1));
    t.is((await c.passos('aviso')).length, 25);
    await Promise.allSettled([
      c.rodar(DIA(16)),
      c.rodar(DIA(16)),
      ...devedores
        .slice(0, 8)
        .map(async ({ fatura }) =>
          c.mudar(async ({ baixas }) => baixas.registrar(fatura, { forma: 'dinheiro', valor: '120.00' })),
        ),
    ]);
    await c.rodar(DIA(16));
    const blocos = await api
      .dono('contratos_historico')
      .where({ provedor_id: c.id, acao: 'bloqueio' })
      .pluck('contrato_id');
    t.is(new Set(blocos).size, blocos.length);
    for (const [n, { contrato }] of devedores.entries())
      t.is(await c.situacao(contrato), n < 8 ? 'ativo' : 'bloqueado', String(n));
  },
);

test.serial('de quem é a vez se acha por índice, e as instruções não crescem com as linhas', async (t) => {
  const c = await cenario();
  const { cliente, contrato, dever } = await c.devedor();
  for (let n = 0; n < 400; n += 1)
    await fabrica.fatura(c.id, {
      cliente_id: cliente,
      contrato_id: contrato,
      situacao: 'paga',
      vencimento: somarDias(ZERO, -n),
    });
  for (let n = 0; n < 6; n += 1) await dever(somarDias(ZERO, -20 - n));
  await api.dono.raw('ANALYZE TABLE faturas, regua_passos, contratos');
  const provedor = await api.container.provedores.exigirPorId(c.id);
  const regua = await c.ler(async (d) => d.regua.regua());
  const tenant = createTenantDb(api.container.db, c.id);
  for (const fase of ['lembrete', 'vencimento', 'aviso', 'bloqueio', 'segundo_aviso', 'rescisao'] as const) {
    const query = candidatas(tenant, fase, { regua, provedor, dia: DIA(1), depoisDe: null, limite: 100 })!
      .select(tenant.db.raw('1'))
      .limit(100);
    const { sql, bindings } = query.toSQL().toNative();
    const [plano] = await api.dono.raw(`EXPLAIN FORMAT=TRADITIONAL ${sql}`, bindings as never);
    for (const { table, key, type, rows } of plano) {
      t.truthy(key, `${fase} ${table}: ${type}`);
      t.true(Number(rows) < 100, `${fase} ${table}: ${rows} linhas`);
    }
  }
});

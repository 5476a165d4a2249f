import test from 'ava';
import { setTimeout as sleep } from 'node:timers/promises';
import { createReguaDoDia } from '../../../src/domain/regua/dia/aplicacao.ts';
import { REGUA_POR_EMAIL } from '../../../src/domain/regua/correio.service.ts';
import type { EntregaListada } from '../../../src/domain/regua/regua.types.ts';
import { encerrarPorEnviar } from '../../../src/domain/tarefas/por-enviar.ts';
import { createTenantDb } from '../../../src/platform/mysql/tenant.ts';
import { AUTOR } from '../../support/autor.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { ate } from '../../support/espera.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import { DIA, cenarios, ir, relogio } from './apoio.ts';

let api: Api;
let cenario: ReturnType<typeof cenarios>;

test.before(async () => {
  api = await criarApi({ relogio });
  cenario = cenarios(api);
});
test.after.always(async () => api.fechar());

const avisos = async (provedor_id: number, passo = 'aviso') =>
  api.dono('regua_passos').where({ provedor_id, passo }).orderBy('id').select('dia', 'prazo', 'vez', 'texto');

test.serial('ligada de novo, a régua não bloqueia por aviso de antes: dá outro, e conta do novo', async (t) => {
  const c = await cenario();
  const { contrato, dever } = await c.devedor();
  await dever('2027-02-10');
  await c.rodar(DIA(1));
  await c.mudar(async ({ regua }) => regua.configurar({ ativa: false }));
  await c.rodar(DIA(30));
  await t.throwsAsync(
    c.mudar(async ({ regua }) => regua.configurar({ ativa: true })),
    { message: /deixam de valer.*: 1;/ },
  );
  await c.mudar(async ({ regua }) => regua.configurar({ ativa: true, confirmado: true }));
  await c.rodar(DIA(31));
  t.is(await c.situacao(contrato), 'ativo');
  t.deepEqual(
    (await avisos(c.id)).map(({ dia, vez }) => [dia, vez]),
    [
      [DIA(1), 1],
      [DIA(31), 2],
    ],
  );
  for (const n of [32, 45]) await c.rodar(DIA(n));
  t.is(await c.situacao(contrato), 'ativo');
  t.is((await avisos(c.id)).length, 2);
  // The first day after it that is no eve: the 16th of April is a Friday.
  for (const n of [46, 49]) await c.rodar(DIA(n));
  t.is(await c.situacao(contrato), 'bloqueado');
});

test.serial('por um aviso de mais de 90 dias ninguém é bloqueado antes de outro, e a previsão o diz', async (t) => {
  const c = await cenario();
  const { contrato, cliente, dever } = await c.devedor();
  await dever('2027-02-10');
  await c.rodar(DIA(1));
  const pausa = await c.mudar(async ({ regua }) => regua.pausarCliente(cliente, { motivo: 'contestou' }));
  for (const n of [16, 60, 91]) await c.rodar(DIA(n));
  await c.mudar(async ({ regua }) => regua.retomar(pausa));
  const { previstos } = await c.ler(async ({ regua }) => regua.previsao());
  t.deepEqual(
    previstos.map(({ espera }) => espera),
    ['aviso_antigo'],
  );
  await c.rodar(DIA(92));
  t.is(await c.situacao(contrato), 'ativo');
  const [, novo] = await avisos(c.id);
  t.like(novo, { dia: DIA(92), prazo: DIA(107), vez: 2 });
  await c.rodar(DIA(107));
  t.is(await c.situacao(contrato), 'bloqueado');
});

test.serial('com 90 dias o aviso ainda vale', async (t) => {
  const c = await cenario();
  const { contrato, cliente, dever } = await c.devedor();
  await dever('2027-02-10');
  await c.rodar(DIA(1));
  const pausa = await c.mudar(async ({ regua }) => regua.pausarCliente(cliente, { motivo: 'contestou' }));
  await c.rodar(DIA(90));
  await c.mudar(async ({ regua }) => regua.retomar(pausa));
  await c.rodar(DIA(91));
  t.is(await c.situacao(contrato), 'bloqueado');
  t.is((await avisos(c.id)).length, 1);
});

test.serial(
  'um aviso que não dizia prazo, porque não se bloqueava, não bloqueia quando se passa a bloquear',
  async (t) => {
    const c = await cenario({ bloqueio_dias: null });
    const { contrato, dever } = await c.devedor();
    await dever('2027-02-10');
    await c.rodar(DIA(1));
    t.notRegex((await avisos(c.id))[0]!.texto, /bloqueado a partir/);
    await c.mudar(async ({ regua }) => regua.configurar({ bloqueio_dias: 15 }));
    await c.rodar(DIA(16));
    t.is(await c.situacao(contrato), 'ativo');
    t.like((await avisos(c.id))[1], { dia: DIA(16), prazo: DIA(31) });
    await c.rodar(DIA(31));
    t.is(await c.situacao(contrato), 'bloqueado');
  },
);

test.serial('ligada de novo, não se rescinde por aviso de rescisão de antes', async (t) => {
  const c = await cenario({ rescinde: true });
  const { contrato, dever } = await c.devedor();
  await dever('2027-02-10');
  for (const n of [1, 16, 46]) await c.rodar(DIA(n));
  await c.mudar(async ({ regua }) => regua.configurar({ ativa: false }));
  await c.rodar(DIA(100));
  await c.mudar(async ({ regua }) => regua.configurar({ ativa: true, confirmado: true }));
  await c.rodar(DIA(101));
  t.is(await c.situacao(contrato), 'bloqueado');
  t.deepEqual(
    (await avisos(c.id, 'segundo_aviso')).map(({ dia, prazo }) => [dia, prazo]),
    [
      [DIA(46), DIA(76)],
      [DIA(101), DIA(116)],
    ],
  );
  await c.rodar(DIA(115));
  t.is(await c.situacao(contrato), 'bloqueado');
  await c.rodar(DIA(116));
  t.is(await c.situacao(contrato), 'cancelado');
});

test.serial('quem deve várias é avisado de todas de uma vez, por mais que outros venham entre elas', async (t) => {
  const c = await cenario();
  const um = await c.devedor();
  for (const vencimento of ['2026-06-10', '2026-10-10', '2027-02-10']) await um.dever(vencimento);
  const outro = await c.devedor();
  await outro.dever('2026-08-10');
  const { provedores, db, write } = api.container;
  const provedor = await provedores.exigirPorId(c.id);
  const trabalho = createReguaDoDia({ relogio, provedorDe: async () => Promise.resolve(provedor) });
  ir(DIA(1), 13);
  const tenant = createTenantDb(db, c.id);
  const primeira = await trabalho.proximas(tenant, DIA(1), null, 1);
  t.is(primeira.length, 1);
  const escrever = await trabalho.preparar(tenant, provedor, DIA(1), primeira);
  t.is(await write(AUTOR, c.id, async (w) => escrever(w)), 3);
  const ditos = await api.dono('regua_passos').where({ provedor_id: c.id }).pluck('cliente_id');
  t.deepEqual([...new Set(ditos)], [um.cliente]);
});

test.serial('as entregas que faltam se filtram, se anotam várias de uma vez com o como, e se desfazem', async (t) => {
  const c = await cenario({ sem_entrega: false });
  const [um, outro, semEmail] = [await c.devedor(), await c.devedor(), await c.devedor()];
  await api.dono('clientes').where({ id: semEmail.cliente }).update({ email: null });
  for (const { dever } of [um, outro, semEmail]) await dever('2027-02-10');
  await c.rodar(DIA(1));
  const listados = async (entrega?: EntregaListada) =>
    (await c.ler(async ({ regua }) => regua.doDia(DIA(1), 'aviso', { entrega }))).passos.map((p) => p.clienteId);
  t.deepEqual(await listados('sem_email'), [semEmail.cliente]);
  t.is((await listados('sem_confirmacao')).length, 3);
  const ids = await c.ler(async ({ regua }) => regua.semEntrega(DIA(1), 'aviso', 'sem_confirmacao', 500));
  await t.throwsAsync(c.mudar(async ({ regua }) => regua.anotarEntregas(ids, {})));
  const anotar = async () =>
    c.mudar(async ({ regua }) => regua.anotarEntregas(ids, { como: 'com a fatura, pelo motoboy' }));
  t.deepEqual([await anotar(), await anotar()], [3, 0]);
  t.deepEqual([(await listados('sem_confirmacao')).length, (await listados()).length], [0, 3]);
  const [dele] = await c.ler(async ({ regua }) => regua.doCliente(um.cliente));
  t.like(dele, { canal: 'equipe', entregaComo: 'com a fatura, pelo motoboy' });
  await c.mudar(async ({ regua }) => regua.desanotarEntrega(dele!.id));
  t.deepEqual(await listados('sem_confirmacao'), [um.cliente]);
  await t.throwsAsync(
    c.mudar(async ({ regua }) => regua.desanotarEntrega(dele!.id)),
    { message: /ninguém da equipe/ },
  );
  await c.rodar(DIA(16));
  t.deepEqual([await c.situacao(um.contrato), await c.situacao(outro.contrato)], ['ativo', 'bloqueado']);
  const [usado] = (await c.ler(async ({ regua }) => regua.doCliente(outro.cliente))).filter((p) => p.passo === 'aviso');
  await t.throwsAsync(
    c.mudar(async ({ regua }) => regua.desanotarEntrega(usado!.id)),
    { message: /já se bloqueou/ },
  );
});

test.serial('desligada por engano e ligada no mesmo dia, a régua segue como estava, também naquele dia', async (t) => {
  const c = await cenario();
  const { contrato, dever } = await c.devedor();
  await dever('2027-02-10');
  await c.rodar(DIA(1));
  ir(DIA(16), 12);
  await c.mudar(async ({ regua }) => regua.configurar({ ativa: false }));
  await c.rodar(DIA(16));
  t.is(await c.situacao(contrato), 'ativo');
  await c.mudar(async ({ regua }) => regua.configurar({ ativa: true }));
  await c.rodar(DIA(16), 14);
  t.is(await c.situacao(contrato), 'bloqueado');
  t.is((await avisos(c.id)).length, 1);
});

/** Whether a statement on these tests' database waits for another's lock. */
async function alguemEspera(): Promise<boolean> {
  // InnoDB keeps showing the same picture while it is looked at more often than every 100 ms.
  await sleep(150);
  const [esperas] = await api.dono.raw<[unknown[]]>(
    `SELECT p.id FROM information_schema.innodb_trx t JOIN information_schema.processlist p ON p.id = t.trx_mysql_thread_id
      WHERE t.trx_state = 'LOCK WAIT' AND p.db = DATABASE()`,
  );
  return (esperas ?? []).length > 0;
}

for (const [o_que, dias] of [
  ['o aviso', [1]],
  ['o bloqueio', [1, 16]],
] as const) {
  test.serial(`${o_que} e um pagamento tomam cliente, contrato e fatura na mesma ordem`, async (t) => {
    const c = await cenario();
    const { cliente, dever } = await c.devedor();
    const fatura = await dever('2027-02-10');
    for (const n of dias.slice(0, -1)) await c.rodar(DIA(n));
    const antes = (await c.passos()).length;
    // As a payment does: first the client, and when the ladder waits for it, the invoice.
    const pagamento = await api.dono.transaction();
    await pagamento('clientes').where({ id: cliente }).forUpdate();
    const regua = c.rodar(DIA(dias.at(-1)!));
    await Promise.race([regua, ate(alguemEspera)]);
    const achada = await pagamento('faturas').where({ id: fatura }).forUpdate().noWait();
    t.is(achada.length, 1);
    await pagamento.commit();
    await regua;
    t.is((await c.passos()).length, antes + 1);
  });
}

test.serial('a fatura de um cliente com contrato de outro trava os dois antes de si', async (t) => {
  const c = await cenario();
  const dono = await c.devedor();
  const cliente = await criarFabrica(api.dono).cliente(c.id);
  const fatura = await dono.dever('2027-02-10', { cliente_id: cliente });
  const pagamento = await api.dono.transaction();
  await pagamento('clientes').where({ id: cliente }).forUpdate();
  const regua = c.rodar(DIA(1));
  await Promise.race([regua, ate(alguemEspera)]);
  await t.notThrowsAsync(async () => pagamento('faturas').where({ id: fatura }).forUpdate().noWait());
  await pagamento.commit();
  await regua;
  t.deepEqual(await c.passos(), ['aviso']);
});

test.serial('o aviso que um banco restaurado não manda é dito de novo com os do dia, e então bloqueia', async (t) => {
  const c = await cenario({ sem_entrega: false });
  const { contrato, dever } = await c.devedor();
  await dever('2027-02-10');
  await c.rodar(DIA(1));
  const doPasso = async (passo: string) =>
    api.dono('regua_passos').where({ provedor_id: c.id, passo }).orderBy('vez', 'desc').first();
  // Of a contract that is blocked; nothing follows it here.
  const { id: registro, ...aviso } = await doPasso('aviso');
  await api.dono('regua_passos').insert({ ...aviso, passo: 'segundo_aviso', alvo_id: contrato, fatura_id: null });
  await encerrarPorEnviar(api.container.db, [REGUA_POR_EMAIL.name]);
  t.like(await doPasso('aviso'), { id: registro, email_estado: 'falhou', entregue_em: null });
  t.like(await doPasso('segundo_aviso'), { email_estado: 'dispensado', entregue_em: null });
  t.deepEqual(await c.mudar(async ({ regua }) => regua.avisarDeNovoODia(DIA(1))), { ditos: 1, proximo: null });
  const outro = await doPasso('aviso');
  t.like(outro, { vez: 2, email_estado: 'a_enviar' });
  await c.mudar(async ({ regua }) => regua.anotarEntrega(outro.id));
  await c.rodar(DIA(16));
  t.is(await c.situacao(contrato), 'bloqueado');
});

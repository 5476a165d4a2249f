import test from 'ava';
import { somarDias } from '../../../src/brazil/calendario/datas.ts';
import { createConsuming } from '../../../src/platform/mysql/outbox-consumer.ts';
import { pedirCorreio } from '../../../src/domain/correio/pedir.service.ts';
import { createEntregasDeCorreioService } from '../../../src/domain/correio/entregas.service.ts';
import { CARTAS_DA_REGUA } from '../../../src/domain/regua/cartas.ts';
import { createCorreio } from '../../../src/platform/mail/mail.ts';
import { AUTOR } from '../../support/autor.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { ate } from '../../support/espera.ts';
import { abrirSmtp } from '../../support/smtp.ts';
import { DIA, cenarios, ir, relogio } from '../regua/apoio.ts';

let api: Api;
let smtp: Awaited<ReturnType<typeof abrirSmtp>>;
let cenario: ReturnType<typeof cenarios>;

test.before(async () => {
  smtp = await abrirSmtp();
  api = await criarApi({ relogio, env: { MALHA_SMTP_URL: smtp.url, MALHA_EMAIL_DE: 'Malha <cobranca@malha.test>' } });
  cenario = cenarios(api);
});
test.after.always(async () => {
  await api.fechar();
  await smtp.fechar();
});
test.beforeEach(async () => {
  // What a test that failed has left is not the next one's.
  await api.dono('eventos_pendentes').delete();
  await api.dono('correio_pedidos').delete();
  smtp.cartas.length = 0;
  smtp.responder('250 ok');
});

/** What the worker does with the events: e-mails are asked for, and none is sent. */
async function consumir(): Promise<void> {
  const { db, correioDaRegua: consumer } = api.container;
  const falhas: unknown[] = [];
  const { consume } = createConsuming({ db, consumer, onFailure: (_id, error) => void falhas.push(error) });
  while ((await consume()) > 0);
  if (falhas.length > 0) throw falhas[0];
}
async function enviar(): Promise<void> {
  await api.container.entregasDeCorreio.entregar();
  await api.container.entregasDeCorreio.terminar();
}
const cartas = async (provedor_id: number) =>
  api.dono('correio_pedidos').where({ provedor_id }).orderBy('id').select('id', 'estado', 'tentativas', 'erro');
const estados = async (provedor_id: number): Promise<string[]> =>
  (await cartas(provedor_id)).map(({ estado }) => estado);
const doPasso = async (provedor_id: number, passo = 'aviso') =>
  api.dono('regua_passos').where({ provedor_id, passo }).select('email_estado', 'entregue_em', 'canal').first();

test.serial('as faturas de um cliente vão numa carta só, e o aviso conta de quando o servidor a aceitou', async (t) => {
  const c = await cenario({ sem_entrega: false });
  const { contrato, dever } = await c.devedor();
  for (const vencimento of ['2027-01-10', '2027-02-10']) await dever(vencimento);
  await c.rodar(DIA(1));
  await consumir();
  await consumir();
  t.like(await doPasso(c.id), { email_estado: 'a_enviar', entregue_em: null });
  ir(DIA(1), 15);
  await enviar();
  await enviar();
  const [carta, ...outras] = smtp.cartas;
  t.is(outras.length, 0);
  t.is(carta?.para, 'maria@malha.test');
  const textos: string[] = await api.dono('regua_passos').where({ provedor_id: c.id }).pluck('texto');
  t.is(textos.length, 2);
  for (const texto of textos) t.true(carta?.texto.includes(texto), carta?.texto);
  t.like(await doPasso(c.id), { email_estado: 'entregue', entregue_em: `${DIA(1)} 15:00:00.000`, canal: 'email' });
  await c.rodar(DIA(16));
  t.is(await c.situacao(contrato), 'bloqueado');
});

test.serial('com o servidor dois dias fora nada se perde nem trava, e o prazo conta da entrega', async (t) => {
  const c = await cenario({ sem_entrega: false });
  const { contrato, dever } = await c.devedor();
  const outro = await c.devedor();
  await dever('2027-02-10');
  await outro.dever(DIA(2), { situacao: 'pendente' });
  await c.rodar(DIA(1));
  await consumir();
  t.deepEqual(await estados(c.id), ['pendente', 'pendente']);
  await smtp.sair();
  for (let hora = 12; hora < 60; hora += 1) {
    ir(somarDias(DIA(1), Math.floor(hora / 24)), hora % 24);
    await enviar();
  }
  const [uma] = await api.dono('correio_pedidos').where({ provedor_id: c.id }).where('chave', 'like', 'aviso.%');
  t.true(uma.tentativas > 5 && uma.tentativas < 48, String(uma.tentativas));
  t.is(uma.erro, 'ESOCKET');
  t.like(await doPasso(c.id), { email_estado: 'a_enviar', entregue_em: null });
  await smtp.voltar();
  ir(DIA(3), 14);
  await enviar();
  // That an invoice is due in a day is not said on the day after it was due.
  t.deepEqual((await estados(c.id)).toSorted(), ['entregue', 'esgotada']);
  t.is(smtp.cartas.length, 1);
  t.like(await doPasso(c.id, 'lembrete'), { email_estado: 'falhou' });
  await c.rodar(DIA(16));
  t.is(await c.situacao(contrato), 'ativo', 'o prazo conta da entrega');
  for (const n of [18, 21]) await c.rodar(DIA(n));
  t.is(await c.situacao(contrato), 'bloqueado');
});

test.serial('quem morre depois que o servidor aceitou manda de novo, com o mesmo Message-ID', async (t) => {
  const c = await cenario();
  const { dever } = await c.devedor();
  await dever('2027-02-10');
  await c.rodar(DIA(1));
  await consumir();
  await enviar();
  await api.dono('correio_pedidos').where({ provedor_id: c.id }).update({ estado: 'em_andamento' });
  await enviar();
  t.is(smtp.cartas.length, 1, 'outro ainda pode estar mandando');
  relogio.avancar(3 * 60_000);
  await enviar();
  const ids = smtp.cartas.map(({ id }) => id);
  t.is(ids.length, 2);
  t.is(new Set(ids).size, 1);
  t.regex(ids[0]!, /^<malha\.\d+\.\d+@malha\.test>$/);
});

test.serial('o que o servidor recusa para sempre não se repete; o que adia, sim, com pausas que crescem', async (t) => {
  const c = await cenario();
  const { dever } = await c.devedor();
  await dever('2027-02-10');
  await c.rodar(DIA(1));
  await consumir();
  smtp.responder('451 try again later');
  await enviar();
  const proxima = async (): Promise<number> => {
    const [quando] = await api.dono('correio_pedidos').where({ provedor_id: c.id }).pluck('proxima_em');
    return (Date.parse(`${String(quando).replace(' ', 'T')}Z`) - relogio.agora().getTime()) / 60_000;
  };
  t.is(await proxima(), 1);
  relogio.avancar(60_000);
  await enviar();
  t.is(await proxima(), 2);
  smtp.responder('550 no such user');
  relogio.avancar(2 * 60_000);
  await enviar();
  t.deepEqual(await estados(c.id), ['esgotada']);
  t.like(await doPasso(c.id), { email_estado: 'falhou', entregue_em: null });
  relogio.avancar(60 * 60_000);
  await enviar();
  t.is((await cartas(c.id))[0].tentativas, 3);
});

test.serial(
  'o que se pagou, adiou ou liberou antes da vez já não se manda, e de quem foi apagado nada sai',
  async (t) => {
    const c = await cenario();
    const paga = await c.devedor();
    const adiada = await c.devedor();
    const liberado = await c.devedor();
    const apagado = await c.devedor();
    const faturas = await Promise.all([paga, adiada, liberado, apagado].map(async ({ dever }) => dever('2027-02-10')));
    await c.rodar(DIA(1));
    await api.dono('eventos_pendentes').where({ provedor_id: c.id, consumidor: 'regua' }).delete();
    await c.rodar(DIA(16));
    await consumir();
    t.is((await cartas(c.id)).length, 4);
    await c.mudar(async ({ baixas }) => baixas.registrar(faturas[0]!, { forma: 'dinheiro', valor: '150.00' }));
    await api
      .dono('faturas')
      .where({ id: faturas[1]! })
      .update({ vencimento: DIA(30) });
    await c.mudar(async ({ movimentos }) => movimentos.liberar(liberado.contrato, { motivo: 'acordo de boca' }));
    const nada = { para: null, assunto: null, texto: null };
    await api.dono('correio_pedidos').where({ cliente_id: apagado.cliente }).update(nada);
    await enviar();
    t.is(smtp.cartas.length, 0);
    t.deepEqual(await estados(c.id), ['dispensada', 'dispensada', 'dispensada', 'dispensada']);
    t.like(await doPasso(c.id, 'bloqueio'), { email_estado: 'dispensado', entregue_em: null });
  },
);

test.serial('o aviso que não chegou é dito de novo, um ou todos os do dia, e os dias contam do novo', async (t) => {
  const c = await cenario({ sem_entrega: false });
  const [um, outro, semEmail] = [await c.devedor(), await c.devedor(), await c.devedor()];
  await api.dono('clientes').where({ id: semEmail.cliente }).update({ email: null });
  for (const { dever } of [um, outro, semEmail]) await dever('2027-02-10');
  await c.rodar(DIA(1));
  await consumir();
  smtp.responder('550 nao existe');
  await enviar();
  t.like(await doPasso(c.id), { email_estado: 'falhou' });
  smtp.responder('250 ok');
  const avisos = async () =>
    api
      .dono('regua_passos')
      .where({ provedor_id: c.id })
      .orderBy('id')
      .select('id', 'cliente_id', 'dia', 'vez', 'prazo');
  const [primeiro] = await avisos();
  // On the same day, too: the second row is not taken for the first.
  await c.mudar(async ({ regua }) => regua.avisarDeNovo(primeiro!.id));
  await t.throwsAsync(
    c.mudar(async ({ regua }) => regua.avisarDeNovo(primeiro!.id)),
    { message: /aviso mais novo/ },
  );
  await consumir();
  await enviar();
  t.is(smtp.cartas.length, 1);
  ir(DIA(4), 15);
  t.deepEqual(await c.mudar(async ({ regua }) => regua.avisarDeNovoODia(DIA(1))), { ditos: 1, proximo: null });
  t.deepEqual(await c.mudar(async ({ regua }) => regua.avisarDeNovoODia(DIA(1))), { ditos: 0, proximo: null });
  await consumir();
  await enviar();
  t.is(smtp.cartas.length, 2);
  t.deepEqual(
    (await avisos()).map(({ cliente_id, dia, vez, prazo }) => [cliente_id, dia, vez, prazo]),
    [
      [um.cliente, DIA(1), 1, DIA(16)],
      [outro.cliente, DIA(1), 1, DIA(16)],
      [semEmail.cliente, DIA(1), 1, DIA(16)],
      [um.cliente, DIA(1), 2, DIA(16)],
      [outro.cliente, DIA(4), 2, DIA(19)],
    ],
  );
  await c.rodar(DIA(16));
  t.deepEqual([await c.situacao(um.contrato), await c.situacao(outro.contrato)], ['bloqueado', 'ativo']);
  await c.rodar(DIA(21));
  t.deepEqual([await c.situacao(outro.contrato), await c.situacao(semEmail.contrato)], ['bloqueado', 'ativo']);
});

test.serial('o que alguém espera não fica atrás das cartas da régua', async (t) => {
  const c = await cenario();
  for (let n = 0; n < 12; n += 1) await (await c.devedor()).dever('2027-02-10');
  await c.rodar(DIA(1));
  await consumir();
  const { write } = api.container;
  const agora = relogio.agora();
  const carta = { clienteId: null, para: 'maria@malha.test', assunto: 'Senha trocada', texto: 'Foi você?' };
  const expiraEm = new Date(agora.getTime() + 86_400_000);
  await write(AUTOR, c.id, async (w) => pedirCorreio(w, 'seguranca', [{ ...carta, chave: 'uma', expiraEm }], agora));
  await enviar();
  t.is(smtp.cartas.length, 13);
  t.true(smtp.cartas.slice(0, 5).some(({ texto }) => texto.includes('Foi você?')));
});

test.serial('de noite ninguém ouve de dívidas: o que sobrou do dia vai de manhã', async (t) => {
  const c = await cenario();
  const { dever } = await c.devedor();
  await dever('2027-02-10');
  await c.rodar(DIA(1));
  await consumir();
  // 23:30 in São Paulo.
  relogio.definir(`${DIA(2)}T02:30:00Z`);
  await enviar();
  t.is(smtp.cartas.length, 0);
  ir(DIA(2), 10);
  await enviar();
  t.is(smtp.cartas.length, 0);
  ir(DIA(2), 11);
  await enviar();
  t.is(smtp.cartas.length, 1);
});

test.serial(
  'enquanto o servidor não responde nada está travado, e dois workers mandam cada carta uma vez',
  async (t) => {
    const c = await cenario();
    for (let n = 0; n < 12; n += 1) await (await c.devedor()).dever('2027-02-10');
    await c.rodar(DIA(1));
    await consumir();
    smtp.responder(null);
    await api.container.entregasDeCorreio.entregar();
    await ate(async () => (await estados(c.id)).includes('em_andamento'));
    for (const tabela of ['correio_pedidos', 'regua_passos', 'clientes'])
      t.true((await api.dono(tabela).where({ provedor_id: c.id }).forUpdate().noWait()).length > 0, tabela);
    await smtp.sair();
    await api.container.entregasDeCorreio.terminar();
    await smtp.voltar();
    smtp.responder('250 ok');
    relogio.avancar(10 * 60_000);
    const { db, provedores } = api.container;
    const logger = { warn: () => {} };
    const outro = createEntregasDeCorreioService({
      db,
      relogio,
      provedores,
      correio: createCorreio({ url: smtp.url, de: 'Malha <cobranca@malha.test>', logger }),
      quemPediu: { regua: CARTAS_DA_REGUA, segunda_via: { soDeDia: false }, seguranca: { soDeDia: false } },
      aoFalhar: (_alvo, error) => t.fail(String(error)),
    });
    await Promise.all([enviar(), outro.entregar().then(async () => outro.terminar())]);
    t.is(smtp.cartas.length, 12);
    t.is(new Set(smtp.cartas.map(({ id }) => id)).size, 12);
    t.deepEqual([...new Set(await estados(c.id))], ['entregue']);
  },
);

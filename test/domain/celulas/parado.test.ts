import { randomBytes } from 'node:crypto';
import test from 'ava';
import { atorDaTarefa } from '../../../src/domain/actor.ts';
import { convitesVencidos } from '../../../src/domain/convites/vencidos.queries.ts';
import { pedirCorreio } from '../../../src/domain/correio/pedir.service.ts';
import { Recusa } from '../../../src/domain/erros.ts';
import { comNotasDevidas, situacaoDasFilas } from '../../../src/domain/nfcom/envio/fila.queries.ts';
import { porProvedor } from '../../../src/domain/por-provedor.ts';
import { createAplicacaoService } from '../../../src/domain/rede/aplicacao/aplicacao.service.ts';
import { createDesconexaoService } from '../../../src/domain/rede/sessoes/desconexao.service.ts';
import { situacaoDasTarefas } from '../../../src/domain/tarefas/operacao.ts';
import { BILLING_ASKED_FOR, IMPORTS_ASKED_FOR } from '../../../src/app/compose/asked-for.ts';
import { ENFILEIRAM } from '../../../src/domain/celulas/situacao.ts';
import { toDatabaseTime } from '../../../src/platform/mysql/database.ts';
import { createConsuming } from '../../../src/platform/mysql/outbox-consumer.ts';
import { createNasClient } from '../../../src/platform/radius/client.ts';
import { createFaturamentoExecutarJob } from '../../../workers/jobs/faturamento-executar.job.ts';
import { createRedeAplicarJob } from '../../../workers/jobs/rede-aplicar.job.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { ate } from '../../support/espera.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import { enviar as enviarAoPsp, provedorComPsp } from '../../support/psp/conta.ts';
import { WEBHOOKS_AQUI, criarReceptorDeWebhooks } from '../../support/receptor.ts';
import type { ReceptorDeWebhooks } from '../../support/receptor.ts';
import { relogioEm } from '../../support/relogio.ts';
import { abrirSmtp } from '../../support/smtp.ts';
import { entregador } from '../webhooks/apoio.ts';

const AGORA = '2026-11-20T15:00:00.000Z';
const FORA = ['chegando', 'chegou', 'saindo', 'foi'] as const;
const TAREFA = atorDaTarefa('testes');

const relogio = relogioEm(AGORA);
let api: Api;
let smtp: Awaited<ReturnType<typeof abrirSmtp>>;
let receptor: ReceptorDeWebhooks;

test.before(async () => {
  smtp = await abrirSmtp();
  receptor = await criarReceptorDeWebhooks();
  const env = {
    ...WEBHOOKS_AQUI,
    MALHA_CHAVE_MESTRA: randomBytes(32).toString('hex'),
    MALHA_REDES_PERMITIDAS: '127.0.0.1/32',
    MALHA_SMTP_URL: smtp.url,
    MALHA_EMAIL_DE: 'Malha <cobranca@malha.test>',
  };
  api = await criarApi({ relogio, env });
});
test.after.always(async () => {
  await api.fechar();
  await smtp.fechar();
  receptor.fechar();
});
test.beforeEach(() => {
  relogio.definir(AGORA);
  smtp.cartas.length = 0;
  receptor.recebidos.length = 0;
});

const dizerQueEsta = async (id: number, mudanca: string | null): Promise<void> => {
  await api.dono('provedores').where({ id }).update({ mudanca });
};

async function entregarTudo(): Promise<void> {
  await entregador(api.container).tudo();
  const { entregasDeCorreio, entregasDePush } = api.container;
  await entregasDeCorreio.entregar();
  await entregasDeCorreio.terminar();
  await entregasDePush.entregar();
  await entregasDePush.terminar();
}

/** A provider with an e-mail and a webhook's delivery that are due, and an event that nobody has consumed. */
async function comEnvios() {
  const fabrica = criarFabrica(api.dono);
  const id = await fabrica.provedor();
  await api.container.webhooks.criar(TAREFA, id, { url: receptor.url, eventos: ['cliente.*'] });
  const cliente = await fabrica.cliente(id);
  const acontecer = async (): Promise<void> =>
    api.container.write(TAREFA, id, async (w) => {
      w.emit('cliente.atualizado', cliente, { cliente, campos: ['email'] });
    });
  const carta = async (chave: string): Promise<void> => {
    await api.container.write(TAREFA, id, async (w) => {
      const expiraEm = new Date(relogio.agora().getTime() + 86_400_000);
      const pedido = { chave, clienteId: cliente, para: 'maria@malha.test', assunto: 'Oi', texto: 'Oi.', expiraEm };
      await pedirCorreio(w, 'segunda_via', [pedido], relogio.agora());
    });
  };
  await acontecer();
  await entregador(api.container).consumir();
  await acontecer();
  await carta('uma');
  return { id, cliente, fabrica };
}

test.serial('de quem muda de célula nada se envia, aqui nem na outra; de quem fica, tudo e uma vez', async (t) => {
  const { id } = await comEnvios();
  const esperam = async () => ({
    cartas: await api.dono('correio_pedidos').where({ provedor_id: id }).select('estado', 'tentativas'),
    entregas: await api.dono('webhook_entregas').where({ provedor_id: id }).select('estado', 'tentativas'),
    eventos: await api.dono('eventos_pendentes').where({ provedor_id: id }).orderBy('evento_id').select('evento_id'),
  });
  const antes = await esperam();
  t.is(antes.cartas.length, 1);
  t.is(antes.entregas.length, 1);
  t.true(antes.eventos.length > 0);
  for (const mudanca of FORA) {
    await dizerQueEsta(id, mudanca);
    await entregarTudo();
    t.deepEqual([smtp.cartas.length, receptor.recebidos.length], [0, 0], mudanca);
    t.deepEqual(await esperam(), antes, mudanca);
  }
  await dizerQueEsta(id, null);
  await entregarTudo();
  await entregarTudo();
  t.deepEqual([smtp.cartas.length, receptor.recebidos.length], [1, 2]);
});

test.serial(
  'quem começa a mudar enquanto algo está a caminho ouve o que foi disso, e não começa mais nada',
  async (t) => {
    const { id } = await comEnvios();
    smtp.responder(null);
    const { entregasDeCorreio } = api.container;
    await entregasDeCorreio.entregar();
    const estado = async () => (await api.dono('correio_pedidos').where({ provedor_id: id }).first('estado')).estado;
    await ate(async () => (await estado()) === 'em_andamento');
    await dizerQueEsta(id, 'saindo');
    await smtp.sair();
    await entregasDeCorreio.terminar();
    t.is(await estado(), 'pendente', 'o que foi dela está anotado');
    await smtp.voltar();
    smtp.responder('250 ok');
    relogio.avancar(3_600_000);
    await entregarTudo();
    t.is(smtp.cartas.length, 0);
    await dizerQueEsta(id, 'foi');
  },
);

test.serial('ao PSP e ao fisco nada se pergunta por quem muda de célula', async (t) => {
  const p = await provedorComPsp(api, () => relogio.agora());
  t.teardown(async () => p.psp.fechar());
  await p.fatura();
  await p.acompanhar();
  const fabrica = criarFabrica(api.dono);
  const cliente_id = await fabrica.cliente(p.provedor);
  const fatura_id = await fabrica.fatura(p.provedor, { cliente_id });
  await api.dono('nfcom').insert({
    provedor_id: p.provedor,
    fatura_id,
    cliente_id,
    ambiente: 'homologacao',
    valor: '99.90',
    etapa: 'montar',
    proxima_em: toDatabaseTime(relogio.agora()),
  });
  const notas = async () => comNotasDevidas(api.container.db, relogio.agora());
  const esperam = async () => (await situacaoDasFilas(api.container.db, relogio.agora())).esperam;
  const convenio = async () =>
    api.dono('psp_convenios').where({ provedor_id: p.provedor }).first('leitura_em', 'falhas');
  const antes = await convenio();
  const deTodos = await esperam();
  t.true((await notas()).some(({ provedorId }) => provedorId === p.provedor));
  for (const mudanca of FORA) {
    await dizerQueEsta(p.provedor, mudanca);
    relogio.avancar(3_600_000);
    await enviarAoPsp(api);
    t.deepEqual(await convenio(), antes, mudanca);
    t.is(await esperam(), deTodos - 1, mudanca);
    t.false(
      (await notas()).some(({ provedorId }) => provedorId === p.provedor),
      mudanca,
    );
  }
});

test.serial('o trabalho do dia e os pedidos à rede de quem muda ficam, e não são falha', async (t) => {
  const fabrica = criarFabrica(api.dono);
  const id = await fabrica.provedor();
  const cliente_id = await fabrica.cliente(id);
  const contrato_id = await fabrica.contrato(id, { cliente_id, plano_id: await fabrica.plano(id) });
  await fabrica.nas(id, '10.55.0.1');
  await api.dono('rede_pedidos').insert({
    provedor_id: id,
    contrato_id,
    acao: 'liberar',
    pedido_em: toDatabaseTime(relogio.agora()),
  });
  await api.dono('convites').insert({
    provedor_id: id,
    token_hash: randomBytes(32),
    situacao: 'aberto',
    criado_em: '2026-11-01 09:00:00.000',
    expira_em: '2026-11-02 09:00:00.000',
  });
  const { db, write, tarefas } = api.container;
  const aplicacao = createAplicacaoService({ db, relogio, write, avisar: () => {} });
  const signal = new AbortController().signal;
  const aplicar = async () =>
    porProvedor(aplicacao.provedores, async (um) => aplicacao.aplicar(TAREFA, um), { lotes: 5, signal });
  const doDia = async () => (await tarefas.pendentes()).filter(({ provedorId }) => provedorId === id).length;
  const porFazer = async () =>
    (await situacaoDasTarefas(db, relogio)).reduce((soma, { pendentes }) => soma + pendentes, 0);
  const aplicado = async () =>
    (await api.dono('rede_pedidos').where({ provedor_id: id }).first('aplicado_em')).aplicado_em;
  const vencidos = async () =>
    (await convitesVencidos(db, relogio.agora(), 100)).filter(({ provedor_id }) => provedor_id === id).length;
  const [todas, deTodos] = [await doDia(), await porFazer()];
  t.true(todas > 0);
  t.is(await vencidos(), 1);
  for (const mudanca of FORA) {
    await dizerQueEsta(id, mudanca);
    t.is(await doDia(), 0, mudanca);
    t.is(await porFazer(), deTodos - todas, mudanca);
    t.is(await vencidos(), 0, mudanca);
    await t.notThrowsAsync(aplicar(), mudanca);
    t.is(await aplicado(), null, mudanca);
    // Also where a job writes what nobody is told of.
    const semEvento = write(TAREFA, id, async (w) => w.update('planos', () => {}, { valor: '1.00' }));
    const recusa = await t.throwsAsync(semEvento, { instanceOf: Recusa });
    t.is(recusa?.motivo, 'provedor_em_mudanca');
  }
  await dizerQueEsta(id, null);
  await aplicar();
  t.not(await aplicado(), null);
});

test.serial('as sessões de quem muda ficam como estão, e as dos outros não esperam por isso', async (t) => {
  const fabrica = criarFabrica(api.dono);
  const comSessao = async (): Promise<number> => {
    const provedor_id = await fabrica.provedor();
    const cliente_id = await fabrica.cliente(provedor_id);
    const contrato_id = await fabrica.contrato(provedor_id, { cliente_id, plano_id: await fabrica.plano(provedor_id) });
    const em = toDatabaseTime(relogio.agora());
    const pedido = { provedor_id, contrato_id, pedido_em: em, aplicado_em: em };
    const [pedido_id = 0] = await api.dono('rede_pedidos').insert({ ...pedido, acao: 'bloquear' });
    const sessao = { provedor_id, pedido_id, contrato_id, radacctid: 1, nasipaddress: '10.55.0.9' };
    await api.dono('rede_desconexoes').insert({ ...sessao, estado: 'pendente', proxima_em: em, criado_em: em });
    return provedor_id;
  };
  const [muda, fica] = [await comSessao(), await comSessao()];
  const estado = async (provedor_id: number) =>
    (await api.dono('rede_desconexoes').where({ provedor_id }).first('estado')).estado;
  const { db, write } = api.container;
  const deps = { db, relogio, write, avisar: () => {} };
  const aplicacao = createAplicacaoService(deps);
  const desconexao = createDesconexaoService({ ...deps, perguntar: createNasClient({ timeoutMs: 50 }) });
  const contexto = { signal: new AbortController().signal, progress: () => {} } as never;
  for (const mudanca of FORA) {
    await dizerQueEsta(muda, mudanca);
    t.deepEqual(await desconexao.provedores(), [fica], mudanca);
  }
  await dizerQueEsta(muda, null);
  const comecaAMudar = {
    ...desconexao,
    provedores: async () => {
      const devidas = await desconexao.provedores();
      await dizerQueEsta(muda, 'saindo');
      return devidas;
    },
  };
  await t.notThrowsAsync(createRedeAplicarJob(aplicacao, comecaAMudar)({}, contexto));
  t.deepEqual([await estado(muda), await estado(fica)], ['pendente', 'encerrada']);
  await dizerQueEsta(muda, null);
  await createRedeAplicarJob(aplicacao, desconexao)({}, contexto);
  t.is(await estado(muda), 'encerrada');
});

test.serial('o que alguém pediu a uma tarefa fica para a célula em que o provedor viver', async (t) => {
  const { id } = await comEnvios();
  t.deepEqual([BILLING_ASKED_FOR.name, IMPORTS_ASKED_FOR.name], [...ENFILEIRAM]);
  const job = createFaturamentoExecutarJob({
    executarPedidos: async (actor, provedorId) => {
      await api.container.write(actor, provedorId, async (w) => w.update('planos', () => {}, { valor: '1.00' }));
      return { pedidos: 1 };
    },
  });
  const contexto = { signal: new AbortController().signal, progress: () => {} } as never;
  await dizerQueEsta(id, 'foi');
  t.deepEqual(await job({ provedorId: id }, contexto), { desfecho: 'em_mudanca' });
  const tomados: number[] = [];
  const { consume } = createConsuming({
    db: api.container.db,
    consumer: { name: 'webhooks', consume: async (w) => void tomados.push(w.provedorId) },
    onFailure: (_id, error) => t.fail(String(error)),
  });
  await consume();
  t.false(tomados.includes(id));
  await dizerQueEsta(id, null);
  t.deepEqual(await job({ provedorId: id }, contexto), { pedidos: 1 });
  await consume();
  t.true(tomados.includes(id));
});

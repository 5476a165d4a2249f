import test from 'ava';
import type { FiltroDeNotas } from '../../../src/domain/nfcom/lista/lista.types.ts';
import type { FiltroDeRejeitadas } from '../../../src/domain/nfcom/lista/rejeitadas.queries.ts';
import { situacaoDasFilas } from '../../../src/domain/nfcom/envio/fila.queries.ts';
import { TERMINAL } from '../../../src/domain/actor.ts';
import { jsonColumn } from '../../../src/platform/mysql/database.ts';
import { abrirAutoridade } from '../../../seeds/autoridade/autoridade.ts';
import type { Autoridade, Humor, Operacao } from '../../../seeds/autoridade/autoridade.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { cartorio, enviarTudo, escrever, provedorFiscal } from '../../support/fiscal.ts';
import type { ProvedorFiscal } from '../../support/fiscal.ts';
import { relogioEm } from '../../support/relogio.ts';

const AGORA = '2026-11-20T15:00:00.000Z';
const MINUTO = 60_000;
const relogio = relogioEm(AGORA);
let api: Api;
let autoridade: Autoridade;
let humor: (operacao: Operacao, chave: string | null) => Humor = () => ({});

test.before(async () => {
  api = await criarApi({ relogio, env: { MALHA_REDES_PERMITIDAS: '127.0.0.1/32' } });
  autoridade = await abrirAutoridade({
    cartorio,
    agora: () => relogio.agora(),
    humor: (...pedido) => humor(...pedido),
    esquema: async () => Promise.resolve(null),
  });
});
test.after.always(async () => {
  await autoridade.fechar();
  await api.fechar();
});
test.beforeEach(() => {
  relogio.definir(AGORA);
  humor = () => ({});
});

const enviar = async () => enviarTudo(api.container);
const um = async (id: number) => api.dono('nfcom').where('id', id).first();
const pedir = async (p: ProvedorFiscal) => p.pedir((await p.fatura()).fatura);
const pausar = async (p: ProvedorFiscal) =>
  escrever(api.container, p.provedor, async ({ nfcom }) => nfcom.pausar({ porque: 'alíquota errada' }));
const continuar = async (p: ProvedorFiscal) =>
  escrever(api.container, p.provedor, async ({ nfcom }) => nfcom.continuar());
const quantas = async (p: ProvedorFiscal, filtro: FiltroDeNotas = {}) =>
  p.ler(async ({ notas }) => notas.quantasPorSair(filtro));
const descartar = async (p: ProvedorFiscal, filtro: FiltroDeNotas, contada: Awaited<ReturnType<typeof quantas>>) =>
  escrever(api.container, p.provedor, async ({ nfcom }) => nfcom.descartarQueEsperam(filtro, contada));
const acoes = async (p: ProvedorFiscal): Promise<string[]> =>
  api.dono('auditoria').where({ provedor_id: p.provedor }).orderBy('id').pluck<string[]>('acao');

test.serial(
  'pausado, nada se monta nem se envia; do que já foi enviado pergunta-se, e cancelamentos saem',
  async (t) => {
    const p = await provedorFiscal(api, autoridade, { configuracao: { simultaneas: 1 } });
    const outro = await provedorFiscal(api, autoridade);
    const boa = await pedir(p);
    await enviar();
    const perdida = await pedir(p);
    humor = (operacao) => (operacao === 'recepcao' ? { perder: 'depois' } : {});
    await enviar();
    t.like(await um(perdida), { situacao: 'processando', etapa: 'consultar' });
    humor = () => ({});
    const espera = await pedir(p);
    const doOutro = await pedir(outro);
    await pausar(p);
    t.like(await p.ler(async ({ configuracaoNfcom }) => configuracaoNfcom.fila()), {
      pausa: { desde: relogio.agora(), porque: 'alíquota errada' },
    });
    await t.throwsAsync(pausar(p), { message: /já está pausado/ });
    await escrever(api.container, p.provedor, async ({ nfcom }) =>
      nfcom.cancelar(boa, { justificativa: 'emitida em duplicidade' }),
    );
    relogio.avancar(30 * MINUTO);
    await enviar();
    t.is((await um(perdida)).situacao, 'autorizada');
    t.is((await um(boa)).situacao, 'cancelada');
    t.like(await um(espera), { situacao: 'pendente', etapa: 'montar', numero: null });
    t.is((await um(doOutro)).situacao, 'autorizada');
    // What waits on purpose is not late.
    t.like(await situacaoDasFilas(api.container.db, relogio.agora()), { esperam: 1, atrasoMs: null, paradas: 1 });

    await continuar(p);
    await t.throwsAsync(continuar(p), { message: /não está pausado/ });
    await enviar();
    t.like(await um(espera), { situacao: 'autorizada', numero: 3 });
    const ditas = await acoes(p);
    t.deepEqual(
      ditas.filter((acao) => /pausada|continuada/.test(acao)),
      ['nfcom.fila_pausada', 'nfcom.fila_continuada'],
    );
  },
);

test.serial('em contingência a pausa vale também para o que se emitiria offline', async (t) => {
  const p = await provedorFiscal(api, autoridade);
  await escrever(api.container, p.provedor, async ({ configuracaoNfcom }) =>
    configuracaoNfcom.entrarEmContingencia({ justificativa: 'a autoridade está fora do ar' }),
  );
  const id = await pedir(p);
  await pausar(p);
  await enviar();
  t.like(await um(id), { situacao: 'pendente', numero: null });
});

test.serial(
  'desiste-se junto do que espera e está no filtro; números ficam para as próximas, e o que foi enviado pergunta-se antes',
  async (t) => {
    const p = await provedorFiscal(api, autoridade, { configuracao: { simultaneas: 1 } });
    const autorizada = await pedir(p);
    await enviar();
    // Rejected once, and asked for again: the authority may have it by its key.
    const devolvida = await pedir(p);
    humor = (operacao) => (operacao === 'recepcao' ? { cStat: '402' } : {});
    await enviar();
    t.like(await um(devolvida), { situacao: 'rejeitada', numero: 2 });
    // Signed, and not sent: the authority does not answer when the first of three is sent.
    humor = (operacao) => (operacao === 'recepcao' ? { cStat: '108' } : {});
    const assinadas = [await pedir(p), await pedir(p), await pedir(p)];
    await enviar();
    const [tentada = 0, ...outras] = assinadas;
    t.like(await um(tentada), { etapa: 'enviar', numero: 3, tentativas: 1 });
    for (const id of outras) t.like(await um(id), { etapa: 'enviar', tentativas: 0 });
    await pausar(p);
    humor = () => ({});
    await escrever(api.container, p.provedor, async ({ nfcom }) => nfcom.reemitir(devolvida));
    relogio.avancar(30 * MINUTO);
    await enviar();
    t.like(await um(devolvida), { etapa: 'montar', numero: 2 });
    const nova = await pedir(p);
    const { cliente, fatura } = await p.fatura();
    const doCliente = await p.pedir(fatura);
    t.like(await quantas(p), { notas: 6, ultima: doCliente });
    const soDele = await quantas(p, { clienteId: cliente });
    t.like(soDele, { notas: 1, ultima: doCliente });
    t.is((await quantas(p, { situacao: 'rejeitada' })).notas, 0);

    t.like(await descartar(p, { clienteId: cliente }, soDele), { notas: 1, mais: false });
    t.like(await um(doCliente), { situacao: 'rejeitada', motivo_codigo: 'descartada', etapa: null });
    t.is((await um(nova)).situacao, 'pendente');

    const contada = await quantas(p);
    const depois = await pedir(p);
    t.like(await descartar(p, {}, contada), { notas: 5, mais: false });
    const DESCARTADA = { situacao: 'rejeitada', motivo_codigo: 'descartada', etapa: null, numero: null };
    for (const id of [...outras, nova]) t.like(await um(id), DESCARTADA);
    // Two may be with the authority: they are given up once it says that they are not.
    for (const id of [devolvida, tentada]) t.like(await um(id), { situacao: 'pendente', etapa: 'conferir' });
    t.like(await um(autorizada), { situacao: 'autorizada' });
    t.like(await um(depois), { situacao: 'pendente', etapa: 'montar' });
    await enviar();
    for (const id of [devolvida, tentada]) t.like(await um(id), DESCARTADA);

    await continuar(p);
    const mais = [await pedir(p), await pedir(p), await pedir(p), await pedir(p)];
    await enviar();
    const feitas = await Promise.all([depois, ...mais].map(um));
    t.deepEqual(
      feitas.map(({ situacao, numero }) => [situacao, numero]),
      [2, 3, 4, 5, 6].map((numero) => ['autorizada', numero]),
    );
  },
);

test.serial(
  'o que se assinou e ficou pausado mais de cinco dias é assinado de novo, com o seu número, antes de sair',
  async (t) => {
    const p = await provedorFiscal(api, autoridade, { configuracao: { simultaneas: 1 } });
    humor = (operacao) => (operacao === 'recepcao' ? { cStat: '108' } : {});
    const ids = [await pedir(p), await pedir(p), await pedir(p)];
    await enviar();
    const antes = await Promise.all(ids.map(um));
    t.deepEqual(
      antes.map(({ etapa, tentativas, numero }) => [etapa, tentativas, numero]),
      [
        ['enviar', 1, 1],
        ['enviar', 0, 2],
        ['enviar', 0, 3],
      ],
    );
    humor = () => ({});
    await pausar(p);
    relogio.avancar(6 * 24 * 60 * MINUTO);
    await enviar();
    t.deepEqual(await Promise.all(ids.map(um)), antes);
    await continuar(p);
    await enviar();
    const agora = '2026-11-26 15:00:00.000';
    for (const [n, id] of ids.entries()) {
      t.like(await um(id), { situacao: 'autorizada', numero: n + 1, emitida_em: agora });
      t.is((await api.dono('nfcom_versoes').where('nfcom_id', id)).length, 1);
    }
    // Of the one that was sent once the authority was asked first, which said that it does not have it.
    const perguntas = await api.dono('nfcom_tentativas').where({ provedor_id: p.provedor, operacao: 'consulta' });
    t.deepEqual(
      perguntas.map(({ nfcom_id, codigo }) => [nfcom_id, codigo]),
      [[ids[0], '217']],
    );
  },
);

test.serial('a que se pergunta antes de assinar de novo não é rejeitada por uma consulta recusada', async (t) => {
  const p = await provedorFiscal(api, autoridade);
  const id = await pedir(p);
  humor = (operacao) => (operacao === 'recepcao' ? { cStat: '108' } : {});
  await enviar();
  relogio.avancar(6 * 24 * 60 * MINUTO);
  humor = (operacao) => (operacao === 'consulta' ? { cStat: '252' } : {});
  await enviar();
  t.like(await um(id), { situacao: 'pendente', etapa: 'conferir', motivo_codigo: 'assinatura_vencida', numero: 1 });
  humor = () => ({});
  relogio.avancar(10 * MINUTO);
  await enviar();
  t.like(await um(id), { situacao: 'autorizada', motivo_codigo: null, numero: 1 });
});

test.serial('a emitida offline vai como está, por velha que seja', async (t) => {
  const p = await provedorFiscal(api, autoridade);
  await escrever(api.container, p.provedor, async ({ configuracaoNfcom }) =>
    configuracaoNfcom.entrarEmContingencia({ justificativa: 'a autoridade está fora do ar' }),
  );
  humor = (operacao) => (operacao === 'recepcao' ? { cStat: '108' } : {});
  const id = await pedir(p);
  await enviar();
  const { chave, digest } = await um(id);
  t.truthy(chave);
  relogio.avancar(6 * 24 * 60 * MINUTO);
  humor = () => ({});
  await enviar();
  t.is((await api.dono('nfcom_versoes').where('nfcom_id', id)).length, 0);
  t.like(await um(id), { chave, digest });
});

test.serial('depois de contadas, entrou na fila uma de antes: não se desiste de nenhuma até que se veja', async (t) => {
  const p = await provedorFiscal(api, autoridade);
  const antes = await pedir(p);
  await api.dono('nfcom').where('id', antes).update({ situacao: 'rejeitada', motivo_codigo: '427', etapa: null });
  const espera = await pedir(p);
  const contada = await quantas(p);
  t.like(contada, { notas: 1, ultima: espera });
  // While others are sent, which ones wait changes all the time.
  await t.throwsAsync(descartar(p, {}, contada), { message: /não está pausado/ });
  await pausar(p);
  await escrever(api.container, p.provedor, async ({ nfcom }) => nfcom.reemitir(antes));
  await t.throwsAsync(descartar(p, {}, contada), { message: /mudaram as notas da fila/ });
  for (const id of [antes, espera]) t.like(await um(id), { situacao: 'pendente', etapa: 'montar' });
  t.like(await descartar(p, {}, await quantas(p)), { notas: 2, mais: false });
});

test.serial(
  'depois de contadas, uma saiu da fila e outra de antes entrou: da que ninguém viu não se desiste',
  async (t) => {
    const p = await provedorFiscal(api, autoridade);
    const antes = await pedir(p);
    await api.dono('nfcom').where('id', antes).update({ situacao: 'rejeitada', motivo_codigo: '427', etapa: null });
    const [sai, fica] = [await pedir(p), await pedir(p)];
    await pausar(p);
    const contada = await quantas(p);
    t.like(contada, { notas: 2, ultima: fica });
    await escrever(api.container, p.provedor, async ({ nfcom }) => nfcom.descartar(sai));
    await escrever(api.container, p.provedor, async ({ nfcom }) => nfcom.reemitir(antes));
    await t.throwsAsync(descartar(p, {}, contada), { message: /mudaram as notas da fila/ });
    for (const id of [antes, fica]) t.like(await um(id), { situacao: 'pendente', etapa: 'montar' });
  },
);

test.serial(
  'a autoridade responde, depois de contadas, que não tem uma que estava com ela: essa fica, e desiste-se das contadas',
  async (t) => {
    const p = await provedorFiscal(api, autoridade, { configuracao: { simultaneas: 1 } });
    const perdida = await pedir(p);
    humor = (operacao) => (operacao === 'recepcao' ? { perder: 'antes' } : {});
    await enviar();
    humor = () => ({});
    const espera = await pedir(p);
    await pausar(p);
    t.is((await um(perdida)).etapa, 'consultar');
    const contada = await quantas(p);
    t.like(contada, { notas: 1, ultima: espera });
    relogio.avancar(30 * MINUTO);
    await enviar();
    t.like(await um(perdida), { situacao: 'processando', etapa: 'enviar', numero: 1 });
    t.like(await descartar(p, {}, contada), { notas: 1, mais: false });
    t.like(await um(espera), { situacao: 'rejeitada', motivo_codigo: 'descartada' });
    t.is((await um(perdida)).etapa, 'enviar');
    t.like(await quantas(p), { notas: 1, ultima: perdida });
    await continuar(p);
    await enviar();
    t.like(await um(perdida), { situacao: 'autorizada', numero: 1 });
  },
);

const desistidas = async (p: ProvedorFiscal, filtro: FiltroDeRejeitadas = {}) =>
  p.ler(async ({ notas }) => notas.desistidas(filtro));
async function pedirDesistidas(p: ProvedorFiscal, filtro: FiltroDeRejeitadas = {}, contada = desistidas(p, filtro)) {
  const contagem = await contada;
  const ids = await p.ler(async ({ notas }) => notas.desistidasContadas(filtro, contagem));
  return escrever(api.container, p.provedor, async ({ nfcom }) => nfcom.pedirDesistidas(ids, contagem.ambiente));
}

test.serial(
  'das notas de que se desistiu junto pedem-se outras, juntas; a de que se desistiu sozinha fica sem nota',
  async (t) => {
    const p = await provedorFiscal(api, autoridade, { configuracao: { simultaneas: 1 } });
    humor = (operacao) => (operacao === 'recepcao' ? { cStat: '108' } : {});
    const assinadas = [await pedir(p), await pedir(p)];
    await enviar();
    humor = () => ({});
    await pausar(p);
    const novas = [await pedir(p), await pedir(p)];
    const sozinha = await pedir(p);
    await escrever(api.container, p.provedor, async ({ nfcom }) => nfcom.descartar(sozinha));
    const contada = await quantas(p);
    t.is(contada.notas, 4);
    await descartar(p, {}, contada);
    relogio.avancar(30 * MINUTO);
    await enviar();
    for (const id of [...assinadas, ...novas]) t.like(await um(id), { motivo_codigo: 'descartada', etapa: null });
    const cancelada = await um(novas[1] ?? 0);
    await api.dono('faturas').where('id', cancelada.fatura_id).update({ situacao: 'cancelada' });

    const soma = String([...assinadas, novas[0] ?? 0].reduce((ate, id) => ate + id, 0));
    t.deepEqual(await desistidas(p), { ambiente: 'homologacao', notas: 3, soma, ultima: novas[0] ?? 0 });
    const { cliente_id: clienteId } = await um(novas[0] ?? 0);
    t.is((await desistidas(p, { clienteId })).notas, 1);
    t.is(await pedirDesistidas(p, { clienteId }), 1);
    t.is((await desistidas(p)).notas, 2);
    t.is(await pedirDesistidas(p), 2);
    t.is(await pedirDesistidas(p), 0);
    // Of what was asked for again nothing is remembered: it is not read any more by who counts.
    const lembradas = api.dono('nfcom').where('provedor_id', p.provedor).whereRaw(`pedido LIKE '%junto%'`);
    t.deepEqual(await lembradas.pluck('id'), [cancelada.id]);
    await continuar(p);
    await enviar();
    const feitas = (await p.notas()).filter(({ id }) => id > sozinha);
    t.deepEqual(
      feitas.map(({ fatura_id, situacao }) => [fatura_id, situacao]),
      (await Promise.all([novas[0] ?? 0, ...assinadas].map(um))).map(({ fatura_id }) => [fatura_id, 'autorizada']),
    );

    // Given up again by itself, the invoice of one of them is left without a note.
    await pausar(p);
    const outra = await pedir(p);
    await descartar(p, {}, await quantas(p));
    await pedirDesistidas(p);
    const segunda = (await p.notas()).at(-1);
    t.not(segunda.id, outra);
    await escrever(api.container, p.provedor, async ({ nfcom }) => nfcom.descartar(segunda.id));
    t.is((await desistidas(p)).notas, 0);
  },
);

test.serial('de que se desistiu depois de contadas não se pede outra sem que se veja', async (t) => {
  const p = await provedorFiscal(api, autoridade);
  const [cedo, contada, tarde] = [await pedir(p), await pedir(p), await pedir(p)];
  const desistida = { situacao: 'rejeitada', motivo_codigo: 'descartada', etapa: null, pedido: '{"junto": 1}' };
  const ficar = async (id: number, mudancas: object) => api.dono('nfcom').where({ id }).update(mudancas);
  await ficar(contada, desistida);
  const vista = desistidas(p);
  t.like(await vista, { notas: 1, ultima: contada });
  await ficar(tarde, desistida);
  await ficar(cedo, desistida);
  const mudaram = { message: /mudaram desde que foram contadas/ };
  await t.throwsAsync(pedirDesistidas(p, {}, vista), mudaram);
  // As many as were counted, and not the same.
  await ficar(contada, { pedido: null });
  await t.throwsAsync(pedirDesistidas(p, {}, vista), mudaram);
  t.is((await p.notas()).length, 3);
  await ficar(contada, { pedido: desistida.pedido });
  await ficar(cedo, { pedido: null });
  t.is(await pedirDesistidas(p, {}, vista), 1);
  t.like(await desistidas(p), { notas: 1, ultima: tarde });
});

test.serial('do que mudou depois de achado não se pede outra, nem do outro ambiente', async (t) => {
  const p = await provedorFiscal(api, autoridade);
  const ids = [await pedir(p), await pedir(p)];
  const [comOutra = 0, inteira = 0] = ids;
  await pausar(p);
  await descartar(p, {}, await quantas(p));
  await p.pedir((await um(comOutra)).fatura_id);
  const pedirEm = async (ambiente: 'homologacao' | 'producao') =>
    escrever(api.container, p.provedor, async ({ nfcom }) => nfcom.pedirDesistidas(ids, ambiente));
  await t.throwsAsync(pedirEm('producao'), { message: /passou a emitir em homologação/ });
  t.is(await pedirEm('homologacao'), 1);
  t.is((await p.notas()).at(-1).fatura_id, (await um(inteira)).fatura_id);
});

test.serial('da pausa que segura notas há mais de um dia avisa-se a equipe, uma vez', async (t) => {
  const p = await provedorFiscal(api, autoridade);
  const semNotas = await provedorFiscal(api, autoridade);
  await pausar(p);
  await pausar(semNotas);
  const lembrar = async (): Promise<void> => {
    const { lembretes } = api.container;
    const deles = await lembretes.provedores();
    for (const { provedor } of [p, semNotas]) if (deles.includes(provedor)) await lembretes.lembrar(TERMINAL, provedor);
  };
  const toques = async () =>
    api
      .dono('notificacoes')
      .whereIn('provedor_id', [p.provedor, semNotas.provedor])
      .where('tipo', 'nfcom.fila_esquecida')
      .select('provedor_id', 'recurso', 'origem');
  relogio.avancar(2 * 60 * MINUTO);
  await pedir(p);
  await pedir(p);
  // The pause is a day old, and what waits is not.
  relogio.avancar(23 * 60 * MINUTO);
  await lembrar();
  t.deepEqual(await toques(), []);
  relogio.avancar(60 * MINUTO);
  await lembrar();
  await lembrar();
  t.deepEqual(await toques(), [{ provedor_id: p.provedor, recurso: 'envio_nfcom', origem: 'NFCom' }]);
  const eventos = await api.dono('eventos').where({ provedor_id: p.provedor, tipo: 'nfcom.fila_esquecida' });
  t.is(eventos.length, 1);
  t.like(jsonColumn(eventos[0].dados), { notas: 2, desde: AGORA });

  // Another pause is told of for itself.
  await continuar(p);
  await pausar(p);
  relogio.avancar(25 * 60 * MINUTO);
  await lembrar();
  t.is((await toques()).length, 2);
});

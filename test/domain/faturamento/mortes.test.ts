import test from 'ava';
import { TERMINAL, atorDaTarefa } from '../../../src/domain/actor.ts';
import { createEscrita } from '../../../src/domain/escrita.ts';
import { createExecucaoDoFaturamentoService } from '../../../src/domain/faturamento/pedidos/execucao.service.ts';
import { toDatabaseTime } from '../../../src/platform/mysql/database.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { entrarNoPainel } from '../../support/painel.ts';
import { relogioEm } from '../../support/relogio.ts';
import { carteiro, criarNavegador } from '../push/apoio.ts';
import { execucao } from './apoio.ts';
import { criarCasaDoWorker } from './casa-do-worker.ts';

const AGORA = '2027-03-02T15:00:00.000Z';
const ATOR = atorDaTarefa('faturamento.executar');
const MORREU = 'o processo que o fazia morreu, mais de uma vez seguida, antes de acabar uma parte';
const relogio = relogioEm(AGORA);
let api: Api;
test.before(async () => {
  api = await criarApi({ relogio });
});
test.after.always(() => api.fechar());
test.beforeEach(() => relogio.definir(AGORA));

/** A run whose process dies before it has done anything, as the database sees it: nothing is ever heard of it again. */
async function morrer(provedorId: number): Promise<void> {
  const { db, provedores } = api.container;
  const write = createEscrita({ db, gate: { bump: async () => {} }, onUnconfirmed: () => {} });
  let noMeio = (): void => {};
  const chegou = new Promise<void>((resolve) => {
    noMeio = resolve;
  });
  const nuncaMais = async (): Promise<never> => {
    noMeio();
    return new Promise(() => {});
  };
  const worker = createExecucaoDoFaturamentoService({
    db,
    write,
    relogio,
    provedores,
    descansoMs: () => 0,
    ritmo: () => ({ linhas: 500, descansoMs: 0 }),
    leituraDe: () => ({ previa: nuncaMais, quantosFaltam: nuncaMais }),
  });
  await Promise.race([chegou, worker.executarPedidos(ATOR, provedorId, execucao)]);
}

test.serial('um pedido que mata quem o faz conta como falho, espera, e a equipe o ouve uma vez', async (t) => {
  const c = await criarCasaDoWorker(api, 3);
  const chefe = await entrarNoPainel(api, c.id, 'administrador');
  const { dispositivo } = criarNavegador('https://fcm.googleapis.com/fcm/send/morte1');
  const provedor = await api.container.provedores.exigirPorId(c.id);
  await api.container.changeTenant(TERMINAL, provedor, async (_d, { dispositivos }) =>
    dispositivos.registrar({ usuarioId: chefe.usuarioId, sessaoId: null }, dispositivo),
  );
  const id = await c.pedir('faturas');
  const falha = async () => (await c.ler(async ({ faturamento }) => faturamento.pedido(id)))!.falha;
  const ditas = async () => {
    // By the database's clock they would be of long ago.
    await api
      .dono('eventos')
      .where('provedor_id', c.id)
      .update({ criado_em: toDatabaseTime(relogio.agora()) });
    await carteiro(api.container).consumir();
    return api.dono('push_envios').where({ provedor_id: c.id, tipo: 'faturamento_falhou' }).select('texto');
  };
  const toques = async () => api.dono('notificacoes').where({ provedor_id: c.id, tipo: 'faturamento.falhou' });
  await morrer(c.id);
  t.is(await falha(), null);
  await morrer(c.id);
  for (let vez = 1; vez <= 4; vez += 1) {
    await t.throwsAsync(c.executar(), { message: MORREU });
    t.like(await falha(), { vezes: vez, erro: MORREU });
    t.is((await toques()).length, vez < 3 ? 0 : 1);
    t.is((await c.executar()).feito, 0);
    relogio.definir((await falha())!.proximaEm.toISOString());
    if (vez < 4) await morrer(c.id);
  }
  t.deepEqual(
    (await ditas()).map(({ texto }) => texto),
    ['Fazer as faturas de 03/2027: falhou 3 vezes seguidas. Será tentado de novo; a página diz por quê.'],
  );
  const sino = (await chefe.get('/notificacoes')).texto;
  t.regex(sino, new RegExp(`href="/painel/faturamento">O que se pediu falha sempre: pedido do faturamento ${id}<`));
  t.is((await c.executar()).feito, 1);
  t.is(await c.contar('faturas'), 3);
  t.is(await falha(), null);
});

test.serial('uma morte só, ou quem para de propósito, não é falha', async (t) => {
  const c = await criarCasaDoWorker(api, 3);
  await c.pedir('previa');
  const parar = async () =>
    api.container.execucaoDoFaturamento.executarPedidos(ATOR, c.id, {
      ...execucao,
      signal: AbortSignal.abort(new Error('parou')),
    });
  for (let vez = 0; vez < 3; vez += 1) {
    await morrer(c.id);
    await t.throwsAsync(parar(), { message: 'parou' });
  }
  t.is((await c.executar()).feito, 1);
});

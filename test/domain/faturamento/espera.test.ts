import test from 'ava';
import { atorDaTarefa } from '../../../src/domain/actor.ts';
import { createEscrita } from '../../../src/domain/escrita.ts';
import { createLeituraDoFaturamentoService } from '../../../src/domain/faturamento/execucao/leitura.service.ts';
import { createExecucaoDoFaturamentoService } from '../../../src/domain/faturamento/pedidos/execucao.service.ts';
import { createTenantDb } from '../../../src/platform/mysql/tenant.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { falharCobrancas } from '../../support/falha-de-cobranca.ts';
import { entrarNoPainel } from '../../support/painel.ts';
import { relogioEm } from '../../support/relogio.ts';
import { execucao } from './apoio.ts';
import { criarCasaDoWorker } from './casa-do-worker.ts';

const AGORA = '2027-03-02T12:00:00.000Z';
const ATOR = atorDaTarefa('faturamento.executar');
const ERRO = 'banco de dados: ER_SIGNAL_EXCEPTION';
const relogio = relogioEm(AGORA);
/** More than are undone at once. */
const CONTRATOS = 1100;
/** More than one part. */
const OUTROS = 600;
let api: Api;
test.before(async () => {
  api = await criarApi({ relogio });
});
test.after.always(() => api.fechar());
test.beforeEach(() => relogio.definir(AGORA));

/** One whose month the day's work has made, and that has more contracts since. */
async function casaComDia() {
  const c = await criarCasaDoWorker(api, CONTRATOS);
  await c.pedir('faturas');
  await c.executar();
  const [{ id: vez }] = await c.linhas('faturamentos');
  await api.dono('faturamentos').where({ id: vez }).update({ origem: 'diario' });
  const desfazer = async () => c.mudar(async ({ faturamento }) => faturamento.desfazer(vez));
  return { ...c, desfazer };
}

test.serial('o mês que já estava pedido espera o que se desfaz, e faz também as faturas dele', async (t) => {
  const c = await casaComDia();
  await c.criar(OUTROS);
  await c.pedir('faturas');
  // It has come past the contracts of the run.
  await t.throwsAsync(c.executar(500), { message: 'morreu' });
  t.is((await c.pedidos()).at(-1).vistos, 500);
  t.is((await c.desfazer()).faturas, CONTRATOS);
  t.is((await c.executar()).feito, 2);
  const [, mes, desfeito] = await c.pedidos();
  t.is(desfeito.tipo, 'desfazer');
  t.is(mes.faturas, CONTRATOS + OUTROS);
  t.is(await c.contar('faturamento_cobrancas'), CONTRATOS + OUTROS);
});

test.serial('o que se manda desfazer enquanto se faz um mês vem antes da parte seguinte dele', async (t) => {
  const c = await casaComDia();
  await c.criar(OUTROS);
  await c.pedir('faturas');
  const { db, provedores } = api.container;
  const { descansoMs, write } = {
    descansoMs: () => 0,
    write: createEscrita({ db, gate: { bump: async () => {} }, onUnconfirmed: () => {} }),
  };
  const worker = createExecucaoDoFaturamentoService({
    db,
    write,
    relogio,
    provedores,
    descansoMs,
    ritmo: () => ({ linhas: 500, descansoMs: 0 }),
    leituraDe(provedor) {
      const leitura = createLeituraDoFaturamentoService({ tenant: createTenantDb(db, provedor.id), provedor, relogio });
      return {
        ...leitura,
        // Between the beginning of the order and its first part.
        async quantosFaltam(dados) {
          if ((await c.pedidos()).length === 2) await c.desfazer();
          return leitura.quantosFaltam(dados);
        },
      };
    },
  });
  t.deepEqual(await worker.executarPedidos(ATOR, c.id, execucao), { pedidos: 2 });
  t.is((await c.pedidos())[1].faturas, CONTRATOS + OUTROS);
});

test.serial('o mês que espera um desfazer que falha o diz, e quem o manda de novo tenta o desfazer já', async (t) => {
  const c = await casaComDia();
  const mendar = await falharCobrancas(api, 'UPDATE', `NEW.provedor_id = ${c.id}`);
  t.teardown(mendar);
  await c.desfazer();
  await t.throwsAsync(c.executar(), { message: ERRO });
  await c.pedir('faturas');
  const abertos = async () => c.ler(async ({ faturamento }) => faturamento.pedidosAbertos());
  const [mes, desfazer] = await abertos();
  t.like(mes, { tipo: 'faturas', falha: null, espera: { pedidoId: desfazer!.id, falha: { vezes: 1, erro: ERRO } } });
  t.like(desfazer, { tipo: 'desfazer', espera: null });
  const chefe = await entrarNoPainel(api, c.id, 'administrador');
  const pagina = (await chefe.get('/faturamento')).texto.replaceAll(/\s+/g, ' ');
  const dito = new RegExp(
    `As faturas de 03/2027: na fila.*?Espera o desfazer nº ${desfazer!.id}.*?${ERRO}.*?Tentar agora`,
  );
  t.regex(pagina, dito);

  t.is((await c.executar()).feito, 0);
  await c.pedir('faturas');
  await t.throwsAsync(c.executar(), { message: ERRO });
  t.is((await abertos())[1]!.falha!.vezes, 2);
  await mendar();
  await c.pedir('faturas');
  t.is((await c.executar()).feito, 2);
  t.is((await c.pedidos()).at(-1).faturas, CONTRATOS);
});

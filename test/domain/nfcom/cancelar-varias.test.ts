import test from 'ava';
import type { Data } from '../../../src/brazil/calendario/datas.ts';
import { CamposInvalidos, Recusa } from '../../../src/domain/erros.ts';
import { MAIOR_CANCELAMENTO } from '../../../src/domain/nfcom/emissao/correcoes.ts';
import type { Contagem, FiltroDeCancelaveis } from '../../../src/domain/nfcom/lista/cancelaveis.queries.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { escrever, provedorFiscal } from '../../support/fiscal.ts';
import type { ProvedorFiscal } from '../../support/fiscal.ts';
import { relogioEm } from '../../support/relogio.ts';

const relogio = relogioEm('2026-11-20T15:00:00.000Z');
const JUSTIFICATIVA = 'emitidas com a alíquota errada';
let api: Api;
test.before(async () => {
  api = await criarApi({ relogio });
});
test.after.always(async () => api.fechar());

/** Authorised notes of one invoice, as many as asked for; resolves to their client and the id of the first. */
async function autorizar(p: ProvedorFiscal, quantas: number, mudar: object = {}) {
  const { fatura, cliente } = await p.fatura();
  const linha = {
    provedor_id: p.provedor,
    fatura_id: fatura,
    cliente_id: cliente,
    ambiente: 'homologacao',
    situacao: 'autorizada',
    valor: '99.90',
    pedida_em: '2026-11-19 12:00:00.000',
    emitida_em: '2026-11-19 12:00:00.000',
    autorizada_em: '2026-11-19 12:00:00.000',
    ...mudar,
  };
  const [id = 0] = await api.dono('nfcom').insert(Array.from({ length: quantas }, () => linha));
  return { id, cliente, fatura };
}

const contar = async (p: ProvedorFiscal, filtro: FiltroDeCancelaveis) =>
  p.ler(async ({ notas }) => notas.aCancelar(filtro, relogio.agora()));

const contadas = async (p: ProvedorFiscal, filtro: FiltroDeCancelaveis, contagem: Contagem) =>
  p.ler(async ({ notas }) => notas.contadas(filtro, relogio.agora(), contagem));

const pedir = async (p: ProvedorFiscal, ids: readonly number[], justificativa = JUSTIFICATIVA) =>
  escrever(api.container, p.provedor, async ({ nfcom }) => nfcom.cancelarVarias(ids, 'homologacao', { justificativa }));

/** Of how many notes of each part it was asked. */
async function cancelar(p: ProvedorFiscal, filtro: FiltroDeCancelaveis, contagem: Contagem): Promise<number[]> {
  const { ids } = await contadas(p, filtro, contagem);
  const partes: number[] = [];
  for (let n = 0; n < ids.length; n += MAIOR_CANCELAMENTO) {
    partes.push(await pedir(p, ids.slice(n, n + MAIOR_CANCELAMENTO)));
  }
  return partes;
}

const alterar = async (id: number, mudancas: object) => api.dono('nfcom').where({ id }).update(mudancas);

const pedidas = async (p: ProvedorFiscal): Promise<number[]> =>
  api.dono('nfcom').where({ provedor_id: p.provedor, etapa: 'cancelar' }).orderBy('id').pluck('id');

test('cancelam-se todas as do filtro, em partes, cada uma com o seu evento; as de depois da contagem ficam', async (t) => {
  const p = await provedorFiscal(api, null);
  await autorizar(p, 600);
  const contagem = await contar(p, {});
  t.like(contagem, { notas: 600, ambiente: 'homologacao' });
  t.is(contagem.desde.toISOString(), '2026-11-01T03:00:00.000Z');
  await autorizar(p, 1);
  await t.throwsAsync(pedir(p, [contagem.ultima], 'curta'), { instanceOf: CamposInvalidos });
  t.deepEqual(await cancelar(p, {}, contagem), [250, 250, 100]);
  t.is((await pedidas(p)).length, 600);
  const eventos = await api.dono('nfcom_eventos').where({ provedor_id: p.provedor, justificativa: JUSTIFICATIVA });
  t.is(new Set(eventos.map(({ nfcom_id }) => nfcom_id)).size, 600);
  t.is((await contar(p, {})).notas, 1);
  // Nothing that is kept becomes stale by it.
  const ditos = api.dono('eventos').where({ provedor_id: p.provedor, tipo: 'nfcom.cancelamento_pedido' });
  const etiquetas: unknown[] = await ditos.pluck('etiquetas');
  const distintas = new Set(etiquetas.map((uma) => (typeof uma === 'string' ? uma : JSON.stringify(uma))));
  t.deepEqual([...distintas].toSorted(), ['["notas"]', '[]']);
});

test('fica a que esperava quando se contou e foi autorizada depois; a que o foi como de antes faz contar outra vez', async (t) => {
  const p = await provedorFiscal(api, null);
  const esperava = await autorizar(p, 1, { situacao: 'processando', etapa: 'consultar', autorizada_em: null });
  const deAntes = await autorizar(p, 1, { situacao: 'processando', etapa: 'consultar', autorizada_em: null });
  const uma = await autorizar(p, 1, { autorizada_em: '2026-11-19 12:00:00.123' });
  const outra = await autorizar(p, 1);
  const contagem = await contar(p, {});
  t.is(contagem.ultimaEm?.toISOString(), '2026-11-19T12:00:00.123Z');
  const autorizada = { situacao: 'autorizada', etapa: null };
  await alterar(esperava.id, { ...autorizada, autorizada_em: '2026-11-19 12:00:00.124' });
  t.deepEqual(await contadas(p, {}, contagem), { ids: [outra.id, uma.id], mesmas: true });
  await alterar(deAntes.id, { ...autorizada, autorizada_em: '2026-11-19 12:00:00.000' });
  t.deepEqual(await contadas(p, {}, contagem), { ids: [deAntes.id, outra.id, uma.id], mesmas: false });
  // As many as were counted, and not the same.
  await alterar(outra.id, { situacao: 'cancelada' });
  t.deepEqual(await contadas(p, {}, contagem), { ids: [deAntes.id, uma.id], mesmas: false });
});

test('do que mudou depois de achado nada se pede, nem do que deixou de estar no prazo', async (t) => {
  const p = await provedorFiscal(api, null);
  await autorizar(p, 5);
  const { ids } = await contadas(p, {}, await contar(p, {}));
  const [cancelada = 0, pedida = 0, deOutro = 0, vencida = 0, inteira = 0] = ids;
  await alterar(cancelada, { situacao: 'cancelada' });
  await alterar(pedida, { etapa: 'cancelar' });
  await alterar(deOutro, { ambiente: 'producao' });
  await alterar(vencida, { autorizada_em: '2026-11-01 02:59:59.000' });
  t.is(await pedir(p, ids), 1);
  t.deepEqual(await pedidas(p), [pedida, inteira]);
});

test('um ajuste não se cancela com as outras: a nota que ele ajusta ficaria inteira', async (t) => {
  const p = await provedorFiscal(api, null);
  const ajustada = await autorizar(p, 1);
  const ajuste = await autorizar(p, 1, {
    fatura_id: ajustada.fatura,
    cliente_id: ajustada.cliente,
    finalidade: 'ajuste',
    substitui_id: ajustada.id,
  });
  t.is((await contar(p, {})).notas, 0);
  t.is(await pedir(p, [ajustada.id, ajuste.id]), 0);
  await escrever(api.container, p.provedor, async ({ nfcom }) =>
    nfcom.cancelar(ajuste.id, { justificativa: JUSTIFICATIVA }),
  );
  t.deepEqual(await pedidas(p), [ajuste.id]);
});

test('contadas num ambiente, não se cancelam as de outro, nem com o provedor a emitir nele', async (t) => {
  const p = await provedorFiscal(api, null);
  await autorizar(p, 1);
  await autorizar(p, 1, { ambiente: 'producao' });
  const contagem = await contar(p, {});
  const { ids } = await contadas(p, {}, contagem);
  await api.dono('nfcom_configuracoes').where({ provedor_id: p.provedor }).update({ ambiente: 'producao' });
  const deOutro = { instanceOf: Recusa, message: /homologação.*produção/ };
  await t.throwsAsync(contadas(p, {}, contagem), deOutro);
  await t.throwsAsync(pedir(p, ids), deOutro);
  t.deepEqual(await pedidas(p), []);
});

test('só as do cliente e do período do filtro, do ambiente de agora, dentro do prazo, e que nada corrige', async (t) => {
  const p = await provedorFiscal(api, null);
  const deles = await autorizar(p, 1);
  const corrigida = await autorizar(p, 1);
  const comRejeitada = await autorizar(p, 1);
  const doPedido = async ({ id, fatura, cliente }: typeof corrigida, situacao: string) =>
    api.dono('nfcom').insert({
      provedor_id: p.provedor,
      fatura_id: fatura,
      cliente_id: cliente,
      ambiente: 'homologacao',
      situacao,
      finalidade: 'ajuste',
      substitui_id: id,
      autorizada_em: situacao === 'autorizada' ? '2026-11-19 12:00:00.000' : null,
      valor: '1.00',
    });
  await doPedido(corrigida, 'autorizada');
  await doPedido(comRejeitada, 'rejeitada');
  for (const mudada of [
    { ambiente: 'producao' },
    // Of October: five days after its end that was over.
    { autorizada_em: '2026-11-01 02:59:59.000' },
    { finalidade: 'substituicao', substitui_id: deles.id },
    { etapa: 'cancelar', proxima_em: '2026-11-20 12:00:00.000' },
    { situacao: 'cancelada' },
  ]) {
    await autorizar(p, 1, mudada);
  }
  const antes = await pedidas(p);
  const dele = { clienteId: deles.cliente };
  const [todas, doCliente] = [await contar(p, {}), await contar(p, dele)];
  t.is(todas.notas, 2);
  t.is(doCliente.notas, 1);
  t.is((await contar(p, { de: '2026-11-20' as Data })).notas, 0);
  t.deepEqual(await cancelar(p, dele, doCliente), [1]);
  t.deepEqual(await cancelar(p, {}, todas), [1]);
  t.deepEqual(
    (await pedidas(p)).filter((id) => !antes.includes(id)),
    [deles.id, comRejeitada.id],
  );
});

import test from 'ava';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { AUTOR } from '../../support/autor.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import type { Fabrica } from '../../support/fabrica.ts';
import { relogioEm } from '../../support/relogio.ts';

const AGORA = '2026-11-20T15:00:00.000Z';
const relogio = relogioEm(AGORA);
let api: Api;
let fabrica: Fabrica;
test.before(async () => {
  api = await criarApi({ relogio });
  fabrica = criarFabrica(api.dono);
});
test.after.always(async () => api.fechar());
test.beforeEach(() => relogio.definir(AGORA));

const fazer = async (provedorId: number, dia: string) =>
  api.container.tarefas.executar(
    AUTOR,
    { tarefa: 'faturas.vencer', provedorId, dia },
    { signal: new AbortController().signal, aoAvancar: () => {} },
  );

const ditos = async (provedor: number): Promise<[string, number][]> => {
  const rows: { tipo: string; recurso_id: number }[] = await api
    .dono('eventos')
    .where({ provedor_id: provedor })
    .whereIn('tipo', ['fatura.a_vencer', 'fatura.vencida'])
    .orderBy('id');
  return rows.map(({ tipo, recurso_id }) => [tipo, recurso_id]);
};

test.serial('de cada fatura se diz uma vez que vence daqui a dias, e uma vez que venceu', async (t) => {
  const provedor = await fabrica.provedor();
  const cliente = await fabrica.cliente(provedor);
  const fatura = async (vencimento: string, mais: object = {}) =>
    fabrica.fatura(provedor, { cliente_id: cliente, vencimento, ...mais });
  const em3 = await fatura('2026-11-23');
  const em4 = await fatura('2026-11-24');
  const hoje = await fatura('2026-11-20');
  const ontem = await fatura('2026-11-19');
  await fatura('2026-11-19', { situacao: 'paga', valor_pago: '99.90', pago_em: '2026-11-19' });
  const [{ atualizado_em: antes }] = await api.dono('faturas').where('id', em3);

  await fazer(provedor, '2026-11-20');
  t.deepEqual(await ditos(provedor), [
    ['fatura.a_vencer', em3],
    ['fatura.a_vencer', hoje],
    ['fatura.vencida', ontem],
  ]);
  // An announcement is no change of the invoice.
  t.is((await api.dono('faturas').where('id', em3))[0].atualizado_em, antes);
  t.is((await api.dono('faturas').where('id', ontem))[0].situacao, 'vencida');

  await fazer(provedor, '2026-11-20');
  t.is((await ditos(provedor)).length, 3);
  relogio.definir('2026-11-21T15:00:00.000Z');
  await fazer(provedor, '2026-11-21');
  t.deepEqual((await ditos(provedor)).slice(3), [
    ['fatura.a_vencer', em4],
    ['fatura.vencida', hoje],
  ]);

  // Another due date is announced anew; nothing is where the provider wants none.
  await api.dono('faturas').where('id', em3).update({ vencimento: '2026-11-25' });
  await api.dono('regras_cobranca').where('provedor_id', provedor).update({ aviso_dias: 0 });
  relogio.definir('2026-11-22T15:00:00.000Z');
  await fazer(provedor, '2026-11-22');
  t.is((await ditos(provedor)).length, 5);
  await api.dono('regras_cobranca').where('provedor_id', provedor).update({ aviso_dias: 3 });
  relogio.definir('2026-11-23T15:00:00.000Z');
  await fazer(provedor, '2026-11-23');
  t.deepEqual((await ditos(provedor)).slice(5), [['fatura.a_vencer', em3]]);
});

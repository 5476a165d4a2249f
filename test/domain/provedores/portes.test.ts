import test from 'ava';
import { toText } from '../../../src/platform/metrics/snapshot.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { ate } from '../../support/espera.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import { lerMedidas } from '../../support/metricas.ts';

let api: Api;
test.before(async () => {
  api = await criarApi();
});
test.after.always(async () => api.fechar());

/** A provider with so many active contracts, and a key of it. */
async function provedorCom(ativos: number): Promise<string> {
  const fabrica = criarFabrica(api.dono);
  const provedor_id = await fabrica.provedor();
  const base = {
    provedor_id,
    cliente_id: await fabrica.cliente(provedor_id),
    plano_id: await fabrica.plano(provedor_id),
    tipo_cobranca: 'pos_pago',
    dia_vencimento: 10,
    valor: '99.90',
  };
  const contratos = Array.from({ length: ativos + 5 }, (_, n) => ({
    ...base,
    login: `porte${n}`,
    situacao: n < ativos ? 'ativo' : 'bloqueado',
  }));
  await api.dono.batchInsert('contratos', contratos, 500);
  return (await api.criarChave(provedor_id)).texto;
}

test('pedidos e erros se medem pelo porte do provedor, e nunca por provedor', async (t) => {
  const pequeno = await provedorCom(1000);
  const maior = await provedorCom(1001);
  const medir = async () => lerMedidas(await toText(await api.container.metrics.snapshot()));
  const pedidos = (porte: string, status: number): string =>
    `malha_tenant_request_duration_seconds_count{porte="${porte}",status="${status}"}`;
  t.is((await api.get('/status', { chave: pequeno })).status, 200);
  t.is((await medir()).get(pedidos('desconhecido', 200)), 1);
  // The scrape has had them counted, and nobody waits for that.
  await ate(async () => {
    await api.get('/status', { chave: maior });
    return (await medir()).has(pedidos('ate_10k', 200));
  });
  t.is((await api.get('/status', { chave: pequeno })).status, 200);
  t.is((await api.get('/clientes/999999', { chave: pequeno })).status, 404);
  t.is((await api.get('/status', { chave: 'nenhuma' })).status, 401);
  const medidas = await medir();
  t.is(medidas.get(pedidos('ate_1k', 200)), 1);
  t.is(medidas.get(pedidos('ate_1k', 404)), 1);
  const erros = [...medidas.keys()].filter((nome) => nome.startsWith('malha_tenant_errors_total'));
  t.deepEqual(erros, ['malha_tenant_errors_total{code="nao_encontrado",porte="ate_1k"}']);
  // Requests of nobody known are of no provider.
  t.false([...medidas.keys()].some((nome) => nome.startsWith('malha_tenant_') && nome.includes('401')));
});

import test from 'ava';
import { TERMINAL } from '../../../src/domain/actor.ts';
import { Recusa } from '../../../src/domain/erros.ts';
import { createPedidosUnicos } from '../../../src/domain/idempotencia/idempotencia.service.ts';
import { createSecrets } from '../../../src/platform/secrets/secrets.ts';
import { relogioDoSistema } from '../../../src/platform/timing/relogio.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { criarFabrica } from '../../support/fabrica.ts';

let api: Api;
test.before(async () => {
  api = await criarApi();
});
test.after.always(() => api.fechar());

test('quem muda não grava nada, nem o que ninguém ouve, e o que já se fez é respondido', async (t) => {
  const fabrica = criarFabrica(api.dono);
  const id = await fabrica.provedor();
  await fabrica.plano(id);
  const { write } = api.container;
  const mudar = async (mudanca: string | null) => api.dono('provedores').where({ id }).update({ mudanca });
  // No job's: a person at the terminal, or somebody whose app renews its tokens.
  const semEvento = async () => write(TERMINAL, id, async (w) => w.update('planos', () => {}, { valor: '1.00' }));
  const ler = async () => write(TERMINAL, id, async (w) => w.from('planos').pluck('valor'));
  for (const mudanca of ['chegando', 'chegou', 'saindo', 'foi']) {
    await mudar(mudanca);
    const recusa = await t.throwsAsync(semEvento(), { instanceOf: Recusa }, mudanca);
    t.is(recusa?.motivo, 'provedor_em_mudanca');
    t.deepEqual(await ler(), ['99.90'], mudanca);
  }
  await mudar(null);
  const { id: chaveId } = await api.criarChave(id);
  const repetivel = { dono: { chaveId }, marca: 'm', pedido: 'p', secreto: false };
  const umaVez = createPedidosUnicos({ write, relogio: relogioDoSistema, segredos: createSecrets(() => []) });
  const feito = await umaVez(TERMINAL, id, repetivel, async () => {
    await mudar('saindo');
    return { status: 201, corpo: '{}' };
  });
  t.is(feito.status, 201);
  await mudar(null);
});

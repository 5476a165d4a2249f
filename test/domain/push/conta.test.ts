import { generateKeyPairSync } from 'node:crypto';
import test from 'ava';
import { CamposInvalidos } from '../../../src/domain/erros.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { AUTOR } from '../../support/autor.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import { relogioEm } from '../../support/relogio.ts';
import { contaDoGoogle } from './apoio.ts';

const AGORA = '2026-11-20T15:00:00.000Z';
let api: Api;
test.before(async () => {
  api = await criarApi({ relogio: relogioEm(AGORA) });
});
test.after.always(async () => api.fechar());

test('da conta do FCM só se diz de que projeto é e desde quando, e ela fica cifrada', async (t) => {
  const { push } = api.container;
  const provedor = await criarFabrica(api.dono).provedor();
  t.is(await push.contaFcm(provedor), null);
  t.true(await push.definirContaFcm(AUTOR, provedor, contaDoGoogle()));
  t.deepEqual(await push.contaFcm(provedor), { projeto: 'serra-azul', desde: new Date(AGORA) });
  const { fcm_conta: guardada } = await api.dono('provedores').where('id', provedor).first('fcm_conta');
  t.false(guardada.toString('latin1').includes('PRIVATE'));
  t.true(await push.definirContaFcm(AUTOR, provedor, null));
  t.false(await push.definirContaFcm(AUTOR, provedor, null));
  t.is(await push.contaFcm(provedor), null);
  const linhas = await api.dono('auditoria').where({ provedor_id: provedor }).orderBy('id');
  t.is(linhas.length, 2);
  t.false(JSON.stringify(linhas).includes('serra-azul'));
});

const EC = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' });
for (const [qual, texto] of [
  ['que não é JSON', 'conta'],
  ['de outra espécie', contaDoGoogle({ type: 'authorized_user' })],
  ['sem chave', contaDoGoogle({ private_key: undefined })],
  ['com a chave de outro algoritmo', contaDoGoogle({ private_key: EC })],
  ['de projeto sem nome', contaDoGoogle({ project_id: '../outro' })],
  ['que é uma lista', '[]'],
] as const) {
  test(`recusa-se a conta ${qual}, e o erro não a repete`, async (t) => {
    const erro = await t.throwsAsync(api.container.push.definirContaFcm(AUTOR, 1, texto), {
      instanceOf: CamposInvalidos,
    });
    t.is(erro.faltas[0]?.campo, 'conta');
    t.notRegex(erro.message, /PRIVATE|gserviceaccount/);
  });
}

import test from 'ava';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import type { Fabrica } from '../../support/fabrica.ts';
import { entrarNoPainel } from '../../support/painel.ts';

let api: Api;
let f: Fabrica;
test.before(async () => {
  api = await criarApi();
  f = criarFabrica(api.dono);
});
test.after.always(async () => api.fechar());

test('um convite é feito, o link e o QR aparecem uma vez, e a lista diz quem o fez', async (t) => {
  const provedor = await f.provedor();
  const plano = await f.plano(provedor, { nome: 'Fibra 300' });
  const pessoa = await entrarNoPainel(api, provedor, 'atendimento');
  t.regex((await pessoa.get('/convites')).texto, /Ainda não há convites/);
  const campos = { plano_id: String(plano), dia_vencimento: '10', validade_dias: '3' };
  const errado = await pessoa.post('/convites/novo', { ...campos, validade_dias: '999' });
  t.is(errado.status, 422);
  t.regex(errado.texto, /Vale por quantos dias: deve ser de 1 a 365/);
  t.regex(errado.texto, /value="999"/);
  const feito = await pessoa.post('/convites/novo', campos);
  t.is(feito.status, 200);
  const token = /\/pre-cadastro\/([\w-]+)/.exec(feito.texto)?.[1] ?? '';
  t.true(token.length >= 20);
  t.regex(feito.texto, /aria-label="QR code do convite"/);
  const lista = await pessoa.get('/convites?estado=aberto');
  t.regex(lista.texto, /Fibra 300/);
  t.regex(lista.texto, /Gente \d/);
  t.regex(lista.texto, /1 convite</);
  t.false(lista.texto.includes(token));
});

test('revogar diz antes o que acontece, e um convite usado leva ao cliente', async (t) => {
  const provedor = await f.provedor();
  const cliente = await f.cliente(provedor);
  const pessoa = await entrarNoPainel(api, provedor);
  await pessoa.post('/convites/novo', { validade_dias: '7' });
  await pessoa.post('/convites/novo', { validade_dias: '7' });
  const [um, outro] = await api.dono('convites').where({ provedor_id: provedor }).orderBy('id').pluck('id');
  t.regex((await pessoa.get(`/convites/${um}/revogar`)).texto, /deixa de valer agora/);
  t.is((await pessoa.post(`/convites/${um}/revogar`)).status, 303);
  t.regex((await pessoa.get('/convites?estado=revogado')).texto, /revogado em/);
  const usado = { situacao: 'usado', usado_em: '2026-11-02 09:00:00.000', cliente_id: cliente };
  await api.dono('convites').where({ id: outro }).update(usado);
  const recusada = await pessoa.post(`/convites/${outro}/revogar`);
  t.is(recusada.status, 422);
  t.regex(recusada.texto, /convite foi usado, revogado ou expirou/i);
  t.true((await pessoa.get('/convites?estado=usado')).texto.includes(`href="/painel/clientes/${cliente}"`));
});

test('quem não gere convites não os vê, e o de outro provedor não existe', async (t) => {
  const provedor = await f.provedor();
  const pessoa = await entrarNoPainel(api, provedor);
  await pessoa.post('/convites/novo', { validade_dias: '7' });
  const [id] = await api.dono('convites').where({ provedor_id: provedor }).pluck('id');
  t.is((await (await entrarNoPainel(api, provedor, 'tecnico')).get('/convites')).status, 403);
  const deOutro = await entrarNoPainel(api, await f.provedor());
  t.is((await deOutro.get(`/convites/${id}/revogar`)).status, 404);
  t.is((await deOutro.post(`/convites/${id}/revogar`)).status, 404);
});

test('o link de um convite leva a quem atende: https, ou o endereço por onde se veio onde se desenvolve', async (t) => {
  const provedor = await f.provedor();
  const host = `convite${provedor}.localhost`;
  const aqui = await entrarNoPainel(api, provedor);
  const feito = (await aqui.post('/convites/novo', { validade_dias: '7' })).texto;
  t.regex(feito, /id="link-do-convite">https:\/\/[^<]*\/pre-cadastro\//);
  await api.dono('provedores').where({ id: provedor }).update({ panel_host: host });
  const la = await entrarNoPainel(api, provedor);
  const daqui = (await la.post('/convites/novo', { validade_dias: '7' })).texto;
  t.regex(daqui, new RegExp(`id="link-do-convite">http://${host}/pre-cadastro/`));
});

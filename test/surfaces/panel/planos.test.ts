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

const CAMPOS = { nome: 'Fibra 700', download_mbps: '700', upload_mbps: '350', valor: '1.119,90' };

test('um plano é criado, e o que está errado é dito ao lado do campo', async (t) => {
  const provedor = await f.provedor();
  const pessoa = await entrarNoPainel(api, provedor);
  t.regex((await pessoa.get('/planos')).texto, /Nenhum plano à venda/);
  const errado = await pessoa.post('/planos/novo', { ...CAMPOS, download_mbps: 'muito', valor: 'caro' });
  t.is(errado.status, 422);
  t.regex(errado.texto, /Download, em Mb\/s: deve ser um número inteiro/);
  t.regex(errado.texto, /value="caro"/);
  t.is((await pessoa.post('/planos/novo', CAMPOS)).status, 303);
  const { texto } = await pessoa.get('/planos');
  t.regex(texto, /Fibra 700/);
  t.regex(texto, /R\$.1\.119,90/);
});

test('mudar o valor pergunta se os contratos acompanham, e diz quantos são', async (t) => {
  const provedor = await f.provedor();
  const plano = await f.plano(provedor, { nome: 'Fibra', valor: '99.90' });
  const cliente = await f.cliente(provedor);
  for (const valor of ['99.90', '99.90', '79.90']) {
    await f.contrato(provedor, { cliente_id: cliente, plano_id: plano, valor });
  }
  const pessoa = await entrarNoPainel(api, provedor);
  const { texto } = await pessoa.get(`/planos/${plano}`);
  t.regex(texto, /2 contratos têm o valor de agora/);
  t.regex(texto, /value="99,90"/);
  const campos = { ...CAMPOS, valor: '109,90' };
  const semResposta = await pessoa.post(`/planos/${plano}`, campos);
  t.is(semResposta.status, 422);
  t.regex(semResposta.texto, /diga se os contratos do plano/);
  t.is((await api.dono('planos').where({ id: plano }).first('valor'))?.valor, '99.90');
  t.is((await pessoa.post(`/planos/${plano}`, { ...campos, contratos: 'acompanhar' })).status, 303);
  t.is((await api.dono('planos').where({ id: plano }).first('valor'))?.valor, '109.90');
  t.like(await api.dono('planos_alteracoes').where({ plano_id: plano }).first(), {
    valor_de: '99.90',
    valor_para: '109.90',
  });
});

test('um plano sai de venda e volta; os contratos ficam', async (t) => {
  const provedor = await f.provedor();
  const plano = await f.plano(provedor, { nome: 'Fibra Antiga' });
  const pessoa = await entrarNoPainel(api, provedor);
  t.regex((await pessoa.get(`/planos/${plano}/retirar`)).texto, /Ninguém mais contrata/);
  t.is((await pessoa.post(`/planos/${plano}/retirar`)).status, 303);
  t.notRegex((await pessoa.get('/planos')).texto, /Fibra Antiga/);
  t.regex((await pessoa.get('/planos?venda=nao')).texto, /Fibra Antiga/);
  t.is((await pessoa.post(`/planos/${plano}/repor`)).status, 303);
  t.regex((await pessoa.get('/planos')).texto, /Fibra Antiga/);
});

test('quem não gere planos os vê sem poder mudá-los, e o plano de outro provedor não existe', async (t) => {
  const provedor = await f.provedor();
  const plano = await f.plano(provedor, { nome: 'Fibra Vista' });
  const alheio = await f.plano(await f.provedor());
  const tecnico = await entrarNoPainel(api, provedor, 'tecnico');
  const { texto } = await tecnico.get('/planos');
  t.regex(texto, /Fibra Vista/);
  t.notRegex(texto, /\/planos\/novo/);
  t.is((await tecnico.get(`/planos/${plano}`)).status, 403);
  t.is((await tecnico.post(`/planos/${plano}/retirar`)).status, 403);
  const administrador = await entrarNoPainel(api, provedor);
  t.is((await administrador.get(`/planos/${alheio}`)).status, 404);
  t.is((await administrador.post(`/planos/${alheio}/retirar`)).status, 404);
});

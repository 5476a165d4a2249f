import test from 'ava';
import { criarApi } from '../../support/api.ts';
import type { Api, Resposta } from '../../support/api.ts';
import { pedirAoApp } from '../../support/app-api.ts';
import { AUTOR } from '../../support/autor.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import { entrarNoPainel } from '../../support/painel.ts';
import type { PessoaNoPainel } from '../../support/painel.ts';
import { WEBHOOKS_AQUI, criarReceptorDeWebhooks } from '../../support/receptor.ts';
import type { ReceptorDeWebhooks } from '../../support/receptor.ts';
import { entregador } from '../webhooks/apoio.ts';

let api: Api;
let provedor: number;
let cliente: number;
let chave: string;
let admin: PessoaNoPainel;
let receptor: ReceptorDeWebhooks;
let webhook: number;
test.before(async () => {
  api = await criarApi({ env: WEBHOOKS_AQUI });
  const fabrica = criarFabrica(api.dono);
  provedor = await fabrica.provedor();
  cliente = await fabrica.cliente(provedor);
  ({ texto: chave } = await api.criarChave(provedor));
  admin = await entrarNoPainel(api, provedor);
  receptor = await criarReceptorDeWebhooks();
  receptor.responder = (_pedido, resposta) => void resposta.end();
  const { id } = await api.container.webhooks.criar(AUTOR, provedor, { url: receptor.url, eventos: ['chamado.*'] });
  webhook = id;
});
test.after.always(async () => {
  receptor.fechar();
  await api.fechar();
});

/** What the outbox and the audit log have of a ticket's last event. */
async function ultimaDe(chamado: number): Promise<(string | null)[]> {
  const linhas = ['eventos', 'auditoria'].map(async (tabela) => {
    const query = api.dono(tabela).where({ provedor_id: provedor, recurso_id: chamado });
    const filtrada = query.where(tabela === 'eventos' ? 'tipo' : 'acao', 'like', 'chamado.%');
    const [linha] = await filtrada.orderBy('id', 'desc').limit(1);
    return linha.requisicao_id as string | null;
  });
  return Promise.all(linhas);
}

const abrirPelaPublica = async (headers: Record<string, string> = {}): Promise<Resposta> =>
  api.pedir('POST', '/chamados', {
    chave,
    headers: { 'content-type': 'application/json', ...headers },
    corpo: JSON.stringify({ cliente_id: cliente, assunto: 'Sem luz', descricao: 'Caiu às 8h.' }),
  });

test.serial('o evento e a auditoria dizem a requisição que a resposta diz, de quem a chamou ou nossa', async (t) => {
  const dele = await abrirPelaPublica({ 'x-request-id': 'erp-2026/11.1' });
  t.is(dele.headers['x-request-id'], 'erp-2026/11.1');
  t.deepEqual(await ultimaDe(dele.corpo.dados.id), ['erp-2026/11.1', 'erp-2026/11.1']);

  for (const headers of [{}, { 'x-request-id': 'com espaço e "aspas"' }]) {
    const { corpo, headers: ditos } = await abrirPelaPublica(headers);
    const nosso = String(ditos['x-request-id']);
    t.regex(nosso, /^[\da-f-]{36}$/);
    t.deepEqual(await ultimaDe(corpo.dados.id), [nosso, nosso]);
  }

  const noApp = await pedirAoApp(api)('POST', '/chamados', {
    chave,
    headers: { 'x-request-id': 'crm-7' },
    corpo: { cliente_id: cliente, assunto: 'Sem sinal', descricao: 'Desde ontem.' },
  });
  t.deepEqual(await ultimaDe(noApp.corpo.data.id), ['crm-7', 'crm-7']);
  const noPainel = await admin.post(
    `/chamados/${noApp.corpo.data.id}/comentar`,
    { texto: 'Vamos hoje' },
    { 'x-request-id': 'painel-8' },
  );
  t.is(noPainel.status, 303);
  t.deepEqual(await ultimaDe(noApp.corpo.data.id), ['painel-8', 'painel-8']);
});

test.serial('do registro do webhook se chega a tudo o que a requisição fez; quem recebe não sabe dela', async (t) => {
  const worker = entregador(api.container);
  await worker.tudo();
  receptor.recebidos.length = 0;
  const { corpo } = await abrirPelaPublica({ 'x-request-id': 'erp-42' });
  await worker.tudo();
  const [recebido] = receptor.recebidos;
  t.true(recebido?.corpo.includes(`"chamado_id":${corpo.dados.id}`), recebido?.corpo);
  t.false(JSON.stringify([recebido?.corpo, recebido?.headers]).includes('erp-42'));

  const [entrega] = await api.dono('webhook_entregas').where({ webhook_id: webhook }).orderBy('id', 'desc').limit(1);
  const aberta = await admin.get(`/configuracoes/webhooks/${webhook}?aberta=${entrega.id}`);
  const para = '/configuracoes/auditoria?requisicao=erp-42';
  t.true(aberta.texto.includes(`href="/painel${para}"`));
  const feito = await admin.get(para);
  t.is(feito.texto.match(/<code>chamado\.aberto</g)?.length, 1);
  t.regex((await admin.get('/configuracoes/auditoria?requisicao=outra')).texto, /Nada com este filtro/);
  t.is((await admin.get('/configuracoes/auditoria?requisicao=n%C3%A3o%20')).status, 400);
  const csv = await admin.post('/configuracoes/auditoria/exportar', { requisicao: 'erp-42' });
  t.is(csv.texto.trimEnd().split('\r\n').length, 2);

  // An event that an older process wrote says nothing, and neither does one that is gone.
  await api.dono('eventos').where({ provedor_id: provedor, requisicao_id: 'erp-42' }).update({ requisicao_id: null });
  const deAntes = await admin.get(`/configuracoes/webhooks/${webhook}?aberta=${entrega.id}`);
  t.regex(deAntes.texto, /Entrega de chamado\.aberto/);
  t.false(deAntes.texto.includes('Pela requisição'));
});

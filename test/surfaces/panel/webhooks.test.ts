import test from 'ava';
import { Webhook as Verificador } from 'standardwebhooks';
import { TERMINAL } from '../../../src/domain/actor.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import { comProva, entrarNoPainel } from '../../support/painel.ts';
import type { PessoaNoPainel } from '../../support/painel.ts';
import { WEBHOOKS_AQUI, criarReceptorDeWebhooks } from '../../support/receptor.ts';
import type { ReceptorDeWebhooks } from '../../support/receptor.ts';
import { entregador } from '../../domain/webhooks/apoio.ts';

const WEBHOOKS = '/configuracoes/webhooks';

let api: Api;
let provedorId: number;
let admin: PessoaNoPainel;
let receptor: ReceptorDeWebhooks;
test.before(async () => {
  api = await criarApi({ env: WEBHOOKS_AQUI });
  provedorId = await criarFabrica(api.dono).provedor();
  admin = await entrarNoPainel(api, provedorId);
  receptor = await criarReceptorDeWebhooks();
});
test.after.always(async () => {
  receptor.fechar();
  await api.fechar();
});
test.beforeEach(() => {
  receptor.recebidos.length = 0;
  receptor.responder = (_pedido, resposta) => void resposta.end('recebido <ok>');
});

const segredoEm = (texto: string): string => /whsec_[\w+/]+=*/.exec(texto)?.[0] ?? '';

async function criar(): Promise<{ para: string; segredo: string }> {
  const campos = { url: receptor.url, eventos: ['cliente.*'], descricao: 'CRM <novo>' };
  const feito = await comProva(admin, `${WEBHOOKS}/novo`, campos);
  const [{ id }] = (await api.dono('webhooks').where({ provedor_id: provedorId }).orderBy('id', 'desc').limit(1)) as [
    { id: number },
  ];
  return { para: `${WEBHOOKS}/${id}`, segredo: segredoEm(feito.texto) };
}

test.serial('um webhook novo pede prova, e o segredo só está na página que responde', async (t) => {
  await api.dono('painel_sessoes').where({ provedor_id: provedorId }).update({ provada_em: null });
  t.regex((await admin.post(`${WEBHOOKS}/novo`, { url: receptor.url, eventos: ['*'] })).texto, /Confirme que é você/);
  const { para, segredo } = await criar();
  t.is(Buffer.from(segredo.slice('whsec_'.length), 'base64').length, 32);
  for (const caminho of [WEBHOOKS, para, `${para}/alterar`, `${para}/segredo`]) {
    const { status, texto } = await admin.get(caminho);
    t.is(status, 200, caminho);
    t.is(segredoEm(texto), '', caminho);
    t.false(texto.includes('<novo>'));
  }
  t.regex((await admin.get(WEBHOOKS)).texto, /CRM &lt;novo&gt;/);
});

test.serial('o que não serve volta no formulário, ao lado do campo', async (t) => {
  const url = await comProva(admin, `${WEBHOOKS}/novo`, { url: 'http://10.0.0.1/', eventos: ['*'] });
  t.is(url.status, 422);
  t.regex(url.texto, /Endereço: o endereço não é público/);
  const evento = await comProva(admin, `${WEBHOOKS}/novo`, { url: receptor.url, eventos: ['nada.disto'] });
  t.is(evento.status, 422);
  t.regex(evento.texto, /nada\.disto/);
  t.is((await comProva(admin, `${WEBHOOKS}/novo`, { url: receptor.url })).status, 422);
});

test.serial('testar envia na hora e abre o que se enviou; a resposta aparece como texto', async (t) => {
  const { para, segredo } = await criar();
  const feito = await admin.post(`${para}/testar`);
  t.is(feito.status, 303);
  const [{ corpo, headers }] = receptor.recebidos as [ReceptorDeWebhooks['recebidos'][number]];
  t.notThrows(() => new Verificador(segredo).verify(corpo, headers as Record<string, string>));
  const { texto } = await admin.get(String(feito.headers['location']).replace('/painel', ''));
  t.regex(texto, /Entrega de teste\.ping/);
  t.regex(texto, /recebido &lt;ok&gt;/);
});

test.serial('falhas aparecem no registro, filtram-se, e são reenviadas uma a uma e todas', async (t) => {
  const { para } = await criar();
  const id = Number(para.split('/').at(-1));
  receptor.responder = (_pedido, resposta) => void resposta.writeHead(503).end();
  const worker = entregador(api.container);
  await api.container.write(TERMINAL, provedorId, async (w) => {
    w.emit('cliente.atualizado', 1, { cliente: 1, campos: ['email'] });
  });
  await worker.tudo();
  const falhando = await admin.get(para);
  t.regex(falhando.texto, /503/);
  t.regex(falhando.texto, /Nada se entrega desde/);
  t.regex(falhando.texto, /na fila, a mais antiga criada há menos de 1 min/);
  t.regex((await admin.get(`${para}?situacao=entregue`)).texto, /Nada com este filtro/);
  t.regex((await admin.get(`${para}?evento=cliente.atualizado&situacao=pendente`)).texto, /msg_/);
  await api.dono('webhook_entregas').where({ webhook_id: id }).update({ estado: 'esgotada' });
  receptor.responder = (_pedido, resposta) => void resposta.end();
  const [entrega] = await api.dono('webhook_entregas').where({ webhook_id: id });
  t.is((await admin.post(`${para}/entregas/${entrega.id}/reenviar`)).status, 303);
  await worker.entregar();
  t.is((await api.dono('webhook_entregas').where({ id: entrega.id }))[0].estado, 'entregue');
  await api.dono('webhook_entregas').where({ id: entrega.id }).update({ estado: 'esgotada' });
  t.is((await admin.post(`${para}/reenviar`)).status, 303);
  await worker.entregar();
  t.is((await api.dono('webhook_entregas').where({ id: entrega.id }))[0].estado, 'entregue');
  const ontem = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
  t.is((await admin.post(`${para}/reenviar-desde`, { de: ontem, tudo: 'sim' })).status, 303);
  t.is((await admin.post(`${para}/reenviar-desde`, { de: '2020-01-01' })).status, 422);
  t.is((await admin.post(`${para}/reenviar-desde`, { de: '2026-02-30' })).status, 422);
});

test.serial('pausar, ativar, mudar e remover', async (t) => {
  const { para } = await criar();
  t.is((await admin.post(`${para}/pausar`)).status, 303);
  t.regex((await admin.get(para)).texto, /Pausado: nada entra na fila/);
  t.is((await admin.post(`${para}/reenviar`)).status, 422);
  t.is((await admin.post(`${para}/ativar`)).status, 303);
  const versao = /name="atualizado_em" value="([^"]+)"/.exec((await admin.get(`${para}/alterar`)).texto)?.[1] ?? '';
  const campos = { url: receptor.url, eventos: ['fatura.paga', 'chamado.*'], descricao: '', atualizado_em: versao };
  const semProva = await entrarNoPainel(api, provedorId);
  await api.dono('painel_sessoes').where({ usuario_id: semProva.usuarioId }).update({ provada_em: null });
  for (const fim of ['alterar', 'remover']) {
    t.regex((await semProva.post(`${para}/${fim}`, campos)).texto, /Confirme que é você/, fim);
  }
  t.is((await comProva(admin, `${para}/alterar`, campos)).status, 303);
  t.regex((await admin.get(para)).texto, /fatura\.paga, chamado\.\*/);
  t.is((await admin.post(`${para}/alterar`, { ...campos, eventos: ['*'] })).status, 409);
  const novo = await comProva(admin, `${para}/segredo`, { manter_horas: '24' });
  t.regex(novo.texto, /O anterior assina até/);
  t.not(segredoEm(novo.texto), '');
  t.is((await admin.post(`${para}/remover`)).status, 303);
  t.is((await admin.get(para)).status, 404);
});

test.serial('quem só vê não muda, e quem gere os usuários diz quem vê', async (t) => {
  const { para } = await criar();
  const financeiro = await entrarNoPainel(api, provedorId, 'financeiro');
  t.is((await financeiro.get(WEBHOOKS)).status, 403);
  const perfis = await api.container.perfis.listar(provedorId);
  const { id } = perfis.find(({ deFabrica }) => deFabrica === 'financeiro')!;
  t.is((await comProva(admin, `${WEBHOOKS}/permissoes`, { ver: [String(id)] })).status, 303);
  const outro = await entrarNoPainel(api, provedorId, 'financeiro');
  const { status, texto } = await outro.get(para);
  t.is(status, 200);
  t.notRegex(texto, /Pausar|Remover/);
  t.is((await outro.post(`${para}/pausar`)).status, 403);
  t.is((await outro.get(`${WEBHOOKS}/novo`)).status, 403);
});

import test from 'ava';
import { Webhook as Verificador } from 'standardwebhooks';
import { TERMINAL } from '../../../src/domain/actor.ts';
import { DE_FORA } from '../../../src/domain/eventos/fora.types.ts';
import { entregador } from '../../domain/webhooks/apoio.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { errosDe, pedirAoApp } from '../../support/app-api.ts';
import type { PedirAoApp } from '../../support/app-api.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import { WEBHOOKS_AQUI, criarReceptorDeWebhooks } from '../../support/receptor.ts';
import type { ReceptorDeWebhooks } from '../../support/receptor.ts';

let api: Api;
let pedir: PedirAoApp;
let provedor: number;
let chave: string;
let receptor: ReceptorDeWebhooks;
test.before(async () => {
  api = await criarApi({ env: WEBHOOKS_AQUI });
  pedir = pedirAoApp(api);
  receptor = await criarReceptorDeWebhooks();
});
test.after.always(async () => {
  receptor.fechar();
  await api.fechar();
});
test.beforeEach(async () => {
  provedor = await criarFabrica(api.dono).provedor();
  ({ texto: chave } = await api.criarChave(provedor));
  receptor.recebidos.length = 0;
  receptor.responder = (_pedido, resposta) => void resposta.end('recebido');
});

async function criar(mais: object = {}): Promise<any> {
  const feito = await pedir('POST', '/webhooks', {
    chave,
    corpo: { url: receptor.url, events: ['cliente.*'], ...mais },
  });
  if (feito.status !== 201) throw new Error(feito.texto);
  return feito.corpo.data;
}

test.serial(
  'POST, GET, PUT e DELETE: o segredo só está na resposta que o faz, e a chave é quem se audita',
  async (t) => {
    const feito = await pedir('POST', '/webhooks', {
      chave,
      corpo: { url: receptor.url, events: ['fatura.*', 'teste.ping'], description: 'CRM' },
    });
    t.is(feito.status, 201, feito.texto);
    const { secret, ...webhook } = feito.corpo.data;
    t.is(Buffer.from(secret.slice('whsec_'.length), 'base64').length, 32);
    t.like(webhook, { description: 'CRM', events: ['fatura.*', 'teste.ping'], status: 'ativo', pending: 0 });
    t.deepEqual((await pedir('GET', `/webhooks/${webhook.id}`, { chave })).corpo.data, webhook);
    const [auditado] = await api.dono('auditoria').where({ provedor_id: provedor, acao: 'webhook.criado' });
    t.is(auditado?.autor, 'testes');
    const pausado = await pedir('PUT', `/webhooks/${webhook.id}`, {
      chave,
      corpo: { status: 'pausado', events: ['*'] },
    });
    t.like(pausado.corpo.data, { status: 'pausado', events: ['*'], description: 'CRM' });
    const outro = await criar();
    const primeira = await pedir('GET', '/webhooks?limit=1', { chave });
    t.like(primeira.corpo.meta, { limit: 1, total: 2 });
    const segunda = await pedir('GET', `/webhooks?limit=1&cursor=${primeira.corpo.meta.next_cursor}`, { chave });
    t.deepEqual([segunda.corpo.data[0].id, segunda.corpo.meta.next_cursor], [outro.id, null]);
    t.false(primeira.texto.includes('whsec_'));
    t.is((await pedir('DELETE', `/webhooks/${webhook.id}`, { chave })).status, 200);
    t.is((await pedir('GET', `/webhooks/${webhook.id}`, { chave })).status, 404);
    t.is((await pedir('DELETE', `/webhooks/${webhook.id}`, { chave })).status, 404);
  },
);

test.serial('o que não serve é recusado com o campo, e o vigésimo primeiro também', async (t) => {
  const com = async (corpo: object) => {
    const resposta = await pedir('POST', '/webhooks', { chave, corpo });
    return [resposta.status, ...errosDe(resposta).flat()];
  };
  const url = receptor.url;
  t.deepEqual(await com({ url: 'http://10.0.0.1/', events: ['*'] }), [422, 'url_nao_permitida', 'url']);
  t.deepEqual(await com({ url, events: ['nada.disto'] }), [422, 'evento_desconhecido', 'events']);
  t.deepEqual(await com({ url, events: [] }), [400, 'parametro_invalido', 'events']);
  t.deepEqual(await com({ url }), [400, 'parametro_invalido', 'events']);
  t.deepEqual(await com({ url, events: ['*'], status: 'desativado' }), [400, 'parametro_invalido', 'status']);
  const { id } = await criar();
  t.is((await pedir('PUT', `/webhooks/${id}`, { chave, corpo: {} })).status, 400);
  const mudanca = await pedir('PUT', `/webhooks/${id}`, { chave, corpo: { url: 'ftp://x' } });
  t.deepEqual(errosDe(mudanca), [['url_nao_permitida', 'url']]);
  for (let n = 1; n < 20; n += 1) await criar();
  t.deepEqual(await com({ url, events: ['*'] }), [422, 'limite_de_webhooks', null]);
});

test.serial('segredo: enquanto o anterior vale os dois assinam; com 0 horas, só o novo', async (t) => {
  const { id, secret } = await criar();
  const troca = await pedir('POST', `/webhooks/${id}/secret`, { chave });
  t.is(troca.status, 200, troca.texto);
  t.not(troca.corpo.data.previous_secret_until, null);
  t.is((await pedir('POST', `/webhooks/${id}/test`, { chave })).status, 200);
  const [um] = receptor.recebidos;
  for (const segredo of [secret, troca.corpo.data.secret])
    t.notThrows(() => new Verificador(segredo).verify(um!.corpo, um!.headers as Record<string, string>));
  const sem = await pedir('POST', `/webhooks/${id}/secret`, { chave, corpo: { keep_old_hours: 0 } });
  t.is(sem.corpo.data.previous_secret_until, null);
  t.is((await pedir('POST', `/webhooks/${id}/secret`, { chave, corpo: { keep_old_hours: 169 } })).status, 400);
});

test.serial('teste: o resultado vem na resposta e está no registro; o sétimo do minuto é 429', async (t) => {
  const { id } = await criar();
  const feito = await pedir('POST', `/webhooks/${id}/test`, { chave, corpo: { type: 'fatura.paga' } });
  t.like(feito.corpo.data, { status_code: 200, error: null, response_body: 'recebido' }, feito.texto);
  t.like(JSON.parse(receptor.recebidos[0]!.corpo), { type: 'fatura.paga', test: true });
  const lida = await pedir('GET', `/webhooks/${id}/logs/${feito.corpo.data.delivery_id}`, { chave });
  t.like(lida.corpo.data, { status: 'entregue', body: receptor.recebidos[0]!.corpo });
  t.is(lida.corpo.data.attempts_log[0].response_body, 'recebido');
  const nada = await pedir('POST', `/webhooks/${id}/test`, { chave, corpo: { type: 'nada' } });
  t.deepEqual([nada.status, ...errosDe(nada).flat()], [422, 'evento_desconhecido', 'type']);
  for (let n = 1; n < 6; n += 1) t.is((await pedir('POST', `/webhooks/${id}/test`, { chave })).status, 200);
  const demais = await pedir('POST', `/webhooks/${id}/test`, { chave });
  t.deepEqual([demais.status, demais.corpo.errors[0].code], [429, 'limite_de_testes']);
  t.is(demais.headers['retry-after'], '60');
});

test.serial('registro: falhas se filtram, leem e reenviam, uma a uma e todas; de webhook pausado, não', async (t) => {
  const { id } = await criar();
  receptor.responder = (_pedido, resposta) => void resposta.writeHead(503).end();
  const worker = entregador(api.container);
  for (const cliente of [1, 2]) {
    await api.container.write(TERMINAL, provedor, async (w) => {
      w.emit('cliente.atualizado', cliente, { cliente, campos: ['email'] });
    });
  }
  await worker.tudo();
  const logs = `/webhooks/${id}/logs`;
  const primeira = await pedir('GET', `${logs}?status=pendente&event=cliente.atualizado&limit=1`, { chave });
  t.is(primeira.corpo.meta.total, 2, primeira.texto);
  const [nova] = primeira.corpo.data;
  t.like(nova, { type: 'cliente.atualizado', attempts: 1, delivered_at: null });
  t.like(nova.last, { status_code: 503, error: 'resposta_503' });
  const cursor = primeira.corpo.meta.next_cursor as string;
  const segunda = await pedir('GET', `${logs}?status=pendente&event=cliente.atualizado&limit=1&cursor=${cursor}`, {
    chave,
  });
  t.true(segunda.corpo.data[0].id < nova.id);
  t.is((await pedir('GET', `${logs}?status=entregue`, { chave })).corpo.meta.total, 0);
  t.is((await pedir('GET', `${logs}?to=2026-01-01T00:00:00.000Z`, { chave })).corpo.meta.total, 0);
  t.is((await pedir('GET', `${logs}?status=outra`, { chave })).status, 400);
  t.is((await pedir('GET', `/webhooks/${id}`, { chave })).corpo.data.pending, 2);

  receptor.responder = (_pedido, resposta) => void resposta.end();
  const uma = await pedir('POST', `${logs}/${nova.id}/replay`, { chave });
  t.deepEqual([uma.status, uma.corpo.data], [202, { queued: 1 }]);
  await worker.entregar();
  t.like((await pedir('GET', `${logs}/${nova.id}`, { chave })).corpo.data, {
    status: 'entregue',
    message_id: nova.message_id,
    attempts: 2,
  });
  await api.dono('webhook_entregas').where({ webhook_id: id, provedor_id: provedor }).update({ estado: 'esgotada' });
  const from = new Date(Date.now() - 3_600_000).toISOString();
  const todas = await pedir('POST', `/webhooks/${id}/replay`, { chave, corpo: { from } });
  t.deepEqual([todas.status, todas.corpo.data], [202, { queued: 2 }]);
  const antiga = await pedir('POST', `/webhooks/${id}/replay`, { chave, corpo: { from: '2020-01-01T00:00:00.000Z' } });
  t.deepEqual([antiga.status, ...errosDe(antiga).flat()], [400, 'parametro_invalido', 'from']);
  await pedir('PUT', `/webhooks/${id}`, { chave, corpo: { status: 'pausado' } });
  for (const caminho of [`${logs}/${nova.id}/replay`, `/webhooks/${id}/replay`]) {
    const corpo = caminho.includes('logs') ? {} : { corpo: { from } };
    t.is((await pedir('POST', caminho, { chave, ...corpo })).corpo.errors[0].code, 'webhook_desativado');
  }
  t.is((await pedir('GET', `${logs}/999999`, { chave })).status, 404);
});

test.serial('de outro provedor tudo é 404; o catálogo diz todos os eventos, e o documento também', async (t) => {
  const { id } = await criar();
  const { corpo } = await pedir('POST', `/webhooks/${id}/test`, { chave });
  const outro = await api.criarChave(await criarFabrica(api.dono).provedor());
  const de = `/webhooks/${id}`;
  const from = new Date().toISOString();
  for (const [metodo, caminho, envio] of [
    ['GET', de, {}],
    ['PUT', de, { corpo: { status: 'pausado' } }],
    ['DELETE', de, {}],
    ['POST', `${de}/secret`, {}],
    ['POST', `${de}/test`, {}],
    ['GET', `${de}/logs`, {}],
    ['GET', `${de}/logs/${corpo.data.delivery_id}`, {}],
    ['POST', `${de}/logs/${corpo.data.delivery_id}/replay`, {}],
    ['POST', `${de}/replay`, { corpo: { from } }],
  ] as const) {
    const resposta = await pedir(metodo, caminho, { ...envio, chave: outro.texto });
    t.deepEqual([resposta.status, resposta.corpo.errors?.[0].code], [404, 'nao_encontrado'], `${metodo} ${caminho}`);
  }
  t.is((await pedir('GET', '/webhooks', { chave: outro.texto })).corpo.meta.total, 0);
  const eventos = (await pedir('GET', '/webhooks/events', { chave })).corpo.data as { type: string }[];
  t.deepEqual(
    eventos.map(({ type }) => type),
    Object.keys(DE_FORA),
  );
  const documento = (await pedir('GET', '/openapi.json')).corpo;
  t.deepEqual(Object.keys(documento.webhooks), Object.keys(DE_FORA));
});

import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import test from 'ava';
import { Webhook } from 'standardwebhooks';
import { generatedModules } from '../../client/generate/generate.ts';
import { appApi, MalhaError, publicApi, verifyWebhook, WebhookError } from '../../client/src/index.ts';
import { criarApi } from '../support/api.ts';
import type { Api } from '../support/api.ts';
import { criarFabrica } from '../support/fabrica.ts';

let api: Api;
let url: string;
let provedor: number;
let chave: string;
test.before(async () => {
  api = await criarApi();
  url = `http://127.0.0.1:${api.porta}`;
  provedor = await criarFabrica(api.dono).provedor();
  ({ texto: chave } = await api.criarChave(provedor));
});
test.after.always(async () => api.fechar());

/** A service on the way to which something goes wrong: it answers each request by the next of these. */
async function estragado(
  ...respostas: RequestListener[]
): Promise<{ url: string; pedidos: { chave: unknown; em: number }[]; fechar: () => void }> {
  const pedidos: { chave: unknown; em: number }[] = [];
  const servidor: Server = createServer((pedido, resposta) => {
    pedidos.push({ chave: pedido.headers['idempotency-key'], em: performance.now() });
    pedido.resume().on('end', () => (respostas[pedidos.length - 1] ?? respostas.at(-1))?.(pedido, resposta));
  });
  await new Promise<void>((pronto) => {
    servidor.listen(0, '127.0.0.1', pronto);
  });
  const { port } = servidor.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, pedidos, fechar: () => servidor.close() };
}

const recusa =
  (status: number, code: string, headers: Record<string, string> = {}): RequestListener =>
  (_pedido, resposta) =>
    void resposta.writeHead(status, headers).end(
      JSON.stringify({
        success: false,
        message: code,
        errors: [{ code, field: null, message: code, resource_id: null }],
      }),
    );
const sucesso: RequestListener = (_pedido, resposta) => void resposta.end('{"success":true,"data":{"id":7}}');
const corte: RequestListener = (pedido) => void pedido.socket.destroy();

test('os tipos são os dos documentos: quem muda uma rota roda `npm run client`', async (t) => {
  for (const [arquivo, texto] of await generatedModules()) t.is(await readFile(arquivo, 'utf8'), texto, arquivo);
});

test('as listas das duas APIs são lidas até o fim, cada registro uma vez', async (t) => {
  const fabrica = criarFabrica(api.dono);
  const outro = await fabrica.provedor();
  const { texto } = await api.criarChave(outro);
  const ids: number[] = [];
  for (let n = 0; n < 7; n += 1) ids.push(await fabrica.cliente(outro));
  const lidos: number[] = [];
  const doApp = appApi({ url, credential: texto });
  for await (const { id } of doApp.each('GET /clientes', { query: { limit: 3 } })) lidos.push(id);
  t.deepEqual(lidos, ids);
  const cliente_id = ids[0]!;
  const faturas: number[] = [];
  for (let n = 0; n < 7; n += 1) faturas.push(await fabrica.fatura(outro, { cliente_id }));
  const publicas: number[] = [];
  const publica = publicApi({ url, credential: async () => texto });
  for await (const { id } of publica.each('GET /faturas', { query: { cliente_id, por_pagina: 3 } })) publicas.push(id);
  t.deepEqual(
    publicas.toSorted((a, b) => a - b),
    faturas,
  );
});

test('uma recusa traz código, status, todos os campos e o id da requisição', async (t) => {
  const malha = appApi({ url, credential: chave });
  const corpo = { nome: 'J', cpf_cnpj: '111.111.111-11' };
  const erro = await t.throwsAsync<MalhaError>(malha.call('POST /clientes', { body: corpo }), {
    instanceOf: MalhaError,
  });
  t.is(erro.status, 400);
  t.deepEqual(
    erro.faults.map(({ field }) => field),
    ['nome', 'cpf_cnpj'],
  );
  t.truthy(erro.requestId);
  const publica = publicApi({ url, credential: 'malha_1_errada' });
  t.is((await t.throwsAsync<MalhaError>(publica.call('GET /status'))).code, 'chave_invalida');
  for (const id of ['', '.', '..']) {
    await t.throwsAsync(
      malha.call('GET /clientes/{id}', { path: { id: id as unknown as number } }),
      { instanceOf: TypeError },
      id,
    );
  }
});

test('espera o que Retry-After diz, e quem teria de esperar demais recebe o erro', async (t) => {
  const servico = await estragado(recusa(429, 'limite_excedido', { 'retry-after': '1' }), sucesso);
  t.teardown(servico.fechar);
  await appApi({ url: servico.url, credential: 'k' }).call('GET /clientes/{id}', { path: { id: 7 } });
  t.is(servico.pedidos.length, 2);
  t.true(servico.pedidos[1]!.em - servico.pedidos[0]!.em >= 990);

  const longe = await estragado(recusa(503, 'ocupado', { 'retry-after': '120' }));
  t.teardown(longe.fechar);
  const pedido = appApi({ url: longe.url, credential: 'k' }).call('GET /clientes/{id}', { path: { id: 7 } });
  t.is((await t.throwsAsync<MalhaError>(pedido)).retryAfter, 120);
  t.is(longe.pedidos.length, 1);
});

test('uma gravação cortada se repete com a mesma chave; sem chave não se repete', async (t) => {
  const servico = await estragado(corte, recusa(409, 'requisicao_em_andamento'), sucesso);
  t.teardown(servico.fechar);
  const body = { nome: 'Ana Lima', cpf_cnpj: '52998224725' };
  await appApi({ url: servico.url, credential: 'k' }).call('POST /clientes', { body });
  t.is(servico.pedidos.length, 3);
  t.is(new Set(servico.pedidos.map((um) => um.chave)).size, 1);
  t.is(typeof servico.pedidos[0]!.chave, 'string');

  const login = await estragado(corte, sucesso);
  t.teardown(login.fechar);
  const entrar = appApi({ url: login.url }).call('POST /auth/login', { body: { cpf_cnpj: '52998224725', senha: 'x' } });
  await t.throwsAsync(entrar);
  t.is(login.pedidos.length, 1);
});

test('uma gravação cuja resposta se corta ou para no meio se repete com a mesma chave', async (t) => {
  const meio: RequestListener = (pedido, resposta) => {
    resposta.writeHead(201, { 'content-length': '40' });
    resposta.write('{"success":true,', () => pedido.socket.destroy());
  };
  const parada: RequestListener = (_pedido, resposta) => {
    resposta.writeHead(201, { 'content-length': '40' });
    resposta.write('{"success":true,');
  };
  const servico = await estragado(meio, parada, sucesso);
  t.teardown(servico.fechar);
  const malha = appApi({ url: servico.url, credential: 'k', timeout: 300 });
  t.deepEqual(await malha.call('POST /clientes', { body: { nome: 'Ana Lima', cpf_cnpj: '52998224725' } }), {
    id: 7,
  } as never);
  t.is(servico.pedidos.length, 3);
  t.is(new Set(servico.pedidos.map((um) => um.chave)).size, 1);

  const login = await estragado(meio, sucesso);
  t.teardown(login.fechar);
  const entrar = appApi({ url: login.url }).call('POST /auth/login', { body: { cpf_cnpj: '52998224725', senha: 'x' } });
  await t.throwsAsync(entrar);
  t.is(login.pedidos.length, 1);
});

test('o serviço faz uma vez o que se pede duas vezes com a mesma chave', async (t) => {
  const malha = appApi({ url, credential: chave });
  const pedido = { body: { nome: 'Ana Lima', cpf_cnpj: '39053344705' }, idempotencyKey: 'proposta-1' };
  const [um, dois] = [await malha.call('POST /clientes', pedido), await malha.call('POST /clientes', pedido)];
  t.deepEqual(um, dois);
  t.is((await api.dono('clientes').where({ provedor_id: provedor, cpf_cnpj: '39053344705' })).length, 1);
});

test('um token vencido se renova uma vez', async (t) => {
  const servico = await estragado(recusa(401, 'token_expirado'), sucesso, recusa(401, 'token_expirado'));
  t.teardown(servico.fechar);
  let token = 1;
  const malha = appApi({
    url: servico.url,
    credential: () => `t${token}`,
    renew: async () => {
      token += 1;
    },
  });
  await malha.call('GET /clientes/{id}', { path: { id: 7 } });
  t.is(token, 2);
  await t.throwsAsync(malha.call('GET /clientes/{id}', { path: { id: 7 } }));
  t.is(token, 3);
  t.is(servico.pedidos.length, 4);
});

test('quem desiste não espera', async (t) => {
  const servico = await estragado(recusa(503, 'ocupado', { 'retry-after': '30' }));
  t.teardown(servico.fechar);
  const desistencia = new AbortController();
  const pedido = appApi({ url: servico.url, credential: 'k' }).call('GET /clientes/{id}', {
    path: { id: 7 },
    signal: desistencia.signal,
  });
  desistencia.abort(new Error('desisti'));
  await t.throwsAsync(pedido, { message: 'desisti' });
});

test('um webhook assinado por outra biblioteca confere; alterado, velho ou de outro segredo, não', async (t) => {
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  const body = JSON.stringify({
    type: 'teste.ping',
    timestamp: '2026-11-22T17:02:11.000Z',
    provedor: 'p.example',
    data: { cliente_id: null, mensagem: 'olá' },
  });
  const cabecalhos = (quando: Date) => ({
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(quando.getTime() / 1000)),
    'webhook-signature': `v1,AAAA ${new Webhook(secret).sign('msg_1', quando, body)}`,
  });
  const agora = new Date();
  const headers = cabecalhos(agora);
  const outro = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
  const evento = await verifyWebhook({ body, headers: new Headers(headers), secret: [outro, secret] });
  t.is(evento.type === 'teste.ping' ? evento.data.mensagem : null, 'olá');
  t.is(evento.id, 'msg_1');
  const falso = { instanceOf: WebhookError };
  await t.throwsAsync(verifyWebhook({ body: body.replace('olá', 'ola'), headers, secret }), falso);
  await t.throwsAsync(verifyWebhook({ body, headers, secret: outro }), falso);
  await t.throwsAsync(verifyWebhook({ body, headers: { ...headers, 'webhook-id': 'msg_2' }, secret }), falso);
  const velho = cabecalhos(new Date(agora.getTime() - 301_000));
  await t.throwsAsync(verifyWebhook({ body, headers: velho, secret }), falso);
  await t.throwsAsync(verifyWebhook({ body, headers: {}, secret }), falso);
});

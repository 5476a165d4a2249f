import { Writable } from 'node:stream';
import test from 'ava';
import type { ExecutionContext } from 'ava';
import { TERMINAL } from '../../../src/domain/actor.ts';
import { toText } from '../../../src/platform/metrics/snapshot.ts';
import { criarApi, enviar } from '../../support/api.ts';
import type { Api, Recebido } from '../../support/api.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import { lerMedidas } from '../../support/metricas.ts';
import { REVISAO, conectar, desconectar, textoDe } from './apoio.ts';

const CPF = '52998224725';
const ORIGEM = 'https://app.serra.example';

let api: Api;
let provedor: number;
let host: string;
let cliente: number;
let alheio: number;
let registrado = '';

test.before(async () => {
  const destinoDoLog = new Writable({
    write(parte: Buffer, _codificacao, feito) {
      registrado += parte.toString();
      feito();
    },
  });
  api = await criarApi({ proxies: 1, destinoDoLog, env: { MALHA_LOG: 'info', MALHA_LOG_REQUISICOES: 'sim' } });
  const fabrica = criarFabrica(api.dono);
  provedor = await fabrica.provedor({ panel_host: 'serra.malha.test', app_origens: JSON.stringify([ORIGEM]) });
  host = 'serra.malha.test';
  const outro = await fabrica.provedor({ panel_host: 'outro.malha.test' });
  cliente = await fabrica.cliente(provedor, { cpf_cnpj: CPF });
  alheio = await fabrica.cliente(outro, { nome: 'alheio' });
});
test.after.always(async () => {
  await desconectar();
  await api.fechar();
});

interface Cru {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Record<string, string>;
  readonly corpo?: string | Buffer;
}

let vez = 0;
/** A request as it is written, from a source of its own: what no key answers for is counted by source. */
async function cru({ method = 'POST', path = '/v1/mcp', headers = {}, corpo }: Cru): Promise<Recebido & { json: any }> {
  vez += 1;
  const recebido = await enviar(
    {
      host: '127.0.0.1',
      port: api.porta,
      method,
      path,
      headers: {
        host,
        'x-forwarded-for': `198.51.100.${vez}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
    },
    corpo,
    () => {},
  );
  return { ...recebido, json: recebido.texto.startsWith('{') ? JSON.parse(recebido.texto) : null };
}

/** A message of the revision before, which needs no envelope. */
const mensagem = (method: string, params: object = {}): string =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });

/** Held of every refusal before a tool: status, code, and headers that say how much is left. */
function recusada(t: ExecutionContext, resposta: Recebido & { json: any }, status: number, codigo: string): void {
  t.is(resposta.status, status, resposta.texto);
  t.is(resposta.json.error.data.codigo, codigo);
  t.is(resposta.json.jsonrpc, '2.0');
  t.is(resposta.json.id, null);
  for (const nome of ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-request-id']) t.truthy(resposta.headers[nome]);
  t.is(resposta.headers['retry-after'] !== undefined, status === 429);
}

test.serial('uma chave estreita só vê as suas ferramentas, e as outras a recusam', async (t) => {
  const { texto } = await api.criarChave(provedor, { permissoes: ['planos:leitura'] });
  const agente = await conectar(api, { Authorization: `Bearer ${texto}` });
  t.is(agente.getNegotiatedProtocolVersion(), REVISAO);
  const { tools } = await agente.listTools();
  t.deepEqual(tools.map(({ name }) => name).toSorted(), ['conferir_chave', 'listar_planos']);
  const recusa = await agente.callTool({ name: 'buscar_cliente', arguments: { id: cliente } });
  t.true(recusa.isError);
  t.is(JSON.parse(textoDe(recusa)).erro.codigo, 'permissao_insuficiente');
  await t.throwsAsync(agente.callTool({ name: 'apagar_tudo', arguments: {} }), { message: /apagar_tudo/ });
});

test.serial('o que é de outro provedor não existe, e a chave não serve no host dele', async (t) => {
  const { texto } = await api.criarChave(provedor);
  const agente = await conectar(api, { 'X-API-Key': texto });
  const resultado = await agente.callTool({ name: 'buscar_cliente', arguments: { id: alheio } });
  t.is(JSON.parse(textoDe(resultado)).erro.codigo, 'nao_encontrado');
  const { structuredContent } = await agente.callTool({ name: 'listar_clientes', arguments: {} });
  t.deepEqual(
    (structuredContent as { dados: { id: number }[] }).dados.map(({ id }) => id),
    [cliente],
  );
  const elsewhere = { host: 'outro.malha.test', 'x-api-key': texto };
  recusada(t, await cru({ headers: elsewhere, corpo: mensagem('tools/list') }), 401, 'chave_invalida');
});

test.serial('clientes de antes conversam pela volta sem estado do SDK', async (t) => {
  const { texto } = await api.criarChave(provedor);
  const agente = await conectar(api, { 'X-API-Key': texto }, 'legacy');
  t.not(agente.getNegotiatedProtocolVersion(), REVISAO);
  const { tools } = await agente.listTools();
  t.true(tools.length > 10);
  const { structuredContent } = await agente.callTool({ name: 'buscar_cliente', arguments: { id: cliente } });
  t.like(structuredContent, { sucesso: true, dados: { id: cliente, cpf_cnpj: CPF } });
  const recusa = await agente.callTool({ name: 'buscar_cliente', arguments: { id: alheio } });
  t.true(recusa.isError);
});

test.serial('a revisão atual é respondida em um só JSON, e não há o que escutar', async (t) => {
  const { texto } = await api.criarChave(provedor);
  const pedir = async (method: string, params: object) =>
    cru({
      headers: { 'x-api-key': texto, 'mcp-protocol-version': REVISAO, 'mcp-method': method },
      corpo: mensagem(method, {
        ...params,
        _meta: {
          'io.modelcontextprotocol/protocolVersion': REVISAO,
          'io.modelcontextprotocol/clientInfo': { name: 'testes', version: '1' },
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      }),
    });
  const lista = await pedir('tools/list', {});
  t.is(lista.status, 200, lista.texto);
  t.is(lista.headers['content-type'], 'application/json; charset=utf-8');
  t.is(lista.headers['cache-control'], 'private, no-cache');
  // What a key sees may change, and is nobody else's.
  t.like(lista.json.result, { ttlMs: 0, cacheScope: 'private' });
  const escuta = await pedir('subscriptions/listen', { notifications: { toolsListChanged: true } });
  t.is(escuta.headers['content-type'], 'application/json; charset=utf-8');
  t.is(escuta.json.error.code, -32_603);
});

test.serial('cada requisição conta uma vez no limite da chave, que é o mesmo de HTTP', async (t) => {
  const { texto } = await api.criarChave(provedor, { limitePorMinuto: 4 });
  const headers = { 'x-api-key': texto };
  const restam: unknown[] = [];
  for (const corpo of [mensagem('tools/list'), mensagem('tools/call', { name: 'listar_planos', arguments: {} })]) {
    restam.push((await cru({ headers, corpo })).headers['x-ratelimit-remaining']);
  }
  restam.push((await api.get('/status', { chave: texto, headers: { host } })).headers['x-ratelimit-remaining']);
  restam.push((await cru({ headers, corpo: '[' })).headers['x-ratelimit-remaining']);
  t.deepEqual(restam, ['3', '2', '1', '0']);
  recusada(t, await cru({ headers, corpo: mensagem('tools/list') }), 429, 'limite_excedido');
});

test.serial(
  'sem chave, com chave revogada, expirada ou de outra rede: 401 e 403, também no meio da conversa',
  async (t) => {
    const corpo = mensagem('tools/list');
    recusada(t, await cru({ corpo }), 401, 'chave_ausente');
    t.is((await cru({ corpo })).headers['www-authenticate'], 'Bearer');
    recusada(t, await cru({ corpo, headers: { 'x-api-key': 'malha_qualquer' } }), 401, 'chave_invalida');
    const { texto, id } = await api.criarChave(provedor);
    const agente = await conectar(api, { 'X-API-Key': texto });
    await agente.listTools();
    await api.container.chaves.revogar(TERMINAL, provedor, id);
    await t.throwsAsync(agente.callTool({ name: 'listar_planos', arguments: {} }));
    recusada(t, await cru({ corpo, headers: { 'x-api-key': texto } }), 401, 'chave_revogada');
    const presa = await api.criarChave(provedor, { ipsPermitidos: ['203.0.113.0/24'] });
    recusada(t, await cru({ corpo, headers: { 'x-api-key': presa.texto } }), 403, 'ip_nao_autorizado');
  },
);

test.serial(
  'uma Origin que o provedor não lista é 403; a que ele lista é atendida, também a consulta prévia',
  async (t) => {
    const { texto } = await api.criarChave(provedor);
    const corpo = mensagem('tools/list');
    for (const origin of ['https://mau.example', 'null', `${ORIGEM}.mau.example`]) {
      recusada(t, await cru({ corpo, headers: { 'x-api-key': texto, origin } }), 403, 'origem_nao_permitida');
    }
    const deOutro = { 'x-api-key': texto, origin: ORIGEM, host: '127.0.0.1' };
    recusada(t, await cru({ corpo, headers: deOutro }), 403, 'origem_nao_permitida');
    const aceita = await cru({ corpo, headers: { 'x-api-key': texto, origin: ORIGEM } });
    t.is(aceita.status, 200);
    t.is(aceita.headers['access-control-allow-origin'], ORIGEM);
    const previa = await cru({
      method: 'OPTIONS',
      headers: { origin: ORIGEM, 'access-control-request-method': 'POST' },
    });
    t.is(previa.status, 204);
    t.regex(String(previa.headers['access-control-allow-headers']), /Mcp-Protocol-Version/);
  },
);

test.serial('só POST em /v1/mcp, e de corpos só uma mensagem JSON de até 64 KiB', async (t) => {
  const { texto } = await api.criarChave(provedor);
  const headers = { 'x-api-key': texto };
  for (const method of ['GET', 'DELETE', 'PUT', 'HEAD']) {
    const resposta = await cru({ method, headers });
    t.is(resposta.status, 405);
    t.is(resposta.headers['allow'], 'POST');
  }
  t.is((await cru({ headers, path: '/v1/mcp/', corpo: mensagem('ping') })).status, 404);
  t.is((await cru({ headers, path: '/v1/mcpx', corpo: mensagem('ping') })).status, 404);
  const dois = `[${mensagem('tools/list')},${mensagem('tools/list')}]`;
  const fundo = `{"a":${'['.repeat(30_000)}${']'.repeat(30_000)}}`;
  const corpos: readonly [corpo: string | Buffer | undefined, status: number, codigo: string, mais?: object][] = [
    [dois, 400, 'mensagem_invalida'],
    ['[]', 400, 'mensagem_invalida'],
    ['null', 400, 'mensagem_invalida'],
    ['7', 400, 'mensagem_invalida'],
    [fundo, 400, 'mensagem_invalida'],
    ['{', 400, 'json_invalido'],
    ['', 400, 'json_invalido'],
    [Buffer.from([0x22, 0xff, 0x22]), 400, 'json_invalido'],
    [mensagem('tools/list', { x: 'x'.repeat(65_536) }), 413, 'corpo_grande'],
    [mensagem('tools/list'), 415, 'tipo_nao_aceito', { 'content-type': 'text/plain' }],
    [mensagem('tools/list'), 415, 'tipo_nao_aceito', { 'content-encoding': 'gzip' }],
  ];
  for (const [corpo, status, codigo, mais] of corpos) {
    recusada(
      t,
      await cru({ headers: { ...headers, ...mais }, ...(corpo === undefined ? {} : { corpo }) }),
      status,
      codigo,
    );
  }
  recusada(t, await cru({ headers, path: '/v1/mcp?chave=x', corpo: mensagem('ping') }), 400, 'mensagem_invalida');
  // What is JSON but no message of the protocol is the SDK's to refuse; none is an unexpected failure.
  for (const corpo of [
    '{}',
    '{"jsonrpc":"1.0"}',
    mensagem('nada/disso'),
    mensagem('tools/call', { name: '__proto__' }),
  ]) {
    const { status, json } = await cru({ headers, corpo });
    t.true(status < 500, corpo);
    t.truthy(json?.error ?? status === 200, corpo);
  }
});

test.serial('uma leitura feita por HTTP serve à ferramenta, e o contrário', async (t) => {
  const { texto } = await api.criarChave(provedor);
  const medir = async () => lerMedidas(await toText(await api.container.metrics.snapshot()));
  const agente = await conectar(api, { 'X-API-Key': texto });
  // On a busy machine the gate may doubt Redis, and then caches are emptied.
  for (;;) {
    await api.get(`/clientes/${cliente}`, { chave: texto });
    const antes = await medir();
    await agente.callTool({ name: 'buscar_cliente', arguments: { id: cliente } });
    const depois = await medir();
    const mais = (nome: string): number => (depois.get(nome) ?? 0) - (antes.get(nome) ?? 0);
    if (mais('malha_gate_mode_changes_total{mode="local"}') > 0) continue;
    t.is(mais('malha_cache_events_total{event="miss"}'), 0);
    t.is(mais('malha_cache_events_total{event="coalesced"}'), 1);
    t.is(mais('malha_http_request_duration_seconds_count{route="POST /v1/mcp#buscar_cliente",status="200"}'), 1);
    return;
  }
});

test.serial('o log diz a ferramenta e o código, e nada de chaves, argumentos ou textos de quem pede', async (t) => {
  const { texto } = await api.criarChave(provedor);
  registrado = '';
  const agente = await conectar(api, { 'X-API-Key': texto });
  await agente.callTool({ name: 'listar_clientes', arguments: { cpf_cnpj: CPF } });
  await agente.callTool({ name: 'buscar_cliente', arguments: { id: alheio } });
  await cru({ headers: { 'x-api-key': texto }, corpo: mensagem('tools/call', { name: 'segredo-no-nome' }) });
  t.true(registrado.includes('"rota":"POST /v1/mcp#listar_clientes"'));
  t.true(registrado.includes('"codigo":"nao_encontrado"'));
  for (const proibido of [CPF, texto, texto.slice(-12), 'segredo-no-nome', 'Maria'])
    t.false(registrado.includes(proibido));
});

import { Writable } from 'node:stream';
import test from 'ava';
import { toText } from '../../../src/platform/metrics/snapshot.ts';
import { criarApi, enviar } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import { lerMedidas } from '../../support/metricas.ts';
import { AUTOR } from '../../support/autor.ts';

const REQUISICOES = 'malha_http_request_duration_seconds_count';
const CPF = '52998224725';

let api: Api;
let provedor: number;
let cliente: number;
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
  provedor = await fabrica.provedor();
  cliente = await fabrica.cliente(provedor, { cpf_cnpj: CPF });
});
test.after.always(() => api.fechar());

const medir = async () => lerMedidas(await toText(await api.container.metrics.snapshot()));

/** The measures that changed, and by how much. */
async function mudancas(fazer: () => Promise<void>): Promise<Record<string, number>> {
  const antes = await medir();
  await fazer();
  const depois = await medir();
  return Object.fromEntries([...depois].map(([nome, valor]) => [nome, valor - (antes.get(nome) ?? 0)]));
}

/** The same, of a time in which Redis always answered: on a busy machine the gate may doubt it, and then caches are emptied. */
async function mudancasCalmas(fazer: () => Promise<void>): Promise<Record<string, number>> {
  for (;;) {
    const medidas = await mudancas(fazer);
    if (medidas['malha_gate_mode_changes_total{mode="local"}'] === 0) return medidas;
  }
}

test.serial('as métricas contam acertos, faltas, entradas vencidas e cargas que serviram a muitos', async (t) => {
  const { texto: chave } = await api.criarChave(provedor);
  const alterar = async (): Promise<void> =>
    api.container.write(AUTOR, provedor, async (escrita) => escrita.touch(`cliente:${cliente}`));
  const pedir = async (): Promise<void> => {
    t.is((await api.get(`/clientes/${cliente}`, { chave })).status, 200);
  };
  await pedir();
  const calma = await mudancasCalmas(async () => {
    await alterar();
    await pedir();
    await pedir();
    await pedir();
  });
  t.is(calma['malha_cache_events_total{event="stale"}'], 1);
  t.is(calma['malha_cache_events_total{event="miss"}'], 1);
  t.is(calma['malha_cache_events_total{event="hit"}'], 2);
  t.is(calma[`${REQUISICOES}{route="GET /api/v1/clientes/{id}",status="200"}`], 3);
  t.true(calma['malha_mysql_query_duration_seconds_count{outcome="ok"}']! > 0);
  t.true(calma['malha_redis_duration_seconds_count']! >= 3);
  const medidas = await medir();
  t.true(medidas.get('malha_cache_entries')! > 0);
  t.true(medidas.get('malha_cache_bytes')! > 0);

  const juntas = await mudancasCalmas(async () => {
    await alterar();
    await Promise.all(Array.from({ length: 20 }, pedir));
  });
  t.true(juntas['malha_cache_events_total{event="coalesced"}']! > 0);
});

test.serial('o modo e o uso das conexões com o banco estão nas métricas', async (t) => {
  const medidas = await medir();
  t.is(medidas.get('malha_gate_mode{mode="redis"}')! + medidas.get('malha_gate_mode{mode="local"}')!, 1);
  t.is(medidas.get('malha_mysql_pool_connections{state="max"}'), 10);
  t.true(medidas.has('malha_mysql_pool_waiting'));
  t.true(medidas.has('malha_event_loop_lag_seconds{quantile="0.99"}'));
  t.true(medidas.get('malha_resident_memory_bytes')! > 0);
});

test.serial(
  'cada requisição é uma linha com o modelo da rota, o provedor e o nome da chave, e sem dado pessoal',
  async (t) => {
    const nova = await api.criarChave(provedor, { nome: 'URA da matriz' });
    registrado = '';
    const headers = { 'x-request-id': 'pedido-1' };
    await api.get(`/clientes/${cliente}`, { chave: nova.texto, headers });
    await api.get(`/clientes?cpf_cnpj=${CPF}&telefone=35999990001`, { chave: nova.texto });
    await api.get('/faturas/nada', { chave: nova.texto, headers: { authorization: 'Bearer outra' } });
    const linhas = registrado.trimEnd().split('\n');
    t.is(linhas.length, 3);
    const [primeira, segunda, terceira] = linhas.map((linha) => JSON.parse(linha) as Record<string, unknown>);
    t.like(primeira, {
      level: 30,
      requestId: 'pedido-1',
      provedorId: provedor,
      chave: 'URA da matriz',
      rota: 'GET /api/v1/clientes/{id}',
      status: 200,
    });
    t.is(typeof primeira!['ms'], 'number');
    t.like(segunda, { rota: 'GET /api/v1/clientes', provedorId: provedor });
    t.like(terceira, { rota: 'nenhuma', provedorId: null, chave: null, codigo: 'chave_invalida' });
    for (const dado of [CPF, '35999990001', nova.texto, '127.0.0.1', 'cpf_cnpj'])
      t.false(registrado.includes(dado), dado);
  },
);

test.serial('uma falha inesperada é registrada sem o SQL e sem os valores', async (t) => {
  const { texto: chave } = await api.criarChave(provedor);
  await api.dono.raw('RENAME TABLE clientes_telefones TO guardada');
  try {
    registrado = '';
    t.is((await api.get(`/clientes?telefone=35999990001`, { chave })).status, 500);
  } finally {
    await api.dono.raw('RENAME TABLE guardada TO clientes_telefones');
  }
  t.true(registrado.includes('ER_NO_SUCH_TABLE'), registrado);
  t.true(registrado.includes('"rota":"/clientes"'), registrado);
  for (const dado of ['35999990001', 'select', chave]) t.false(registrado.includes(dado), registrado);
});

test.serial('/healthz e /readyz respondem na porta principal sem chave e sem contar', async (t) => {
  const pedir = (caminho: string) => enviar({ host: '127.0.0.1', port: api.porta, path: caminho, agent: false });
  const medidas = await mudancas(async () => {
    for (let i = 0; i < 3; i += 1) t.is((await pedir('/healthz')).texto, '{"vivo":true}');
    const pronto = await pedir('/readyz');
    t.is(pronto.status, 200);
    t.deepEqual(JSON.parse(pronto.texto), { pronto: true, degradado: false, banco: 'ok', redis: 'ok' });
    t.is(pronto.headers['x-ratelimit-limit'], undefined);
  });
  t.is(medidas[`${REQUISICOES}{route="nenhuma",status="200"}`] ?? 0, 0);
});

test.serial('as métricas contam as recusas pelo limite da chave e da rede, e os erros por código', async (t) => {
  const { texto: chave } = await api.criarChave(provedor, { limitePorMinuto: 2 });
  const medidas = await mudancas(async () => {
    for (let i = 0; i < 5; i += 1) await api.get('/status', { chave });
    for (let i = 0; i < 122; i += 1) await api.get('/status', { headers: { 'x-forwarded-for': '203.0.113.9' } });
    await api.get('/nada-disso', { chave: (await api.criarChave(provedor)).texto });
    await api.get(`/clientes?cpf_cnpj=${CPF}`, { chave: (await api.criarChave(provedor)).texto });
  });
  t.is(medidas['malha_limiter_refusals_total{reason="chave"}'], 3);
  t.is(medidas['malha_limiter_refusals_total{reason="rede"}'], 2);
  t.is(medidas['malha_http_errors_total{code="limite_excedido"}'], 5);
  t.is(medidas['malha_http_errors_total{code="chave_ausente"}'], 120);
  t.is(medidas[`${REQUISICOES}{route="nenhuma",status="429"}`], 5);
  t.is(medidas[`${REQUISICOES}{route="GET /api/v1/status",status="200"}`], 2);
  // No measure is named after what somebody asked for.
  t.false([...(await medir()).keys()].some((nome) => nome.includes(CPF) || nome.includes('nada-disso')));
});

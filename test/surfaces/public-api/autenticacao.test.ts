import test from 'ava';
import { TERMINAL } from '../../../src/domain/actor.ts';
import { gerarChave } from '../../../src/domain/chaves/chave.ts';
import { PERMISSOES, escreverExigencia } from '../../../src/domain/chaves/chaves.types.ts';
import type { Exigencia } from '../../../src/domain/chaves/chaves.types.ts';
import { ROTAS } from '../../../src/surfaces/public-api/rotas.ts';
import { criarApi } from '../../support/api.ts';
import type { Api, Resposta } from '../../support/api.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import { relogioEm } from '../../support/relogio.ts';

const relogio = relogioEm('2026-11-20T15:00:00Z');
let api: Api;
let provedor: number;
let outro: number;

test.before(async () => {
  api = await criarApi({ relogio, proxies: 1, processos: 2 });
  const fabrica = criarFabrica(api.dono);
  provedor = await fabrica.provedor({ nome: 'Serra Fibra', panel_host: 'painel.serra.malha.test' });
  outro = await fabrica.provedor({ nome: 'Vale Net', panel_host: 'painel.vale.malha.test' });
});
test.after.always(() => api.fechar());

function recusa(t: { is(a: unknown, b: unknown): unknown }, resposta: Resposta, status: number, codigo: string): void {
  t.is(resposta.corpo.erro?.codigo, codigo);
  t.is(resposta.status, status);
}

/** Each test's requests come from an address of their own, so that one does not use up another's limit. */
let vizinho = 0;
const deOutroIp = (headers: Record<string, string> = {}) => ({
  headers: { 'x-forwarded-for': `198.51.100.${(vizinho += 1)}`, ...headers },
});

test('a chave vale em Authorization: Bearer e em X-API-Key', async (t) => {
  const { texto } = await api.criarChave(provedor, { nome: 'ura' });
  for (const headers of [
    { authorization: `Bearer ${texto}` },
    { authorization: `bearer   ${texto}` },
    { 'x-api-key': texto },
    { 'x-api-key': texto, authorization: `Bearer ${texto}` },
    { 'x-api-key': texto, authorization: 'Basic dTpz' },
  ]) {
    const { status, corpo } = await api.get('/status', { headers });
    t.is(status, 200);
    t.deepEqual(corpo.dados, {
      provedor: 'Serra Fibra',
      chave: 'ura',
      permissoes: [...PERMISSOES],
      restricoes: [],
      versao: 'v1',
    });
  }
});

test('chave que não foi enviada: 401 chave_ausente', async (t) => {
  recusa(t, await api.get('/status', deOutroIp()), 401, 'chave_ausente');
  recusa(t, await api.get('/status', deOutroIp({ authorization: 'Bearer ' })), 401, 'chave_ausente');
  recusa(t, await api.get('/status', deOutroIp({ authorization: 'Basic dTpz' })), 401, 'chave_ausente');
  recusa(t, await api.get('/status', deOutroIp({ 'x-api-key': '' })), 401, 'chave_ausente');
});

test('chave desconhecida ou malformada: 401 chave_invalida', async (t) => {
  const { texto } = await api.criarChave(provedor);
  for (const chave of ['x', 'malha_', `${texto}x`, texto.slice(0, -1), texto.toUpperCase(), gerarChave(provedor)]) {
    recusa(t, await api.get('/status', deOutroIp({ 'x-api-key': chave })), 401, 'chave_invalida');
  }
});

test('duas chaves diferentes nos dois cabeçalhos: 401 chave_invalida', async (t) => {
  const [a, b] = await Promise.all([api.criarChave(provedor), api.criarChave(provedor)]);
  const headers = { authorization: `Bearer ${a.texto}`, 'x-api-key': b.texto };
  recusa(t, await api.get('/status', deOutroIp(headers)), 401, 'chave_invalida');
});

test('chave na URL não é chave', async (t) => {
  const { texto } = await api.criarChave(provedor);
  recusa(t, await api.get(`/status?api_key=${texto}`, deOutroIp()), 401, 'chave_ausente');
});

test('chave revogada: 401 chave_revogada, a partir do momento em que a revogação é respondida, em todo processo', async (t) => {
  const { id, texto } = await api.criarChave(provedor);
  for (const processo of [0, 1]) t.is((await api.get('/status', { chave: texto, processo })).status, 200);
  t.true(await api.container.chaves.revogar(TERMINAL, provedor, id));
  for (const processo of [0, 1]) {
    recusa(t, await api.get('/status', { ...deOutroIp({ 'x-api-key': texto }), processo }), 401, 'chave_revogada');
  }
});

test('a chave de um provedor não pode ser revogada por outro', async (t) => {
  const { id, texto } = await api.criarChave(provedor);
  t.false(await api.container.chaves.revogar(TERMINAL, outro, id));
  t.is((await api.get('/status', { chave: texto })).status, 200);
});

test('chave além da validade: 401 chave_expirada, mesmo que já estivesse em memória', async (t) => {
  const { texto } = await api.criarChave(provedor, { expiraEm: new Date(relogio.agora().getTime() + 5) });
  t.is((await api.get('/status', { chave: texto })).status, 200);
  relogio.avancar(5);
  recusa(t, await api.get('/status', deOutroIp({ 'x-api-key': texto })), 401, 'chave_expirada');
});

test('sem chave válida, 401 também para rota que não existe', async (t) => {
  recusa(t, await api.get('/nada', deOutroIp()), 401, 'chave_ausente');
  recusa(t, await api.pedir('DELETE', '/clientes', deOutroIp({ 'x-api-key': 'malha_x' })), 401, 'chave_invalida');
});

test('IP de origem fora da lista da chave: 403 ip_nao_autorizado', async (t) => {
  const { texto } = await api.criarChave(provedor, {
    ipsPermitidos: ['203.0.113.7', '10.20.0.0/16', '2001:db8:1::/48', '2001:db8:2::5'],
  });
  const deIp = (ip: string) => api.get('/status', { chave: texto, headers: { 'x-forwarded-for': ip } });
  for (const ip of ['203.0.113.7', '10.20.255.1', '2001:db8:1:ffff::9', '2001:DB8:2:0:0:0:0:5', '::ffff:203.0.113.7']) {
    t.is((await deIp(ip)).status, 200, ip);
  }
  for (const ip of ['203.0.113.8', '10.21.0.1', '2001:db8:2::6', 'unknown', '']) {
    recusa(t, await deIp(ip), 403, 'ip_nao_autorizado');
  }
});

test('o IP que o chamador escreve em X-Forwarded-For não vale: só o que o proxy confiável acrescentou', async (t) => {
  const { texto } = await api.criarChave(provedor, { ipsPermitidos: ['203.0.113.7'] });
  const forjado = { chave: texto, headers: { 'x-forwarded-for': '203.0.113.7, 198.51.100.200' } };
  recusa(t, await api.get('/status', forjado), 403, 'ip_nao_autorizado');
  const legitimo = { chave: texto, headers: { 'x-forwarded-for': '198.51.100.200, 203.0.113.7' } };
  t.is((await api.get('/status', legitimo)).status, 200);
});

test('o IP é conferido antes da rota, da permissão e do limite', async (t) => {
  const { texto } = await api.criarChave(provedor, {
    ipsPermitidos: ['203.0.113.7'],
    permissoes: ['planos:leitura'],
    limitePorMinuto: 1,
  });
  const envio = { chave: texto, headers: { 'x-forwarded-for': '198.51.100.201' } };
  for (const caminho of ['/nada', '/clientes', '/planos'])
    recusa(t, await api.get(caminho, envio), 403, 'ip_nao_autorizado');
});

test('chave usada no host do painel de outro provedor: 401 chave_invalida', async (t) => {
  const { texto } = await api.criarChave(provedor);
  const noHost = (host: string) => api.get('/status', deOutroIp({ host, 'x-api-key': texto }));
  for (const host of ['painel.vale.malha.test', 'PAINEL.VALE.MALHA.TEST:8443', 'painel.vale.malha.test.']) {
    recusa(t, await noHost(host), 401, 'chave_invalida');
  }
  for (const host of [
    'painel.serra.malha.test',
    'Painel.Serra.Malha.Test:443',
    'localhost:3000',
    '127.0.0.1',
    '[::1]:3000',
    'lb.interno',
  ]) {
    t.is((await noHost(host)).status, 200, host);
  }
});

test('rota inexistente: 404 rota_inexistente, também em rota conhecida com método que não é dela', async (t) => {
  const { texto } = await api.criarChave(provedor, { permissoes: ['planos:leitura'] });
  for (const caminho of ['/nada', '/', '', '/clientes/', '/CLIENTES', '/clientes/1/contratos', '/status/x']) {
    recusa(t, await api.get(caminho === '' ? 'raiz:/api/v1' : caminho, { chave: texto }), 404, 'rota_inexistente');
  }
  for (const metodo of ['PUT', 'DELETE', 'OPTIONS', 'POST']) {
    recusa(t, await api.pedir(metodo, '/status', { chave: texto }), 404, 'rota_inexistente');
  }
  t.is((await api.pedir('HEAD', '/status', { chave: texto })).status, 404);
  recusa(t, await api.get('raiz:/outra/coisa', { chave: texto }), 404, 'rota_inexistente');
});

for (const rota of ROTAS) {
  const caminho = rota.path.replace(/\{\w+\}/g, 'x');
  const exige = rota.permission === null ? null : escreverExigencia(rota.permission);
  test(`${rota.method} ${rota.path}: ${exige === null ? 'serve a qualquer chave válida' : `exige ${exige}`}`, async (t) => {
    for (const faltam of oQueFalta(rota.permission)) {
      const outras = PERMISSOES.filter((permissao) => !faltam.includes(permissao));
      const { texto } = await api.criarChave(provedor, { permissoes: outras });
      const resposta = await api.pedir(rota.method, caminho, { chave: texto });
      if (exige === null) t.is(resposta.status, 200);
      else recusa(t, resposta, 403, 'permissao_insuficiente');
    }
  });
}

/** Permissions of which a key that lacks them may not use a route: any set of them. */
function oQueFalta(exigencia: Exigencia | null): (readonly string[])[] {
  if (exigencia === null) return [[]];
  if (typeof exigencia === 'string') return [[exigencia]];
  return 'uma' in exigencia ? [exigencia.uma] : exigencia.todas.map((permissao) => [permissao]);
}

test('X-Request-Id: devolve o enviado, quando são, e cria um nos outros casos', async (t) => {
  const { texto } = await api.criarChave(provedor);
  const com = async (id: string) =>
    (await api.get('/status', { chave: texto, headers: { 'x-request-id': id } })).headers['x-request-id'];
  t.is(await com('ura-2026-11-10-000123'), 'ura-2026-11-10-000123');
  for (const estranho of ['com espaço', 'a'.repeat(129), '<script>', '"'])
    t.regex(String(await com(estranho)), /^[0-9a-f-]{36}$/);
});

import { Validator } from '@seriousme/openapi-schema-validator';
import test from 'ava';
import { createHash, hash, randomBytes } from 'node:crypto';
import { PERMISSOES, PERMISSOES_DE_INTEGRACAO } from '../../../src/domain/chaves/chaves.types.ts';
import { TERMINAL } from '../../../src/domain/actor.ts';
import { closed } from '../../../src/platform/schema-type.ts';
import { ERROS } from '../../../src/surfaces/app-api/erros.ts';
import { gerarOpenApi } from '../../../src/surfaces/app-api/openapi.ts';
import { rota } from '../../../src/surfaces/app-api/rota.ts';
import type { Rota } from '../../../src/surfaces/app-api/rota.ts';
import { ROTAS } from '../../../src/surfaces/app-api/rotas.ts';
import { criarApi } from '../../support/api.ts';
import type { Api, Resposta } from '../../support/api.ts';
import { conferirExemplos } from '../../support/exemplos-do-documento.ts';
import { pedirAoApp } from '../../support/app-api.ts';
import type { EnvioAoApp, PedirAoApp } from '../../support/app-api.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import { CPF, DE_ONDE, SENHA as SENHA_DO_APP, criarAssinante } from '../../domain/acessos/apoio.ts';
import { SENHA as SENHA_DA_EQUIPE, criarEquipe } from '../../domain/usuarios/apoio.ts';

/** A route without a credential: it says whose it is. */
const aberta = rota.post({
  path: '/quem',
  anonymous: true,
  permission: null,
  group: 'Teste',
  summary: 'Diz de que provedor é o endereço',
  data: closed('Quem', { provedor: { type: 'integer' } }),
  example: { provedor: 1 },
  run: async ({ session }) => ({ data: { provedor: session.provedor.id } }),
});

let api: Api;
let pedir: PedirAoApp;
let provedor: number;
let host: string;
let chave: string;
let alheios: number[];
let sessoes: ReturnType<typeof comSessoes> | undefined;
test.before(async () => {
  api = await criarApi({ rotasDoApp: [...ROTAS, aberta], proxies: 1 });
  const doApp = pedirAoApp(api);
  let vez = 0;
  // Each request comes from a source of its own: what one without a credential asks for is counted by source.
  pedir = async (metodo, caminho, envio) => {
    vez += 1;
    const origem = `198.51.${100 + Math.floor(vez / 250)}.${1 + (vez % 250)}`;
    return doApp(metodo, caminho, { ...envio, headers: { 'x-forwarded-for': origem, ...envio?.headers } });
  };
  const fabrica = criarFabrica(api.dono);
  provedor = await fabrica.provedor();
  const outro = await fabrica.provedor();
  host = (await api.dono('provedores').where({ id: provedor }).first()).panel_host as string;
  alheios = [];
  for (const dono of [provedor, outro]) {
    const cliente = await fabrica.cliente(dono, { nome: dono === outro ? 'alheio' : 'meu' });
    const chamado = await fabrica.chamado(dono, { cliente_id: cliente });
    const fatura = await fabrica.fatura(dono, { cliente_id: cliente });
    if (dono === outro) alheios.push(cliente, chamado, fatura);
  }
  ({ texto: chave } = await api.criarChave(provedor));
});
test.after.always(() => api.fechar());

const escritas = async (): Promise<number> => (await api.dono('eventos')).length;
const codigo = ({ status, corpo }: Resposta): [number, string] => [status, corpo.errors?.[0]?.code];

/** What a route takes: the examples of its fields. */
function envioDe(uma: Rota): EnvioAoApp {
  if (uma.kind !== 'write' || uma.body === null) return {};
  const campos = Object.entries(uma.body.schema.properties).map(
    // A time that was is told apart from one long ago.
    ([nome, { examples }]) => [nome, nome === 'from' ? new Date().toISOString() : examples?.[0]] as const,
  );
  // Each goes without another one.
  const semEstes = ['nome_fantasia', 'trade_name', 'responsavel_id', 'to', 'endpoint', 'keys', 'contrato_ids'];
  return { corpo: Object.fromEntries(campos.filter(([nome]) => !semEstes.includes(nome))) };
}

/** What compares a password before it writes is given the right one. */
const comASenha = (envio: EnvioAoApp): EnvioAoApp =>
  'senha' in Object(envio.corpo) ? { corpo: { ...Object(envio.corpo), senha: SENHA_DO_APP } } : envio;

const alvoDe = ({ path }: Rota, id = 1): string => path.replaceAll(/\{\w+\}/g, String(id));
/** What has to be asked for with the path: the examples of the parameters that a route requires. */
const consultaDe = ({ query }: Rota): string =>
  (query?.required ?? [])
    .map((nome, n) => `${n === 0 ? '?' : '&'}${nome}=${String(query?.properties[nome]?.examples?.[0])}`)
    .join('');
const nomeDe = ({ method, path }: Rota): string => `${method} ${path}`;

/** A device of a subscriber of his own. */
async function aparelhoDe(provedor_id: number): Promise<number> {
  const agora = new Date();
  const [acesso_id] = await api.dono('app_acessos').insert({ provedor_id, cpf_cnpj: '11144477735' });
  const [id = 0] = await api.dono('push_dispositivos').insert({
    provedor_id,
    acesso_id,
    tipo: 'fcm',
    token_hash: createHash('sha256').update('alheio').digest(),
    token: Buffer.from('cifrado'),
    plataforma: 'android',
    silenciados: '[]',
    visto_em: agora,
    criado_em: agora,
  });
  return id;
}

/** A subscriber and somebody of the staff who may do little, in sessions of the app. */
async function comSessoes() {
  const c = await criarAssinante(api);
  const { access: cliente } = await c.entrar();
  const fim = await c.entrar();
  await api.container.app.encerrar(TERMINAL, await c.registro(fim), { so: fim.sessaoId });
  const fabrica = criarFabrica(api.dono);
  const vizinho = await fabrica.cliente(c.provedor.id, { cpf_cnpj: '11144477735' });
  const plano_id = await fabrica.plano(c.provedor.id);
  /** What is another subscriber's of the same provider, by the resource of a path. */
  const doVizinho: Readonly<Record<string, number>> = {
    contracts: await fabrica.contrato(c.provedor.id, { cliente_id: vizinho, plano_id }),
    invoices: await fabrica.fatura(c.provedor.id, { cliente_id: vizinho }),
    tickets: await fabrica.chamado(c.provedor.id, { cliente_id: vizinho }),
    push: await aparelhoDe(c.provedor.id),
  };
  const { sessaoId: alheia } = await (await criarAssinante(api)).entrar();
  const casa = await criarEquipe(api);
  const pessoa = await casa.usuario('tecnico');
  await api.container.usuarios.alterar(TERMINAL, casa.provedor.id, pessoa.id, { cpf: CPF });
  const entrada = { cpf: CPF, senha: SENHA_DA_EQUIPE, ...DE_ONDE, aparelho: null };
  const { access: equipe } = await api.container.app.entrarNoApp(casa.provedor, entrada);
  const { corpo } = await pedir('GET', '/auth/check', { headers: { authorization: `Bearer ${equipe}` } });
  const permissoes = corpo.data.permissions as string[];
  const { id: acesso_id } = await api.dono('app_acessos').where('provedor_id', c.provedor.id).first();
  const donos = [
    { provedor_id: c.provedor.id, acesso_id },
    { provedor_id: casa.provedor.id, usuario_id: pessoa.id },
  ];
  return { cliente, alheia, doVizinho, encerrada: fim.access, equipe, permissoes, donos };
}

/** Has each credential use an Idempotency-Key for something that no route does. */
async function usar({ donos }: Awaited<ReturnType<typeof comSessoes>>, marca: string): Promise<void> {
  const { id: chave_id } = await api.dono('chaves_api').where({ provedor_id: provedor }).orderBy('id').first();
  for (const dono of [{ provedor_id: provedor, chave_id }, ...donos]) {
    await api.dono('requisicoes_idempotentes').insert({
      ...dono,
      marca: hash('sha256', marca, 'buffer'),
      pedido: randomBytes(32),
      status: 200,
      corpo: '{}',
      criado_em: new Date(),
    });
  }
}

const COM_CREDENCIAL = ROTAS.filter(({ anonymous }) => !anonymous);

for (const uma of COM_CREDENCIAL) {
  const { chave: escopo, cliente, equipe } = uma.permission ?? {};
  test.serial(`${nomeDe(uma)}: cada espécie de sessão entra onde pode, e a encerrada em nenhum lugar`, async (t) => {
    sessoes ??= comSessoes();
    const s = await sessoes;
    const com = async (token: string, consulta = '?x=1') =>
      pedir(uma.method, `${alvoDe(uma)}${consulta}`, {
        ...envioDe(uma),
        headers: { authorization: `Bearer ${token}` },
      });
    const servida = [400, 'parametro_invalido'];
    const proibida = [403, 'permissao_insuficiente'];
    t.deepEqual(codigo(await com(s.cliente)), cliente === true ? servida : proibida);
    const pode = equipe === true || (equipe !== undefined && s.permissoes.includes(equipe));
    t.deepEqual(codigo(await com(s.equipe)), pode ? servida : proibida);
    const encerrada = await com(s.encerrada, '');
    if (uma.path === '/auth/logout') t.is(encerrada.status, 200);
    else t.deepEqual(codigo(encerrada), [401, 'sessao_encerrada']);
  });
  test.serial(
    `${nomeDe(uma)}: sem credencial, com uma inventada ou com um token, 401; de outro host, também`,
    async (t) => {
      const semNada = await pedir(uma.method, alvoDe(uma), envioDe(uma));
      t.deepEqual(codigo(semNada), [401, 'credencial_ausente']);
      t.is(semNada.headers['www-authenticate'], 'Bearer');
      t.deepEqual(codigo(await pedir(uma.method, alvoDe(uma), { ...envioDe(uma), chave: 'malha_1_x' })), [
        401,
        'chave_invalida',
      ]);
      const headers = { authorization: 'Bearer malha_at_1_x' };
      t.deepEqual(codigo(await pedir(uma.method, alvoDe(uma), { ...envioDe(uma), headers })), [401, 'token_invalido']);
      const fabrica = criarFabrica(api.dono);
      const outro = await fabrica.provedor({
        panel_host: `outro-${createHash('md5').update(nomeDe(uma)).digest('hex')}.test`,
      });
      const { panel_host } = (await api.dono('provedores').where({ id: outro }).first()) as { panel_host: string };
      const deOutro = await pedir(uma.method, alvoDe(uma), { ...envioDe(uma), chave, headers: { host: panel_host } });
      t.deepEqual(codigo(deOutro), [401, 'chave_invalida']);
    },
  );

  test.serial(`${nomeDe(uma)}: chave revogada ou expirada é 401, de outro endereço 403, e cheia 429`, async (t) => {
    const revogada = await api.criarChave(provedor);
    await api.container.chaves.revogar(TERMINAL, provedor, revogada.id);
    const expirada = await api.criarChave(provedor, { expiraEm: new Date(Date.now() - 1000) });
    const presa = await api.criarChave(provedor, { ipsPermitidos: ['203.0.113.7'] });
    const cheia = await api.criarChave(provedor, { limitePorMinuto: 1 });
    // The window is one over both APIs.
    await api.get('/status', { chave: cheia.texto });
    const com = async ({ texto }: { texto: string }) =>
      codigo(await pedir(uma.method, alvoDe(uma), { ...envioDe(uma), chave: texto }));
    t.deepEqual(await com(revogada), [401, 'chave_revogada']);
    t.deepEqual(await com(expirada), [401, 'chave_expirada']);
    t.deepEqual(await com(presa), [403, 'ip_nao_autorizado']);
    t.deepEqual(await com(cheia), [429, 'limite_excedido']);
  });

  test.serial(
    `${nomeDe(uma)}: sem a permissão, 403, ainda que o pedido esteja errado; com ela só, é servida`,
    async (t) => {
      const outras = await api.criarChave(provedor, {
        permissoes: PERMISSOES.filter((permissao) => permissao !== escopo),
      });
      const alvo = `${alvoDe(uma)}?x=1`;
      const { status, corpo } = await pedir(uma.method, alvo, { ...envioDe(uma), chave: outras.texto });
      t.deepEqual([status, corpo.errors[0].code], [403, 'permissao_insuficiente']);
      if (escopo === undefined) return;
      t.is(corpo.message, `Esta rota exige a permissão ${escopo}.`);
      const sua = await api.criarChave(provedor, { permissoes: [escopo] });
      t.deepEqual(codigo(await pedir(uma.method, alvo, { ...envioDe(uma), chave: sua.texto })), [
        400,
        'parametro_invalido',
      ]);
    },
  );
}

for (const uma of COM_CREDENCIAL.filter(({ kind }) => kind === 'write')) {
  test.serial(`${nomeDe(uma)}: honra Idempotency-Key, de cada espécie de credencial`, async (t) => {
    sessoes ??= comSessoes();
    const s = await sessoes;
    const { chave: escopo, cliente, equipe } = uma.permission ?? {};
    const servidas = [
      ...(escopo === undefined ? [] : [{ chave }]),
      ...(cliente === true ? [{ headers: { authorization: `Bearer ${s.cliente}` } }] : []),
      ...(equipe === true || (equipe !== undefined && s.permissoes.includes(equipe))
        ? [{ headers: { authorization: `Bearer ${s.equipe}` } }]
        : []),
    ];
    const usada = `usada ${nomeDe(uma)}`.replaceAll(' ', '-');
    await usar(s, usada);
    for (const { headers, ...credencial } of servidas) {
      const com = async (marca: string) =>
        pedir(uma.method, alvoDe(uma), {
          ...comASenha(envioDe(uma)),
          ...credencial,
          headers: { ...headers, 'idempotency-key': marca },
        });
      const mal = await com('com espaço');
      t.is(mal.status, 400);
      t.true(mal.corpo.message.startsWith('Idempotency-Key'), mal.texto);
      t.deepEqual(codigo(await com(usada)), [422, 'chave_idempotencia_reutilizada'], 'foi de outro pedido');
    }
    const { parameters } = (gerarOpenApi([uma]) as any).paths[uma.path][uma.method.toLowerCase()];
    t.true((parameters as { name: string }[]).some(({ name }) => name === 'Idempotency-Key'));
  });
}

for (const uma of ROTAS.filter(({ path }) => path.includes('{id}'))) {
  test.serial(`${nomeDe(uma)}: id de outro provedor, ou de outro assinante, é 404, e nada se escreve`, async (t) => {
    sessoes ??= comSessoes();
    const { cliente, equipe, permissoes, alheia } = await sessoes;
    const { chave: escopo, cliente: doAssinante, equipe: daEquipe } = uma.permission ?? {};
    const com = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
    const deFora = uma.path.startsWith('/auth/sessions') ? [alheia] : alheios;
    const quem: [EnvioAoApp, readonly number[]][] = [
      ...(escopo === undefined ? [] : [[{ chave }, deFora] as [EnvioAoApp, readonly number[]]]),
      ...(doAssinante === true ? [[com(cliente), deFora] as [EnvioAoApp, readonly number[]]] : []),
      ...(daEquipe === true || (daEquipe !== undefined && permissoes.includes(daEquipe))
        ? [[com(equipe), deFora] as [EnvioAoApp, readonly number[]]]
        : []),
    ];
    t.true(quem.length > 0);
    const antes = await escritas();
    for (const [credencial, ids] of quem) {
      for (const id of ids) {
        const alvo = `${alvoDe(uma, id)}${consultaDe(uma)}`;
        t.deepEqual(codigo(await pedir(uma.method, alvo, { ...envioDe(uma), ...credencial })), [404, 'nao_encontrado']);
      }
    }
    t.is(await escritas(), antes);
  });
}

for (const uma of ROTAS.filter(({ path, permission }) => path.includes('{id}') && permission?.cliente === true)) {
  const [, recurso = ''] = uma.path.split('/');
  if (recurso === 'auth') continue;
  test.serial(`${nomeDe(uma)}: o que é de outro assinante do mesmo provedor é 404, e nada se escreve`, async (t) => {
    sessoes ??= comSessoes();
    const { cliente, doVizinho } = await sessoes;
    const id = doVizinho[recurso];
    if (id === undefined) throw new Error(`diga em doVizinho o que é de outro em /${recurso}`);
    const antes = await escritas();
    const headers = { authorization: `Bearer ${cliente}` };
    t.deepEqual(codigo(await pedir(uma.method, `${alvoDe(uma, id)}${consultaDe(uma)}`, { ...envioDe(uma), headers })), [
      404,
      'nao_encontrado',
    ]);
    t.is(await escritas(), antes);
  });
}

test('nada de outro provedor está numa lista', async (t) => {
  for (const uma of ROTAS.filter(({ kind, path }) => kind === 'read' && !path.includes('{'))) {
    t.false((await pedir('GET', uma.path, { chave })).texto.includes('alheio'), uma.path);
  }
});

test('rota sem credencial: o provedor é o do host, ou o de X-Panel-Host onde o host não é de nenhum', async (t) => {
  const com = async (headers: Record<string, string>) => {
    const resposta = await pedir('POST', '/quem', { headers });
    return resposta.status === 200 ? resposta.corpo.data.provedor : codigo(resposta);
  };
  t.is(await com({ host }), provedor);
  t.is(await com({ host, 'x-panel-host': 'nenhum.test' }), provedor, 'no host de um provedor, o cabeçalho não conta');
  t.is(await com({ 'x-panel-host': host.toUpperCase() }), provedor);
  t.deepEqual(await com({}), [404, 'provedor_desconhecido']);
  t.deepEqual(await com({ 'x-panel-host': 'nenhum.test' }), [404, 'provedor_desconhecido']);
  t.is((await pedir('POST', '/quem', { headers: { host } })).headers['x-ratelimit-limit'], '120');
  t.deepEqual(codigo(await pedir('GET', '/quem', { headers: { host } })), [401, 'credencial_ausente']);
});

test('método e caminho são exatos: o resto é 404, e sem credencial 401', async (t) => {
  for (const [metodo, caminho] of [
    ['GET', '/clientes/'],
    ['PATCH', '/clientes/1'],
    ['GET', ''],
    ['GET', '/Clientes'],
    ['GET', '/status'],
  ] as const) {
    t.deepEqual(codigo(await pedir(metodo, caminho, { chave })), [404, 'rota_inexistente'], `${metodo} ${caminho}`);
  }
  t.deepEqual(codigo(await pedir('GET', '/nada')), [401, 'credencial_ausente']);
  t.is(
    (await api.pedir('GET', 'raiz:/v1x', { chave })).corpo.erro.codigo,
    'rota_inexistente',
    'o que não é /v1 é da outra',
  );
});

test.serial('CORS: só das origens que o provedor diz, e nunca com cookies', async (t) => {
  const origin = 'https://app.serra.example';
  const previa = {
    host,
    origin,
    'access-control-request-method': 'PUT',
    'access-control-request-headers': 'authorization',
  };
  const fechada = await pedir('OPTIONS', '/clientes/1', { headers: previa });
  t.deepEqual([fechada.status, fechada.headers['access-control-allow-origin']], [401, undefined]);

  await t.throwsAsync(
    api.container.configuracaoDoApp.configurar(TERMINAL, provedor, { origens: ['http://app.serra.example'] }),
  );
  await t.throwsAsync(
    api.container.configuracaoDoApp.configurar(TERMINAL, provedor, { origens: [`${origin}/caminho`] }),
  );
  t.true(
    await api.container.configuracaoDoApp.configurar(TERMINAL, provedor, {
      origens: [`${origin}/`, 'https://app2.serra.example:8443'],
    }),
  );
  t.false(
    await api.container.configuracaoDoApp.configurar(TERMINAL, provedor, {
      origens: [origin, 'https://app2.serra.example:8443'],
    }),
  );
  t.deepEqual(await api.container.configuracaoDoApp.buscar(provedor), {
    origens: [origin, 'https://app2.serra.example:8443'],
    editaCadastro: true,
  });
  const nova = await criarApi({ bancoDe: api, redis: api.redisUrl });
  try {
    const noApp = pedirAoApp(nova);
    const aceita = await noApp('OPTIONS', '/clientes/1', { headers: previa });
    t.is(aceita.status, 204);
    t.like(aceita.headers, {
      'access-control-allow-origin': origin,
      'access-control-allow-methods': 'GET, POST, PUT, DELETE',
      'access-control-allow-headers':
        'Authorization, Content-Type, Idempotency-Key, If-None-Match, If-Match, X-Panel-Host',
      vary: 'Origin',
    });
    t.is(aceita.headers['access-control-allow-credentials'], undefined);
    const lida = await noApp('GET', '/clientes', { chave, headers: { host, origin } });
    t.deepEqual([lida.status, lida.headers['access-control-allow-origin']], [200, origin]);
    t.regex(String(lida.headers['access-control-expose-headers']), /ETag/);
    const recusada = await noApp('GET', '/clientes', { headers: { host, origin } });
    t.deepEqual(
      [recusada.status, recusada.headers['access-control-allow-origin']],
      [401, origin],
      'a página lê também o erro',
    );
    const alheia = await noApp('OPTIONS', '/clientes/1', { headers: { ...previa, origin: 'https://outra.example' } });
    t.deepEqual([alheia.status, alheia.headers['access-control-allow-origin']], [401, undefined]);
    const semHost = await noApp('OPTIONS', '/clientes/1', { headers: { ...previa, host: 'nenhum.test' } });
    t.is(semHost.status, 401);
  } finally {
    await nova.fechar();
  }
});

test('o documento é OpenAPI 3.1 válido, é servido sem credencial e descreve todas as rotas', async (t) => {
  const { status, corpo } = await pedir('GET', '/openapi.json');
  t.is(status, 200);
  const { valid, errors } = await new Validator().validate(structuredClone(corpo));
  t.true(valid, JSON.stringify(errors, null, 1));
  t.is((await pedir('GET', '/docs')).status, 200);
  const operacoes = Object.entries(corpo.paths as Record<string, object>).flatMap(([caminho, metodos]) =>
    Object.keys(metodos).map((metodo) => `${metodo.toUpperCase()} ${caminho}`),
  );
  t.deepEqual(operacoes.toSorted(), [...[...ROTAS, aberta].map(nomeDe), 'GET /docs', 'GET /openapi.json'].toSorted());
  t.deepEqual(corpo.paths['/quem'].post.security, []);
  const { responses, parameters } = corpo.paths['/clientes/{id}'].put;
  t.true('412' in responses);
  t.true((parameters as { name: string }[]).some(({ name }) => name === 'If-Match'));
  t.true('Location' in corpo.paths['/clientes'].post.responses[201].headers);
});

test('todo exemplo do documento obedece ao seu esquema', async (t) => {
  const { conferidos, errados } = conferirExemplos((await pedir('GET', '/openapi.json')).corpo);
  t.deepEqual(errados, []);
  t.true(conferidos > 500, String(conferidos));
});

test('o catálogo tem os códigos da especificação, e só permissões com rotas se dão', (t) => {
  for (const status of [400, 401, 403, 404, 409, 412, 422, 429, 500, 503]) {
    t.true(
      Object.values(ERROS).some((erro) => erro.status === status),
      String(status),
    );
  }
  const usadas = new Set(ROTAS.flatMap(({ permission }) => permission?.chave ?? []));
  for (const permissao of PERMISSOES_DE_INTEGRACAO)
    t.is(PERMISSOES.includes(permissao), usadas.has(permissao), permissao);
  t.not(gerarOpenApi(ROTAS), null);
});

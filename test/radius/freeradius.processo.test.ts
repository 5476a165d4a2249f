import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import type { ExecutionContext } from 'ava';
import { startWorker } from '../../src/app/compose/worker.ts';
import { relogioDoSistema } from '../../src/platform/timing/relogio.ts';
import { criarApi } from '../support/api.ts';
import type { Api } from '../support/api.ts';
import { ate } from '../support/espera.ts';
import { criarFabrica } from '../support/fabrica.ts';
import type { Fabrica } from '../support/fabrica.ts';
import { criarFreeRadius } from '../support/freeradius.ts';
import type { Atributos, FreeRadius } from '../support/freeradius.ts';
import { criarNas } from '../support/nas-coa.ts';
import type { NasDeTeste } from '../support/nas-coa.ts';
import { quanto } from '../support/prova.ts';
import { SEM_ENTREGAS } from '../support/trabalhador.ts';

const SEGREDO = 'o-segredo-dos-concentradores';
/** Each provider has one; the third is FreeRADIUS's own CoA listener, which stands for a NAS that is not ours. */
const NAS = { a: '127.0.0.2', b: '127.0.0.3', coa: '127.0.0.4' } as const;
/** Speaks for the first of them, as `clients.conf` says. */
const PROXY = '127.0.0.9';

let api: Api;
let fabrica: Fabrica;
let radius: FreeRadius;
let worker: { stop(): Promise<void> };
let nasDeA: NasDeTeste;
let a: Provedor;
let b: Provedor;

interface Provedor {
  id: number;
  cliente: number;
  plano: number;
  chave: string;
}

async function provedor(nas: Record<string, number>): Promise<Provedor> {
  const id = await fabrica.provedor({}, { desbloqueio_habilitado: 1 });
  for (const [endereco, porta] of Object.entries(nas)) {
    await api.dono('provedores_nas').insert({ provedor_id: id, nasipaddress: endereco, porta_coa: porta });
  }
  const cliente = await fabrica.cliente(id);
  return { id, cliente, plano: await fabrica.plano(id), chave: (await api.criarChave(id)).texto };
}

test.before(async () => {
  api = await criarApi();
  fabrica = criarFabrica(api.dono);
  const { db } = api.container;
  // A network, as providers write many NASes at once.
  await db('nas').insert({ nasname: '127.0.0.0/8', shortname: 'testes', secret: SEGREDO });
  await db('radgroupcheck').insert({ groupname: 'bloqueado', attribute: 'Auth-Type', op: ':=', value: 'Reject' });
  radius = await criarFreeRadius({
    dono: api.dono,
    databaseUrl: api.databaseUrl,
    segredo: SEGREDO,
    enderecoCoa: NAS.coa,
    clientes: `client proxy {\n  ipaddr = ${PROXY}\n  secret = ${SEGREDO}\n  malha_nas = "10.1.0.1, ${NAS.a}"\n}\n`,
  });
  nasDeA = await criarNas(NAS.a, SEGREDO);
  a = await provedor({ [NAS.a]: nasDeA.porta, [NAS.coa]: radius.portas.coa });
  b = await provedor({ [NAS.b]: 3799 });
  const { logger, publicacao, tarefas, extratos, palavras, write } = api.container;
  worker = startWorker({
    db,
    logger,
    publicacao,
    consumers: [],
    ...SEM_ENTREGAS,
    tarefas,
    extratos,
    palavras,
    arquivosDeRetorno: {
      comPendentes: async () => [],
      proximoPendente: async () => null,
      processar: async () => {},
      anotarFalha: async () => {},
    },
    execucaoDeImportacoes: { executarPedidas: async () => ({ importacoes: 0, linhas: 0 }) },
    write,
    relogio: relogioDoSistema,
    redisUrl: api.redisUrl,
    intervaloPadraoSegundos: 300,
  });
});
test.after.always(async () => {
  await worker?.stop();
  await nasDeA?.fechar();
  await radius?.fechar();
  await api.fechar();
});

async function contrato({ id, cliente, plano }: Provedor, login: string, linha: object = {}): Promise<number> {
  return fabrica.contrato(id, { cliente_id: cliente, plano_id: plano, login, ...linha });
}

const BLOQUEADO = { situacao: 'bloqueado', bloqueio_origem: 'financeiro', bloqueado_em: '2026-11-15 03:00:00.000' };

/** A login with its password, in its plan's group, or in that of the blocked. */
async function cadastrar(p: Provedor, login: string, situacao: 'ativo' | 'bloqueado'): Promise<number> {
  const id = await contrato(p, login, situacao === 'bloqueado' ? BLOQUEADO : {});
  await api.dono('radcheck').insert({
    username: login,
    attribute: 'Cleartext-Password',
    op: ':=',
    value: `senha de ${login}`,
  });
  await api.dono('radusergroup').insert({
    username: login,
    groupname: situacao === 'bloqueado' ? 'bloqueado' : `plano-${p.plano}`,
    priority: 1,
  });
  return id;
}

/** What FreeRADIUS answers to a login with its right password, at a NAS. */
async function autenticar(login: string, nas: string, mais: Atributos = {}): Promise<'aceito' | 'recusado'> {
  const dito = await radius.autenticar({
    'User-Name': login,
    'User-Password': `senha de ${login}`,
    'NAS-IP-Address': nas,
    ...mais,
  });
  if (dito.includes('Received Access-Accept')) return 'aceito';
  if (dito.includes('Received Access-Reject')) return 'recusado';
  throw new Error(dito);
}

/** Sends accounting of a session. */
async function contabilizar(tipo: string, login: string, sessao: string, mais: Atributos = {}): Promise<void> {
  await radius.contabilizar({
    'Acct-Status-Type': tipo,
    'User-Name': login,
    'Acct-Session-Id': sessao,
    'NAS-IP-Address': NAS.a,
    'NAS-Port': 7,
    'Framed-IP-Address': '100.64.0.7',
    ...mais,
  });
}

async function conexaoDe({ chave }: Pick<Provedor, 'chave'>, id: number): Promise<any> {
  return (await api.get(`/contratos/${id}/conexao`, { chave })).corpo.dados;
}

/** Waits until the API says so. */
async function dizLogo(p: Provedor, id: number, esperado: object, t: ExecutionContext): Promise<void> {
  let dita: any;
  const serve = (): boolean => Object.entries(esperado).every(([nome, valor]) => dita[nome] === valor);
  await ate(async () => {
    dita = await conexaoDe(p, id);
    // The key has a limit, and several tests wait.
    if (!serve()) await sleep(200);
    return serve();
  }).catch(() => {});
  t.like(dita, esperado);
}

// Each of these waits for sessions of its own; those that touch all of a NAS, or what it receives, run before, one by one.

test('Start, Interim-Update e Stop chegam à API, com a queda e a causa', async (t) => {
  const id = await cadastrar(a, 'ana', 'ativo');
  t.is((await conexaoDe(a, id)).conexao, 'desconhecido');
  await contabilizar('Start', 'ana', 's1');
  await dizLogo(a, id, { conexao: 'online', quedas_7_dias: 0 }, t);
  await contabilizar('Interim-Update', 'ana', 's1', { 'Acct-Session-Time': 1 });
  const [aberta] = (await conexaoDe(a, id)).sessoes;
  t.like(aberta, { fim: null, causa: null });
  // radacct holds UTC, though FreeRADIUS and its clock are in São Paulo.
  t.true(Math.abs(Date.now() - Date.parse(aberta.inicio)) < 60_000);
  await contabilizar('Stop', 'ana', 's1', { 'Acct-Terminate-Cause': 'Lost-Carrier', 'Acct-Session-Time': 2 });
  await dizLogo(a, id, { conexao: 'offline', quedas_7_dias: 1, quedas_30_dias: 1 }, t);
  const [fechada] = (await conexaoDe(a, id)).sessoes;
  t.is(fechada.causa, 'lost_carrier');
  t.not(fechada.fim, null);
});

for (const [causa, nome] of [
  ['User-Request', 'user_request'],
  ['Idle-Timeout', 'idle_timeout'],
  ['Session-Timeout', 'session_timeout'],
  ['Admin-Reset', 'admin_reset'],
] as const) {
  test(`${causa} encerra a sessão e não é queda`, async (t) => {
    const id = await cadastrar(a, nome, 'ativo');
    await contabilizar('Start', nome, `s-${nome}`);
    await dizLogo(a, id, { conexao: 'online' }, t);
    await contabilizar('Stop', nome, `s-${nome}`, { 'Acct-Terminate-Cause': causa });
    await dizLogo(a, id, { conexao: 'offline', quedas_7_dias: 0 }, t);
    t.is((await conexaoDe(a, id)).sessoes[0].causa, nome);
  });
}

test('um Stop e um Interim-Update cujo Start se perdeu contam como os outros', async (t) => {
  const id = await cadastrar(a, 'semstart', 'ativo');
  await contabilizar('Interim-Update', 'semstart', 'p1', { 'Acct-Session-Time': 30 });
  await dizLogo(a, id, { conexao: 'online' }, t);
  const outro = await cadastrar(a, 'sostop', 'ativo');
  await contabilizar('Stop', 'sostop', 'p2', { 'Acct-Session-Time': 30, 'Acct-Terminate-Cause': 'NAS-Error' });
  await dizLogo(a, outro, { conexao: 'offline', quedas_7_dias: 1 }, t);
});

test.serial(
  'Accounting-On encerra as sessões do NAS que reiniciou, e o mesmo Acct-Session-Id abre outra',
  async (t) => {
    const id = await cadastrar(a, 'reinicio', 'ativo');
    await contabilizar('Start', 'reinicio', 'r1');
    await dizLogo(a, id, { conexao: 'online' }, t);
    // radacct keeps whole seconds: a restart in the second of the Start is none.
    await sleep(1100);
    await radius.contabilizar({ 'Acct-Status-Type': 'Accounting-On', 'NAS-IP-Address': NAS.a });
    await dizLogo(a, id, { conexao: 'offline', quedas_7_dias: 1 }, t);
    t.is((await conexaoDe(a, id)).sessoes[0].causa, 'nas_reboot');
    await sleep(1100);
    await contabilizar('Start', 'reinicio', 'r1');
    await dizLogo(a, id, { conexao: 'online', quedas_7_dias: 1 }, t);
    // The same row: this Stop is the only one that it knows from now on.
    await sleep(1100);
    await contabilizar('Stop', 'reinicio', 'r1', { 'Acct-Terminate-Cause': 'User-Request' });
    await dizLogo(a, id, { conexao: 'offline', quedas_7_dias: 1 }, t);
    t.is((await conexaoDe(a, id)).sessoes[0].causa, 'user_request');
    t.is((await api.dono('radacct').where('username', 'reinicio')).length, 1);
  },
);

test('as sessões de radacct que se apagam deixam de contar', async (t) => {
  const id = await cadastrar(a, 'apagada', 'ativo');
  await contabilizar('Start', 'apagada', 'd1');
  await dizLogo(a, id, { conexao: 'online' }, t);
  await api.dono('radacct').where('username', 'apagada').delete();
  await dizLogo(a, id, { conexao: 'offline', quedas_7_dias: 0 }, t);
  t.deepEqual((await conexaoDe(a, id)).sessoes, []);
});

test('o mesmo login em dois provedores: as sessões são de quem é o NAS', async (t) => {
  const deA = await cadastrar(a, 'comum', 'ativo');
  const deB = await contrato(b, 'comum');
  await contabilizar('Start', 'comum', 'c1');
  await contabilizar('Start', 'comum', 'c2', { 'NAS-IP-Address': NAS.b });
  await dizLogo(a, deA, { conexao: 'online' }, t);
  await dizLogo(b, deB, { conexao: 'online' }, t);
  await contabilizar('Stop', 'comum', 'c2', { 'NAS-IP-Address': NAS.b, 'Acct-Terminate-Cause': 'Lost-Service' });
  await dizLogo(b, deB, { conexao: 'offline', quedas_7_dias: 1 }, t);
  await dizLogo(a, deA, { conexao: 'online', quedas_7_dias: 0 }, t);
});

const deOutro = { 'NAS-IP-Address': NAS.a, 'Packet-Src-IP-Address': NAS.b };

test.serial(
  'o NAS de um provedor não abre, não mantém nem encerra sessões no de outro: nada muda, e fica escrito',
  async (t) => {
    const { db } = api.container;
    await cadastrar(a, 'alvo', 'ativo');
    await contabilizar('Start', 'alvo', 'sessao-do-alvo');
    const linhas = (): Promise<object[]> => db('radacct').whereIn('username', ['alvo', 'fantasma']);
    const antes = await linhas();
    const pedidos: [tipo: string, login: string, sessao: string, mais: Atributos][] = [
      ['Start', 'fantasma', 'sessao-inventada', deOutro],
      ['Interim-Update', 'alvo', 'sessao-do-alvo', { ...deOutro, 'Acct-Session-Time': 60 }],
      ['Stop', 'alvo', 'sessao-do-alvo', { ...deOutro, 'Acct-Terminate-Cause': 'Lost-Carrier' }],
      // Whichever of two is looked at, and whichever is written down.
      ['Stop', 'alvo', 'sessao-do-alvo', { ...deOutro, 'NAS-IP-Address': [NAS.b, NAS.a] }],
      ['Stop', 'alvo', 'sessao-do-alvo', { ...deOutro, 'NAS-IP-Address': [NAS.a, NAS.b] }],
      ['Accounting-On', 'alvo', 'sessao-do-alvo', deOutro],
      ['Accounting-Off', 'alvo', 'sessao-do-alvo', deOutro],
      // A proxy, for a NAS that it was not said to speak for.
      ['Start', 'fantasma', 'sessao-do-proxy', { 'NAS-IP-Address': NAS.b, 'Packet-Src-IP-Address': PROXY }],
    ];
    const respondidos = await Promise.all(
      pedidos.map(([tipo, login, sessao, mais]) =>
        radius.respondeA({
          'Acct-Status-Type': tipo,
          'User-Name': login,
          'Acct-Session-Id': sessao,
          'NAS-Port': 7,
          ...mais,
        }),
      ),
    );
    t.deepEqual(
      respondidos,
      pedidos.map(() => false),
    );
    t.deepEqual(await linhas(), antes);
    const recusas = radius.recusas();
    t.is(
      recusas.filter((linha) => linha.includes(`Accounting-Request de ${NAS.b}: NAS-IP-Address ${NAS.a},`)).length,
      6,
    );
    t.true(recusas.some((linha) => linha.includes(`de ${PROXY}: NAS-IP-Address ${NAS.b},`)));
  },
);

test.serial('quem está bloqueado nos NAS do seu provedor não entra por um deles em nome do NAS de outro', async (t) => {
  await cadastrar(a, 'gil', 'ativo');
  await api.dono('radusergroup').insert({ username: 'gil', groupname: 'bloqueado-de-a', priority: 0 });
  await api.dono('radgroupcheck').insert([
    { groupname: 'bloqueado-de-a', attribute: 'NAS-IP-Address', op: '==', value: NAS.a },
    { groupname: 'bloqueado-de-a', attribute: 'Auth-Type', op: ':=', value: 'Reject' },
  ]);
  t.is(await autenticar('gil', NAS.a), 'recusado');
  t.is(await autenticar('gil', NAS.b, { 'Packet-Src-IP-Address': NAS.a }), 'recusado');
  t.is(await autenticar('gil', NAS.b), 'aceito');
});

test.serial(
  'um NAS que não diz o seu endereço é o de onde o pacote vem, e um proxy fala por quem está escrito',
  async (t) => {
    const { db } = api.container;
    const dito = { 'Acct-Status-Type': 'Start', 'NAS-Port': 7 };
    await radius.contabilizar({
      ...dito,
      'User-Name': 'calado',
      'Acct-Session-Id': 'n1',
      'Packet-Src-IP-Address': NAS.b,
    });
    const porProxy = { 'NAS-IP-Address': NAS.a, 'Packet-Src-IP-Address': PROXY };
    await radius.contabilizar({ ...dito, 'User-Name': 'porproxy', 'Acct-Session-Id': 'n2', ...porProxy });
    // An IPv6 address that comes by IPv4 is nobody's, and makes no other session of this one.
    const comIPv6 = { 'NAS-IP-Address': NAS.a, 'NAS-IPv6-Address': '2001:db8::1' };
    await radius.contabilizar({ ...dito, 'User-Name': 'porproxy', 'Acct-Session-Id': 'n2', ...comIPv6 });
    const sessoes = await db('radacct').whereIn('username', ['calado', 'porproxy']).orderBy('username');
    t.like(sessoes, [{ nasipaddress: NAS.b }, { nasipaddress: NAS.a }]);
    t.is(sessoes.length, 2);
  },
);

test.serial('quem conhece a Class de uma sessão de outro provedor não a alcança', async (t) => {
  const { db } = api.container;
  await contabilizar('Start', 'comclasse', 'k1', { Class: `ai:${'0123456789abcdef'.repeat(2)}` });
  await contabilizar('Stop', 'comclasse', 'k1', {
    Class: `ai:${'0123456789abcdef'.repeat(2)}`,
    'NAS-IP-Address': NAS.b,
    'Acct-Terminate-Cause': 'Lost-Carrier',
  });
  const sessoes = await db('radacct')
    .where('username', 'comclasse')
    .orderBy('nasipaddress')
    .select('nasipaddress', 'acctstoptime');
  t.like(sessoes, [{ nasipaddress: NAS.a, acctstoptime: null }, { nasipaddress: NAS.b }]);
});

/** The trust unblock, as a chatbot asks for it. */
async function desbloquear({ chave }: Provedor, id: number): Promise<void> {
  const { status, texto } = await api.pedir('POST', `/contratos/${id}/desbloqueio-confianca`, { chave });
  if (status !== 201) throw new Error(texto);
}

test.serial(
  'o desbloqueio de confiança deixa entrar quem era recusado, e o NAS recebe o Disconnect-Request da sessão',
  async (t) => {
    const id = await cadastrar(a, 'bia', 'bloqueado');
    t.is(await autenticar('bia', NAS.a), 'recusado');
    await contabilizar('Start', 'bia', 'sessao-da-bia');
    await desbloquear(a, id);
    await ate(async () => (await autenticar('bia', NAS.a)) === 'aceito');
    await ate(async () => nasDeA.recebidos.length > 0);
    t.like(nasDeA.recebidos, [{ codigo: 40, assinado: true }]);
    const { atributos } = nasDeA.recebidos[0]!;
    t.is(atributos.get(1)?.toString(), 'bia');
    t.is(atributos.get(44)?.toString(), 'sessao-da-bia');
    t.deepEqual([...atributos.get(4)!], [127, 0, 0, 2]);
    t.deepEqual([...atributos.get(8)!], [100, 64, 0, 7]);
    t.deepEqual(
      [...atributos.keys()].toSorted((x, y) => x - y),
      [1, 4, 8, 44],
    );
    const { db } = api.container;
    await ate(async () => (await db('rede_desconexoes').where({ contrato_id: id, estado: 'aceita' })).length === 1);
  },
);

test.serial('o FreeRADIUS, no lugar do NAS, entende o Disconnect-Request, e a sua resposta é aceita', async (t) => {
  const id = await cadastrar(a, 'caio', 'bloqueado');
  await contabilizar('Start', 'caio', 'sessao-do-caio', { 'NAS-IP-Address': NAS.coa });
  await desbloquear(a, id);
  const { db } = api.container;
  const desfecho = async () => (await db('rede_desconexoes').where({ contrato_id: id }))[0]?.estado;
  await ate(async () => ![undefined, 'pendente'].includes(await desfecho()));
  t.is(await desfecho(), 'aceita');
});

test.serial(
  'quem tem o login de outro provedor só é bloqueado e liberado nos seus NAS, e o outro nem percebe',
  async (t) => {
    const { db } = api.container;
    const deA = await cadastrar(a, 'dora', 'bloqueado');
    const deB = await contrato(b, 'dora');
    // From when A alone had the login, and blocked it: the first request of either sets it right for both.
    t.is(await autenticar('dora', NAS.b), 'recusado');
    const pedir = async (p: Provedor, contrato_id: number, acao: string) => {
      const situacao = acao === 'liberar' ? 'ativo' : 'bloqueado';
      await api.dono('contratos').where('id', contrato_id).update({ situacao });
      await db('rede_pedidos').insert({ provedor_id: p.id, contrato_id, acao, pedido_em: '2026-11-20 12:00:00.000' });
    };
    await pedir(b, deB, 'liberar');
    await ate(async () => (await autenticar('dora', NAS.b)) === 'aceito');
    t.is(await autenticar('dora', NAS.a), 'recusado');

    await desbloquear(a, deA);
    await ate(async () => (await autenticar('dora', NAS.a)) === 'aceito');
    await pedir(b, deB, 'bloquear');
    await ate(async () => (await autenticar('dora', NAS.b)) === 'recusado');
    t.is(await autenticar('dora', NAS.a), 'aceito');
    const pedidos = await db('rede_pedidos').whereIn('contrato_id', [deA, deB]).select('resultado');
    t.deepEqual(new Set(pedidos.map(({ resultado }) => resultado)), new Set(['aplicado_por_nas']));
  },
);

/** Lines of a provider of their own, so many at each of its servers, all online since a quarter of an hour. */
async function muitasLinhas(nome: string, servidores: readonly string[], porServidor: number) {
  const p = await provedor(Object.fromEntries(servidores.map((endereco) => [endereco, 3799])));
  const linhas = servidores.flatMap((nas) =>
    Array.from({ length: porServidor }, (_, i) => ({ nas, login: `${nome}-${nas.slice(8)}-${i}` })),
  );
  await api.dono('contratos').insert(
    linhas.map(({ login }) => ({
      provedor_id: p.id,
      cliente_id: p.cliente,
      plano_id: p.plano,
      situacao: 'ativo',
      login,
      tipo_cobranca: 'pos_pago',
      dia_vencimento: 10,
      valor: '99.90',
    })),
  );
  const pacote = (
    tipo: string,
    { nas, login }: (typeof linhas)[number],
    sessao: number,
    mais: Atributos,
  ): Atributos => ({
    'Acct-Status-Type': tipo,
    'User-Name': login,
    'Acct-Session-Id': `${login}-${sessao}`,
    'NAS-IP-Address': nas,
    'NAS-Port': 7,
    ...mais,
  });
  const enviar = async (tipo: string, sessao: number, mais: (i: number) => Atributos): Promise<void> => {
    for (const nas of servidores) {
      const dele = linhas.flatMap((linha, i) => (linha.nas === nas ? [pacote(tipo, linha, sessao, mais(i))] : []));
      await radius.contabilizarTodos(dele);
    }
  };
  const online = async () =>
    Number((await api.dono('conexoes').where({ provedor_id: p.id, aberta: 1 }).count({ n: '*' }))[0]!['n']);
  const inicio = Math.floor(Date.now() / 1000) - 900;
  await enviar('Start', 1, () => ({ 'Event-Timestamp': inicio }));
  await ate(async () => (await online()) === linhas.length, 60_000);
  const [{ id: primeiro }] = await api.dono('contratos').where({ provedor_id: p.id }).orderBy('id').limit(1);
  const dados = async (caminho: string): Promise<any> => (await api.get(caminho, { chave: p.chave })).corpo.dados;
  return { ...p, linhas, enviar, contrato: primeiro, dados };
}

const LINHAS = quanto(60, 500);

test.serial(
  `${LINHAS} Stops de um NAS num minuto abrem um aviso em 30 s, que a conexão e o resumo dizem; quando voltam, encerra-se`,
  async (t) => {
    const c = await muitasLinhas('massa', ['127.0.0.21'], LINHAS);
    t.deepEqual(await c.dados('/avisos'), []);
    await c.enviar('Stop', 1, () => ({ 'Acct-Terminate-Cause': 'Lost-Carrier' }));
    await ate(async () => (await c.dados(`/contratos/${c.contrato}/conexao`)).avisos.length > 0, 30_000);
    const [aviso, ...outros] = await c.dados('/avisos');
    t.deepEqual(outros, []);
    t.like(aviso, { tipo: 'interrupcao', origem: 'detectado', fim: null });
    const [resumo] = await c.dados(`/resumo?contrato_id=${c.contrato}`);
    t.is(resumo.sugestao, 'aviso_de_rede');
    t.is(resumo.contratos[0].avisos[0].id, aviso.id);
    await ate(async () => (await c.dados(`/contratos/${c.contrato}/conexao`)).conexao === 'offline');
    t.like((await c.dados(`/contratos/${c.contrato}/conexao`)).ultima_queda, { causa: 'lost_carrier' });

    await c.enviar('Start', 2, () => ({}));
    await ate(async () => (await c.dados('/avisos?situacao=encerrados')).length === 1, 30_000);
    t.deepEqual((await c.dados(`/contratos/${c.contrato}/conexao`)).avisos, []);
  },
);

test.serial(
  `${LINHAS} roteadores que reiniciam sozinhos, espalhados por dez minutos e NAS, não abrem nenhum`,
  async (t) => {
    const servidores = Array.from({ length: 5 }, (_, i) => `127.0.0.${31 + i}`);
    const c = await muitasLinhas('avulsas', servidores, LINHAS / 5);
    // As the NAS dates them: ten minutes in one.
    const agora = Math.floor(Date.now() / 1000);
    const quando = (i: number): number => agora - 600 + Math.floor((i * 600) / LINHAS) - (i % 7);
    await c.enviar('Stop', 1, (i) => ({
      'Acct-Terminate-Cause': 'Lost-Carrier',
      'Event-Timestamp': quando((i * 5) % LINHAS),
    }));
    const { db } = api.container;
    const quedas = async (): Promise<{ quedas: number; avaliadas: number }[]> =>
      api.dono('rede_quedas').where({ provedor_id: c.id }).select('quedas', 'avaliadas');
    const soma = (lidas: { quedas: number }[]): number => lidas.reduce((total, um) => total + um.quedas, 0);
    await ate(async () => {
      const lidas = await quedas();
      return soma(lidas) === LINHAS && lidas.every((um) => um.quedas === um.avaliadas);
    }, 60_000);
    t.deepEqual(await db('avisos_de_rede').where({ provedor_id: c.id }), []);
    await c.enviar('Start', 2, () => ({}));
  },
);

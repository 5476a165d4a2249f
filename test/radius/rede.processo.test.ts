import test from 'ava';
import type { ExecutionContext } from 'ava';
import { senhaDaLinha } from '../../src/domain/campos/leitores.ts';
import { senhaImportada } from '../../src/domain/importacoes/linhas/acesso.leitura.ts';
import { condicoesDeEntrada } from '../../src/domain/rede/acesso/acesso.regras.ts';
import { createAplicacaoService } from '../../src/domain/rede/aplicacao/aplicacao.service.ts';
import type { AplicacaoService } from '../../src/domain/rede/aplicacao/aplicacao.service.ts';
import { createDesconexaoService } from '../../src/domain/rede/sessoes/desconexao.service.ts';
import type { DesconexaoService } from '../../src/domain/rede/sessoes/desconexao.service.ts';
import { createNasClient } from '../../src/platform/radius/client.ts';
import { relogioDoSistema } from '../../src/platform/timing/relogio.ts';
import { AUTOR } from '../support/autor.ts';
import { criarApi } from '../support/api.ts';
import type { Api } from '../support/api.ts';
import { criarFabrica } from '../support/fabrica.ts';
import type { Fabrica } from '../support/fabrica.ts';
import { criarFreeRadius } from '../support/freeradius.ts';
import type { Atributos, FreeRadius } from '../support/freeradius.ts';

const SEGREDO = 'o-segredo-dos-concentradores';
/** Each provider has one; the second of `a` is FreeRADIUS's own CoA listener, which stands for a NAS that is not ours. */
const NAS = { a: '127.0.0.2', coa: '127.0.0.4', b: '127.0.0.3' } as const;

let api: Api;
let fabrica: Fabrica;
let radius: FreeRadius;
let aplicacao: AplicacaoService;
let desconexao: DesconexaoService;
let a: Provedor;
let b: Provedor;

interface Provedor {
  id: number;
  cliente: number;
  plano: number;
}

async function provedor(): Promise<Provedor> {
  const id = await fabrica.provedor();
  return { id, cliente: await fabrica.cliente(id), plano: await fabrica.plano(id) };
}

test.before(async () => {
  api = await criarApi();
  fabrica = criarFabrica(api.dono);
  // As the service's user, with its rights and no more.
  const { db, write } = api.container;
  await db('nas').insert({ nasname: '127.0.0.0/8', shortname: 'testes', secret: SEGREDO });
  radius = await criarFreeRadius({
    dono: api.dono,
    databaseUrl: api.databaseUrl,
    segredo: SEGREDO,
    enderecoCoa: NAS.coa,
  });
  [a, b] = [await provedor(), await provedor()];
  for (const [provedorId, endereco, porta, coa] of [
    [a.id, NAS.a, 3799, 0],
    [a.id, NAS.coa, radius.portas.coa, 2],
    [b.id, NAS.b, 3799, 0],
  ] as const) {
    const linha = { provedor_id: provedorId, nasipaddress: endereco, porta_coa: porta, coa };
    await api.dono('provedores_nas').insert(linha);
  }
  const deps = { db, write, relogio: relogioDoSistema, avisar: () => {} };
  aplicacao = createAplicacaoService(deps);
  desconexao = createDesconexaoService({ ...deps, perguntar: createNasClient({ timeoutMs: 5000 }) });
});
test.after.always(async () => {
  await radius?.fechar();
  await api.fechar();
});

let serie = 0;

/** A contract whose login has its password and is in the group that new ones begin in. */
async function contratar(p: Provedor, linha: Record<string, unknown> = {}) {
  const login = (linha['login'] as string | undefined) ?? `linha-${(serie += 1)}`;
  const id = await fabrica.contrato(p.id, { cliente_id: p.cliente, plano_id: p.plano, ...linha, login });
  await api.dono('radcheck').insert({
    username: login,
    attribute: 'Cleartext-Password',
    op: ':=',
    value: `senha de ${login}`,
  });
  await api.dono('radusergroup').insert({ username: login, groupname: 'retirado', priority: 0 });
  return { id, login };
}

/** Puts a contract into a state, and has the network follow. */
async function passar(p: Provedor, id: number, colunas: Record<string, unknown>): Promise<void> {
  const { dono } = api;
  await dono('contratos').where({ id }).update(colunas);
  const pedido = { provedor_id: p.id, contrato_id: id, acao: 'bloquear', pedido_em: '2026-11-20 12:00:00.000' };
  await dono('rede_pedidos').insert(pedido);
  await aplicacao.aplicar(AUTOR, p.id);
}

/** What FreeRADIUS answers, as `radclient` prints it: the attributes of an Access-Accept in order, or `recusado`. */
async function resposta(login: string, nas: string, mais: Atributos = {}): Promise<string[] | 'recusado'> {
  const dito = await radius.autenticar({
    'User-Name': login,
    'User-Password': `senha de ${login}`,
    'NAS-IP-Address': nas,
    ...mais,
  });
  if (dito.includes('Received Access-Reject')) return 'recusado';
  const [, depois] = dito.split(/Received Access-Accept[^\n]*\n/);
  if (depois === undefined) throw new Error(dito);
  return depois
    .split('\n')
    .map((linha) => linha.trim())
    .filter((linha) => linha.includes(' = ') && !linha.startsWith('Message-Authenticator'))
    .toSorted();
}

const doPlano = (descida: number, subida: number, ...mais: string[]): string[] =>
  [
    'Acct-Interim-Interval = 300',
    `Mikrotik-Rate-Limit = "${subida}M/${descida}M"`,
    `WISPr-Bandwidth-Max-Down = ${descida * 1_000_000}`,
    `WISPr-Bandwidth-Max-Up = ${subida * 1_000_000}`,
    ...mais,
  ].toSorted();

/** How the provider blocks from now on. */
async function bloquearPor(p: Provedor, dados: object): Promise<void> {
  await api.container.rede.configurar(AUTOR, p.id, { bloqueio: 'grupo', ...dados });
}

const ATIVO = { situacao: 'ativo' };
const BLOQUEADO = { situacao: 'bloqueado' };

test.serial(
  'um login novo é recusado até que o contrato seja ativado, e daí tem o que o plano e a linha dizem',
  async (t) => {
    const { id, login } = await contratar(a, {
      situacao: 'pendente',
      ip: '100.64.9.9',
      ipv6_prefixo: '2001:db8:100::/56',
    });
    t.is(await resposta(login, NAS.a), 'recusado');
    await passar(a, id, { situacao: 'pendente' });
    t.is(await resposta(login, NAS.a), 'recusado');
    await passar(a, id, ATIVO);
    const linha = ['Framed-IP-Address = 100.64.9.9', 'Delegated-IPv6-Prefix = 2001:db8:100::/56'];
    t.deepEqual(await resposta(login, NAS.a), doPlano(500, 250, ...linha));
    const outro = await fabrica.plano(a.id, { download_mbps: 10_000, upload_mbps: 1000 });
    await passar(a, id, { plano_id: outro, ip: null, ipv6_prefixo: null });
    // RADIUS's integers end at 4.29 Gb/s.
    t.deepEqual(
      await resposta(login, NAS.a),
      doPlano(10_000, 1000)
        .map((um) => um.replace('10000000000', '4294967295'))
        .toSorted(),
    );
  },
);

test.serial('um prefixo cujo endereço passa do tamanho não impede o login de entrar', async (t) => {
  const { id, login } = await contratar(a, { ipv6_prefixo: '2001:db8:100::1/56' });
  await passar(a, id, ATIVO);
  t.true((await resposta(login, NAS.a)).includes('Delegated-IPv6-Prefix = 2001:db8:100::/56'));
});

for (const [dados, visto, semEndereco] of [
  [{ bloqueio: 'grupo' }, 'recusado', false],
  [{ bloqueio: 'recusa' }, 'recusado', false],
  [
    { bloqueio: 'pool', bloqueio_nome: 'bloqueados' },
    ['Acct-Interim-Interval = 300', 'Framed-Pool = "bloqueados"'],
    true,
  ],
  [
    { bloqueio: 'lista', bloqueio_nome: 'inadimplentes' },
    ['Acct-Interim-Interval = 300', 'Framed-IP-Address = 100.64.9.9', 'Mikrotik-Address-List = "inadimplentes"'],
    false,
  ],
] as const) {
  test.serial(`bloqueado por ${dados.bloqueio}, liberado, suspenso, cancelado e reativado`, async (t) => {
    const { id, login } = await contratar(a, { ip: '100.64.9.9', ipv6_prefixo: '2001:db8:100::/56' });
    await bloquearPor(a, dados);
    const inteiro = doPlano(500, 250, 'Framed-IP-Address = 100.64.9.9', 'Delegated-IPv6-Prefix = 2001:db8:100::/56');
    await passar(a, id, ATIVO);
    t.deepEqual(await resposta(login, NAS.a), inteiro);
    for (const situacao of ['bloqueado', 'inativo']) {
      await passar(a, id, { situacao });
      t.deepEqual(await resposta(login, NAS.a), typeof visto === 'string' ? visto : [...visto]);
      const enderecos = await api.dono('radreply').where({ username: login, attribute: 'Framed-IP-Address' });
      t.is(enderecos.length === 0, semEndereco);
      await passar(a, id, ATIVO);
      t.deepEqual(await resposta(login, NAS.a), inteiro);
    }
    await passar(a, id, BLOQUEADO);
    for (const situacao of ['cancelado', 'cancelado_definitivo', 'pendente']) {
      await passar(a, id, { situacao });
      t.is(await resposta(login, NAS.a), 'recusado');
    }
    await passar(a, id, ATIVO);
    t.deepEqual(await resposta(login, NAS.a), inteiro);
  });
}

test.serial(
  'quem já estava bloqueado passa ao modo novo, e um NAS que bloqueia de outro modo o faz só nele',
  async (t) => {
    await bloquearPor(a, { bloqueio: 'lista', bloqueio_nome: 'inadimplentes' });
    const { id, login } = await contratar(a);
    await passar(a, id, BLOQUEADO);
    await bloquearPor(a, { bloqueio: 'pool', bloqueio_nome: 'bloqueados' });
    // Groups say it before any contract is looked at, and the requests that were made move whoever is in another.
    await aplicacao.aplicar(AUTOR, a.id);
    const porPool = ['Acct-Interim-Interval = 300', 'Framed-Pool = "bloqueados"'];
    t.deepEqual(await resposta(login, NAS.a), porPool);
    const { nas } = api.container;
    const este = { endereco: NAS.coa, portaCoa: radius.portas.coa, nome: null, segredo: SEGREDO };
    await nas.adicionar(AUTOR, a.id, { ...este, bloqueio: { tipo: 'recusa', nome: null } });
    await aplicacao.aplicar(AUTOR, a.id);
    t.is(await resposta(login, NAS.coa), 'recusado');
    t.deepEqual(await resposta(login, NAS.a), porPool);
    await passar(a, id, ATIVO);
    t.deepEqual(await resposta(login, NAS.coa), doPlano(500, 250));
    await nas.adicionar(AUTOR, a.id, { ...este, bloqueio: null });
    await passar(a, id, BLOQUEADO);
    t.deepEqual(await resposta(login, NAS.coa), porPool);
    await bloquearPor(a, { bloqueio: 'grupo' });
    await aplicacao.aplicar(AUTOR, a.id);
    t.is(await resposta(login, NAS.a), 'recusado');
  },
);

test.serial(
  'o que um operador escreveu fica: o seu grupo, os seus atributos do login e os dos grupos de plano',
  async (t) => {
    const { dono } = api;
    const plano = await fabrica.plano(a.id, { grupo_radius: 'fibra-ouro' });
    await dono('radgroupreply').insert([
      { groupname: 'fibra-ouro', attribute: 'Filter-Id', op: ':=', value: 'ouro' },
      { groupname: `plano-${a.plano}`, attribute: 'Session-Timeout', op: ':=', value: '86400' },
    ]);
    const { id, login } = await contratar(a, { plano_id: plano });
    await dono('radreply').insert({ username: login, attribute: 'Reply-Message', op: ':=', value: 'ola' });
    await passar(a, id, ATIVO);
    t.deepEqual(await resposta(login, NAS.a), ['Filter-Id = "ouro"', 'Reply-Message = "ola"']);
    await passar(a, id, { plano_id: a.plano });
    t.deepEqual(await resposta(login, NAS.a), doPlano(500, 250, 'Session-Timeout = 86400', 'Reply-Message = "ola"'));
    await dono('radgroupreply')
      .where({ groupname: `plano-${a.plano}`, attribute: 'Session-Timeout' })
      .delete();
  },
);

test.serial('os atributos do plano são os que o provedor diz, e mudam sem que se peça nada de ninguém', async (t) => {
  const { rede } = api.container;
  const { id, login } = await contratar(b);
  await passar(b, id, ATIVO);
  t.deepEqual(await resposta(login, NAS.b), doPlano(500, 250));
  await rede.configurar(AUTOR, b.id, { atributos: ['Filter-Id := vel-{download_kbps}', 'Cisco-AVPair += a=b'] });
  t.deepEqual(await resposta(login, NAS.b), ['Cisco-AVPair = "a=b"', 'Filter-Id = "vel-500000"']);
  await rede.configurar(AUTOR, b.id, { atributos: [] });
  t.deepEqual(await resposta(login, NAS.b), []);
  await rede.configurar(AUTOR, b.id, { atributos: null });
  t.deepEqual(await resposta(login, NAS.b), doPlano(500, 250));
});

test.serial('preso ao MAC, o login PPPoE só entra dele, escrito como for; solto, entra de qualquer um', async (t) => {
  const { rede } = api.container;
  await rede.configurar(AUTOR, b.id, { prender_mac: true });
  const { id, login } = await contratar(b, { mac: '00:1a:2b:cd:4e:5f' });
  await passar(b, id, ATIVO);
  for (const mac of ['00:1A:2B:CD:4E:5F', '00-1a-2b-cd-4e-5f', '001a.2bcd.4e5f', '001A2BCD4E5F']) {
    t.not(await resposta(login, NAS.b, { 'Calling-Station-Id': mac }), 'recusado', mac);
  }
  t.is(await resposta(login, NAS.b, { 'Calling-Station-Id': '00:1A:2B:CD:4E:50' }), 'recusado');
  t.is(await resposta(login, NAS.b), 'recusado');
  await rede.configurar(AUTOR, b.id, { prender_mac: false });
  await aplicacao.aplicar(AUTOR, b.id);
  t.not(await resposta(login, NAS.b, { 'Calling-Station-Id': '00:1A:2B:CD:4E:50' }), 'recusado');
});

for (const [como, login] of [
  ['pelo MAC', '00:1A:2B:3C:4D:99'],
  ['pelo circuit-id', 'olt1/0/3/7:100.200'],
] as const) {
  test.serial(`IPoE ${como}: sem senha, com o IP da linha, e bloqueado pela lista`, async (t) => {
    await bloquearPor(a, { bloqueio: 'lista', bloqueio_nome: 'inadimplentes' });
    const { id } = await contratar(a, { login, tipo_conexao: 'ipoe', ip: '100.64.9.7', mac: '00:1a:2b:3c:4d:99' });
    await api.dono('radcheck').where('username', login).delete();
    const condicoes = condicoesDeEntrada(null).map((item) => ({ username: login, ...item }));
    await api.dono('radcheck').insert(condicoes);
    const entrar = (mais: Atributos = {}) =>
      resposta(login, NAS.a, { 'User-Password': '', 'NAS-Port-Type': 'Ethernet', ...mais });
    const porPppoe = { 'Service-Type': 'Framed-User', 'Framed-Protocol': 'PPP' };
    t.is(await entrar(), 'recusado');
    await passar(a, id, ATIVO);
    const inteiro = doPlano(500, 250, 'Framed-IP-Address = 100.64.9.7');
    for (const senha of ['', login, 'outra']) t.deepEqual(await entrar({ 'User-Password': senha }), inteiro);
    // Nobody dials by the name of who needs no password.
    for (const senha of ['', login]) t.is(await entrar({ ...porPppoe, 'User-Password': senha }), 'recusado');
    await passar(a, id, BLOQUEADO);
    t.is(await entrar(porPppoe), 'recusado');
    t.deepEqual(await entrar(), [
      'Acct-Interim-Interval = 300',
      'Framed-IP-Address = 100.64.9.7',
      'Mikrotik-Address-List = "inadimplentes"',
    ]);
    await bloquearPor(a, { bloqueio: 'grupo' });
    await aplicacao.aplicar(AUTOR, a.id);
    t.is(await entrar(), 'recusado');
    await passar(a, id, ATIVO);
    t.deepEqual(await entrar(), inteiro);
    await passar(a, id, { situacao: 'cancelado' });
    t.is(await entrar(), 'recusado');
  });
}

test.serial('o mesmo login no outro provedor não percebe nada, em nenhum modo de bloqueio', async (t) => {
  await api.container.rede.configurar(AUTOR, a.id, { enderecos: true });
  const { id, login } = await contratar(b);
  await passar(b, id, ATIVO);
  const dela = await fabrica.contrato(a.id, { cliente_id: a.cliente, plano_id: a.plano, login, ip: '100.64.1.1' });
  for (const dados of [
    { bloqueio: 'lista', bloqueio_nome: 'inadimplentes' },
    { bloqueio: 'pool', bloqueio_nome: 'bloqueados' },
    { bloqueio: 'recusa' },
  ]) {
    await bloquearPor(a, dados);
    await passar(a, dela, BLOQUEADO);
    t.deepEqual(await resposta(login, NAS.b), doPlano(500, 250));
    const aqui = await resposta(login, NAS.a);
    t.deepEqual(
      aqui,
      dados.bloqueio === 'recusa'
        ? 'recusado'
        : [
            'Acct-Interim-Interval = 300',
            dados.bloqueio === 'pool' ? 'Framed-Pool = "bloqueados"' : 'Mikrotik-Address-List = "inadimplentes"',
          ],
    );
    await passar(a, dela, { situacao: 'cancelado' });
    t.is(await resposta(login, NAS.a), 'recusado');
    t.deepEqual(await resposta(login, NAS.b), doPlano(500, 250));
    await passar(a, dela, ATIVO);
    t.deepEqual(await resposta(login, NAS.a), doPlano(500, 250));
  }
});

/** A login online on the NAS that takes CoA. */
async function online(t: ExecutionContext, linha: Record<string, unknown> = {}) {
  const { id, login } = await contratar(a, linha);
  await passar(a, id, ATIVO);
  await radius.contabilizar({
    'Acct-Status-Type': 'Start',
    'User-Name': login,
    'Acct-Session-Id': `sessao-${login}`,
    'NAS-IP-Address': NAS.coa,
    'NAS-Port': 7,
    'Framed-IP-Address': '100.64.0.7',
  });
  const ouvidos = radius.coas().length;
  return {
    id,
    login,
    /** What the NAS is asked, and what Malha knows of it afterwards. */
    ouve: async (colunas: Record<string, unknown>) => {
      await passar(a, id, colunas);
      while ((await desconexao.desconectar(AUTOR, a.id)) > 0);
      const linhas = await api.dono('rede_desconexoes').where('contrato_id', id).orderBy('id');
      t.is(linhas.at(-1)?.estado, 'aceita');
      return radius.coas().slice(ouvidos).at(-1);
    },
  };
}

test.serial('o CoA leva ao NAS a velocidade do plano novo, e a sessão fica de pé', async (t) => {
  await bloquearPor(a, { bloqueio: 'lista', bloqueio_nome: 'inadimplentes' });
  const { ouve, login } = await online(t);
  const outro = await fabrica.plano(a.id, { download_mbps: 800, upload_mbps: 400 });
  const ouvido = await ouve({ plano_id: outro });
  t.regex(ouvido ?? '', /^CoA-Request /);
  for (const um of [
    `User-Name = "${login}"`,
    `Acct-Session-Id = "sessao-${login}"`,
    `NAS-IP-Address = ${NAS.coa}`,
    'Framed-IP-Address = 100.64.0.7',
    'Mikrotik-Rate-Limit = "400M/800M"',
    'WISPr-Bandwidth-Max-Down = 800000000',
    'WISPr-Bandwidth-Max-Up = 400000000',
    'Acct-Interim-Interval = 300',
  ]) {
    t.true(ouvido?.includes(um), `${um} em ${ouvido}`);
  }
});

test.serial(
  'o CoA põe a sessão na lista; de volta só onde o plano diz outra lista, senão ela é encerrada',
  async (t) => {
    const { rede } = api.container;
    await bloquearPor(a, { bloqueio: 'lista', bloqueio_nome: 'inadimplentes' });
    const { ouve } = await online(t);
    t.regex((await ouve(BLOQUEADO)) ?? '', /^CoA-Request .*Mikrotik-Address-List = "inadimplentes"/);
    t.regex((await ouve(ATIVO)) ?? '', /^Disconnect-Request /);

    const linhas = ['Mikrotik-Rate-Limit := {upload_mbps}M/{download_mbps}M', 'Mikrotik-Address-List := em-dia'];
    await rede.configurar(AUTOR, a.id, { atributos: linhas });
    const outro = await online(t);
    t.regex((await outro.ouve(BLOQUEADO)) ?? '', /^CoA-Request .*Mikrotik-Address-List = "inadimplentes"/);
    t.regex((await outro.ouve(ATIVO)) ?? '', /^CoA-Request .*Mikrotik-Address-List = "em-dia"/);
    t.regex((await outro.ouve({ situacao: 'cancelado' })) ?? '', /^Disconnect-Request /);
    await rede.configurar(AUTOR, a.id, { atributos: null });
  },
);

test.serial('o que um CoA não muda encerra a sessão: o endereço, o pool e a recusa', async (t) => {
  await bloquearPor(a, { bloqueio: 'lista', bloqueio_nome: 'inadimplentes' });
  t.regex((await (await online(t)).ouve({ ip: '100.64.5.5' })) ?? '', /^Disconnect-Request /);
  t.regex((await (await online(t, { ipv6_prefixo: '2001:db8::/56' })).ouve(BLOQUEADO)) ?? '', /^Disconnect-Request /);
  for (const dados of [
    { bloqueio: 'pool', bloqueio_nome: 'bloqueados' },
    { bloqueio: 'recusa' },
    { bloqueio: 'grupo' },
  ]) {
    await bloquearPor(a, dados);
    t.regex((await (await online(t)).ouve(BLOQUEADO)) ?? '', /^Disconnect-Request /);
  }
});

test.serial('FreeRADIUS compara toda senha que se aceita como ela é, e a que executaria não se aceita', async (t) => {
  const entra = async (login: string, senha: string): Promise<boolean> =>
    (await radius.autenticar({ 'User-Name': login, 'User-Password': senha, 'NAS-IP-Address': NAS.a })).includes(
      'Received Access-Accept',
    );
  const boas = ['a\\nb', 'x"yz', '%{User-Name}', '`abc`d', 'a%bc', "x'yz", '"xyz', '$ENV{HOME}', 'a\\b\\\\c'];
  for (const [n, senha] of boas.entries()) {
    t.deepEqual(senhaDaLinha(senha), { valor: senha });
    t.deepEqual(senhaImportada(senha), { valor: senha });
    const username = `senha-${n}`;
    await api.dono('radcheck').insert(condicoesDeEntrada(senha).map((um) => ({ username, ...um })));
    t.true(await entra(username, senha), senha);
  }
  for (const senha of ['`%{User-Name}`', '"abcd"', "'abcd'", 'fim!\\']) {
    t.true('faltas' in senhaDaLinha(senha) && 'faltas' in senhaImportada(senha), senha);
    t.throws(() => condicoesDeEntrada(senha));
  }
  // Of what it would have been, written past the readers: FreeRADIUS executes it.
  const cru = { username: 'executada', attribute: 'Cleartext-Password', op: ':=', value: '`%{User-Name}`' };
  await api.dono('radcheck').insert(cru);
  t.true(await entra('executada', 'executada'));
});

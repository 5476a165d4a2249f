import test from 'ava';
import { createAplicacaoService } from '../../../src/domain/rede/aplicacao/aplicacao.service.ts';
import { createRedeService } from '../../../src/domain/rede/configuracao/rede.service.ts';
import { createAcompanhamentoService } from '../../../src/domain/planos/acompanhamento.service.ts';
import { createCadastroDePlanosService } from '../../../src/domain/planos/cadastro.service.ts';
import { renomearAcesso } from '../../../src/domain/rede/acesso/acesso.service.ts';
import { encerrarSessoesDe, pedirRede, ultimosPedidos } from '../../../src/domain/rede/pedir.ts';
import { createDesconexaoService } from '../../../src/domain/rede/sessoes/desconexao.service.ts';
import type { AvisoDeRede, SessoesDoPedido } from '../../../src/domain/rede/rede.types.ts';
import type { SituacaoContrato } from '../../../src/domain/contratos/contratos.types.ts';
import { createNasClient } from '../../../src/platform/radius/client.ts';
import { CamposInvalidos } from '../../../src/domain/erros.ts';
import { createEscrita } from '../../../src/domain/escrita.ts';
import { AUTOR } from '../../support/autor.ts';
import { criarBanco } from '../../support/banco.ts';
import type { Banco } from '../../support/banco.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import type { Fabrica } from '../../support/fabrica.ts';
import { criarNas } from '../../support/nas-coa.ts';
import type { RespostaDoNas } from '../../support/nas-coa.ts';
import { relogioEm } from '../../support/relogio.ts';

const AGORA = '2026-11-20T15:00:00.000Z';
const SEGREDO = 'so-o-nas-sabe';
const relogio = relogioEm(AGORA);

let banco: Banco;
let fabrica: Fabrica;
test.before(async () => {
  banco = await criarBanco();
  fabrica = criarFabrica(banco.db);
});
test.after.always(() => banco.fechar());

let serie = 0;

/** For NASes that answer: only a hang takes longer. */
const PRAZO_MS = 15_000;

/** A login online at a NAS that takes CoA, of a provider that blocks by a list. */
async function montar(
  responder: RespostaDoNas | ((vez: number, codigo: number) => RespostaDoNas) = 'ack',
  timeoutMs = PRAZO_MS,
) {
  const { db } = banco;
  relogio.definir(AGORA);
  const avisos: AvisoDeRede[] = [];
  const write = createEscrita({ db, gate: { bump: async () => {} }, onUnconfirmed: () => {} });
  const deps = { db, relogio, write, avisar: (aviso: AvisoDeRede) => void avisos.push(aviso) };
  const n = (serie += 1);
  const login = `coa-${n}`;
  const endereco = `127.0.8.${n}`;
  const provedor = await fabrica.provedor();
  const plano = await fabrica.plano(provedor);
  const cliente = await fabrica.cliente(provedor);
  const contrato = await fabrica.contrato(provedor, { cliente_id: cliente, plano_id: plano, login });
  const nas = await criarNas(endereco, SEGREDO, responder);
  await db('provedores_nas').insert({ provedor_id: provedor, nasipaddress: endereco, porta_coa: nas.porta, coa: 2 });
  await db('nas').insert({ nasname: endereco, secret: SEGREDO });
  const aplicacao = createAplicacaoService(deps);
  const rede = createRedeService(deps);
  await rede.configurar(AUTOR, provedor, { bloqueio: 'lista', bloqueio_nome: 'inadimplentes' });
  const desconexao = createDesconexaoService({ ...deps, perguntar: createNasClient({ timeoutMs }) });

  async function passar(situacao: SituacaoContrato, sessoes: SessoesDoPedido = 'seguir'): Promise<void> {
    await write(AUTOR, provedor, async (w) => {
      await w.update('contratos', (q) => void q.where('id', contrato), { situacao });
      await pedirRede(w, [{ id: contrato, situacao }], relogio.agora(), sessoes);
    });
    await aplicacao.aplicar(AUTOR, provedor);
  }
  await passar('ativo');
  await fabrica.sessao({ username: login, nasipaddress: endereco, acctstarttime: '2026-11-20 14:00:00' });
  return {
    provedor,
    plano,
    contrato,
    login,
    nas,
    avisos,
    rede,
    aplicacao,
    write,
    passar,
    desconectar: async () => desconexao.desconectar(AUTOR, provedor),
    linhas: async () => db('rede_desconexoes').where('provedor_id', provedor).orderBy('id'),
    codigos: () => nas.recebidos.map(({ codigo }) => codigo),
  };
}

test.serial('a sessão que o NAS altera fica de pé: nada mais lhe é pedido', async (t) => {
  const m = await montar();
  t.teardown(() => m.nas.fechar());
  await m.passar('bloqueado');
  t.is(await m.desconectar(), 1);
  t.like(await m.linhas(), [{ estado: 'aceita', tentativas: 1, alterar_para: `bloqueado-p${m.provedor}` }]);
  const [pedido] = m.nas.recebidos;
  t.like(pedido, { codigo: 43, assinado: true });
  t.is(pedido?.deFabricante.get('14988:19')?.toString(), 'inadimplentes');
  relogio.avancar(3_600_000);
  t.is(await m.desconectar(), 0);
  t.is(m.nas.recebidos.length, 1);
  t.deepEqual(m.avisos, []);
});

test.serial('a que o NAS recusa alterar é encerrada logo em seguida', async (t) => {
  const m = await montar((_vez, codigo) => (codigo === 43 ? { nak: 401 } : 'ack'));
  t.teardown(() => m.nas.fechar());
  await m.passar('bloqueado');
  while ((await m.desconectar()) > 0);
  t.deepEqual(m.codigos(), [43, 40]);
  t.like(await m.linhas(), [{ estado: 'aceita', alterar_para: null }]);
  t.deepEqual(m.avisos, []);
});

test.serial('a de um NAS que não responde ao CoA é encerrada depois da segunda tentativa', async (t) => {
  const m = await montar((_vez, codigo) => (codigo === 43 ? 'nada' : 'ack'), 500);
  t.teardown(() => m.nas.fechar());
  await m.passar('bloqueado');
  for (let segundo = 0; segundo < 10; segundo++) {
    await m.desconectar();
    relogio.avancar(1000);
  }
  t.deepEqual(m.codigos(), [43, 43, 40]);
  t.like(await m.linhas(), [{ estado: 'aceita', alterar_para: null, tentativas: 1 }]);
});

test.serial('quem morre depois da última tentativa de alterar deixa uma sessão que é encerrada', async (t) => {
  const m = await montar();
  t.teardown(() => m.nas.fechar());
  await m.passar('bloqueado');
  await banco.db('rede_desconexoes').where('provedor_id', m.provedor).update({ tentativas: 2 });
  while ((await m.desconectar()) > 0);
  t.deepEqual(m.codigos(), [40]);
});

test.serial('um NAS de que se tira o CoA entre o pedido e o envio encerra a sessão', async (t) => {
  const m = await montar();
  t.teardown(() => m.nas.fechar());
  await m.passar('bloqueado');
  await banco.db('provedores_nas').where('provedor_id', m.provedor).update({ coa: 0 });
  while ((await m.desconectar()) > 0);
  t.deepEqual(m.codigos(), [40]);
});

test.serial('a que era para encerrar e não foi, ou ainda espera, não passa a ser só alterada', async (t) => {
  const m = await montar('nada');
  t.teardown(() => m.nas.fechar());
  await m.passar('bloqueado', 'encerrar');
  // Before anybody has asked the NAS.
  await m.passar('bloqueado');
  t.like(await m.linhas(), [
    { estado: 'superada', alterar_para: null },
    { estado: 'pendente', alterar_para: null },
  ]);
  await banco
    .db('rede_desconexoes')
    .where({ provedor_id: m.provedor, estado: 'pendente' })
    .update({ estado: 'sem_resposta' });
  await m.passar('bloqueado');
  t.is((await m.linhas()).at(-1).alterar_para, null);
});

test.serial('um pedido de conferir não toca na sessão de quem já está como deve', async (t) => {
  const m = await montar();
  t.teardown(() => m.nas.fechar());
  t.is(await m.rede.aplicarTudo(AUTOR, m.provedor), 1);
  await m.aplicacao.aplicar(AUTOR, m.provedor);
  t.deepEqual(await m.linhas(), []);
  // Nor where an operator has written the same address in his own way.
  const doLogin = { username: m.login, attribute: 'Framed-IP-Address', op: '=', value: '100.64.7.7' };
  await banco.db('radreply').insert(doLogin);
  await banco.db('contratos').where('id', m.contrato).update({ ip: doLogin.value });
  await m.rede.aplicarTudo(AUTOR, m.provedor);
  await m.aplicacao.aplicar(AUTOR, m.provedor);
  t.deepEqual(await m.linhas(), []);
  // Somebody has taken the login out of its group.
  await banco.db('radusergroup').where('username', m.login).delete();
  await m.rede.aplicarTudo(AUTOR, m.provedor);
  await m.aplicacao.aplicar(AUTOR, m.provedor);
  t.is((await m.linhas()).length, 1);
});

/** Changes the plan. */
async function mudarPlano(m: Awaited<ReturnType<typeof montar>>, mudanca: object): Promise<void> {
  await m.write(AUTOR, m.provedor, async (w) =>
    createCadastroDePlanosService({ w, relogio }).alterar(m.plano, mudanca),
  );
}

/** Tells the plan's contracts of it. */
async function acompanhar(m: Awaited<ReturnType<typeof montar>>): Promise<void> {
  const servico = createAcompanhamentoService({ db: banco.db, relogio, write: m.write });
  while ((await servico.acompanhar(AUTOR, m.provedor)).mais);
}

test.serial(
  'a velocidade nova de um plano vai por CoA; onde o NAS não pode, quem está online a ouve ao voltar',
  async (t) => {
    const m = await montar();
    t.teardown(() => m.nas.fechar());
    const { db } = banco;
    const taxa = async () =>
      (await db('radgroupreply').where({ groupname: `plano-${m.plano}`, attribute: 'Mikrotik-Rate-Limit' }))[0]?.value;
    await mudarPlano(m, { download_mbps: 800 });
    // Before any contract was told.
    t.is(await taxa(), '250M/800M');
    await acompanhar(m);
    await m.aplicacao.aplicar(AUTOR, m.provedor);
    await m.desconectar();
    t.deepEqual(m.codigos(), [43]);
    t.is(m.nas.recebidos[0]?.deFabricante.get('14988:8')?.toString(), '250M/800M');

    await db('provedores_nas').where('provedor_id', m.provedor).update({ coa: 0 });
    await mudarPlano(m, { download_mbps: 900 });
    t.is(await taxa(), '250M/900M');
    await acompanhar(m);
    await m.aplicacao.aplicar(AUTOR, m.provedor);
    t.is(await m.desconectar(), 0);
    t.is((await m.linhas()).length, 1);
    // Another price is nothing to the network.
    const antes = (await db('rede_pedidos').where('provedor_id', m.provedor)).length;
    await mudarPlano(m, { valor: '10.00', contratos: 'acompanhar' });
    await acompanhar(m);
    t.is((await db('rede_pedidos').where('provedor_id', m.provedor)).length, antes);
  },
);

test.serial('o que já era para encerrar não se perde quando o plano muda', async (t) => {
  const m = await montar('nada');
  t.teardown(() => m.nas.fechar());
  await m.passar('ativo', 'encerrar');
  await mudarPlano(m, { download_mbps: 800 });
  await acompanhar(m);
  await m.aplicacao.aplicar(AUTOR, m.provedor);
  t.like(await m.linhas(), [
    { estado: 'superada', alterar_para: null },
    { estado: 'pendente', alterar_para: null },
  ]);
});

test.serial('o plano que passa a outro grupo leva os seus logins, e só os seus', async (t) => {
  const m = await montar();
  t.teardown(() => m.nas.fechar());
  const { db } = banco;
  const grupos = async (username: string) => (await db('radusergroup').where({ username })).map((um) => um.groupname);
  await db('radusergroup').insert({ username: 'de-outrem', groupname: `plano-${m.plano}`, priority: 1 });
  await mudarPlano(m, { grupo_radius: 'fibra-ouro' });
  // Released meanwhile, it is in both for a while.
  await db('radusergroup').insert({ username: m.login, groupname: 'fibra-ouro', priority: 1 });
  await acompanhar(m);
  t.deepEqual(await grupos(m.login), ['fibra-ouro']);
  t.deepEqual(await grupos('de-outrem'), [`plano-${m.plano}`]);
  await m.aplicacao.aplicar(AUTOR, m.provedor);
  t.deepEqual(await grupos(m.login), ['fibra-ouro']);
});

test.serial(
  'o contrato que larga o login leva a sessão, e quem não tem direito à rede não faz falta de login',
  async (t) => {
    const m = await montar();
    t.teardown(() => m.nas.fechar());
    await m.write(AUTOR, m.provedor, async (w) => {
      await encerrarSessoesDe(w, [m.contrato], relogio.agora());
      const depois = { situacao: 'cancelado_definitivo', login: null } as const;
      await w.update('contratos', (q) => void q.where('id', m.contrato), depois);
      await pedirRede(w, [{ id: m.contrato, situacao: depois.situacao }], relogio.agora());
    });
    await m.aplicacao.aplicar(AUTOR, m.provedor);
    await m.desconectar();
    t.deepEqual(m.codigos(), [40]);
    t.like(await m.linhas(), [{ estado: 'aceita' }]);
    t.deepEqual(m.avisos, []);
  },
);

test.serial('de quem muda de login, a sessão do nome de antes termina, venha o pedido que vier depois', async (t) => {
  const m = await montar();
  t.teardown(() => m.nas.fechar());
  await m.write(AUTOR, m.provedor, async (w) => {
    await pedirRede(w, [{ id: m.contrato, situacao: 'ativo' }], relogio.agora());
    const pedidoId = (await ultimosPedidos(w, [m.contrato])).get(m.contrato);
    await renomearAcesso(w, { id: m.contrato, login: m.login }, `${m.login}-b`, { pedidoId, agora: relogio.agora() });
    await w.update('contratos', (q) => void q.where('id', m.contrato), { login: `${m.login}-b` });
  });
  // Before the network has followed.
  await m.passar('bloqueado');
  await m.passar('ativo');
  await m.desconectar();
  t.deepEqual(m.codigos(), [40]);
  t.like(await m.linhas(), [{ estado: 'aceita', alterar_para: null }]);
});

test.serial('o estado decide, e não a ação que o pedido leva', async (t) => {
  const m = await montar();
  t.teardown(() => m.nas.fechar());
  const { db } = banco;
  await db('contratos').where('id', m.contrato).update({ situacao: 'cancelado' });
  const pedido = {
    provedor_id: m.provedor,
    contrato_id: m.contrato,
    acao: 'liberar',
    pedido_em: '2026-11-20 14:00:00.000',
  };
  await db('rede_pedidos').insert(pedido);
  await m.aplicacao.aplicar(AUTOR, m.provedor);
  t.like(await db('radusergroup').where('username', m.login), [{ groupname: 'retirado' }]);
  t.like(await db('radgroupcheck').where('groupname', 'retirado'), [{ attribute: 'Auth-Type', value: 'Reject' }]);
});

test.serial('um provedor de antes não passa a mandar nada: nem atributos de plano, nem endereços', async (t) => {
  const m = await montar();
  t.teardown(() => m.nas.fechar());
  const { db } = banco;
  // As the migration left it.
  await db('provedores_rede')
    .where('provedor_id', m.provedor)
    .update({ bloqueio: 'grupo', bloqueio_nome: null, atributos: '[]', enderecos: 0 });
  await db('radgroupreply').where('groupname', `plano-${m.plano}`).delete();
  await db('radgroupreply').insert({
    groupname: `plano-${m.plano}`,
    attribute: 'Mikrotik-Rate-Limit',
    op: ':=',
    value: '1M/1M',
  });
  await db('radreply').insert({ username: m.login, attribute: 'Framed-IP-Address', op: ':=', value: '100.64.7.7' });
  await db('contratos').where('id', m.contrato).update({ ip: '100.64.8.8' });
  await m.passar('bloqueado');
  t.like(await db('radusergroup').where('username', m.login), [{ groupname: 'bloqueado' }]);
  await m.passar('ativo');
  t.like(await db('radgroupreply').where('groupname', `plano-${m.plano}`), [{ value: '1M/1M' }]);
  t.like(await db('radreply').where('username', m.login), [{ value: '100.64.7.7' }]);
});

for (const [quando, sessao, cai] of [
  ['o mesmo IP e o mesmo MAC, escritos de outro modo', {}, false],
  ['o NAS não diz nem um nem outro', { framedipaddress: '', callingstationid: '', delegatedipv6prefix: '' }, false],
  ['outro MAC', { callingstationid: 'AA-BB-CC-00-00-02' }, true],
  ['outro IP', { framedipaddress: '100.64.7.8' }, true],
  ['outro prefixo', { delegatedipv6prefix: '2001:db8:8::/56' }, true],
] as const) {
  test.serial(
    `ligar endereços e MACs numa base inteira: com ${quando}, a sessão ${cai ? 'cai' : 'fica'}`,
    async (t) => {
      const { db } = banco;
      const m = await montar();
      t.teardown(() => m.nas.fechar());
      await m.rede.configurar(AUTOR, m.provedor, { enderecos: false });
      await m.aplicacao.aplicar(AUTOR, m.provedor);
      await db('contratos')
        .where('id', m.contrato)
        .update({ ip: '100.64.7.7', ipv6_prefixo: '2001:db8:7::/56', mac: 'AA:BB:CC:00:00:01', tipo_conexao: 'pppoe' });
      await db('radacct')
        .where('username', m.login)
        .update({
          framedipaddress: '100.64.7.7',
          delegatedipv6prefix: '2001:0db8:7::/56',
          callingstationid: 'aabb.cc00.0001',
          ...sessao,
        });
      const dados = { enderecos: true, prender_mac: true };
      t.like(await m.rede.efeito(m.provedor, dados), { linhas: 1, sessoes: 1 });
      await m.rede.configurar(AUTOR, m.provedor, dados);
      await m.aplicacao.aplicar(AUTOR, m.provedor);
      t.is((await db('radreply').where('username', m.login)).length, 2);
      t.is((await db('radcheck').where({ username: m.login, attribute: 'Calling-Station-Id' })).length, 1);
      const pedidas = await db('rede_desconexoes').where({ provedor_id: m.provedor, estado: 'pendente' });
      t.is(pedidas.length, cai ? 1 : 0);
      // What goes is nothing that a session has.
      await db('rede_desconexoes').where('provedor_id', m.provedor).delete();
      await m.rede.configurar(AUTOR, m.provedor, { prender_mac: false });
      await m.aplicacao.aplicar(AUTOR, m.provedor);
      t.deepEqual(await db('radcheck').where({ username: m.login, attribute: 'Calling-Station-Id' }), []);
      t.deepEqual(await db('rede_desconexoes').where('provedor_id', m.provedor), []);
    },
  );
}

for (const [campo, dados] of [
  ['bloqueio', { bloqueio: 'jardim' }],
  ['bloqueio_nome', { bloqueio: 'pool', bloqueio_nome: null }],
  ['bloqueio', { bloqueio: 'recusa', bloqueio_nome: 'x' }],
  ['bloqueio', { bloqueio: 'lista', bloqueio_nome: 'com espaço' }],
  ['atributos', { atributos: ['sem operador'] }],
  ['atributos', { atributos: ['Auth-Type := Accept'] }],
  ['atributos', { atributos: ['Filter-Id := %{User-Name}'] }],
  ['atributos', { atributos: ['Filter-Id := {velocidade}'] }],
  ['atributos', { atributos: 'Filter-Id := a' }],
  ['atributos', { atributos: Array.from({ length: 21 }, () => 'Filter-Id := a') }],
  ['enderecos', { enderecos: 'sim' }],
  ['prender_mac', { prender_mac: 1 }],
  ['cor', { cor: 'azul' }],
  ['corpo', {}],
] as const) {
  test.serial(
    `configurar ${JSON.stringify(dados).slice(0, 60)} é recusado pelo campo ${campo}, e nada muda`,
    async (t) => {
      const { db } = banco;
      const rede = createRedeService({
        db,
        relogio,
        write: createEscrita({ db, gate: { bump: async () => {} }, onUnconfirmed: () => {} }),
      });
      const provedor = await fabrica.provedor();
      const error = await t.throwsAsync(rede.configurar(AUTOR, provedor, dados), { instanceOf: CamposInvalidos });
      t.deepEqual(
        error.faltas.map((falta) => falta.campo),
        [campo],
      );
      t.deepEqual(await db('provedores_rede').where('provedor_id', provedor), []);
    },
  );
}

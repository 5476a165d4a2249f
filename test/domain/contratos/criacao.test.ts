import test from 'ava';
import { createCadastroDeContratosService } from '../../../src/domain/contratos/cadastro/cadastro.service.ts';
import { TERMINAL } from '../../../src/domain/actor.ts';
import { Recusa } from '../../../src/domain/erros.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { relogioEm } from '../../support/relogio.ts';
import { EM, criarCasa } from './apoio.ts';
import type { Casa } from './apoio.ts';

const relogio = relogioEm('2026-11-20T15:00:00.000Z');
let api: Api;
test.before(async () => {
  api = await criarApi({ relogio, processos: 2 });
});
test.after.always(() => api.fechar());

const criar = async (casa: Casa, dados: object = {}) =>
  casa.mudar(async ({ contratos }) =>
    contratos.criar({ cliente_id: casa.cliente, plano_id: casa.plano, dia_vencimento: 10, ...dados }),
  );
const radius = async (tabela: string, username: string): Promise<any[]> =>
  api.dono(tabela).where({ username }).orderBy('id');

let serie = 0;
const novo = (): string => `login-${(serie += 1)}`;

test('um contrato nasce pendente, pelo valor do plano, com login e senha que se mostram uma vez', async (t) => {
  const casa = await criarCasa(api, { cliente: { nome: 'Ângela Maria de Conceição' } });
  const feito = await criar(casa);
  t.like(feito, { clienteId: casa.cliente, situacao: 'pendente', login: 'angela.conceicao' });
  t.regex(feito.senha ?? '', /^[a-zA-Z2-9]{10}$/);
  t.like(await casa.ler(feito.id), {
    situacao: 'pendente',
    valor: '99.90',
    tipo_conexao: 'pppoe',
    tipo_cobranca: 'pos_pago',
    login: 'angela.conceicao',
    ativado_em: null,
  });
  t.like(await radius('radcheck', feito.login), [{ attribute: 'Cleartext-Password', op: ':=', value: feito.senha }]);
  t.like(await casa.historico(feito.id), [{ acao: 'criacao', autor: 'linha de comando' }]);
  t.deepEqual(await casa.eventos(), [
    {
      tipo: 'contrato.criado',
      recurso_id: feito.id,
      dados: { cliente: casa.cliente, plano: casa.plano, situacao: 'pendente' },
    },
  ]);
  // Nowhere else.
  for (const tabela of ['contratos', 'contratos_historico', 'eventos', 'auditoria'])
    t.false(JSON.stringify(await casa.linhas(tabela)).includes(feito.senha ?? ''), tabela);
});

test('enquanto pendente ninguém entra: o login está desde a primeira linha no grupo dos recusados', async (t) => {
  const casa = await criarCasa(api);
  const { login } = await criar(casa, { login: novo() });
  t.like(await radius('radusergroup', login), [{ groupname: 'retirado', priority: 0 }]);
  const deles = await api.dono('radgroupcheck').where({ groupname: 'retirado' });
  t.true(deles.some(({ attribute, op, value }: any) => `${attribute} ${op} ${value}` === 'Auth-Type := Reject'));
});

test('um login que FreeRADIUS tem de outrem é recusado, com um livre, e fica como está; o que se propõe não o toma', async (t) => {
  const casa = await criarCasa(api, { cliente: { nome: 'Noutro Sistema' } });
  for (const [tabela, linha] of [
    ['radcheck', { attribute: 'Cleartext-Password', op: ':=', value: 'alheia' }],
    ['radreply', { attribute: 'Framed-IP-Address', op: ':=', value: '100.64.0.1' }],
    ['radusergroup', { groupname: 'fibra', priority: 1 }],
  ] as const) {
    const username = novo();
    await api.dono(tabela).insert({ username, ...linha });
    const antes = await radius(tabela, username);
    const erro = await t.throwsAsync(criar(casa, { login: username.toUpperCase() }), { instanceOf: Recusa });
    t.is(erro.motivo, 'login_em_uso');
    t.regex(erro.message, /^login: FreeRADIUS já tem este login, .*; use /);
    t.is((await criar(casa, { login: erro.detalhe.sugestao!.slice('use '.length) })).situacao, 'pendente');
    t.deepEqual(await radius(tabela, username), antes);
  }
  await api.dono('radcheck').insert({ username: 'Noutro.Sistema', attribute: 'MD5-Password', op: ':=', value: 'x' });
  t.is((await criar(casa)).login, `noutro.sistema${casa.cliente}`);
  t.is((await radius('radcheck', 'noutro.sistema')).length, 1);
});

test('dois clientes de mesmo nome recebem logins diferentes', async (t) => {
  const casa = await criarCasa(api, { cliente: { nome: 'José Duplo' } });
  const [um, outro] = [await criar(casa), await criar(casa)];
  t.deepEqual([um.login, outro.login], ['jose.duplo', `jose.duplo${casa.cliente}`]);
});

test('a senha digitada é a que vale; login, endereço, valor e código de fora também', async (t) => {
  const casa = await criarCasa(api);
  const login = novo();
  const feito = await criar(casa, {
    login,
    senha: 'Senha#2026',
    valor: '79.90',
    ip: '100.64.3.9',
    ipv6_prefixo: '2001:db8:100::/56',
    mac: '00-1A-2B-3C-4D-5E',
    endereco_instalacao: { cidade: 'Alfenas', uf: 'mg', cep: '37130-001' },
    codigo_externo: 'ixc:77',
  });
  t.is(feito.senha, 'Senha#2026');
  t.like(await casa.ler(feito.id), {
    login,
    valor: '79.90',
    ip: '100.64.3.9',
    ipv6_prefixo: '2001:db8:100::/56',
    mac: '00:1a:2b:3c:4d:5e',
    cidade: 'Alfenas',
    uf: 'MG',
    cep: '37130001',
    codigo_externo: 'ixc:77',
  });
  await t.throwsAsync(criar(casa, { codigo_externo: 'ixc:77' }), { message: /^codigo_externo: outro registro/ });
});

test('de IPoE o login é o MAC, e entra sem senha, mas não por PPPoE, salvo a que se digite', async (t) => {
  const casa = await criarCasa(api);
  const mac = '02:00:00:00:00:01';
  t.like(await criar(casa, { tipo_conexao: 'ipoe', mac }), { login: mac, senha: null });
  t.like(await radius('radcheck', mac), [
    { attribute: 'Framed-Protocol', op: '!*' },
    { attribute: 'Auth-Type', value: 'Accept' },
  ]);
  await t.throwsAsync(criar(casa, { tipo_conexao: 'ipoe' }), { message: /^login: informe o MAC ou o circuit-id/ });
  const fixa = await criar(casa, { tipo_conexao: 'ipoe', login: 'olt1/0/3:100', senha: 'cisco' });
  t.is(fixa.senha, 'cisco');
});

test('um login que o FreeRADIUS recusaria não se dá; o que veio de fora assim pode ficar', async (t) => {
  const casa = await criarCasa(api);
  const recusados = [
    'a@b@serra.net',
    'a..b',
    'joao.',
    'a@serra',
    'a@serra.',
    'a@.serra',
    'a@.serra.net',
    'a@serra..net',
  ];
  // Stock FreeRADIUS would look for `olt1=233`.
  const escritosDeOutroModo = ['olt1#3', 'joao+casa', 'joão'];
  for (const login of escritosDeOutroModo) {
    await t.throwsAsync(criar(casa, { login }), { message: /^login: deve ter .* e \. _ - @ : \/$/ }, login);
  }
  for (const login of [...recusados, 'com espaço']) {
    await t.throwsAsync(criar(casa, { login }), { message: /^login: / }, login);
  }
  for (const login of [`${novo()}@serra.net.br`, `00:1A:2B:3C:4D:${novo().slice(-2)}`, `olt1/0/3:${novo()}`]) {
    t.is((await criar(casa, { login })).login, login);
  }
  for (const sufixo of ['@serra', '#3', '+casa']) {
    const id = await casa.contrato({ ...EM.pendente, login: `${novo()}${sufixo}` });
    const { login } = await casa.ler(id);
    const alterar = async (dados: object) => casa.mudar(async ({ contratos }) => contratos.alterar(id, dados));
    t.deepEqual((await alterar({ login, dia_vencimento: 7 })).campos, ['dia_vencimento']);
    await t.throwsAsync(alterar({ login: `${novo()}${sufixo}` }), { message: /^login: / });
  }
});

test('plano fora de venda ou alheio, e cliente cancelado ou alheio, são recusados com o nome do campo', async (t) => {
  const [casa, alheia] = [await criarCasa(api), await criarCasa(api)];
  const retirado = await casa.fabrica.plano(casa.provedor, { ativo: 0 });
  const cancelado = await casa.fabrica.cliente(casa.provedor, { situacao: 'cancelado' });
  for (const [dados, dito] of [
    [{ plano_id: retirado }, /^plano_id: o plano não existe ou está inativo$/],
    [{ plano_id: alheia.plano }, /^plano_id: o plano não existe/],
    [{ cliente_id: cancelado }, /^cliente_id: o cliente está cancelado$/],
    [{ cliente_id: alheia.cliente }, /^cliente_id: o registro não existe$/],
    [{ dia_vencimento: 32, valor: '-1', cor: 'azul' }, /cor: campo desconhecido; dia_vencimento: .+; valor: /],
  ] as const) {
    await t.throwsAsync(criar(casa, dados), { message: dito });
  }
  t.deepEqual(await casa.linhas('contratos'), []);
});

test('o login de um contrato de outro provedor é recusado, em qualquer caixa, com um livre no seu realm', async (t) => {
  const serra = { panel_host: 'painel.serra.net.br', nome: 'Serra Azul' };
  const [dono, casa] = [await criarCasa(api), await criarCasa(api, { provedor: serra })];
  const login = novo();
  await dono.contrato({ ...EM.cancelado, login });
  const erro = await t.throwsAsync(criar(casa, { login: login.toUpperCase() }), { instanceOf: Recusa });
  t.is(erro.motivo, 'login_em_uso');
  t.deepEqual(erro.detalhe, { campo: 'login', sugestao: `use ${login.toUpperCase()}@serra.net.br` });
  // What is suggested is free, and once it is taken another is.
  await criar(casa, { login: `${login}@serra.net.br` });
  const outro = await t.throwsAsync(criar(casa, { login }), { instanceOf: Recusa });
  t.is(outro.detalhe.sugestao, `use ${login}2@serra.net.br`);
});

test('do próprio provedor se diz de que contrato o login é; o de um definitivo está livre', async (t) => {
  const casa = await criarCasa(api);
  const login = novo();
  const id = await casa.contrato({ login });
  const erro = await t.throwsAsync(criar(casa, { login }), { instanceOf: Recusa });
  t.is(erro.detalhe.registroId, id);
  const outra = await criarCasa(api);
  await casa.mudar(async ({ movimentos }) => movimentos.cancelar(id, { faturas_futuras: 'manter' }));
  await t.throwsAsync(criar(outra, { login }), { message: /outro contrato usa este login/ });
  await casa.mudar(async ({ movimentos }) => movimentos.encerrar(id, {}));
  t.is((await criar(outra, { login })).login, login);
});

test.serial(
  'de cinquenta que pedem um login ao mesmo tempo, em dois provedores e dois processos, um o tem',
  async (t) => {
    const casas = [await criarCasa(api), await criarCasa(api)];
    const login = novo();
    const provedores = await Promise.all(
      casas.map(async ({ provedor }) => api.container.provedores.exigirPorId(provedor)),
    );
    const feitos = await Promise.allSettled(
      Array.from({ length: 50 }, async (_, n) => {
        const [casa, provedor] = [casas[n % 2]!, provedores[n % 2]!];
        const { write } = api.containers[(n >> 1) % 2]!;
        const escrito = n % 3 === 0 ? login.toUpperCase() : login;
        const dados = { cliente_id: casa.cliente, plano_id: casa.plano, dia_vencimento: 10, login: escrito };
        return write(TERMINAL, provedor.id, async (w) =>
          createCadastroDeContratosService({ w, provedor, relogio }).criar(dados),
        );
      }),
    );
    const recusas = feitos.flatMap((feito) => (feito.status === 'rejected' ? [(feito.reason as Recusa).motivo] : []));
    t.deepEqual(recusas, Array(49).fill('login_em_uso'));
    t.is((await api.dono('contratos').where({ login })).length, 1);
    t.is((await radius('radcheck', login)).length, 1);
    t.is((await radius('radusergroup', login)).length, 1);
  },
);

test('encerrar tira o login de FreeRADIUS e encerra o que restou de sessões, salvo o que outro provedor também tem', async (t) => {
  const casa = await criarCasa(api);
  const { id, login } = await criar(casa, { login: novo() });
  await casa.fabrica.nas(casa.provedor, '10.77.0.1');
  const aberta = { acctstarttime: '2026-11-20 14:00:00', acctupdatetime: '2026-11-20 14:55:00' };
  await casa.fabrica.sessao({ username: login, nasipaddress: '10.77.0.1', ...aberta });
  await casa.mudar(async ({ movimentos }) => movimentos.cancelar(id, { faturas_futuras: 'manter' }));
  t.is((await radius('radcheck', login)).length, 1);
  await casa.mudar(async ({ movimentos }) => movimentos.encerrar(id, {}));
  for (const tabela of ['radcheck', 'radreply', 'radusergroup']) t.deepEqual(await radius(tabela, login), [], tabela);
  t.like(await casa.linhas('rede_desconexoes'), [{ contrato_id: id, estado: 'pendente' }]);
  t.like((await casa.pedidos(id)).at(-1)!, { resultado: 'aplicado' });

  // As it was before logins were refused.
  const [um, outro] = [await criarCasa(api), await criarCasa(api)];
  const comum = novo();
  const [seu] = [await um.contrato({ ...EM.cancelado, login: comum }), await outro.contrato({ login: comum })];
  await api.dono('radcheck').insert({ username: comum, attribute: 'Cleartext-Password', op: ':=', value: 'x' });
  await um.mudar(async ({ movimentos }) => movimentos.encerrar(seu, {}));
  t.is((await um.ler(seu))['login'], null);
  t.is((await radius('radcheck', comum)).length, 1);
});

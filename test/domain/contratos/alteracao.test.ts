import test from 'ava';
import { Recusa } from '../../../src/domain/erros.ts';
import { createAplicacaoService } from '../../../src/domain/rede/aplicacao/aplicacao.service.ts';
import { AUTOR } from '../../support/autor.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { relogioEm } from '../../support/relogio.ts';
import { EM, SITUACOES, criarCasa } from './apoio.ts';
import type { Casa } from './apoio.ts';

const relogio = relogioEm('2026-11-20T15:00:00.000Z');
let api: Api;
test.before(async () => {
  api = await criarApi({ relogio });
});
test.after.always(() => api.fechar());

let serie = 0;
const novo = (): string => `nome-${(serie += 1)}`;
const radius = async (tabela: string, username: string): Promise<any[]> =>
  api.dono(tabela).where({ username }).orderBy('id');

/** A contract that staff made, and that is active. */
async function ativo(casa: Casa, dados: object = {}) {
  const feito = await casa.mudar(async ({ contratos }) =>
    contratos.criar({ cliente_id: casa.cliente, plano_id: casa.plano, dia_vencimento: 10, login: novo(), ...dados }),
  );
  await casa.mudar(async ({ movimentos }) => movimentos.ativar(feito.id, {}));
  return feito;
}
const alterar = async (casa: Casa, id: number, dados: object) =>
  casa.mudar(async ({ contratos }) => contratos.alterar(id, dados));

/** Carries out what the network was asked for. */
async function aplicar(casa: Casa): Promise<void> {
  const { db, write } = api.container;
  await createAplicacaoService({ db, write, relogio, avisar: () => {} }).aplicar(AUTOR, casa.provedor);
}

test('vencimento, valor, endereço e cobrança mudam com história e auditoria, sem pedido à rede', async (t) => {
  const casa = await criarCasa(api);
  const { id } = await ativo(casa);
  const pedidos = (await casa.pedidos(id)).length;
  const dados = {
    dia_vencimento: 20,
    valor: '89.90',
    tipo_cobranca: 'pre_pago',
    endereco_instalacao: { cidade: 'Varginha' },
  };
  const { campos } = await alterar(casa, id, dados);
  t.deepEqual(campos.toSorted(), ['dia_vencimento', 'endereco_instalacao', 'tipo_cobranca', 'valor']);
  t.like(await casa.ler(id), { dia_vencimento: 20, valor: '89.90', tipo_cobranca: 'pre_pago', cidade: 'Varginha' });
  const linha = (await casa.historico(id)).at(-1)!;
  t.is(linha['acao'], 'alteracao');
  t.regex(linha['descricao'], /vencimento do dia 10 para o 20/);
  t.regex(linha['descricao'], /valor de 99\.90 para 89\.90/);
  t.like((await casa.eventos()).at(-1)!, { tipo: 'contrato.alterado', recurso_id: id });
  t.is((await casa.auditoria()).at(-1), 'contrato.alterado');
  t.is((await casa.pedidos(id)).length, pedidos);
  // Again nothing changes, and nothing tells of it.
  const antes = await casa.tudo();
  t.deepEqual((await alterar(casa, id, dados)).campos, []);
  t.deepEqual(await casa.tudo(), antes);
});

test('um login novo leva a senha e os grupos do velho, cujas sessões se encerram, e o velho fica livre', async (t) => {
  const casa = await criarCasa(api);
  const { id, login, senha } = await ativo(casa);
  await aplicar(casa);
  await casa.fabrica.nas(casa.provedor, '10.78.0.1');
  const aberta = { acctstarttime: '2026-11-20 14:00:00', acctupdatetime: '2026-11-20 14:55:00' };
  await casa.fabrica.sessao({ username: login, nasipaddress: '10.78.0.1', ...aberta });
  const outro = novo();
  t.deepEqual((await alterar(casa, id, { login: outro })).campos, ['login']);
  t.is((await casa.ler(id))['login'], outro);
  t.deepEqual(
    (await radius('radcheck', outro)).map(({ value }) => value),
    [senha],
  );
  t.true((await radius('radusergroup', outro)).some(({ groupname }) => groupname === `plano-${casa.plano}`));
  for (const tabela of ['radcheck', 'radusergroup']) t.deepEqual(await radius(tabela, login), []);
  await aplicar(casa);
  t.like(await casa.linhas('rede_desconexoes'), [{ contrato_id: id, estado: 'pendente' }]);
  // Whatever the history says of it, it says no login.
  t.is((await casa.historico(id)).at(-1)!['descricao'], 'Alterado: login.');
});

test('um login em uso é recusado também ao alterar; o próprio, em outra caixa, não', async (t) => {
  const [casa, outra] = [await criarCasa(api), await criarCasa(api)];
  const [meu, alheio] = [await ativo(casa), await ativo(outra)];
  await t.throwsAsync(alterar(casa, meu.id, { login: alheio.login }), { message: /^login: outro contrato usa/ });
  await alterar(casa, meu.id, { login: meu.login.toUpperCase() });
  t.is((await radius('radcheck', meu.login)).length, 1);
  await t.throwsAsync(alterar(casa, meu.id, { login: null }), { message: /^login: não pode ficar vazio/ });
});

test('a senha muda sem que se peça nada à rede, e em lugar nenhum se lê', async (t) => {
  const casa = await criarCasa(api);
  const { id, login } = await ativo(casa);
  const pedidos = (await casa.pedidos(id)).length;
  t.deepEqual((await alterar(casa, id, { senha: 'Outra#99' })).campos, ['senha']);
  t.deepEqual(
    (await radius('radcheck', login)).map(({ value }) => value),
    ['Outra#99'],
  );
  t.is((await casa.pedidos(id)).length, pedidos);
  t.false(JSON.stringify(await casa.tudo()).includes('Outra#99'));
});

test('a senha nova de quem não está ativo não abre a rede a um login importado e ainda não aplicado', async (t) => {
  const casa = await criarCasa(api);
  for (const situacao of ['pendente', 'bloqueado', 'inativo', 'cancelado'] as const) {
    for (const dados of [{ senha: 'Outra#98' }, { tipo_conexao: 'ipoe' }]) {
      const login = novo();
      const id = await casa.contrato({ ...EM[situacao], login });
      const importada = {
        provedor_id: casa.provedor,
        contrato_id: id,
        senha: Buffer.from('x'),
        criado_em: '2026-11-20',
      };
      await api.dono('importacao_senhas').insert(importada);
      await alterar(casa, id, dados);
      // A line that needs no password has a row that keeps PPP out, too.
      t.is((await radius('radcheck', login)).length, 'senha' in dados ? 1 : 2);
      t.like(await radius('radusergroup', login), [{ groupname: 'retirado' }], situacao);
      t.true((await api.dono('radgroupcheck').where({ groupname: 'retirado' })).length > 0);
      t.is((await casa.pedidos(id)).length, 1);
      t.deepEqual(await api.dono('importacao_senhas').where({ contrato_id: id }), []);
    }
  }
});

test('a senha de um login que outro provedor também tem não se troca: vale para os dois', async (t) => {
  const serra = { panel_host: 'painel.vale.net.br', nome: 'Vale' };
  const [casa, outra] = [await criarCasa(api, { provedor: serra }), await criarCasa(api)];
  const login = novo();
  const [id, alheio] = [await casa.contrato({ login }), await outra.contrato({ login: login.toUpperCase() })];
  await api.dono('radcheck').insert({ username: login, attribute: 'Cleartext-Password', op: ':=', value: 'dos dois' });
  for (const dados of [{ senha: 'Outra#97' }, { tipo_conexao: 'ipoe' }]) {
    await t.throwsAsync(alterar(casa, id, dados), {
      message: `login: outro contrato usa este login; use ${login}@vale.net.br`,
    });
  }
  t.like(await radius('radcheck', login), [{ value: 'dos dois' }]);
  // With a name of its own, or alone with the name, it can.
  await alterar(casa, id, { login: `${login}@vale.net.br`, senha: 'Outra#97' });
  t.like(await radius('radcheck', login), [{ value: 'dos dois' }]);
  t.like(await radius('radcheck', `${login}@vale.net.br`), [{ value: 'Outra#97' }]);
  await alterar(outra, alheio, { senha: 'Outra#96' });
  t.like(await radius('radcheck', login), [{ value: 'Outra#96' }]);
});

test('um login novo não apaga o que FreeRADIUS tem de outrem', async (t) => {
  const casa = await criarCasa(api);
  const { id } = await ativo(casa);
  const username = novo();
  await api.dono('radcheck').insert({ username, attribute: 'Cleartext-Password', op: ':=', value: 'alheia' });
  await t.throwsAsync(alterar(casa, id, { login: username }), { message: /^login: FreeRADIUS já tem/ });
  t.like(await radius('radcheck', username), [{ value: 'alheia' }]);
});

test('MAC, IP, prefixo e tipo de conexão pedem à rede que siga', async (t) => {
  const casa = await criarCasa(api);
  for (const dados of [{ mac: '02:00:00:00:00:77' }, { ip: '100.64.0.7' }, { ipv6_prefixo: '2001:db8:7::/56' }]) {
    const { id } = await ativo(casa);
    const pedidos = (await casa.pedidos(id)).length;
    await alterar(casa, id, dados);
    t.is((await casa.pedidos(id)).length, pedidos + 1, JSON.stringify(dados));
  }
  const { id, login } = await ativo(casa);
  await alterar(casa, id, { tipo_conexao: 'ipoe' });
  const semSenha = [
    { attribute: 'Framed-Protocol', op: '!*' },
    { attribute: 'Auth-Type', op: ':=', value: 'Accept' },
  ];
  t.like(await radius('radcheck', login), semSenha);
  // With another name it is let in as before, and by the old one nobody is.
  const outro = novo();
  await alterar(casa, id, { login: outro });
  t.deepEqual(await radius('radcheck', login), []);
  t.like(await radius('radcheck', outro), semSenha);
  const { senha = '' } = await alterar(casa, id, { tipo_conexao: 'pppoe' });
  t.regex(senha, /^\w{10}$/);
  t.like(await radius('radcheck', outro), [{ attribute: 'Cleartext-Password', value: senha }]);
  t.is((await radius('radcheck', outro)).length, 1);
});

test('um contrato sem login recebe um, que não entra antes que a rede o siga', async (t) => {
  const casa = await criarCasa(api);
  const id = await casa.contrato({ ...EM.pendente, login: null });
  const login = novo();
  const { senha = '' } = await alterar(casa, id, { login });
  t.like(await radius('radcheck', login), [{ value: senha }]);
  t.like(await radius('radusergroup', login), [{ groupname: 'retirado' }]);
  await t.throwsAsync(alterar(casa, await casa.contrato({ ...EM.pendente, login: null }), { senha: 'abcd1234' }), {
    message: 'senha: o contrato não tem login',
  });
});

test('um contrato cancelado em definitivo não muda', async (t) => {
  const casa = await criarCasa(api);
  const id = await casa.contrato(EM.cancelado_definitivo);
  await t.throwsAsync(alterar(casa, id, { dia_vencimento: 5 }), { message: /cancelado em definitivo/ });
});

test('a troca de plano leva o valor do novo, ou o que se diga, e a rede segue', async (t) => {
  const casa = await criarCasa(api);
  const outro = await casa.fabrica.plano(casa.provedor, { valor: '129.90' });
  for (const [dados, valor] of [
    [{}, '129.90'],
    [{ valor: '119.00' }, '119.00'],
  ] as const) {
    const { id } = await ativo(casa);
    const pedidos = (await casa.pedidos(id)).length;
    await casa.mudar(async ({ contratos }) => contratos.trocarPlano(id, { plano_id: outro, ...dados }));
    t.like(await casa.ler(id), { plano_id: outro, valor });
    t.is((await casa.pedidos(id)).length, pedidos + 1);
    t.is((await casa.historico(id)).at(-1)!['acao'], 'troca_de_plano');
    t.deepEqual((await casa.eventos()).at(-1), {
      tipo: 'contrato.plano_alterado',
      recurso_id: id,
      dados: { cliente: casa.cliente, plano_anterior: casa.plano, plano: outro, valor },
    });
  }
});

test('a troca recusa o plano de agora, um fora de venda, e o contrato cancelado', async (t) => {
  const casa = await criarCasa(api);
  const [outro, retirado] = [
    await casa.fabrica.plano(casa.provedor),
    await casa.fabrica.plano(casa.provedor, { ativo: 0 }),
  ];
  const trocar = async (id: number, plano_id: number) =>
    casa.mudar(async ({ contratos }) => contratos.trocarPlano(id, { plano_id }));
  await t.throwsAsync(trocar(await casa.contrato(), casa.plano), { message: /^plano_id: é o plano/ });
  await t.throwsAsync(trocar(await casa.contrato(), retirado), { message: /^plano_id: o plano não existe/ });
  for (const situacao of SITUACOES) {
    const id = await casa.contrato(EM[situacao]);
    if (situacao.startsWith('cancelado')) await t.throwsAsync(trocar(id, outro), { message: /não pode ir/ });
    else t.is((await trocar(id, outro)).planoId, outro);
  }
});

test('a troca de titular faz outro contrato, que fica com o login sem que o acesso saia no meio', async (t) => {
  const casa = await criarCasa(api);
  const { id, login } = await ativo(casa, {
    valor: '89.90',
    ip: '100.64.9.9',
    endereco_instalacao: { cidade: 'Lavras' },
  });
  await aplicar(casa);
  const antes = { check: await radius('radcheck', login), grupos: await radius('radusergroup', login) };
  const futura = await casa.fabrica.fatura(casa.provedor, {
    cliente_id: casa.cliente,
    contrato_id: id,
    vencimento: '2026-12-10',
  });
  const novoTitular = await casa.fabrica.cliente(casa.provedor, { situacao: 'pre_cadastro' });
  const troca = { cliente_id: novoTitular, faturas_futuras: 'cancelar', dia_vencimento: 5 };
  const trocar = async (dados: object) => casa.mudar(async ({ contratos }) => contratos.trocarTitular(id, dados));
  // Both have the same tax id, and nobody said that it is the same person.
  const naoTrocado = await casa.tudo();
  const erro = await t.throwsAsync(trocar(troca), { instanceOf: Recusa });
  t.like(erro, { motivo: 'confirmacao_exigida', detalhe: { registroId: casa.cliente } });
  t.deepEqual(await casa.tudo(), naoTrocado);
  const feito = await trocar({ ...troca, confirmado: true });
  t.like(feito, { anterior: id, clienteId: novoTitular, situacao: 'ativo', login });
  t.like(await casa.ler(id), { situacao: 'cancelado_definitivo', login: null, cliente_id: casa.cliente });
  t.like(await casa.ler(feito.id), {
    situacao: 'ativo',
    cliente_id: novoTitular,
    plano_id: casa.plano,
    login,
    valor: '89.90',
    ip: '100.64.9.9',
    cidade: 'Lavras',
    dia_vencimento: 5,
    ativado_em: '2026-11-20',
  });
  t.is(await casa.situacaoDoCliente(novoTitular), 'ativo');
  t.is((await casa.linhas('faturas', { id: futura }))[0]!['situacao'], 'cancelada');
  await aplicar(casa);
  t.deepEqual({ check: await radius('radcheck', login), grupos: await radius('radusergroup', login) }, antes);
  t.deepEqual(await casa.linhas('rede_desconexoes'), []);
  const tipos = (await casa.eventos()).map(({ tipo }) => tipo).slice(-4);
  t.deepEqual(tipos, ['contrato.cancelado', 'contrato.criado', 'fatura.cancelada', 'cliente.atualizado']);
  t.is((await casa.historico(id)).at(-1)!['acao'], 'troca_de_titular');
  await t.throwsAsync(
    casa.mudar(async ({ movimentos }) => movimentos.reativar(id, {})),
    { message: /não pode ir/ },
  );
});

test('o débito do titular de antes não é do novo; o bloqueio manual é da linha', async (t) => {
  const casa = await criarCasa(api);
  for (const [bloqueio_origem, situacao] of [
    ['financeiro', 'ativo'],
    ['manual', 'bloqueado'],
  ] as const) {
    const id = await casa.contrato({ ...EM.bloqueado, bloqueio_origem });
    const cliente_id = await casa.fabrica.cliente(casa.provedor);
    const feito = await casa.mudar(async ({ contratos }) =>
      contratos.trocarTitular(id, { cliente_id, faturas_futuras: 'manter' }),
    );
    t.is(feito.situacao, situacao);
    t.is((await casa.pedidos(feito.id)).length, bloqueio_origem === 'financeiro' ? 1 : 0);
    t.is(await casa.situacaoDoCliente(cliente_id), situacao);
  }
});

test('o que foi pedido à rede e ainda não se fez segue com o novo titular', async (t) => {
  const casa = await criarCasa(api);
  const { id } = await ativo(casa);
  const cliente_id = await casa.fabrica.cliente(casa.provedor);
  const feito = await casa.mudar(async ({ contratos }) =>
    contratos.trocarTitular(id, { cliente_id, faturas_futuras: 'manter' }),
  );
  t.is((await casa.pedidos(feito.id)).length, 1);
  await aplicar(casa);
  t.deepEqual(
    (await radius('radusergroup', feito.login!)).filter(({ groupname }) => groupname === `plano-${casa.plano}`).length,
    1,
  );
});

test('a troca recusa o mesmo titular, um cancelado ou alheio, e o contrato cancelado', async (t) => {
  const [casa, alheia] = [await criarCasa(api), await criarCasa(api)];
  const cancelado = await casa.fabrica.cliente(casa.provedor, { situacao: 'cancelado' });
  const bom = await casa.fabrica.cliente(casa.provedor);
  const trocar = async (id: number, cliente_id: number) =>
    casa.mudar(async ({ contratos }) => contratos.trocarTitular(id, { cliente_id, faturas_futuras: 'manter' }));
  const id = await casa.contrato();
  await t.throwsAsync(trocar(id, casa.cliente), { message: /^cliente_id: já é o titular/ });
  await t.throwsAsync(trocar(id, cancelado), { message: /^cliente_id: o cliente está cancelado/ });
  await t.throwsAsync(trocar(id, alheia.cliente), { message: /^cliente_id: o registro não existe/ });
  await t.throwsAsync(trocar(await casa.contrato(EM.cancelado), bom), { message: /não pode ir/ });
});

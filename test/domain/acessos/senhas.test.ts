import test from 'ava';
import { CamposInvalidos } from '../../../src/domain/erros.ts';
import { lerDocumento } from '../../../src/domain/acessos/entrada/entrada.service.ts';
import { fimDoToken } from '../../../src/domain/acessos/sessoes/sessoes.regras.ts';
import { porQueEFraca } from '../../../src/domain/usuarios/senha/julgamento.service.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { relogioEm } from '../../support/relogio.ts';
import { CPF, DE_ONDE, SENHA, criarAssinante, recusa } from './apoio.ts';

const AGORA = '2026-11-23T12:00:00.000Z';
const HORA = 3_600_000;
const relogio = relogioEm(AGORA);
let api: Api;
test.before(async () => {
  api = await criarApi({ relogio });
});
test.after.always(async () => api.fechar());
test.beforeEach(() => relogio.definir(AGORA));

const MARIA = {
  nome: 'Maria da Silva',
  email: 'maria.silva@gmail.com',
  provedor: 'Serra Azul Telecom',
  numeros: [CPF, '1980-01-31', '35999990001'],
};
for (const fraca of [
  'curta77',
  'password1',
  'corvette',
  'iloveyou2',
  '12345678',
  'qwertyuiop',
  'aaaaaaaa',
  'abcabcabc',
  CPF,
  '52998224',
  'x98224725',
  '31011980',
  'maria1980',
  'Maria!3101',
  '99999-0001',
  'serraazul1',
  'silva@gmail',
  'x'.repeat(129),
]) {
  test(`${fraca.slice(0, 20)} é fraca para quem a escolhe`, async (t) => {
    t.is(typeof (await porQueEFraca(fraca, MARIA, 'assinante')), 'string');
  });
}
for (const boa of ['jabuti roxo', '83025719', 'três tigres', 'kx7Rm2pq', '日本語のパスワード']) {
  test(`${boa} serve`, async (t) => t.is(await porQueEFraca(boa, MARIA, 'assinante'), null));
}

test.serial('um código escolhe a senha uma vez, entra, e encerra as outras sessões', async (t) => {
  const c = await criarAssinante(api, { senha: false });
  await recusa(t, c.entrar(), 'credenciais_incorretas');
  const { codigo, expiraEm, telefones } = await c.gerar();
  t.regex(codigo, /^\d{8}$/);
  t.is(expiraEm.toISOString(), '2026-11-24T12:00:00.000Z');
  t.deepEqual(telefones, ['35999990001']);
  const entrada = await c.definir(`${codigo.slice(0, 4)} ${codigo.slice(4)}`);
  t.like(entrada, { trocarSenha: false, quem: { tipo: 'cliente', id: c.cliente, nome: 'Maria da Silva' } });
  t.like((await c.registro(entrada)).quem, { tipo: 'cliente', cpfCnpj: CPF });
  await recusa(t, c.definir(codigo, 'outra qualquer 88'), 'codigo_incorreto');
  const outra = await c.entrar();
  await c.definir((await c.gerar()).codigo, 'outra qualquer 88');
  t.is(fimDoToken(await c.registro(outra), relogio.agora()), 'sessao_encerrada');
  await recusa(t, c.entrar(), 'credenciais_incorretas');
  t.deepEqual(await c.auditoria(), [
    'acesso.codigo_gerado',
    'acesso.senha_definida',
    'acesso.aparelho_novo',
    'acesso.codigo_gerado',
    'acesso.senha_definida',
  ]);
  const linhas = JSON.stringify(await api.dono('auditoria').where('provedor_id', c.provedor.id));
  t.false(linhas.includes(codigo));
  t.like(await api.dono('auditoria').where('provedor_id', c.provedor.id).orderBy('id', 'desc').first(), {
    autor: 'App',
    ator_tipo: 'assinante',
    ator_id: c.cliente,
    ip: DE_ONDE.ip,
    requisicao_id: DE_ONDE.requestId,
  });
});

test.serial('a senha fraca, ou a de antes, não gasta o código', async (t) => {
  const c = await criarAssinante(api);
  const { codigo } = await c.gerar();
  await recusa(t, c.definir(codigo, 'maria silva 1'), 'senha_fraca');
  await recusa(t, c.definir(codigo, SENHA), 'senha_repetida');
  await t.throwsAsync(c.definir(codigo, 12), { instanceOf: CamposInvalidos });
  t.is((await c.definir(codigo, 'outra qualquer 88')).quem.id, c.cliente);
});

test.serial('um código morre na quinta tentativa errada, no seu tempo, e com o que vem depois dele', async (t) => {
  const c = await criarAssinante(api);
  const errado = (codigo: string): string => (codigo === '11112222' ? '22221111' : '11112222');
  const { codigo } = await c.gerar();
  for (let n = 0; n < 4; n += 1) await recusa(t, c.definir(errado(codigo), 'nova senha 1234x'), 'codigo_incorreto');
  await c.definir(codigo, 'nova senha 1234x');
  relogio.avancar(HORA);
  const segundo = await c.gerar();
  for (let n = 0; n < 5; n += 1) await recusa(t, c.definir(errado(segundo.codigo)), 'codigo_incorreto');
  await recusa(t, c.definir(segundo.codigo), 'codigo_incorreto');
  const terceiro = await c.gerar();
  relogio.avancar(24 * HORA);
  await recusa(t, c.definir(terceiro.codigo), 'codigo_incorreto');
  const [quarto, quinto] = [await c.gerar(), await c.gerar()];
  await recusa(t, c.definir(quarto.codigo), 'codigo_incorreto');
  t.is((await c.definir(quinto.codigo)).quem.id, c.cliente);
});

test.serial('três códigos na hora e dez no dia, os do provedor contados à parte dos que se pedem', async (t) => {
  const c = await criarAssinante(api);
  await c.gerar();
  await c.gerar(c.cliente, 'integracao');
  await recusa(t, c.gerar(), 'limite_de_codigos');
  for (let hora = 0; hora < 3; hora += 1) {
    relogio.avancar(HORA);
    for (let n = 0; n < (hora === 2 ? 1 : 3); n += 1) await c.gerar();
  }
  relogio.avancar(HORA);
  await recusa(t, c.gerar(), 'limite_de_codigos');
  relogio.avancar(20 * HORA);
  t.is((await c.gerar()).codigo.length, 8);
});

test.serial('quem só se pré-cadastrou não alcança nada, e um cancelado alcança', async (t) => {
  const c = await criarAssinante(api, { senha: false });
  await api.dono('clientes').where('id', c.cliente).update({ situacao: 'pre_cadastro' });
  await recusa(t, c.gerar(), 'acesso_indisponivel');
  await recusa(t, c.gerar(987_654_321), 'nao_encontrado');
  await api.dono('clientes').where('id', c.cliente).update({ situacao: 'cancelado' });
  await c.definir((await c.gerar()).codigo);
  t.is((await c.entrar()).quem.id, c.cliente);
  const novo = await c.fabrica.cliente(c.provedor.id, { cpf_cnpj: CPF, nome: 'Maria de novo' });
  t.like((await c.entrar()).quem, { id: novo, nome: 'Maria de novo' });
  await c.fabrica.cliente(c.provedor.id, { cpf_cnpj: CPF, nome: 'Estranho', situacao: 'pre_cadastro' });
  t.is((await c.entrar()).quem.id, novo);
  await api.dono('app_acessos').where('provedor_id', c.provedor.id).update({ desativado_em: '2026-11-23' });
  await recusa(t, c.entrar(), 'credenciais_incorretas');
  await recusa(t, c.gerar(), 'acesso_indisponivel');
});

test.serial('quem troca a senha diz a de antes, fica na sua sessão, e as outras terminam', async (t) => {
  const c = await criarAssinante(api);
  await api.dono('app_acessos').where('provedor_id', c.provedor.id).update({ trocar_senha: 1 });
  const [esta, outra] = [await c.entrar(), await c.entrar()];
  t.true(esta.trocarSenha);
  const { app } = api.container;
  const registro = await c.registro(esta);
  const trocar = async (atual: string, nova: unknown) => app.trocar(registro, { atual, nova }, DE_ONDE);
  await recusa(t, trocar('errada', 'outra qualquer 88'), 'credenciais_incorretas');
  await recusa(t, trocar(SENHA, SENHA), 'senha_repetida');
  await recusa(t, trocar(SENHA, '12345678'), 'senha_fraca');
  t.deepEqual(await trocar(SENHA, 'outra qualquer 88'), { encerradas: 2 });
  t.is(fimDoToken(await c.registro(outra), relogio.agora()), 'sessao_encerrada');
  const depois = await c.registro(esta);
  t.is(fimDoToken(depois, relogio.agora()), null);
  t.like(depois.quem, { trocarSenha: false });
  t.false((await c.entrar('outra qualquer 88')).trocarSenha);
});

test.serial('um CPF que não é, um de ninguém e uma senha errada se respondem como cada um se responde', async (t) => {
  const c = await criarAssinante(api);
  t.is(lerDocumento('529.982.247-25'), CPF);
  for (const mal of ['529.982.247-26', '123', '', null, 52998224725]) {
    const erro = t.throws(() => lerDocumento(mal), { instanceOf: CamposInvalidos });
    t.is(erro.faltas[0]?.codigo, 'cpf_cnpj_invalido');
  }
  await recusa(t, c.entrar('errada'), 'credenciais_incorretas');
  await recusa(t, c.entrar(SENHA, '11144477735'), 'credenciais_incorretas');
  await recusa(t, c.entrar('x'.repeat(600)), 'credenciais_incorretas');
});

test.serial('o aparelho conhecido se conta por si, só do seu CPF e do seu provedor', async (t) => {
  const c = await criarAssinante(api);
  const { app } = api.container;
  const { aparelhoConhecido } = await c.entrar();
  const conta = (cpfCnpj: string, aparelho: string | undefined, provedorId = c.provedor.id): string =>
    app.contaDe({ cpfCnpj, aparelhoConhecido: aparelho }, provedorId);
  t.regex(conta(CPF, aparelhoConhecido), /^aparelho /);
  t.is(conta(CPF, undefined), `cliente ${CPF}`);
  t.is(conta(CPF, `${aparelhoConhecido.slice(0, -1)}${aparelhoConhecido.endsWith('A') ? 'E' : 'A'}`), `cliente ${CPF}`);
  t.is(conta('11144477735', aparelhoConhecido), 'cliente 11144477735');
  t.is(conta(CPF, aparelhoConhecido, c.provedor.id + 1), `cliente ${CPF}`);
  const deNovo = await app.entrar(c.provedor, {
    cpfCnpj: CPF,
    senha: SENHA,
    ...DE_ONDE,
    aparelho: null,
    aparelhoConhecido,
  });
  t.is(deNovo.aparelhoConhecido, aparelhoConhecido);
  t.not((await c.entrar()).aparelhoConhecido, aparelhoConhecido);
});

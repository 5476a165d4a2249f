import test from 'ava';
import type { ExecutionContext } from 'ava';
import { generateSync } from 'otplib';
import { TERMINAL, atorDoUsuario } from '../../../src/domain/actor.ts';
import { CamposInvalidos, Recusa } from '../../../src/domain/erros.ts';
import type { MotivoDeRecusa } from '../../../src/domain/erros.ts';
import { lerSessao } from '../../../src/domain/usuarios/sessoes/sessao.ts';
import { estadoDaSessao, provaRecente } from '../../../src/domain/usuarios/sessoes/sessoes.regras.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { DE_ONDE, SENHA, criarEquipe } from './apoio.ts';

let agora = new Date('2026-11-23T12:00:00.000Z');
const relogio = { agora: () => agora };
const passar = (minutos: number): void => void (agora = new Date(agora.getTime() + minutos * 60_000));

let api: Api;
test.before(async () => {
  api = await criarApi({ relogio });
});
test.after.always(async () => api.fechar());

async function recusa(t: ExecutionContext, feito: Promise<unknown>, motivo: MotivoDeRecusa): Promise<void> {
  const erro = await t.throwsAsync(feito, { instanceOf: Recusa });
  t.is(erro.motivo, motivo);
}
const codigo = (segredo: string): string => generateSync({ secret: segredo, epoch: agora.getTime() / 1000 });

test.serial('por convite alguém escolhe a senha uma vez, entra, e a sessão diz quem é e o que pode', async (t) => {
  const { usuarios } = api.container;
  const c = await criarEquipe(api);
  const dados = { email: 'Ana@Malha.test', nome: 'Ana', perfil_id: c.perfilId('tecnico') };
  const { token, url, enviado } = await usuarios.convidar(TERMINAL, c.provedor, dados);
  t.is(url, `https://${c.provedor.panelHost}/painel/convite/${token}`);
  t.false(enviado);
  await recusa(t, c.entrar('ana@malha.test'), 'credenciais_incorretas');
  await t.throwsAsync(usuarios.aceitar(c.provedor, token, { senha: 'curta' }, DE_ONDE), {
    instanceOf: CamposInvalidos,
  });
  await usuarios.aceitar(c.provedor, token, { senha: SENHA, nome: 'Ana Lima' }, DE_ONDE);
  await recusa(t, usuarios.aceitar(c.provedor, token, { senha: SENHA }, DE_ONDE), 'link_invalido');
  const entrada = await c.entrar(' ANA@malha.test ');
  t.is(entrada.proximo, 'pronta');
  const registro = await c.registro(entrada.texto);
  t.is(registro.usuario.nome, 'Ana Lima');
  t.true(registro.perfil.permissoes.includes('clientes.ver'));
  t.false(registro.perfil.permissoes.includes('chaves.gerir'));
  t.is(lerSessao(entrada.texto)?.provedorId, c.provedor.id);
  t.deepEqual(await c.auditoria(), ['usuario.convidado', 'usuario.criado', 'sessao.iniciada']);
});

test.serial('um convite vale 72 horas, e um link de senha 30 minutos', async (t) => {
  const { usuarios } = api.container;
  const c = await criarEquipe(api);
  const dados = { email: 'b@malha.test', nome: 'Bia', perfil_id: c.perfilId('tecnico') };
  const convite = await usuarios.convidar(TERMINAL, c.provedor, dados);
  passar(72 * 60 + 1);
  t.is(await usuarios.abrirLink(c.provedor.id, convite.token), null);
  const { id, email } = await c.usuario();
  const link = await usuarios.redefinirSenha(TERMINAL, c.provedor, id);
  t.is((await usuarios.abrirLink(c.provedor.id, link.token))?.email, email);
  await recusa(t, usuarios.aceitar(c.provedor, link.token, { senha: SENHA }, DE_ONDE), 'senha_repetida');
  passar(31);
  await recusa(
    t,
    usuarios.aceitar(c.provedor, link.token, { senha: 'outra coruja de ferro' }, DE_ONDE),
    'link_invalido',
  );
});

test.serial('senha errada e e-mail desconhecido são recusados igual, e a quinta falha fica na auditoria', async (t) => {
  const c = await criarEquipe(api);
  const { email } = await c.usuario();
  const errada = await t.throwsAsync(c.entrar(email, 'errada'), { instanceOf: Recusa });
  const ninguem = await t.throwsAsync(c.entrar('ninguem@malha.test'), { instanceOf: Recusa });
  t.is(errada.message, ninguem.message);
  for (let i = 0; i < 4; i += 1) await recusa(t, c.entrar(email, 'errada'), 'credenciais_incorretas');
  t.is((await c.auditoria()).filter((acao) => acao === 'sessao.falhou').length, 1);
});

test.serial('o administrador cadastra o segundo fator antes de mais nada; cada código serve uma vez', async (t) => {
  const { fatores, sessoes } = api.container;
  const c = await criarEquipe(api);
  const pessoa = await c.usuario('administrador');
  const ator = atorDoUsuario(pessoa, DE_ONDE);
  const primeira = await c.entrar(pessoa.email);
  t.is(primeira.proximo, 'cadastrar_fator');
  const antes = await c.registro(primeira.texto);
  const { fatorId, segredo, endereco } = await fatores.iniciarTotp(ator, antes, { nome: 'Celular' });
  t.regex(endereco, /^otpauth:\/\/totp\//);
  await recusa(t, fatores.confirmarTotp(ator, antes, fatorId, '000000'), 'codigo_incorreto');
  const usado = codigo(segredo);
  const { texto, codigos } = await fatores.confirmarTotp(ator, antes, fatorId, usado);
  t.is(codigos?.length, 10);
  t.is(await sessoes.buscarPorHash(antes.sessao.hash), null);
  t.is(estadoDaSessao(await c.registro(texto), agora), 'pronta');

  const segunda = await c.entrar(pessoa.email);
  t.is(segunda.proximo, 'segundo_fator');
  const meio = await c.registro(segunda.texto);
  await recusa(t, fatores.iniciarTotp(ator, meio, { nome: 'Outro' }), 'sessao_encerrada');
  await recusa(t, sessoes.confirmarFator(meio, { codigo: usado }, DE_ONDE), 'codigo_incorreto');
  passar(1);
  const feita = await sessoes.confirmarFator(meio, { codigo: codigo(segredo) }, DE_ONDE);
  t.is(estadoDaSessao(await c.registro(feita.texto), agora), 'pronta');
  t.is(await sessoes.buscarPorHash(meio.sessao.hash), null);

  const recuperacao = codigos?.[0] ?? '';
  const terceira = await c.registro((await c.entrar(pessoa.email)).texto);
  await sessoes.confirmarFator(terceira, { codigo: recuperacao.toUpperCase() }, DE_ONDE);
  const quarta = await c.registro((await c.entrar(pessoa.email)).texto);
  await recusa(t, sessoes.confirmarFator(quarta, { codigo: recuperacao }, DE_ONDE), 'codigo_incorreto');
  const [{ segredo: guardado }] = await api.dono('usuarios_fatores').where('usuario_id', pessoa.id);
  t.false((guardado as Buffer).toString('latin1').includes(segredo));
});

test.serial('a sessão termina ociosa ou ao fim de doze horas; a prova vale dez minutos', async (t) => {
  const { sessoes } = api.container;
  const c = await criarEquipe(api);
  const { email } = await c.usuario();
  const { texto } = await c.entrar(email);
  t.true(provaRecente((await c.registro(texto)).sessao, agora));
  passar(11);
  t.false(provaRecente((await c.registro(texto)).sessao, agora));
  await recusa(t, sessoes.provar(await c.registro(texto), { senha: 'errada' }, DE_ONDE), 'prova_incorreta');
  await sessoes.provar(await c.registro(texto), { senha: SENHA }, DE_ONDE);
  t.true(provaRecente((await c.registro(texto)).sessao, agora));
  for (let horas = 0; horas < 3; horas += 1) {
    passar(225);
    const registro = await c.registro(texto);
    t.is(estadoDaSessao(registro, agora), 'pronta');
    await sessoes.ver(registro);
  }
  passar(40);
  t.is(estadoDaSessao(await c.registro(texto), agora), 'vencida');
  const outra = await c.entrar(email);
  passar(240);
  t.is(estadoDaSessao(await c.registro(outra.texto), agora), 'vencida');
});

test.serial('trocar a senha deixa uma só sessão, com outro texto', async (t) => {
  const { usuarios, sessoes } = api.container;
  const c = await criarEquipe(api);
  const { id, email } = await c.usuario();
  const outra = await c.registro((await c.entrar(email)).texto);
  const esta = await c.registro((await c.entrar(email)).texto);
  const nova = 'tatu-bola em cima do muro';
  await recusa(t, usuarios.trocar(esta, { atual: 'errada', nova }, DE_ONDE), 'prova_incorreta');
  const { texto } = await usuarios.trocar(esta, { atual: SENHA, nova }, DE_ONDE);
  t.is(estadoDaSessao(await c.registro(texto), agora), 'pronta');
  t.is(await sessoes.buscarPorHash(esta.sessao.hash), null);
  t.not((await sessoes.buscarPorHash(outra.sessao.hash))?.sessao.encerradaEm, null);
  t.is((await sessoes.listar(c.provedor.id, id)).length, 1);
  await recusa(t, c.entrar(email), 'credenciais_incorretas');
  await c.entrar(email, nova);
});

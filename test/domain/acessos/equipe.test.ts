import test from 'ava';
import { generateSync } from 'otplib';
import { TERMINAL, atorDoUsuario } from '../../../src/domain/actor.ts';
import { fimDoToken } from '../../../src/domain/acessos/sessoes/sessoes.regras.ts';
import { lerToken } from '../../../src/domain/acessos/sessoes/token.regras.ts';
import type { PerfilDeFabrica } from '../../../src/domain/usuarios/permissoes.regras.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { relogioEm } from '../../support/relogio.ts';
import { SENHA, criarEquipe } from '../usuarios/apoio.ts';
import { CPF, DE_ONDE, recusa } from './apoio.ts';

const AGORA = '2026-11-23T12:00:00.000Z';
const HORA = 3_600_000;
const relogio = relogioEm(AGORA);
let api: Api;
test.before(async () => {
  api = await criarApi({ relogio });
});
test.after.always(async () => api.fechar());
test.beforeEach(() => relogio.definir(AGORA));

const codigoDe = (segredo: string): string =>
  generateSync({ secret: segredo, epoch: relogio.agora().getTime() / 1000 });

async function cenario(perfil: PerfilDeFabrica = 'tecnico') {
  const c = await criarEquipe(api);
  const { usuarios, app } = api.container;
  const pessoa = await c.usuario(perfil);
  await usuarios.alterar(TERMINAL, c.provedor.id, pessoa.id, { cpf: '529.982.247-25' });
  const entrar = async (codigo?: string, senha = SENHA, cpf = CPF) =>
    app.entrarNoApp(c.provedor, { cpf, senha, codigo, ...DE_ONDE, aparelho: 'Moto G' });
  const registro = async (access: string) => {
    const achado = await app.buscarPorHash(lerToken('at', access)?.hash ?? '');
    if (achado === null) throw new Error('sem sessão');
    return achado;
  };
  const fim = async (access: string) => fimDoToken(await registro(access), relogio.agora());
  return { ...c, pessoa, entrar, registro, fim, entrarNoPainel: c.entrar, registroDoPainel: c.registro };
}

test.serial('a equipe entra pelo CPF do seu cadastro, com o que o perfil permite, por 12 horas e 7 dias', async (t) => {
  const c = await cenario();
  const entrada = await c.entrar();
  t.like(entrada, { trocarSenha: false, quem: { tipo: 'equipe', id: c.pessoa.id, nome: c.pessoa.nome } });
  const { quem } = await c.registro(entrada.access);
  t.true(quem.tipo === 'equipe' && quem.permissoes.includes('chamados.atender'));
  t.false(quem.tipo === 'equipe' && quem.permissoes.includes('chaves.gerir'));
  t.is((await c.auditoria()).at(-1), 'sessao.iniciada');
  await recusa(t, c.entrar(undefined, 'errada'), 'credenciais_incorretas');
  await recusa(t, c.entrar(undefined, SENHA, '11144477735'), 'credenciais_incorretas');
  const { app } = api.container;
  let { refresh } = entrada;
  for (let n = 0; n < 14; n += 1) {
    relogio.avancar(12 * HORA - 1);
    ({ refresh } = await app.renovar(c.provedor.id, refresh, DE_ONDE));
  }
  relogio.avancar(14);
  await recusa(t, app.renovar(c.provedor.id, refresh, DE_ONDE), 'sessao_encerrada');
});

test.serial('com segundo fator falta o código, que vale uma vez; sem um que o perfil exige não se entra', async (t) => {
  const c = await cenario('administrador');
  await recusa(t, c.entrar(), 'segundo_fator_ausente');
  await recusa(t, c.entrar(undefined, 'errada'), 'credenciais_incorretas');
  const { fatores } = api.container;
  const registro = await c.registroDoPainel((await c.entrarNoPainel(c.pessoa.email)).texto);
  const ator = atorDoUsuario(c.pessoa, DE_ONDE);
  const { fatorId, segredo } = await fatores.iniciarTotp(ator, registro, { nome: 'Celular' });
  const { codigos } = await fatores.confirmarTotp(ator, registro, fatorId, codigoDe(segredo));
  relogio.avancar(60_000);
  await recusa(t, c.entrar(), 'segundo_fator_exigido');
  await recusa(t, c.entrar('000000'), 'codigo_incorreto');
  const codigo = codigoDe(segredo);
  t.is(await c.fim((await c.entrar(codigo)).access), null);
  await recusa(t, c.entrar(codigo), 'codigo_incorreto');
  const [recuperacao = ''] = codigos ?? [];
  t.is(await c.fim((await c.entrar(recuperacao)).access), null);
  await recusa(t, c.entrar(recuperacao), 'codigo_incorreto');
});

test.serial('quem é desativado, muda de perfil ou de senha sai também do app', async (t) => {
  const c = await cenario();
  const { usuarios, sessoes } = api.container;
  const ator = atorDoUsuario(c.pessoa, DE_ONDE);
  const primeira = await c.entrar();
  t.is(await sessoes.encerrar(ator, c.provedor.id, c.pessoa.id), 1);
  t.is(await c.fim(primeira.access), 'sessao_encerrada');
  const segunda = await c.entrar();
  await usuarios.alterar(TERMINAL, c.provedor.id, c.pessoa.id, { perfil_id: c.perfilId('atendimento') });
  t.is(await c.fim(segunda.access), 'sessao_encerrada');
  await usuarios.alterar(TERMINAL, c.provedor.id, c.pessoa.id, { perfil_id: c.perfilId('tecnico') });
  const terceira = await c.entrar();
  await usuarios.desativar(TERMINAL, c.provedor.id, c.pessoa.id);
  t.is(await c.fim(terceira.access), 'sessao_encerrada');
  await recusa(t, c.entrar(), 'credenciais_incorretas');
});

test.serial('um CPF é de um só da equipe, e sai de quem se diz que não o tem', async (t) => {
  const c = await cenario();
  const { usuarios } = api.container;
  const outro = await c.usuario();
  const mudar = async (cpf: string | null) => usuarios.alterar(TERMINAL, c.provedor.id, outro.id, { cpf });
  await recusa(t, mudar(CPF), 'cpf_em_uso');
  await t.throwsAsync(mudar('11.222.333/0001-81'), { message: /CPF, de 11 dígitos/ });
  await t.throwsAsync(mudar('52998224726'), { message: /verificadores/ });
  await usuarios.alterar(TERMINAL, c.provedor.id, c.pessoa.id, { cpf: null });
  t.deepEqual(await mudar(CPF), ['cpf']);
  t.is((await c.entrar()).quem.id, outro.id);
});

import test from 'ava';
import { generateSync } from 'otplib';
import { TERMINAL } from '../../../src/domain/actor.ts';
import type { PerfilDeFabrica } from '../../../src/domain/usuarios/permissoes.regras.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { ate } from '../../support/espera.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import { SENHA_DO_PAINEL as SENHA, abrirPainel } from '../../support/painel.ts';
import type { NavegadorSimples } from '../../support/painel.ts';
import { relogioEm } from '../../support/relogio.ts';

const relogio = relogioEm('2026-11-23T12:00:00Z');
let api: Api;
test.before(async () => {
  api = await criarApi({ relogio });
});
test.after.always(async () => api.fechar());

let serie = 0;

/** Somebody of a provider of whose people second factors are asked. */
async function pessoa(perfil: PerfilDeFabrica = 'administrador') {
  const { usuarios, perfis, provedores } = api.container;
  const provedor = await provedores.exigirPorId(await criarFabrica(api.dono).provedor());
  const perfil_id = (await perfis.listar(provedor.id)).find(({ deFabrica }) => deFabrica === perfil)?.id ?? 0;
  const email = `fator${(serie += 1)}@malha.test`;
  const convite = await usuarios.convidar(TERMINAL, provedor, { email, nome: 'Ana', perfil_id });
  return { provedor, email, convite, painel: abrirPainel(api, provedor.panelHost) };
}

const escondido = (texto: string, nome: string): string =>
  new RegExp(`name="${nome}" value="([^"]*)"`).exec(texto)?.[1] ?? '';
const codigo = (segredo: string): string => generateSync({ secret: segredo, epoch: relogio.agora().getTime() / 1000 });

async function aceitar(painel: NavegadorSimples, token: string): Promise<void> {
  const { status } = await painel.post(`/convite/${token}`, { nome: 'Ana Lima', senha: SENHA });
  if (status !== 303) throw new Error(`${status}`);
}

// First, because what it begins goes on after the answer: the service must not be closed meanwhile.
test.serial('quem esqueceu a senha recebe a mesma resposta, seja ou não usuário', async (t) => {
  const { painel, convite, email, provedor } = await pessoa('tecnico');
  await aceitar(painel, convite.token);
  t.is((await painel.get('/esqueci')).status, 200);
  const conhecido = await painel.post('/esqueci', { email });
  const ninguem = await painel.post('/esqueci', { email: 'x@malha.test' });
  t.is(conhecido.texto, ninguem.texto);
  t.is(conhecido.status, 200);
  const links = async (): Promise<number> =>
    (await api.dono('usuarios_convites').where({ provedor_id: provedor.id, tipo: 'senha' })).length;
  await ate(async () => (await links()) === 1);
});

test.serial('o convite é aberto, recusa a senha fraca ao lado do campo, e vale uma vez', async (t) => {
  const { painel, convite, email } = await pessoa();
  const pagina = await painel.get(`/convite/${convite.token}`);
  t.is(pagina.status, 200);
  t.true(pagina.texto.includes(email));
  const fraca = await painel.post(`/convite/${convite.token}`, { nome: 'Ana Lima', senha: 'fraquinha' });
  t.is(fraca.status, 422);
  t.regex(fraca.texto, /id="campo-senha-falta"/);
  t.true(fraca.texto.includes('value="Ana Lima"'));
  t.false(fraca.texto.includes('fraquinha'));
  const feita = await painel.post(`/convite/${convite.token}`, { nome: 'Ana Lima', senha: SENHA });
  t.is(feita.headers['location'], '/painel/entrar?feito=senha_escolhida');
  t.is((await painel.get(`/convite/${convite.token}`)).status, 410);
  t.is((await painel.post(`/convite/${convite.token}`, { nome: 'x', senha: SENHA })).status, 410);
  t.is((await painel.get('/senha/inventado')).status, 410);
});

test.serial(
  'o administrador só vai adiante com um segundo fator, que cadastra sem script, e recebe dez códigos',
  async (t) => {
    const { painel, convite, email } = await pessoa();
    await aceitar(painel, convite.token);
    const entrou = await painel.post('/entrar', { email, senha: SENHA });
    t.is(entrou.headers['location'], '/painel/entrar/novo-fator');
    t.is((await painel.get('/conta')).headers['location'], '/painel/entrar/novo-fator');
    const escolha = await painel.get('/entrar/novo-fator');
    t.is(escolha.status, 200);
    t.false(escolha.texto.includes('class="lateral"'), 'sem o menu de quem já entrou');
    const app = await painel.post('/entrar/novo-fator/app', { nome: 'Celular' });
    t.regex(app.texto, /class="qr"/);
    const campos = { fator_id: escondido(app.texto, 'fator_id'), segredo: escondido(app.texto, 'segredo') };
    const errado = await painel.post('/entrar/novo-fator/codigo', { ...campos, codigo: '000000' });
    t.is(errado.status, 422);
    t.regex(errado.texto, /class="qr"/);
    t.is(escondido(errado.texto, 'segredo'), campos.segredo);
    const antes = painel.cookie;
    const certo = await painel.post('/entrar/novo-fator/codigo', { ...campos, codigo: codigo(campos.segredo) });
    t.is(certo.status, 200);
    const codigos = [...certo.texto.matchAll(/<li>([0-9a-z-]{19})<\/li>/g)].map(([, um = '']) => um);
    t.is(codigos.length, 10);
    t.not(painel.cookie, antes);
    t.is((await painel.get('/conta')).status, 200);

    relogio.avancar(60_000);
    await painel.post('/sair');
    const denovo = await painel.post('/entrar', { email, senha: SENHA, volta: '/conta' });
    t.is(denovo.headers['location'], '/painel/entrar/fator?volta=%2Fconta');
    t.is((await painel.get('/conta')).headers['location'], '/painel/entrar/fator');
    t.is((await painel.post('/entrar/fator', { codigo: '123456', volta: '/conta' })).status, 422);
    const feito = await painel.post('/entrar/fator', { codigo: codigo(campos.segredo), volta: '/conta' });
    t.is(feito.headers['location'], '/painel/conta');
    t.is((await painel.get('/conta')).status, 200);

    await painel.post('/sair');
    await painel.post('/entrar', { email, senha: SENHA });
    t.is((await painel.post('/entrar/fator', { codigo: codigos[0] ?? '' })).status, 303);
    await painel.post('/sair');
    await painel.post('/entrar', { email, senha: SENHA });
    t.is((await painel.post('/entrar/fator', { codigo: codigos[0] ?? '' })).status, 422);
  },
);

test.serial('no diálogo, quem tem segundo fator o dá ali mesmo, e a página fica', async (t) => {
  const { painel, convite, email } = await pessoa();
  await aceitar(painel, convite.token);
  const noDialogo = { 'HX-Request': 'true', 'HX-Target': 'dialog#entrar-de-novo' };
  const cadastrar = await painel.post('/entrar', { email, senha: SENHA, de_novo: 'sim' }, noDialogo);
  t.is(cadastrar.status, 200);
  t.regex(cadastrar.texto, /Falta cadastrar um segundo fator/);
  const app = await painel.post('/entrar/novo-fator/app', { nome: 'Celular' });
  const segredo = escondido(app.texto, 'segredo');
  const campos = { fator_id: escondido(app.texto, 'fator_id'), segredo };
  await painel.post('/entrar/novo-fator/codigo', { ...campos, codigo: codigo(segredo) });
  await painel.post('/sair');
  relogio.avancar(60_000);
  const senha = await painel.post('/entrar', { email, senha: SENHA, de_novo: 'sim' }, noDialogo);
  t.regex(senha.texto, /Falta o segundo fator/);
  const errado = await painel.post('/entrar/fator', { codigo: '000000', de_novo: 'sim' }, noDialogo);
  t.is(errado.status, 422);
  t.regex(errado.texto, /não confere/);
  const certo = await painel.post('/entrar/fator', { codigo: codigo(segredo), de_novo: 'sim' }, noDialogo);
  t.is(certo.headers['hx-trigger'], 'sessao-renovada');
  t.is((await painel.get('/conta')).status, 200);
});

test.serial(
  'a sexta tentativa espera, dita em palavras, também com a senha certa e para quem não existe',
  async (t) => {
    const { painel, convite, email, provedor } = await pessoa('tecnico');
    await aceitar(painel, convite.token);
    const tentar = async (quem: string, senha: string, headers = {}) =>
      abrirPainel(api, provedor.panelHost).post('/entrar', { email: quem, senha }, headers);
    for (const quem of [email, 'ninguem@malha.test']) {
      for (let n = 0; n < 5; n += 1) t.is((await tentar(quem, 'errada')).status, 422);
      const espera = await tentar(quem, SENHA);
      t.is(espera.status, 429);
      t.is(espera.headers['retry-after'], '60');
      t.regex(espera.texto, /espere 1 minuto/);
    }
    const noDialogo = { 'HX-Request': 'true', 'HX-Target': 'dialog#entrar-de-novo' };
    t.is((await tentar(email, SENHA, noDialogo)).headers['hx-retarget'], '#recusas-da-entrada');
  },
);

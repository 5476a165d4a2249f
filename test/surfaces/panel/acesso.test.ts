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
import { abrirSmtp } from '../../support/smtp.ts';

const relogio = relogioEm('2026-11-23T12:00:00Z');
let api: Api;
let smtp: Awaited<ReturnType<typeof abrirSmtp>>;
test.before(async () => {
  smtp = await abrirSmtp();
  api = await criarApi({ relogio, env: { MALHA_SMTP_URL: smtp.url, MALHA_EMAIL_DE: 'Malha <painel@malha.test>' } });
});
test.after.always(async () => {
  await api.fechar();
  await smtp.fechar();
});

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
    t.is((await painel.get('/conta')).headers['location'], '/painel/entrar/novo-fator?volta=%2Fconta');
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
    t.is((await painel.get('/conta')).headers['location'], '/painel/entrar/fator?volta=%2Fconta');
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

const DE_FORA = ['//mal.example', 'https://mal.example/x', '/../../x', '/%2e%2e/x', '/\\mal.example'];

/** The ways on that a page offers: what its forms carry, and where its last link leads. */
const voltas = (texto: string): string[] =>
  [...texto.matchAll(/name="volta" value="([^"]*)"/g)].map(([, um = '']) => um);

test.serial(
  'quem precisa cadastrar um segundo fator chega depois dele aonde queria, e nunca fora do painel',
  async (t) => {
    const { painel, convite, email } = await pessoa();
    await aceitar(painel, convite.token);
    const quero = '/clientes?situacao=ativo';
    const escrito = new URLSearchParams({ volta: quero }).toString();
    t.is((await painel.get(quero)).headers['location'], `/painel/entrar?${escrito}`);
    const entrou = await painel.post('/entrar', { email, senha: SENHA, volta: quero });
    t.is(entrou.headers['location'], `/painel/entrar/novo-fator?${escrito}`);
    t.is((await painel.get(`/entrar/fator?${escrito}`)).headers['location'], `/painel/entrar/novo-fator?${escrito}`);
    // Of what a page asks for by itself nobody wants to be shown that part alone.
    const parte = { 'HX-Request': 'true', 'HX-Target': 'div#contadores' };
    t.is((await painel.get('/notificacoes/contadores', parte)).headers['location'], '/painel/entrar/novo-fator');
    t.deepEqual(voltas((await painel.get(`/entrar/novo-fator?${escrito}`)).texto), [quero, quero, quero]);
    t.deepEqual(voltas((await painel.post('/entrar/novo-fator/app', { nome: '', volta: quero })).texto), [
      quero,
      quero,
      quero,
    ]);
    const semAparelho = await painel.post('/entrar/novo-fator/passkey', { nome: 'x', volta: quero });
    t.deepEqual(voltas(semAparelho.texto), [quero, quero, quero]);
    const app = await painel.post('/entrar/novo-fator/app', { nome: 'Celular', volta: quero });
    t.deepEqual(voltas(app.texto), [quero]);
    const campos = { fator_id: escondido(app.texto, 'fator_id'), segredo: escondido(app.texto, 'segredo') };
    const errado = await painel.post('/entrar/novo-fator/codigo', { ...campos, codigo: '000000', volta: quero });
    t.deepEqual(voltas(errado.texto), [quero]);
    for (const volta of DE_FORA) {
      t.deepEqual(
        voltas((await painel.get(`/entrar/novo-fator?volta=${encodeURIComponent(volta)}`)).texto),
        ['', '', ''],
        volta,
      );
      const recusado = await painel.post('/entrar/novo-fator/app', { nome: '', volta });
      t.deepEqual(voltas(recusado.texto), ['', '', ''], volta);
    }
    const feito = await painel.post('/entrar/novo-fator/codigo', {
      ...campos,
      codigo: codigo(campos.segredo),
      volta: quero,
    });
    t.regex(feito.texto, /href="\/painel\/clientes\?situacao=ativo"[^>]*>Guardei/);
    // A page of the way in that is opened again leads on as well.
    t.is((await painel.get(`/entrar/novo-fator?${escrito}`)).headers['location'], `/painel${quero}`);
    t.is((await painel.get('/entrar/novo-fator?volta=//mal.example')).headers['location'], '/painel');

    // Who signs out midway, because he is somebody else, goes on to the same page once he is in.
    relogio.avancar(60_000);
    await painel.post('/sair');
    await painel.post('/entrar', { email, senha: SENHA, volta: quero });
    t.true(voltas((await painel.get(`/entrar/fator?${escrito}`)).texto).every((uma) => uma === quero));
    t.regex(
      (await painel.get(`/entrar/fator?${escrito}`)).texto,
      /action="\/painel\/sair"[^>]*>\s*<input type="hidden" name="volta"/,
    );
    t.is((await painel.post('/sair', { volta: quero })).headers['location'], `/painel/entrar?${escrito}&feito=saiu`);
    await painel.post('/entrar', { email, senha: SENHA });
    t.is((await painel.post('/sair', { volta: '//mal.example' })).headers['location'], '/painel/entrar?feito=saiu');
  },
);

test.serial('um segundo fator cadastrado por quem vinha de fora leva à primeira página', async (t) => {
  const { painel, convite, email } = await pessoa();
  await aceitar(painel, convite.token);
  await painel.post('/entrar', { email, senha: SENHA });
  const app = await painel.post('/entrar/novo-fator/app', { nome: 'Celular', volta: '//mal.example' });
  const campos = { fator_id: escondido(app.texto, 'fator_id'), segredo: escondido(app.texto, 'segredo') };
  const feito = await painel.post('/entrar/novo-fator/codigo', {
    ...campos,
    codigo: codigo(campos.segredo),
    volta: '//mal.example',
  });
  t.regex(feito.texto, /href="\/painel"[^>]*>Guardei/);
});

test.serial('quem esqueceu a senha, ou foi convidado, chega depois dela aonde queria', async (t) => {
  const { painel, convite, email } = await pessoa();
  const noConvite = `/convite/${convite.token}?volta=%2Fchamados`;
  t.regex(
    (await painel.get(noConvite)).texto,
    new RegExp(`action="/painel/convite/${convite.token}\\?volta=%2Fchamados"`),
  );
  const fraca = await painel.post(noConvite, { nome: 'Ana', senha: 'fraquinha' });
  t.true(fraca.texto.includes(`/painel/convite/${convite.token}?volta=%2Fchamados`));
  const aceito = await painel.post(noConvite, { nome: 'Ana Lima', senha: SENHA });
  t.is(aceito.headers['location'], '/painel/entrar?volta=%2Fchamados&feito=senha_escolhida');

  t.regex((await painel.get('/entrar?volta=%2Fchamados')).texto, /href="\/painel\/esqueci\?volta=%2Fchamados"/);
  t.deepEqual(voltas((await painel.get('/esqueci?volta=%2Fchamados%3Fq%3D1')).texto), ['/chamados?q=1']);
  // Invites are letters as well.
  const deSenha = () => smtp.cartas.filter(({ texto }) => texto.includes('/painel/senha/'));
  const antes = deSenha().length;
  const enviado = await painel.post('/esqueci', { email, volta: '/chamados?q=1' });
  t.regex(enviado.texto, /href="\/painel\/entrar\?volta=%2Fchamados%3Fq%3D1"/);
  await ate(() => deSenha().length > antes);
  // Whoever asks for a letter fills in nothing of the page that it leads to.
  const [, doLink = ''] = /\/painel(\/senha\/\S+)/.exec(deSenha().at(-1)?.texto ?? '') ?? [];
  t.regex(doLink, /\?volta=%2Fchamados$/);
  t.is((await painel.get(doLink)).status, 200);
  const trocada = await painel.post(doLink, { senha: 'outro jabuti roxo na varanda' });
  t.is(trocada.headers['location'], '/painel/entrar?volta=%2Fchamados&feito=senha_escolhida');

  await painel.post('/esqueci', { email, volta: '//mal.example' });
  await ate(() => deSenha().length > antes + 1);
  t.notRegex(deSenha().at(-1)?.texto ?? '', /volta|mal\.example/);
});

test.serial('um endereço longo demais para ser levado não impede de entrar', async (t) => {
  const { painel } = await pessoa();
  const longo = await painel.get(`/clientes?q=${'a'.repeat(600)}`);
  t.is(longo.headers['location'], '/painel/entrar');
});

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

import test from 'ava';
import type { ExecutionContext } from 'ava';
import { generateSync } from 'otplib';
import { lerToken, sortearTokens } from '../../../src/domain/acessos/sessoes/token.regras.ts';
import { TERMINAL, atorDoUsuario } from '../../../src/domain/actor.ts';
import type { PerfilDeFabrica } from '../../../src/domain/usuarios/permissoes.regras.ts';
import { criarApi } from '../../support/api.ts';
import type { Api, Resposta } from '../../support/api.ts';
import { camposErrados, errosDe, pedirAoApp } from '../../support/app-api.ts';
import { ate } from '../../support/espera.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import { relogioEm } from '../../support/relogio.ts';
import { CPF, SENHA, criarAssinante } from '../../domain/acessos/apoio.ts';
import { SENHA as SENHA_DA_EQUIPE, criarEquipe } from '../../domain/usuarios/apoio.ts';
import { vindoDe } from '../../support/autor.ts';

const AGORA = '2026-11-23T12:00:00.000Z';
const MINUTO = 60_000;
const relogio = relogioEm(AGORA);
let api: Api;
test.before(async () => {
  api = await criarApi({ relogio, processos: 2, proxies: 1, env: { MALHA_CHAVE_MESTRA: '7'.repeat(64) } });
});
test.after.always(async () => api.fechar());
test.beforeEach(() => relogio.definir(AGORA));

let redes = 0;
/** Asks at a provider's host, each time from a network of its own unless one is given. */
function noHost(host: string) {
  const pedir = pedirAoApp(api);
  return async (
    metodo: string,
    caminho: string,
    {
      corpo,
      token,
      chave,
      processo = 0,
      ip = `198.18.${Math.floor((redes += 1) / 250)}.${redes % 250}`,
    }: {
      corpo?: unknown;
      token?: string;
      chave?: string;
      processo?: number;
      ip?: string;
    } = {},
  ): Promise<Resposta> =>
    pedir(metodo, caminho, {
      ...(corpo === undefined ? {} : { corpo }),
      ...(chave === undefined ? {} : { chave }),
      processo,
      headers: { host, 'x-forwarded-for': ip, ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) },
    });
}

async function assinante(comSenha = true) {
  const c = await criarAssinante(api, { senha: comSenha });
  const pedir = noHost(c.provedor.panelHost);
  const login = async (mais: object = {}, ip?: string) =>
    pedir('POST', '/auth/login', {
      corpo: { cpf_cnpj: '529.982.247-25', senha: SENHA, ...mais },
      ...(ip === undefined ? {} : { ip }),
    });
  return { ...c, pedir, login };
}

async function equipe(perfil: PerfilDeFabrica = 'tecnico') {
  const c = await criarEquipe(api);
  const pessoa = await c.usuario(perfil);
  await api.container.usuarios.alterar(TERMINAL, c.provedor.id, pessoa.id, { cpf: CPF });
  const pedir = noHost(c.provedor.panelHost);
  const login = async (mais: object = {}) =>
    pedir('POST', '/auth/login', { corpo: { cpf_cnpj: CPF, senha: SENHA_DA_EQUIPE, as: 'equipe', ...mais } });
  return { ...c, pessoa, pedir, login };
}

/** Gives somebody of the staff a second factor; its code at any time. */
async function comFator(c: Awaited<ReturnType<typeof equipe>>): Promise<() => string> {
  const { fatores } = api.container;
  const registro = await c.registro((await c.entrar(c.pessoa.email)).texto);
  const ator = atorDoUsuario(c.pessoa, vindoDe());
  const { fatorId, segredo } = await fatores.iniciarTotp(ator, registro, { nome: 'Celular' });
  const codigo = () => generateSync({ secret: segredo, epoch: relogio.agora().getTime() / 1000 });
  await fatores.confirmarTotp(ator, registro, fatorId, codigo());
  relogio.avancar(MINUTO);
  return codigo;
}

function recusado(t: ExecutionContext, resposta: Resposta, status: number, ...erros: (string | null)[]): void {
  t.is(resposta.status, status, resposta.texto);
  t.deepEqual(errosDe(resposta)[0], [String(erros[0]), erros[1] ?? null]);
  if (status === 401) t.is(resposta.headers['www-authenticate'], 'Bearer');
  if (status === 429) t.regex(String(resposta.headers['retry-after']), /^[1-9]\d*$/);
}

test.serial('POST /auth/login: o assinante recebe os tokens, e com o de acesso é quem é', async (t) => {
  const c = await assinante();
  const { status, corpo, texto } = await c.login({ device: 'Moto G' });
  t.is(status, 200, texto);
  const { access_token: token, refresh_token: _refresh, device_token: aparelho, ...resto } = corpo.data;
  t.deepEqual(resto, {
    token_type: 'Bearer',
    expires_in: 900,
    refresh_expires_in: 7_776_000,
    must_change_password: false,
    user: { kind: 'cliente', id: c.cliente, name: corpo.data.user.name },
  });
  t.regex(aparelho, /^malha_dt_/);
  const check = await c.pedir('GET', '/auth/check', { token });
  t.like(check.corpo.data, {
    valid: true,
    kind: 'cliente',
    user_id: c.cliente,
    expires_at: '2026-11-23T12:15:00.000Z',
    permissions: [],
    must_change_password: false,
  });
  relogio.avancar(15 * MINUTO);
  recusado(t, await c.pedir('GET', '/auth/check', { token }), 401, 'token_expirado');
});

test.serial('POST /auth/login: malformado é 400 com todos os campos; o resto é uma só resposta', async (t) => {
  const c = await assinante();
  const malfeito = await c.pedir('POST', '/auth/login', { corpo: { cpf_cnpj: '111', senha: '', as: 'chefe', x: 1 } });
  t.is(malfeito.status, 400);
  t.deepEqual(camposErrados(malfeito), ['as', 'cpf_cnpj', 'senha', 'x']);
  const errada = await c.login({ senha: 'errada' });
  recusado(t, errada, 401, 'credenciais_incorretas');
  const desconhecido = await c.login({ cpf_cnpj: '111.444.777-35' });
  t.is(desconhecido.texto, errada.texto);
  t.is((await c.login({ as: 'equipe' })).texto, errada.texto);
  // Blanks at its ends are part of a password.
  recusado(t, await c.login({ senha: ` ${SENHA}` }), 401, 'credenciais_incorretas');
  await api.dono('clientes').where({ id: c.cliente }).update({ situacao: 'pre_cadastro' });
  t.is((await c.login()).texto, errada.texto);
  const semHost = await noHost('nenhum.test')('POST', '/auth/login', { corpo: { cpf_cnpj: CPF, senha: SENHA } });
  recusado(t, semHost, 404, 'provedor_desconhecido');
});

test.serial(
  'POST /auth/login: a sexta falha espera em todo processo, também a certa; o aparelho conhecido não',
  async (t) => {
    const c = await assinante();
    const { device_token } = (await c.login()).corpo.data;
    for (let n = 0; n < 5; n += 1) recusado(t, await c.login({ senha: 'errada' }), 401, 'credenciais_incorretas');
    recusado(t, await c.login(), 429, 'tentativas_excedidas');
    const corpo = { cpf_cnpj: CPF, senha: SENHA };
    recusado(t, await c.pedir('POST', '/auth/login', { corpo, processo: 1 }), 429, 'tentativas_excedidas');
    t.is((await c.login({ device_token })).status, 200);
    recusado(t, await c.login({ device_token: `${device_token.slice(0, -2)}xx` }), 429, 'tentativas_excedidas');
  },
);

test.serial('POST /auth/login: 30 por minuto de uma rede; renovar tem o seu próprio limite', async (t) => {
  const c = await assinante();
  const ip = '203.0.113.77';
  const { refresh_token } = (await c.login({}, ip)).corpo.data;
  for (let n = 0; n < 29; n += 1) await c.login({ cpf_cnpj: '11144477735', senha: 'x', device: String(n) }, ip);
  recusado(t, await c.login({}, ip), 429, 'tentativas_excedidas');
  const renovar = async () => c.pedir('POST', '/auth/refresh', { corpo: { refresh_token }, ip });
  for (let n = 0; n < 30; n += 1) t.is((await renovar()).status, 200);
  recusado(t, await renovar(), 429, 'tentativas_excedidas');
});

test.serial('POST /auth/refresh: quem inventa tokens de uma sessão não a impede de renovar', async (t) => {
  const c = await assinante();
  const { refresh_token } = (await c.login()).corpo.data;
  const { provedorId, sessaoId } = lerToken('rt', refresh_token)!;
  const renovar = async (texto: string) => c.pedir('POST', '/auth/refresh', { corpo: { refresh_token: texto } });
  for (let n = 0; n < 31; n += 1) {
    recusado(t, await renovar(sortearTokens(provedorId, sessaoId).refresh), 401, 'token_invalido');
  }
  t.is((await renovar(refresh_token)).status, 200);
});

test.serial('POST /auth/login: a equipe, com as suas permissões e o segundo fator', async (t) => {
  const c = await equipe();
  const { corpo, texto } = await c.login();
  t.like(corpo.data, { device_token: null, refresh_expires_in: 43_200 }, texto);
  t.deepEqual(corpo.data.user, { kind: 'equipe', id: c.pessoa.id, name: c.pessoa.nome });
  const check = await c.pedir('GET', '/auth/check', { token: corpo.data.access_token });
  t.like(check.corpo.data, { kind: 'equipe', user_id: c.pessoa.id });
  t.true(check.corpo.data.permissions.includes('chamados.atender'));

  const chefe = await equipe('administrador');
  recusado(t, await chefe.login(), 403, 'segundo_fator_ausente');
  const codigo = await comFator(chefe);
  recusado(t, await chefe.login(), 401, 'segundo_fator_exigido', 'codigo');
  recusado(t, await chefe.login({ codigo: '000000' }), 401, 'codigo_incorreto', 'codigo');
  const certo = codigo();
  const dentro = await chefe.login({ codigo: certo });
  t.is(dentro.status, 200, dentro.texto);
  recusado(t, await chefe.login({ codigo: certo }), 401, 'codigo_incorreto', 'codigo');
  // Without it nothing is done any more, save asking and leaving.
  await api.dono('usuarios_fatores').where({ usuario_id: chefe.pessoa.id }).delete();
  relogio.avancar(10 * MINUTO);
  const token = dentro.corpo.data.access_token as string;
  recusado(t, await chefe.pedir('GET', '/auth/sessions', { token, processo: 1 }), 403, 'segundo_fator_ausente');
  t.is((await chefe.pedir('GET', '/auth/check', { token, processo: 1 })).status, 200);
});

test.serial('POST /auth/refresh: repetido dá o mesmo; reusado depois de confirmado, encerra a sessão', async (t) => {
  const c = await assinante();
  const { refresh_token: velho, access_token: antes } = (await c.login()).corpo.data;
  const renovar = async (refresh_token: string) => c.pedir('POST', '/auth/refresh', { corpo: { refresh_token } });
  const nova = await renovar(velho);
  t.is(nova.status, 200, nova.texto);
  t.false('user' in nova.corpo.data);
  t.deepEqual((await renovar(velho)).corpo, nova.corpo);
  t.not(nova.corpo.data.access_token, antes);
  const token = nova.corpo.data.access_token as string;
  t.is((await c.pedir('GET', '/auth/check', { token })).status, 200);
  relogio.avancar(31_000);
  recusado(t, await renovar(velho), 401, 'sessao_encerrada');
  for (const processo of [0, 1]) {
    recusado(t, await c.pedir('GET', '/auth/check', { token, processo }), 401, 'sessao_encerrada');
  }
  recusado(t, await renovar(antes), 401, 'token_invalido');
  recusado(t, await renovar('malha_rt_1_x'), 401, 'token_invalido');
  const outro = await assinante();
  const alheio = await outro.pedir('POST', '/auth/refresh', {
    corpo: { refresh_token: nova.corpo.data.refresh_token },
  });
  recusado(t, alheio, 401, 'token_invalido');
});

test.serial('POST /auth/logout: vale na hora em todo processo, e de novo é 200; com all, todas', async (t) => {
  const c = await assinante();
  const tokens = await Promise.all([c.login(), c.login(), c.login()]);
  const [um, dois, tres] = tokens.map(({ corpo }) => corpo.data.access_token as string);
  const check = async (token = '', processo = 1) => c.pedir('GET', '/auth/check', { token, processo });
  for (const token of [um, dois, tres]) t.is((await check(token)).status, 200);
  const sair = async (token = '', corpo?: object) => c.pedir('POST', '/auth/logout', { token, corpo });
  t.deepEqual((await sair(um)).corpo.data, { ended: 1 });
  recusado(t, await check(um), 401, 'sessao_encerrada');
  recusado(t, await check(um, 0), 401, 'sessao_encerrada');
  const denovo = await sair(um);
  t.deepEqual([denovo.status, denovo.corpo.data], [200, { ended: 0 }]);
  t.is((await check(dois)).status, 200);
  // The one of the first password is open, too.
  t.deepEqual((await sair(dois, { all: true })).corpo.data, { ended: 3 });
  recusado(t, await check(tres), 401, 'sessao_encerrada');
  recusado(t, await sair('malha_at_1_x'), 401, 'token_invalido');
  recusado(t, await sair(''), 401, 'credencial_ausente');
});

test.serial(
  'POST /auth/first-access: a mesma resposta sempre, e o pedido se diz aos programas do provedor',
  async (t) => {
    const c = await assinante(false);
    const pedido = async (cpf_cnpj: string, ip?: string) =>
      c.pedir('POST', '/auth/first-access', { corpo: { cpf_cnpj }, ...(ip === undefined ? {} : { ip }) });
    const feito = await pedido(CPF);
    t.is(feito.status, 202, feito.texto);
    t.is((await pedido('11144477735')).texto, feito.texto);
    recusado(t, await pedido('123'), 400, 'cpf_cnpj_invalido', 'cpf_cnpj');
    const eventos = async () =>
      api.dono('eventos').where({ provedor_id: c.provedor.id, tipo: 'cliente.acesso_solicitado' });
    await ate(async () => (await eventos()).length === 1);
    const ip = '203.0.113.88';
    for (let n = 0; n < 20; n += 1) t.is((await pedido('11144477735', ip)).status, 202);
    recusado(t, await pedido('11144477735', ip), 429, 'tentativas_excedidas');
  },
);

test.serial(
  'POST /clientes/{id}/acesso e POST /auth/password: do código à senha, que encerra as outras sessões',
  async (t) => {
    const c = await assinante();
    const { texto: chave } = await api.criarChave(c.provedor.id, { permissoes: ['acesso:escrita'] });
    const gerar = async (id = c.cliente) =>
      c.pedir('POST', `/clientes/${id}/acesso`, { chave, corpo: { canal: 'whatsapp' } });
    const gerado = await gerar();
    t.is(gerado.status, 201, gerado.texto);
    t.like(gerado.corpo.data, { expira_em: '2026-11-23T12:15:00.000Z', telefones: ['35999990001'] });
    const { codigo } = gerado.corpo.data;
    t.regex(codigo, /^\d{8}$/);
    recusado(t, await gerar(999_999), 404, 'nao_encontrado');
    const antes = (await c.login()).corpo.data.access_token as string;
    const definir = async (mais: object = {}) =>
      c.pedir('POST', '/auth/password', { corpo: { cpf_cnpj: CPF, codigo, senha: 'tatu de galocha 7', ...mais } });
    const outro = codigo === '00000000' ? '11111111' : '00000000';
    const errado = await definir({ codigo: outro });
    recusado(t, errado, 401, 'codigo_incorreto');
    t.is((await definir({ cpf_cnpj: '11144477735' })).texto, errado.texto);
    recusado(t, await definir({ senha: '12345678' }), 422, 'senha_fraca', 'senha');
    recusado(t, await definir({ senha: SENHA }), 422, 'senha_repetida', 'senha');
    const feita = await definir({ device: 'Moto G' });
    t.is(feita.status, 200, feita.texto);
    t.like(feita.corpo.data.user, { kind: 'cliente', id: c.cliente });
    recusado(t, await c.pedir('GET', '/auth/check', { token: antes, processo: 1 }), 401, 'sessao_encerrada');
    recusado(t, await definir(), 401, 'codigo_incorreto');
    recusado(t, await c.login(), 401, 'credenciais_incorretas');
    t.is((await c.login({ senha: 'tatu de galocha 7' })).status, 200);
    const ditos = JSON.stringify(await api.dono('auditoria').where('provedor_id', c.provedor.id));
    t.false(ditos.includes(codigo));
    t.is((await gerar()).status, 201);
    recusado(t, await gerar(), 429, 'tentativas_excedidas');
    await api.dono('clientes').where({ id: c.cliente }).update({ situacao: 'pre_cadastro' });
    recusado(t, await gerar(), 422, 'acesso_indisponivel');
  },
);

test.serial(
  'POST /clientes/{id}/acesso: por onde o código vai fica na auditoria, e não pode ser um número',
  async (t) => {
    const c = await assinante();
    const { texto: chave } = await api.criarChave(c.provedor.id);
    const gerar = async (canal: string) =>
      c.pedir('POST', `/clientes/${c.cliente}/acesso`, { chave, corpo: { canal } });
    recusado(t, await gerar('35999990001'), 400, 'parametro_invalido', 'canal');
    t.is((await gerar('whatsapp')).status, 201);
    const linhas = await api.dono('auditoria').where({ provedor_id: c.provedor.id, acao: 'acesso.codigo_gerado' });
    t.true(JSON.stringify(linhas.at(-1).dados).includes('whatsapp'));
  },
);

test.serial(
  'POST /clientes/{id}/acesso: a uma chave, só os telefones do cadastro que vale, e nada com e-mails diferentes',
  async (t) => {
    const c = await assinante(false);
    const { texto: chave } = await api.criarChave(c.provedor.id, { permissoes: ['acesso:escrita'] });
    const antigo = await c.fabrica.cliente(c.provedor.id, { cpf_cnpj: CPF, email: null, situacao: 'cancelado' });
    await c.fabrica.telefone(c.provedor.id, { cliente_id: antigo, numero: '35988887777' });
    // Asked for by the number of the old one, it goes to that of the one that counts.
    const gerar = async () => c.pedir('POST', `/clientes/${antigo}/acesso`, { chave });
    t.deepEqual((await gerar()).corpo.data.telefones, ['35999990001']);
    t.deepEqual((await c.gerar(antigo)).telefones, ['35999990001', '35988887777']);
    await api.dono('clientes').where({ id: antigo }).update({ email: 'outra@malha.test' });
    const recusada = await gerar();
    recusado(t, recusada, 422, 'acesso_indisponivel');
    t.regex(recusada.corpo.message, /só a equipe/);
    t.is((await c.gerar(antigo)).telefones.length, 2);
  },
);

test.serial('POST /clientes/{id}/acesso: da equipe o código vale 24 horas', async (t) => {
  const c = await equipe('administrador');
  const codigo = await comFator(c);
  const token = (await c.login({ codigo: codigo() })).corpo.data.access_token as string;
  const cliente = await criarFabrica(api.dono).cliente(c.provedor.id, { cpf_cnpj: '11144477735' });
  const { status, corpo, texto } = await c.pedir('POST', `/clientes/${cliente}/acesso`, { token });
  t.is(status, 201, texto);
  t.like(corpo.data, { expira_em: '2026-11-24T12:01:00.000Z', telefones: [] });
  const [linha] = await api.dono('auditoria').where({ provedor_id: c.provedor.id, acao: 'acesso.codigo_gerado' });
  t.is(linha?.autor, c.pessoa.nome);
  const tecnico = await equipe('tecnico');
  const semPoder = (await tecnico.login()).corpo.data.access_token as string;
  recusado(t, await tecnico.pedir('POST', '/clientes/1/acesso', { token: semPoder }), 403, 'permissao_insuficiente');
});

test.serial(
  'PUT /auth/password: esta sessão continua, as outras terminam; quem tem de trocar só isso pode',
  async (t) => {
    const c = await assinante();
    await api.dono('app_acessos').where('provedor_id', c.provedor.id).update({ trocar_senha: 1 });
    const entrada = await c.login();
    t.true(entrada.corpo.data.must_change_password);
    const token = entrada.corpo.data.access_token as string;
    const outra = (await c.login()).corpo.data.access_token as string;
    recusado(t, await c.pedir('GET', '/auth/sessions', { token }), 403, 'troca_de_senha_exigida');
    t.true((await c.pedir('GET', '/auth/check', { token })).corpo.data.must_change_password);
    const trocar = async (senha_atual: string, senha_nova: string) =>
      c.pedir('PUT', '/auth/password', { token, corpo: { senha_atual, senha_nova } });
    recusado(t, await trocar('errada', 'tatu de galocha 7'), 401, 'credenciais_incorretas', 'senha_atual');
    const fraca = await trocar(SENHA, 'qwertyuiop');
    recusado(t, fraca, 422, 'senha_fraca', 'senha_nova');
    t.regex(fraca.corpo.message, /^senha_nova: .{10,}\.$/);
    recusado(t, await trocar(SENHA, SENHA), 422, 'senha_repetida', 'senha_nova');
    const feita = await trocar(SENHA, 'tatu de galocha 7');
    t.deepEqual([feita.status, feita.corpo.data], [200, { ended: 2 }], feita.texto);
    recusado(t, await c.pedir('GET', '/auth/check', { token: outra, processo: 1 }), 401, 'sessao_encerrada');
    t.is((await c.pedir('GET', '/auth/sessions', { token, processo: 1 })).status, 200);
    for (let n = 0; n < 5; n += 1) recusado(t, await trocar('x', 'y'), 401, 'credenciais_incorretas', 'senha_atual');
    recusado(t, await trocar('tatu de galocha 7', 'y'), 429, 'tentativas_excedidas');
    t.is((await c.login({ senha: 'tatu de galocha 7' })).status, 200, 'quem adivinha numa sessão não barra as outras');
  },
);

test.serial('GET e DELETE /auth/sessions: as suas, e só as suas', async (t) => {
  const c = await assinante();
  const token = (await c.login({ device: 'Moto G' })).corpo.data.access_token as string;
  const outra = (await c.login({ device: 'iPad' })).corpo.data.access_token as string;
  const listar = async () =>
    (await c.pedir('GET', '/auth/sessions', { token })).corpo.data as Record<string, unknown>[];
  const [nova, sua] = await listar();
  t.like(nova, { device: 'iPad', current: false, last_used_at: '2026-11-23', created_at: AGORA });
  t.like(sua, { device: 'Moto G', current: true });
  const alguem = await assinante();
  const dele = (await alguem.login()).corpo.data.access_token as string;
  const { session_id: alheia } = (await alguem.pedir('GET', '/auth/check', { token: dele })).corpo.data;
  const encerrar = async (id: unknown) => c.pedir('DELETE', `/auth/sessions/${String(id)}`, { token });
  recusado(t, await encerrar(alheia), 404, 'nao_encontrado');
  recusado(t, await encerrar('x'), 400, 'id_invalido', 'id');
  t.is((await alguem.pedir('GET', '/auth/check', { token: dele })).status, 200);
  t.is((await c.pedir('GET', '/auth/check', { token: outra, processo: 1 })).status, 200);
  t.deepEqual((await encerrar(nova?.['id'])).corpo.data, { ended: 1 });
  recusado(t, await c.pedir('GET', '/auth/check', { token: outra, processo: 1 }), 401, 'sessao_encerrada');
  recusado(t, await encerrar(nova?.['id']), 404, 'nao_encontrado');
  t.deepEqual(
    (await listar()).map(({ device }) => device),
    ['Moto G', null],
  );
  const deEquipe = await equipe();
  const { access_token } = (await deEquipe.login()).corpo.data;
  t.is((await deEquipe.pedir('GET', '/auth/sessions', { token: access_token })).corpo.data.length, 1);
});

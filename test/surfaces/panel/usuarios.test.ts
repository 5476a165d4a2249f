import test from 'ava';
import { generateSync } from 'otplib';
import { TERMINAL } from '../../../src/domain/actor.ts';
import { TEM_FATOR } from '../../../src/domain/usuarios/usuarios.types.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import { SENHA_DO_PAINEL as SENHA, abrirPainel, entrarNoPainel } from '../../support/painel.ts';
import { relogioEm } from '../../support/relogio.ts';
import { vindoDe } from '../../support/autor.ts';

const relogio = relogioEm('2026-11-23T12:00:00Z');
let api: Api;
test.before(async () => {
  api = await criarApi({ relogio });
});
test.after.always(async () => api.fechar());

const provedor = async (): Promise<number> => criarFabrica(api.dono).provedor();
const hostDe = async (id: number): Promise<string> => (await api.container.provedores.exigirPorId(id)).panelHost;
const perfilDe = async (id: number, qual: string): Promise<string> =>
  String((await api.container.perfis.listar(id)).find(({ deFabrica }) => deFabrica === qual)?.id);

test.serial(
  'o administrador convida, copia o link, e a pessoa entra; depois muda, encerra, desativa e reativa',
  async (t) => {
    const id = await provedor();
    const chefe = await entrarNoPainel(api, id);
    const tecnico = await perfilDe(id, 'tecnico');
    const vazio = await chefe.post('/configuracoes/usuarios/novo', { nome: '', email: 'b@', perfil_id: tecnico });
    t.is(vazio.status, 422);
    t.regex(vazio.texto, /id="campo-nome-falta"/);
    t.regex(vazio.texto, /value="b@"/);
    const feito = await chefe.post('/configuracoes/usuarios/novo', {
      nome: 'Bia',
      email: 'bia@malha.test',
      perfil_id: tecnico,
    });
    t.is(feito.status, 200);
    t.regex(feito.texto, /O e-mail não foi enviado/);
    const [, link = ''] = /(\/convite\/[\w-]{43})</.exec(feito.texto) ?? [];
    const bia = abrirPainel(api, await hostDe(id));
    t.is((await bia.post(link, { nome: 'Bia', senha: SENHA })).status, 303);
    t.is((await bia.post('/entrar', { email: 'bia@malha.test', senha: SENHA })).status, 303);
    t.is((await bia.get('/configuracoes/usuarios')).status, 403);

    const [, usuario = ''] = /usuarios\/(\d+)">Bia</.exec((await chefe.get('/configuracoes/usuarios')).texto) ?? [];
    const dela = `/configuracoes/usuarios/${usuario}`;
    t.regex((await chefe.get(dela)).texto, /Técnico/);
    const financeiro = await perfilDe(id, 'financeiro');
    t.is((await chefe.post(dela, { nome: 'Bia Reis', perfil_id: financeiro })).status, 303);
    t.is((await bia.get('/conta')).headers['location'], '/painel/entrar?volta=%2Fconta');
    await bia.post('/entrar', { email: 'bia@malha.test', senha: SENHA });
    t.regex((await bia.get('/conta')).texto, /Financeiro/);
    await chefe.post(`${dela}/encerrar-sessoes`);
    t.is((await bia.get('/conta')).status, 303);
    const fabrica = criarFabrica(api.dono);
    const cliente_id = await fabrica.cliente(id);
    await fabrica.chamado(id, { cliente_id, responsavel_id: Number(usuario) });
    const saida = (await chefe.get(`${dela}/desativar`)).texto;
    t.regex(saida, /não entra mais/);
    t.notRegex(saida, /chaves de API/);
    const { id: chave } = await api.criarChave(id);
    await api.dono('chaves_api').where({ provedor_id: id, id: chave }).update({ criada_por: usuario });
    t.regex((await chefe.get(`${dela}/desativar`)).texto, new RegExp(`/configuracoes/api/${chave}"`));
    t.regex(saida, /1 chamado aberto dela volta para a fila/);
    t.is((await chefe.post(`${dela}/desativar`)).status, 303);
    t.is((await bia.post('/entrar', { email: 'bia@malha.test', senha: SENHA })).status, 422);
    t.is((await chefe.post(`${dela}/reativar`)).status, 303);
    t.is((await bia.post('/entrar', { email: 'bia@malha.test', senha: SENHA })).status, 303);
    const repetido = await chefe.post('/configuracoes/usuarios/novo', {
      nome: 'X',
      email: 'bia@malha.test',
      perfil_id: tecnico,
    });
    t.is(repetido.status, 422);
    t.regex(repetido.texto, /outro usuário tem este e-mail/);
  },
);

test.serial('ninguém dá o que não tem, o último administrador fica, e de outro provedor ninguém se vê', async (t) => {
  const id = await provedor();
  const chefe = await entrarNoPainel(api, id);
  const perfilId = await api.container.perfis.criar(TERMINAL, id, {
    nome: 'Chefia',
    de_id: Number(await perfilDe(id, 'atendimento')),
  });
  const { permissoes } = (await api.container.perfis.listar(id)).find((um) => um.id === perfilId)!;
  await api.container.perfis.alterar(TERMINAL, id, perfilId, { permissoes: [...permissoes, 'usuarios.gerir'] });
  const outra = await entrarNoPainel(api, id, 'atendimento');
  await api.container.usuarios.alterar(TERMINAL, id, outra.usuarioId, { perfil_id: perfilId });
  await outra.post('/entrar', { email: outra.email, senha: SENHA });

  const convite = await outra.get('/configuracoes/usuarios/novo');
  t.regex(convite.texto, />Atendimento</);
  t.notRegex(convite.texto, />Administrador</);
  const administrador = await perfilDe(id, 'administrador');
  const forcado = { nome: 'X', email: 'x@malha.test', perfil_id: administrador };
  t.is((await outra.post('/configuracoes/usuarios/novo', forcado)).status, 422);
  const doChefe = `/configuracoes/usuarios/${chefe.usuarioId}`;
  const pagina = await outra.get(doChefe);
  t.regex(pagina.texto, /pode mais do que o seu/);
  t.notRegex(pagina.texto, /Desativar/);
  t.is((await outra.post(`${doChefe}/link`)).status, 403);
  const ultimo = await chefe.post(`${doChefe}/desativar`);
  t.is(ultimo.status, 422);
  t.regex(ultimo.texto, /último administrador/);

  const deFora = await entrarNoPainel(api, await provedor());
  for (const resto of ['', '/desativar', '/redefinir-fator']) t.is((await deFora.get(doChefe + resto)).status, 404);
  for (const resto of ['/link', '/encerrar-sessoes', '/desativar', '/redefinir-fator', '/reativar']) {
    t.is((await deFora.post(doChefe + resto)).status, 404, resto);
  }
});

test.serial('um perfil se faz de outro e se muda por caixas; o que falta a quem muda fica como estava', async (t) => {
  const id = await provedor();
  const chefe = await entrarNoPainel(api, id);
  t.regex((await chefe.get('/configuracoes/perfis')).texto, /O que cada perfil pode/);
  const tecnico = await perfilDe(id, 'tecnico');
  const criado = await chefe.post('/configuracoes/perfis/novo', { nome: 'Campo', de_id: tecnico });
  const caminho = (criado.headers['location'] as string).replace('/painel', '').replace(/\?.*/, '');
  const edicao = await chefe.get(caminho);
  t.regex(edicao.texto, /value="rede.gerir"\s+checked/);
  t.is((await chefe.post(caminho, { nome: 'Campo', permissoes: ['inicio.ver', 'chaves.ver'] })).status, 303);
  const perfil = async () => (await api.container.perfis.listar(id)).find(({ nome }) => nome === 'Campo');
  t.deepEqual((await perfil())?.permissoes.toSorted(), ['chaves.ver', 'inicio.ver']);
  const invalida = await chefe.post(caminho, { nome: '', permissoes: ['inventada'] });
  t.is(invalida.status, 422);
  t.regex(invalida.texto, /Permissões:/);
  t.is((await chefe.post('/configuracoes/perfis/novo', { nome: 'Campo', de_id: tecnico })).status, 422);

  const chefia = await api.container.perfis.criar(TERMINAL, id, { nome: 'Chefia', de_id: Number(tecnico) });
  await api.container.perfis.alterar(TERMINAL, id, chefia, {
    permissoes: ['inicio.ver', 'usuarios.gerir', 'rede.ver'],
  });
  const outra = await entrarNoPainel(api, id, 'tecnico');
  await api.container.usuarios.alterar(TERMINAL, id, outra.usuarioId, { perfil_id: chefia });
  await outra.post('/entrar', { email: outra.email, senha: SENHA });
  t.regex((await outra.get(caminho)).texto, /Você não tem esta permissão/);
  t.is((await outra.post(caminho, { nome: 'Campo', permissoes: ['inicio.ver', 'rede.ver'] })).status, 303);
  t.deepEqual((await perfil())?.permissoes.toSorted(), ['chaves.ver', 'inicio.ver', 'rede.ver']);
  t.is((await outra.post(caminho, { nome: 'Campo', permissoes: ['faturas.ver'] })).status, 422);

  t.is((await chefe.post(`${caminho}/remover`)).status, 303);
  t.is((await chefe.get(caminho)).status, 404);
  t.is((await chefe.post(`/configuracoes/perfis/${tecnico}/remover`)).status, 422);
});

test.serial('as sessões do provedor têm um tempo sem uso, que vale para as que estão abertas', async (t) => {
  const id = await provedor();
  const chefe = await entrarNoPainel(api, id);
  const caminho = '/configuracoes/usuarios/politica';
  for (const minutos of ['14', '721', '', 'x']) {
    const recusada = await chefe.post(caminho, { ocioso_minutos: minutos });
    t.is(recusada.status, 422, minutos);
    t.regex(recusada.texto, /id="campo-ocioso_minutos-falta"/);
  }
  t.is((await chefe.post(caminho, { exigir_fator: 'sim', ocioso_minutos: '15' })).status, 303);
  const [linha] = await api.dono('provedores').where({ id }).select('exigir_fator', 'ocioso_minutos');
  t.deepEqual({ ...linha }, { exigir_fator: 1, ocioso_minutos: 15 });
  const [escrita] = await api.dono('auditoria').where({ provedor_id: id, acao: 'provedor.configurado' });
  t.truthy(escrita);
  relogio.avancar(16 * 60_000);
  t.is((await chefe.get('/conta')).status, 303);
});

test.serial(
  'depois de dez minutos o que muda usuários pede a senha de novo, e então faz o que foi pedido',
  async (t) => {
    const id = await provedor();
    const chefe = await entrarNoPainel(api, id);
    relogio.avancar(11 * 60_000);
    const caminho = '/configuracoes/perfis/novo';
    const campos = { nome: 'Noite', de_id: await perfilDe(id, 'tecnico') };
    const pergunta = await chefe.post(caminho, campos);
    t.is(pergunta.status, 200);
    t.regex(pergunta.texto, /Confirme que é você/);
    t.regex(pergunta.texto, /name="nome" value="Noite"/);
    t.is((await chefe.post(caminho, { ...campos, _senha: 'errada' })).status, 422);
    t.is((await chefe.post(caminho, { ...campos, _senha: SENHA })).status, 303);
    t.is((await chefe.post(caminho, { ...campos, nome: 'Dia' })).status, 303);
  },
);

test.serial('na própria conta: nome, tema, teclas, senha e sessões', async (t) => {
  const id = await provedor();
  const eu = await entrarNoPainel(api, id, 'tecnico');
  t.is((await eu.post('/conta/nome', { nome: '' })).status, 422);
  t.is((await eu.post('/conta/nome', { nome: 'Caio Prado' })).status, 303);
  t.regex((await eu.get('/conta')).texto, /<span[^>]*>Caio<\/span>/);
  const tema = await eu.post('/conta/tema', { tema: 'escuro', volta: '/conta' });
  t.is(tema.headers['location'], '/painel/conta');
  t.regex((await eu.get('/conta')).texto, /data-bs-theme="dark"/);
  t.is((await eu.post('/conta/tema', { tema: 'claro', volta: '//outro.example' })).headers['location'], '/painel');
  await eu.post('/conta/aparencia', { tema: 'escuro' });
  t.regex((await eu.get('/conta')).texto, /data-bs-theme="dark"\s+data-teclas="nao"/);
  t.regex((await eu.get('/conta')).texto, /data-densidade="normal"/);
  t.is((await eu.post('/conta/aparencia', { tema: 'escuro', densidade: 'compacta' })).status, 303);
  t.regex((await eu.get('/conta')).texto, /data-densidade="compacta"/);
  t.regex((await eu.get('/conta')).texto, /<option value="compacta"\s+selected/);
  await eu.post('/conta/tema', { tema: 'claro', volta: '/conta' });
  t.regex((await eu.get('/conta')).texto, /data-densidade="compacta"/);
  t.is((await eu.post('/conta/aparencia', { tema: 'escuro', densidade: 'minúscula' })).status, 422);

  const outro = abrirPainel(api, await hostDe(id));
  await outro.post(
    '/entrar',
    { email: eu.email, senha: SENHA },
    { 'user-agent': 'Mozilla/5.0 (Android 15) Firefox/145.0' },
  );
  const conta = await eu.get('/conta');
  t.regex(conta.texto, /Firefox no Android/);
  t.regex(conta.texto, /esta sessão/);
  const [, sessao = ''] = /\/conta\/sessoes\/(\d+)\/encerrar/.exec(conta.texto) ?? [];
  t.is((await eu.post(`/conta/sessoes/${sessao}/encerrar`)).status, 303);
  t.is((await outro.get('/conta')).status, 303);
  t.is((await eu.post('/conta/sessoes/999999/encerrar')).status, 404);

  await outro.post('/entrar', { email: eu.email, senha: SENHA });
  const nova = 'tatu-bola em cima do muro';
  const errada = await eu.post('/conta/senha', { atual: 'errada', senha: nova });
  t.is(errada.status, 422);
  t.regex(errada.texto, /id="campo-atual-falta"/);
  t.is((await eu.post('/conta/senha', { atual: SENHA, senha: nova })).status, 303);
  t.is((await eu.get('/conta')).status, 200);
  t.is((await outro.get('/conta')).status, 303);
});

test.serial('quem não tem segundo fator acrescenta um na conta, faz códigos novos e o remove', async (t) => {
  const id = await provedor();
  const eu = await entrarNoPainel(api, id);
  t.regex((await eu.get('/conta')).texto, /Nenhum segundo fator/);
  relogio.avancar(11 * 60_000);
  t.regex((await eu.post('/conta/novo-fator')).texto, /Confirme que é você/);
  t.regex((await eu.post('/conta/novo-fator', { _senha: SENHA })).texto, /Aplicativo de códigos/);
  const app = await eu.post('/conta/novo-fator/app', { nome: 'Celular' });
  t.is(app.status, 200);
  t.regex(app.texto, /class="qr"/);
  t.is((await eu.post('/conta/novo-fator/app', { nome: '' })).status, 422);
  const de = (nome: string): string => new RegExp(`name="${nome}" value="([^"]*)"`).exec(app.texto)?.[1] ?? '';
  const segredo = de('segredo');
  const codigo = generateSync({ secret: segredo, epoch: relogio.agora().getTime() / 1000 });
  const feito = await eu.post('/conta/novo-fator/codigo', { fator_id: de('fator_id'), segredo, codigo });
  t.regex(feito.texto, /Códigos de recuperação/);
  const conta = await eu.get('/conta');
  t.regex(conta.texto, /Celular/);
  t.is([...(await eu.post('/conta/codigos')).texto.matchAll(/<li>[0-9a-z-]{19}<\/li>/g)].length, 10);
  const remover = `/conta/fatores/${de('fator_id')}/remover`;
  t.regex((await eu.get(remover)).texto, /É o seu último/);
  const colega = await entrarNoPainel(api, id, 'tecnico');
  t.is((await colega.get(remover)).status, 404);
  t.is((await eu.post(remover)).status, 303);
  t.regex((await eu.get('/conta')).texto, /Nenhum segundo fator/);
  t.is((await eu.get('/conta/novo-fator')).headers['location'], '/painel/conta');
});

test.serial('quem tem segundo fator se sabe pelo índice, também num provedor de muitos', async (t) => {
  const id = await provedor();
  const muitos = Array.from({ length: 300 }, (_, n) => ({
    provedor_id: id,
    nome: `Gente ${n}`,
    email: `muita${n}@malha.test`,
    perfil: 'tecnico',
  }));
  await api.dono('usuarios').insert(muitos);
  const fatores: { id: number }[] = await api.dono('usuarios').where({ provedor_id: id }).select('id');
  await api
    .dono('usuarios_fatores')
    .insert(fatores.map(({ id: usuario_id }) => ({ provedor_id: id, usuario_id, tipo: 'totp', nome: 'Celular' })));
  // With few rows a server may as well read them all.
  await api.dono.raw('ANALYZE TABLE usuarios_fatores, usuarios');
  const [linhas] = await api.dono.raw(
    `EXPLAIN FORMAT=TRADITIONAL SELECT usuarios.id, ${TEM_FATOR} AS tem FROM usuarios WHERE provedor_id = ?`,
    [id],
  );
  const dosFatores = (linhas as { table: string; key: string | null }[]).find(({ table }) => table === 'f');
  t.regex(dosFatores?.key ?? '', /^usuarios_fatores_/);
});

test.serial('na própria conta se veem e se encerram também as sessões do app, e só as próprias', async (t) => {
  const id = await provedor();
  const casa = await api.container.provedores.exigirPorId(id);
  const eu = await entrarNoPainel(api, id, 'tecnico');
  const outra = await entrarNoPainel(api, id, 'tecnico');
  t.regex((await eu.get('/conta')).texto, /Nenhuma sessão no app/);
  const cpf = '52998224725';
  await api.container.usuarios.alterar(TERMINAL, id, eu.usuarioId, { cpf });
  const { sessaoId } = await api.container.app.entrarNoApp(casa, {
    cpf,
    senha: SENHA,
    ...vindoDe(),
    aparelho: 'Moto G',
  });
  const { texto } = await eu.get('/conta');
  t.regex(texto, /Moto G/);
  t.true(texto.includes(`/conta/sessoes-do-app/${sessaoId}/encerrar`));
  t.is((await outra.post(`/conta/sessoes-do-app/${sessaoId}/encerrar`)).status, 404);
  t.is((await eu.post(`/conta/sessoes-do-app/${sessaoId}/encerrar`)).status, 303);
  t.not((await api.dono('app_sessoes').where({ provedor_id: id, id: sessaoId }).first()).encerrada_em, null);
  t.is((await eu.post(`/conta/sessoes-do-app/${sessaoId}/encerrar`)).status, 404);
});

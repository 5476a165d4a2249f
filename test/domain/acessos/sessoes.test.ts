import test from 'ava';
import { atorDoAssinante, atorDoUsuario } from '../../../src/domain/actor.ts';
import { fimDoToken } from '../../../src/domain/acessos/sessoes/sessoes.regras.ts';
import { derivarTokens, lerToken, sortearTokens } from '../../../src/domain/acessos/sessoes/token.regras.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { relogioEm } from '../../support/relogio.ts';
import { DE_ONDE, criarAssinante, recusa } from './apoio.ts';

const AGORA = '2026-11-23T12:00:00.000Z';
const MINUTO = 60_000;
const DIA = 24 * 60 * MINUTO;
const relogio = relogioEm(AGORA);
let api: Api;
test.before(async () => {
  api = await criarApi({ relogio, processos: 2 });
});
test.after.always(async () => api.fechar());
test.beforeEach(() => relogio.definir(AGORA));

test('um token diz o provedor e a sessão, e nada que se tenha mudado nele se procura', (t) => {
  const { access, refresh } = sortearTokens(35, 1042);
  t.regex(access, /^malha_at_z_[0-9A-Za-z]{38}$/);
  t.regex(refresh, /^malha_rt_z_[0-9A-Za-z]{38}$/);
  t.like(lerToken('at', access), { provedorId: 35, sessaoId: 1042, nome: 'app:1042' });
  t.is(lerToken('rt', access), null);
  for (const n of [10, 12, 30, access.length - 1]) {
    const outro = access[n] === 'x' ? 'y' : 'x';
    t.is(lerToken('at', access.slice(0, n) + outro + access.slice(n + 1)), null);
  }
  t.is(lerToken('at', `malha_1_${access.slice(11)}`), null);
});

test('o par seguinte vem do texto e do nonce juntos, e de nenhum dos dois sozinho', (t) => {
  const { refresh } = sortearTokens(1, 7);
  const lido = lerToken('rt', refresh)!;
  const [um, outro] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
  const par = derivarTokens(refresh, um, lido);
  t.deepEqual(derivarTokens(refresh, um, lido), par);
  t.notDeepEqual(derivarTokens(refresh, outro, lido), par);
  t.notDeepEqual(derivarTokens(sortearTokens(1, 7).refresh, um, lido), par);
  t.like(lerToken('at', par.access), { provedorId: 1, sessaoId: 7 });
  t.not(par.access.slice(9), par.refresh.slice(9));
});

test.serial('200 pedidos ao mesmo tempo com um token, em dois processos: uma geração, a mesma resposta', async (t) => {
  const c = await criarAssinante(api);
  const { refresh, sessaoId } = await c.entrar();
  const respostas = await Promise.all(Array.from({ length: 200 }, async (_, n) => c.renovar(refresh, n % 2)));
  t.is(new Set(respostas.map((uma) => JSON.stringify(uma))).size, 1);
  t.is(await c.geracoes(sessaoId), 2);
  t.is(fimDoToken(await c.registro(respostas[0]!), relogio.agora()), null);
});

test.serial('a resposta que se perdeu vem outra vez, também dias depois, e a sessão vive', async (t) => {
  const c = await criarAssinante(api);
  const { refresh, sessaoId } = await c.entrar();
  const perdida = await c.renovar(refresh);
  relogio.avancar(3 * DIA);
  const outra = await c.renovar(refresh, 1);
  t.deepEqual(outra, perdida);
  t.true(outra.accessAte < relogio.agora());
  const seguinte = await c.renovar(outra.refresh);
  t.is(await c.geracoes(sessaoId), 3);
  t.is(fimDoToken(await c.registro(seguinte), relogio.agora()), null);
});

test.serial('o token de antes, depois de confirmado o seguinte, encerra a sessão em todos os processos', async (t) => {
  const c = await criarAssinante(api);
  const { refresh } = await c.entrar();
  const novo = await c.renovar(refresh);
  await c.registro(novo);
  // Two tabs of one app.
  relogio.avancar(29_000);
  t.is((await c.renovar(refresh)).access, novo.access);
  relogio.avancar(1000);
  await recusa(t, c.renovar(refresh, 1), 'sessao_encerrada');
  for (const processo of [0, 1]) {
    t.is(fimDoToken(await c.registro(novo, processo), relogio.agora()), 'sessao_encerrada');
    await recusa(t, c.renovar(novo.refresh, processo), 'sessao_encerrada');
  }
  t.is((await c.auditoria()).filter((acao) => acao === 'sessao.reuso_detectado').length, 1);
});

test.serial('renovar o seguinte também o confirma, e um ainda mais antigo encerra a sessão', async (t) => {
  const c = await criarAssinante(api);
  const primeira = await c.entrar();
  const segunda = await c.renovar(primeira.refresh);
  const terceira = await c.renovar(segunda.refresh);
  await c.registro(terceira);
  relogio.avancar(31_000);
  await recusa(t, c.renovar(primeira.refresh), 'sessao_encerrada');
  await recusa(t, c.renovar(terceira.refresh), 'sessao_encerrada');
});

test.serial('um acesso vale 15 minutos, um refresh 90 dias, e a sessão 400', async (t) => {
  const c = await criarAssinante(api);
  let tokens = await c.entrar();
  relogio.avancar(15 * MINUTO - 1);
  t.is(fimDoToken(await c.registro(tokens), relogio.agora()), null);
  relogio.avancar(1);
  t.is(fimDoToken(await c.registro(tokens), relogio.agora()), 'token_expirado');
  const velho = (await c.entrar()).refresh;
  relogio.avancar(90 * DIA);
  await recusa(t, c.renovar(velho), 'sessao_encerrada');

  relogio.definir(AGORA);
  tokens = { ...tokens, ...(await c.entrar()) };
  let { refresh } = tokens;
  for (let dias = 0; dias < 5; dias += 1) {
    relogio.avancar(79 * DIA);
    ({ refresh } = await c.renovar(refresh));
  }
  t.is((await c.renovar(refresh)).refreshAte.toISOString(), '2027-12-28T12:00:00.000Z');
  relogio.avancar(5 * DIA);
  await recusa(t, c.renovar(refresh), 'sessao_encerrada');
});

test.serial('de onze sessões a mais antiga termina', async (t) => {
  const c = await criarAssinante(api);
  const primeira = await c.registro(await c.definir((await c.gerar()).codigo, 'outra qualquer 77'));
  const todas = [];
  for (let n = 0; n < 10; n += 1) todas.push(await c.entrar('outra qualquer 77'));
  const { app } = api.container;
  const abertas = await app.listar(await c.registro(todas[0]!));
  t.is(abertas.length, 10);
  t.false(abertas.some(({ id }) => id === primeira.sessao.id));
  t.deepEqual(
    abertas.map(({ id }) => id).toSorted((a, b) => a - b),
    todas.map(({ sessaoId }) => sessaoId),
  );
  t.like(abertas[0]!, { aparelho: 'Moto G', rede: DE_ONDE.ip, usadaEm: '2026-11-23' });
});

test.serial('quem está numa sessão encerra esta, outra sua, ou todas, e a de outro não', async (t) => {
  const c = await criarAssinante(api);
  const outro = await criarAssinante(api);
  const [um, dois, tres] = [await c.entrar(), await c.entrar(), await c.entrar()];
  const dele = await outro.registro(await outro.entrar());
  const { app } = api.container;
  const ator = atorDoAssinante({ id: c.cliente }, DE_ONDE);
  const registro = await c.registro(um);
  t.is(await app.encerrar(ator, registro, { so: dele.sessao.id }), 0);
  t.is(await app.encerrar(ator, registro, { so: dois.sessaoId }), 1);
  t.is(fimDoToken(await c.registro(dois, 1), relogio.agora()), 'sessao_encerrada');
  t.is(await app.encerrar(ator, registro, { so: um.sessaoId }), 1);
  t.is(await app.encerrar(ator, registro, { so: um.sessaoId }), 0);
  t.is(fimDoToken(await c.registro(tres), relogio.agora()), null);
  // The one of the code is still open.
  t.is(await app.encerrar(ator, registro), 2);
  t.is(fimDoToken(await c.registro(tres), relogio.agora()), 'sessao_encerrada');
  t.is((await outro.registro(await outro.entrar())).sessao.encerradaEm, null);
});

test.serial('encerra-se também uma sessão que muitas mais novas já esconderam da lista', async (t) => {
  const c = await criarAssinante(api);
  const primeira = await c.registro(await c.entrar());
  const [usuario_id = 0] = await api
    .dono('usuarios')
    .insert({ provedor_id: c.provedor.id, email: 'b@malha.test', nome: 'Bia' });
  const sessoes = () => api.dono('app_sessoes').where({ provedor_id: c.provedor.id });
  const { id: _, ...linha } = await sessoes().where('id', primeira.sessao.id).first();
  const daEquipe = Array.from({ length: 101 }, () => ({ ...linha, acesso_id: null, usuario_id }));
  await api.dono('app_sessoes').insert(daEquipe);
  const [{ id: antiga }] = await sessoes().where({ usuario_id }).orderBy('id').limit(1);
  const ator = atorDoUsuario({ id: usuario_id, nome: 'Bia' }, DE_ONDE);
  const encerrar = async (dono: number) =>
    api.container.app.encerrarDoUsuario(ator, c.provedor.id, dono, antiga as number);
  t.is(await encerrar(usuario_id + 1), 0);
  t.is(await encerrar(usuario_id), 1);
  t.not((await sessoes().where('id', antiga).first()).encerrada_em, null);
  t.is(await encerrar(usuario_id), 0);
});

test.serial('a equipe encerra todas as de um assinante, e o registro diz quem', async (t) => {
  const c = await criarAssinante(api);
  const tokens = await c.entrar();
  const { acesso_id: acesso } = await api.dono('app_sessoes').where('id', tokens.sessaoId).first('acesso_id');
  const [usuario = 0] = await api
    .dono('usuarios')
    .insert({ provedor_id: c.provedor.id, email: 'a@malha.test', nome: 'Ana' });
  const ator = atorDoUsuario({ id: usuario, nome: 'Ana' }, DE_ONDE);
  t.is(await api.container.app.encerrarDoAcesso(ator, c.provedor.id, acesso), 2);
  await recusa(t, c.renovar(tokens.refresh), 'sessao_encerrada');
  const outro = await criarAssinante(api);
  await recusa(t, api.container.app.encerrarDoAcesso(ator, outro.provedor.id, acesso), 'nao_encontrado');
  t.is((await c.auditoria()).at(-1), 'sessao.encerrada');
});

test.serial('o token de um provedor não é de outro', async (t) => {
  const c = await criarAssinante(api);
  const outro = await criarAssinante(api);
  const { refresh } = await c.entrar();
  await recusa(t, outro.renovar(refresh), 'token_invalido');
  await recusa(t, c.renovar(sortearTokens(c.provedor.id, 1).refresh), 'token_invalido');
  t.is((await c.renovar(refresh)).trocarSenha, false);
});

import test from 'ava';
import { TERMINAL } from '../../../src/domain/actor.ts';
import { criarApi } from '../../support/api.ts';
import type { Api, Resposta } from '../../support/api.ts';
import { camposErrados, errosDe, pedirAoApp } from '../../support/app-api.ts';
import type { PedirAoApp } from '../../support/app-api.ts';
import { CPF, DE_ONDE, criarAssinante } from '../../domain/acessos/apoio.ts';
import { carteiro, contaDoGoogle, criarNavegador } from '../../domain/push/apoio.ts';
import { SENHA, criarEquipe } from '../../domain/usuarios/apoio.ts';
import { WEBHOOKS_AQUI, criarReceptorDeWebhooks } from '../../support/receptor.ts';
import type { ReceptorDeWebhooks } from '../../support/receptor.ts';
import { entrarNoPainel } from '../../support/painel.ts';
import { relogioEm } from '../../support/relogio.ts';

const relogio = relogioEm('2026-11-20T15:00:00.000Z');
let api: Api;
let pedir: PedirAoApp;
let receptor: ReceptorDeWebhooks;
let correio: ReturnType<typeof carteiro>;
test.before(async () => {
  receptor = await criarReceptorDeWebhooks();
  api = await criarApi({ relogio, env: { ...WEBHOOKS_AQUI, MALHA_PUSH_HOSTS: '127.0.0.1' } });
  pedir = pedirAoApp(api);
  correio = carteiro(api.container);
});
test.after.always(async () => {
  receptor.fechar();
  await api.fechar();
});

const com = (token: string) => ({ authorization: `Bearer ${token}` });
let serie = 0;

/** A subscriber in the app, who has not registered a device yet. */
async function cenario() {
  const c = await criarAssinante(api);
  await correio.consumir();
  const entrada = await c.entrar();
  serie += 1;
  const navegador = criarNavegador(`${receptor.url}/${serie}`);
  const corpo = { kind: 'webpush', platform: 'web', app_version: '1.0', muted: [], ...navegador.inscricao };
  const registrar = async (mais: object = {}, token = entrada.access): Promise<Resposta> =>
    pedir('POST', '/push/devices', { headers: com(token), corpo: { ...corpo, ...mais } });
  return { ...c, entrada, navegador, corpo, registrar, headers: com(entrada.access) };
}

test.serial('o aparelho se registra, se atualiza com o mesmo token, se lista, se altera e se remove', async (t) => {
  const c = await cenario();
  const novo = await c.registrar();
  t.is(novo.status, 201);
  const { id } = novo.corpo.data;
  t.deepEqual(novo.corpo.data, {
    id,
    kind: 'webpush',
    platform: 'web',
    app_version: '1.0',
    muted: [],
    current: true,
    seen_at: '2026-11-20T15:00:00.000Z',
    created_at: '2026-11-20T15:00:00.000Z',
  });
  relogio.avancar(60_000);
  const outra = await c.entrar();
  const deNovo = await c.registrar({ app_version: '1.1' }, outra.access);
  t.is(deNovo.status, 200);
  t.like(deNovo.corpo.data, { id, app_version: '1.1', current: true, seen_at: '2026-11-20T15:01:00.000Z' });
  const lista = await pedir('GET', '/push/devices', { headers: c.headers });
  t.deepEqual(
    lista.corpo.data.map((um: { id: number; current: boolean }) => [um.id, um.current]),
    [[id, false]],
  );
  t.false(lista.texto.includes('127.0.0.1'), 'o endereço não se repete');
  const muda = await pedir('PUT', `/push/devices/${id}`, { headers: c.headers, corpo: { muted: ['mensagem'] } });
  t.deepEqual(muda.corpo.data.muted, ['mensagem']);
  const vazio = await pedir('PUT', `/push/devices/${id}`, { headers: c.headers, corpo: {} });
  t.is(vazio.status, 400);
  const meia = await pedir('PUT', `/push/devices/${id}`, {
    headers: c.headers,
    corpo: { endpoint: c.navegador.inscricao.endpoint },
  });
  t.deepEqual(camposErrados(meia), ['keys']);
  const outro = await cenario();
  for (const [metodo, corpo] of [
    ['PUT', { muted: [] }],
    ['DELETE', undefined],
  ] as const) {
    const alheio = await pedir(metodo, `/push/devices/${id}`, { headers: outro.headers, corpo });
    t.deepEqual(errosDe(alheio), [['nao_encontrado', null]]);
  }
  t.is((await pedir('DELETE', `/push/devices/${id}`, { headers: c.headers })).status, 200);
  t.deepEqual((await pedir('GET', '/push/devices', { headers: c.headers })).corpo.data, []);
});

test.serial('o token novo de um aparelho é só dele', async (t) => {
  const c = await cenario();
  const um = await pedir('POST', '/push/devices', {
    headers: c.headers,
    corpo: { kind: 'fcm', token: 'a'.repeat(40), platform: 'android' },
  });
  const dois = await pedir('POST', '/push/devices', {
    headers: c.headers,
    corpo: { kind: 'fcm', token: 'b'.repeat(40), platform: 'android' },
  });
  t.deepEqual([um.status, dois.status], [201, 201]);
  await pedir('PUT', `/push/devices/${um.corpo.data.id}`, { headers: c.headers, corpo: { token: 'b'.repeat(40) } });
  const { corpo } = await pedir('GET', '/push/devices', { headers: c.headers });
  t.deepEqual(
    corpo.data.map(({ id }: { id: number }) => id),
    [um.corpo.data.id],
  );
});

test.serial('um token que era de outra espécie de aparelho passa a ser da que se registra', async (t) => {
  const c = await cenario();
  const { id } = (await c.registrar()).corpo.data;
  const token = c.navegador.inscricao.endpoint;
  const feito = await pedir('POST', '/push/devices', {
    headers: c.headers,
    corpo: { kind: 'fcm', token, platform: 'android' },
  });
  t.is(feito.status, 200);
  t.like(feito.corpo.data, { id, kind: 'fcm' });
});

test.serial('tudo o que está errado num aparelho é dito de uma vez', async (t) => {
  const c = await cenario();
  const headers = c.headers;
  const errado = async (corpo: object) => camposErrados(await pedir('POST', '/push/devices', { headers, corpo }));
  t.deepEqual(await errado({ kind: 'fcm', platform: 'pager', muted: ['seguranca'], token: 'x' }), [
    'muted.0',
    'platform',
    'token',
  ]);
  t.deepEqual(await errado({ kind: 'webpush', platform: 'web' }), ['endpoint', 'keys']);
  t.deepEqual(await errado({ kind: 'fcm', platform: 'ios', token: 'a'.repeat(40), endpoint: 'https://x.test' }), [
    'endpoint',
  ]);
  const ponto = Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 7)]).toString('base64url');
  const semCurva = { ...c.navegador.inscricao.keys, p256dh: ponto };
  t.deepEqual(camposErrados(await c.registrar({ keys: semCurva })), ['keys.p256dh']);
  for (const endpoint of [
    'https://exemplo.com/push',
    'https://fcm.googleapis.com.exemplo.com/x',
    'https://10.0.0.1/x',
    'ftp://fcm.googleapis.com/x',
  ]) {
    t.deepEqual(camposErrados(await c.registrar({ endpoint })), ['endpoint'], endpoint);
  }
});

test.serial('a configuração não pede credencial, e diz o que o provedor tem', async (t) => {
  const { provedor } = await cenario();
  const ler = async () => pedir('GET', '/push/config', { headers: { host: provedor.panelHost } });
  const antes = await ler();
  t.is(antes.status, 200);
  t.is(Buffer.from(antes.corpo.data.vapid_public_key, 'base64url').length, 65);
  t.false(antes.corpo.data.fcm);
  await api.container.push.definirContaFcm(TERMINAL, provedor.id, contaDoGoogle());
  t.true((await ler()).corpo.data.fcm);
  t.deepEqual(errosDe(await pedir('GET', '/push/config')), [['provedor_desconhecido', null]]);
});

test.serial(
  'uma mensagem vai aos aparelhos de clientes, uma vez por Idempotency-Key, e a auditoria diz a quantos',
  async (t) => {
    const c = await cenario();
    await c.registrar();
    const { texto: chave } = await api.criarChave(c.provedor.id);
    const plano_id = await c.fabrica.plano(c.provedor.id);
    const contrato = await c.fabrica.contrato(c.provedor.id, { cliente_id: c.cliente, plano_id });
    const alheio = await cenario();
    await alheio.registrar();
    receptor.recebidos.length = 0;
    const mensagem = { titulo: 'Manutenção amanhã', texto: 'Das 2h às 4h.', link: '/notices' };
    const enviar = async (corpo: object, headers = {}) => pedir('POST', '/push/messages', { chave, headers, corpo });
    const uma = { 'idempotency-key': 'mensagem-0001' };
    const para = { ...mensagem, cliente_ids: [c.cliente, alheio.cliente] };
    for (let vez = 0; vez < 2; vez += 1) {
      const feito = await enviar(para, uma);
      t.deepEqual([feito.status, feito.corpo.data], [202, { queued: 1 }]);
    }
    t.deepEqual((await enviar({ ...mensagem, contrato_ids: [contrato] })).corpo.data, { queued: 1 });
    await correio.tudo();
    t.is(receptor.recebidos.length, 2);
    t.like(c.navegador.ler(receptor.recebidos[0]!.bytes), {
      titulo: 'Manutenção amanhã',
      texto: 'Das 2h às 4h.',
      dados: { kind: 'mensagem', path: '/notices' },
    });
    const linhas = await api.dono('auditoria').where({ provedor_id: c.provedor.id, acao: 'push.mensagem' });
    t.is(linhas.length, 2);
    t.deepEqual(linhas[0].dados, { clientes: 1, aparelhos: 1 });
    t.not(linhas[0].chave_id, null);

    t.deepEqual(camposErrados(await enviar({ titulo: '', texto: 'x'.repeat(241), link: '//exemplo.com' })), [
      'link',
      'texto',
      'titulo',
    ]);
    t.deepEqual(camposErrados(await enviar({ ...para, contrato_ids: [1] })), ['cliente_ids']);
  },
);

test.serial(
  'de uma fatura, quem a vê no painel avisa os aparelhos do cliente; sem aparelho, diz que nada saiu',
  async (t) => {
    const c = await cenario();
    const gente = await entrarNoPainel(api, c.provedor.id, 'atendimento');
    const vencimento = '2026-11-10';
    const fatura = await c.fabrica.fatura(c.provedor.id, { cliente_id: c.cliente, valor: '99.90', vencimento });
    const caminho = `/faturas/${fatura}/avisar`;
    t.regex((await gente.get(`/faturas/${fatura}`)).texto, new RegExp(`href="/painel${caminho}"`));
    const sem = await gente.post(caminho);
    t.deepEqual([sem.status, sem.headers['location']], [303, `/painel/faturas/${fatura}?feito=sem_aparelho`]);
    await c.registrar();
    receptor.recebidos.length = 0;
    t.regex((await gente.get(caminho)).texto, /Venceu em 10\/11\/2026/);
    t.is((await gente.post(caminho)).headers['location'], `/painel/faturas/${fatura}?feito=aviso_enviado`);
    await correio.tudo();
    t.is(receptor.recebidos.length, 1);
    t.like(c.navegador.ler(receptor.recebidos[0]!.bytes), { dados: { kind: 'mensagem', path: `/invoices/${fatura}` } });
    const tecnico = await entrarNoPainel(api, c.provedor.id, 'tecnico');
    t.is((await tecnico.post(caminho)).status, 403);
    await api.dono('faturas').where({ id: fatura }).update({ situacao: 'cancelada' });
    t.is((await gente.post(caminho)).status, 409);
  },
);

test.serial('sair encerra o aparelho da sessão, e a equipe registra o seu', async (t) => {
  const c = await cenario();
  await c.registrar();
  await pedir('POST', '/auth/logout', { headers: c.headers });
  t.deepEqual(await api.dono('push_dispositivos').where('provedor_id', c.provedor.id), []);

  const casa = await criarEquipe(api);
  const { id } = await casa.usuario('tecnico');
  await api.container.usuarios.alterar(TERMINAL, casa.provedor.id, id, { cpf: CPF });
  const entrada = { cpf: CPF, senha: SENHA, ...DE_ONDE, aparelho: null };
  const { access } = await api.container.app.entrarNoApp(casa.provedor, entrada);
  t.is((await c.registrar({}, access)).status, 201);
  const [deles] = await api.dono('push_dispositivos').where('provedor_id', casa.provedor.id);
  t.like(deles, { usuario_id: id, acesso_id: null });
});

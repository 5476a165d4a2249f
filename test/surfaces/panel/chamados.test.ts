import { request } from 'node:http';
import test from 'ava';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { ate } from '../../support/espera.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import { abrirPainel, entrarNoPainel } from '../../support/painel.ts';
import type { PessoaNoPainel } from '../../support/painel.ts';

let api: Api;
let relay: { stop(): Promise<void> };
test.before(async () => {
  api = await criarApi({ processos: 2 });
  relay = api.container.startRelay();
});
test.after.always(async () => {
  await relay.stop();
  for (const { streams } of api.containers) streams.drain();
  await api.fechar();
});

async function cenario() {
  const fabrica = criarFabrica(api.dono);
  const provedor = await fabrica.provedor();
  const plano_id = await fabrica.plano(provedor);
  const cliente = await fabrica.cliente(provedor, { nome: 'Maria <b>da</b> Silva' });
  await fabrica.telefone(provedor, { cliente_id: cliente });
  const contrato = await fabrica.contrato(provedor, { cliente_id: cliente, plano_id });
  const ana = await entrarNoPainel(api, provedor, 'atendimento');
  const chamado = await fabrica.chamado(provedor, { cliente_id: cliente, prioridade: 'urgente' });
  const { texto: chave } = await api.criarChave(provedor);
  const abrir = async (assunto = 'Sem conexão em casa') => {
    const corpo = JSON.stringify({ cliente_id: cliente, assunto, descricao: 'Caiu agora há pouco.' });
    const headers = { 'content-type': 'application/json' };
    const { status, corpo: lido } = await api.pedir('POST', '/chamados', { chave, corpo, headers });
    if (status !== 201) throw new Error(String(status));
    return Number(lido.dados.id);
  };
  const linha = async (id = chamado) => api.dono('chamados').where({ provedor_id: provedor, id }).first();
  const host = (await api.container.provedores.exigirPorId(provedor)).panelHost;
  return { fabrica, provedor, cliente, contrato, ana, chamado, chave, abrir, linha, host };
}

const versaoEm = (texto: string): string => /name="atualizado_em" value="([^"]+)"/.exec(texto)?.[1] ?? '';

/** What a page hears, as long as it is open. */
async function ouvir({ cookie }: PessoaNoPainel, host: string, processo = 0) {
  const ouvido = { status: 0, texto: '', fim: false };
  const req = request({
    host: '127.0.0.1',
    port: api.portas[processo],
    path: '/painel/eventos',
    headers: { host, cookie: cookie ?? '' },
    agent: false,
  });
  req.on('response', (res) => {
    ouvido.status = res.statusCode ?? 0;
    res.on('data', (parte: Buffer) => (ouvido.texto += parte.toString()));
    res.on('close', () => (ouvido.fim = true));
  });
  req.on('error', () => (ouvido.fim = true));
  req.end();
  await ate(() => ouvido.texto.includes('event: atualizar') || ouvido.fim);
  return { ouvido, fechar: () => req.destroy() };
}

test('quem abre um chamado viu os dados do cliente, e o que a página pede por si não conta outra vez', async (t) => {
  const { ana, chamado, cliente, provedor } = await cenario();
  const vistos = async () =>
    (await api.dono('acessos_a_dados').where({ provedor_id: provedor })).map((um) => [um.usuario_id, um.cliente_id]);
  t.is((await ana.get(`/chamados/${chamado}`)).status, 200);
  t.deepEqual(await vistos(), [[ana.usuarioId, cliente]]);
  for (const parte of ['conversa', 'lado']) {
    const headers = { 'HX-Request': 'true', 'HX-Target': `div#${parte}`, 'X-Por-Si': 'sim' };
    t.is((await ana.get(`/chamados/${chamado}`, headers)).status, 200);
  }
  t.is((await vistos()).length, 1);
});

test('um chamado aberto pela v1 é ouvido por duas páginas de dois processos, com o id e nada mais', async (t) => {
  const { ana, abrir, provedor, host } = await cenario();
  const leo = await entrarNoPainel(api, provedor, 'tecnico', 1);
  const alheia = await cenario();
  const paginas = [await ouvir(ana, host), await ouvir(leo, host, 1)];
  const deOutro = await ouvir(alheia.ana, alheia.host);
  const id = await abrir('Segredo do assunto');
  for (const { ouvido } of paginas) {
    await ate(() => ouvido.texto.includes('event: chamado'));
    t.true(ouvido.texto.includes(`event: chamado\ndata: {"id":${id}}`));
    t.true(ouvido.texto.startsWith('event: ola'));
    t.false(ouvido.texto.includes('Segredo'));
  }
  t.false(deOutro.ouvido.texto.includes('event: chamado'));
  for (const { fechar } of [...paginas, deOutro]) fechar();
});

test('a página deixa de ouvir quando a sessão acaba, também por outro processo', async (t) => {
  const { ana, host } = await cenario();
  const { ouvido } = await ouvir(ana, host, 1);
  t.false(ouvido.fim);
  await ana.post('/sair');
  await ate(() => ouvido.fim);
  t.true(ouvido.fim);
});

test('a quinta página de uma pessoa é respondida 503, e a primeira continua', async (t) => {
  const { ana, host } = await cenario();
  const abertas = await Promise.all([1, 2, 3, 4].map(async () => ouvir(ana, host)));
  const { status, headers } = await ana.get('/eventos', { 'HX-Request': 'true' });
  t.is(status, 503);
  t.is(headers['retry-after'], '30');
  t.true(abertas.every(({ ouvido }) => ouvido.status === 200 && !ouvido.fim));
  for (const { fechar } of abertas) fechar();
});

test('o chamado novo de quem tem um só contrato já diz qual é, e deixa dizer que não é dele', async (t) => {
  const { ana, cliente, contrato } = await cenario();
  const { texto } = await ana.get(`/chamados/novo?cliente=${cliente}`);
  t.regex(texto, new RegExp(`<option value="${contrato}" selected`));
  const semAssunto = await ana.post('/chamados/novo', {
    cliente_id: String(cliente),
    contrato_id: '',
    descricao: 'Oi',
  });
  t.is(semAssunto.status, 422);
  t.notRegex(semAssunto.texto, new RegExp(`<option value="${contrato}" selected`));
});

test('a fila mostra urgência, cliente, conexão, origem e quem atende, e escapa o que se digitou', async (t) => {
  const { ana, chamado, abrir } = await cenario();
  const id = await abrir();
  const { status, texto } = await ana.get('/chamados');
  t.is(status, 200);
  t.regex(texto, new RegExp(`#${chamado}</span> Sem conexão`));
  for (const dito of ['urgente', 'API', 'ninguém', 'Fila (2)', 'Meus (0)', 'espera a equipe', `#${id}`]) {
    t.true(texto.includes(dito), dito);
  }
  t.true(texto.includes('Maria &lt;b&gt;da'));
  t.regex(texto, /data-conta="chamados"[^>]*><span>2</);
  const vazia = await ana.get('/chamados?origem=painel');
  t.regex(vazia.texto, /Nenhum chamado com estes filtros/);
  t.is((await ana.get('/chamados?origem=carta')).status, 400);
  t.is((await ana.get('/chamados?apos=x')).status, 422);
  t.regex((await ana.get('/chamados?visao=meus')).texto, /Nenhum chamado é seu agora/);
});

test('assumir na fila volta à mesma fila; quem viu outra versão é avisado e nada muda', async (t) => {
  const { ana, chamado, linha, provedor } = await cenario();
  const leo = await entrarNoPainel(api, provedor, 'tecnico');
  const velha = versaoEm((await ana.get('/chamados')).texto);
  const volta = '/chamados?visao=fila';
  const feita = await leo.post(`/chamados/${chamado}/assumir`, { atualizado_em: velha, volta });
  t.is(feita.status, 303);
  t.is(feita.headers['location'], '/painel/chamados?visao=fila');
  t.is((await linha()).responsavel_id, leo.usuarioId);
  const dele = (await leo.get('/chamados?visao=meus')).texto;
  t.regex(dele, new RegExp(`#${chamado}<`));
  t.regex(dele, /href="tel:\+55\d+"/);
  const tarde = await ana.post(`/chamados/${chamado}/assumir`, { atualizado_em: velha, volta });
  t.is(tarde.status, 409);
  t.is((await linha()).responsavel_id, leo.usuarioId);
  const fora = await leo.post(`/chamados/${chamado}/assumir`, { volta: '//mal.example' });
  t.is(fora.headers['location'], `/painel/chamados/${chamado}?feito=salvo`);
});

test('a nota interna está na tela da equipe, à parte, e não na v1', async (t) => {
  const { ana, chamado, chave } = await cenario();
  await ana.post(`/chamados/${chamado}/anotar`, { texto: 'Cliente difícil' });
  await ana.post(`/chamados/${chamado}/comentar`, { texto: 'Vamos aí hoje' });
  const { texto } = await ana.get(`/chamados/${chamado}`);
  t.regex(texto, /class="fala interna">[^]*?nota interna[^]*?Cliente difícil/);
  t.regex(texto, /class="fala ">[^]*?Vamos aí hoje/);
  const publico = (await api.get(`/chamados/${chamado}/historico`, { chave })).texto;
  t.true(publico.includes('Vamos aí hoje'));
  t.false(publico.includes('Cliente difícil'));
});

test('o que falta é dito ao lado do campo, e o que se digitou fica', async (t) => {
  const { ana, chamado, linha } = await cenario();
  const vazia = await ana.post(`/chamados/${chamado}/solucionar`, { texto: '' });
  t.is(vazia.status, 422);
  t.regex(vazia.texto, /Solução: é obrigatório/);
  const velha = versaoEm((await ana.get(`/chamados/${chamado}?fazer=mudar`)).texto);
  await ana.post(`/chamados/${chamado}/mudar`, { prioridade: 'baixa', atualizado_em: velha });
  const tarde = await ana.post(`/chamados/${chamado}/solucionar`, { texto: 'Trocado o cabo', atualizado_em: velha });
  t.is(tarde.status, 409);
  t.regex(tarde.texto, /alguém o alterou depois que foi lido/);
  t.true(tarde.texto.includes('Trocado o cabo'));
  t.is((await linha()).situacao, 'aberto');
  // The form that came back has the version of now.
  const nova = versaoEm(tarde.texto.slice(tarde.texto.indexOf('id="fazer"')));
  t.is((await ana.post(`/chamados/${chamado}/solucionar`, { texto: 'Feito', atualizado_em: nova })).status, 303);
  t.like(await linha(), { situacao: 'solucionado', solucao: 'Feito', prioridade: 'baixa' });
  const fechado = await ana.get(`/chamados/${chamado}?fazer=solucionar`);
  t.regex(fechado.texto, /Reabrir/);
  t.false(fechado.texto.includes(`/chamados/${chamado}/agendar`));
  await ana.post(`/chamados/${chamado}/reabrir`, { texto: '' });
  t.is((await linha()).situacao, 'reaberto');
});

test('a visita marcada no fuso do provedor está na agenda do dia e da semana, e se desmarca', async (t) => {
  const { ana, chamado, linha } = await cenario();
  await ana.post(`/chamados/${chamado}/agendar`, { agendado_para: '2026-12-01T23:30', duracao_minutos: '45' });
  t.like(await linha(), { agendado_para: '2026-12-02 02:30:00.000', agendado_minutos: 45 });
  const dia = await ana.get('/chamados/agenda?dia=2026-12-01');
  t.regex(dia.texto, /23:30<\/strong>\s*<span[^>]*>45 min/);
  t.false((await ana.get('/chamados/agenda?dia=2026-12-02')).texto.includes('23:30'));
  t.regex((await ana.get('/chamados/agenda?dia=2026-12-05&dias=7')).texto, /terça, 01\/12\/2026[^]*?23:30/);
  t.regex((await ana.get(`/chamados/${chamado}?fazer=agendar`)).texto, /value="2026-12-01T23:30"/);
  t.is((await ana.post(`/chamados/${chamado}/agendar`, { agendado_para: '' })).status, 303);
  t.is((await linha()).agendado_para, null);
});

test('o técnico não marca nem dá chamados a outros, e não vê como', async (t) => {
  const { chamado, provedor, ana } = await cenario();
  const leo = await entrarNoPainel(api, provedor, 'tecnico');
  const { texto } = await leo.get(`/chamados/${chamado}`);
  t.false(/fazer=(?:agendar|atribuir)/.test(texto));
  t.is((await leo.post(`/chamados/${chamado}/agendar`, { agendado_para: '2026-12-01T10:00' })).status, 403);
  t.is((await leo.post(`/chamados/${chamado}/atribuir`, { responsavel_id: '' })).status, 403);
  t.is((await ana.post(`/chamados/${chamado}/atribuir`, { responsavel_id: String(leo.usuarioId) })).status, 303);
  t.is((await ana.post(`/chamados/${chamado}/atribuir`, { responsavel_id: '999999' })).status, 422);
});

test('abre-se um chamado para quem se procurou, com o contrato dele', async (t) => {
  const { ana, cliente, contrato, linha } = await cenario();
  const busca = await ana.get('/chamados/novo?q=52998224725');
  t.true(busca.texto.includes(`/painel/chamados/novo?cliente=${cliente}`));
  t.regex((await ana.get(`/chamados/novo?cliente=${cliente}`)).texto, new RegExp(`<option value="${contrato}"`));
  const campos = { cliente_id: String(cliente), contrato_id: String(contrato), assunto: 'Lento', prioridade: 'alta' };
  const sem = await ana.post('/chamados/novo', { ...campos, descricao: '' });
  t.is(sem.status, 422);
  t.regex(sem.texto, /Descrição: é obrigatório/);
  t.true(sem.texto.includes('value="Lento"'));
  const feito = await ana.post('/chamados/novo', { ...campos, descricao: 'À noite.' });
  const id = Number(/chamados\/(\d+)/.exec(String(feito.headers['location']))?.[1]);
  t.like(await linha(id), { origem: 'painel', prioridade: 'alta', aberto_por_usuario: ana.usuarioId });
  t.is((await ana.get('/chamados/novo?cliente=999999999')).status, 404);
});

test('da página de um contrato abre-se um chamado dele, ainda que o cliente tenha outros', async (t) => {
  const { fabrica, ana, provedor, cliente, contrato } = await cenario();
  await fabrica.contrato(provedor, { cliente_id: cliente, plano_id: await fabrica.plano(provedor) });
  const caminho = `/chamados/novo?cliente=${cliente}&contrato=${contrato}`;
  t.true((await ana.get(`/contratos/${contrato}`)).texto.includes(`href="/painel${caminho.replace('&', '&amp;')}"`));
  t.regex((await ana.get(caminho)).texto, new RegExp(`<option value="${contrato}" selected`));
  t.notRegex(
    (await ana.get(`/chamados/novo?cliente=${cliente}`)).texto,
    new RegExp(`<option value="${contrato}" selected`),
  );
});

test('o sino conta o que não se leu, do que se pode ver, e deixa de contar quando se lê', async (t) => {
  const { ana, abrir, provedor } = await cenario();
  await abrir();
  await api.dono('notificacoes').insert({
    provedor_id: provedor,
    tipo: 'fatura.paga_em_parte',
    origem: 'pix',
    recurso: 'fatura',
    recurso_id: 7,
    criado_em: '2026-11-20 10:00:00.000',
  });
  const leo = await entrarNoPainel(api, provedor, 'tecnico');
  const doSino = async (quem: PessoaNoPainel) =>
    /data-nao-lidas="(\d+)"/.exec((await quem.get('/notificacoes/contadores')).texto)?.[1];
  t.is(await doSino(ana), '2');
  t.is(await doSino(leo), '1');
  const { texto } = await leo.get('/notificacoes');
  t.regex(texto, /Chamado novo/);
  t.false(texto.includes('Fatura paga'));
  const ultima = /name="ate" value="(\d+)"/.exec((await ana.get('/notificacoes')).texto)?.[1] ?? '';
  t.is((await ana.post('/notificacoes/lidas', { ate: ultima })).status, 303);
  t.is(await doSino(ana), '0');
  t.is(await doSino(leo), '1');
});

test('o que a página pede por si não mantém viva uma sessão que ninguém usa', async (t) => {
  const { ana, provedor, host } = await cenario();
  const dela = () => api.dono('painel_sessoes').where({ provedor_id: provedor, usuario_id: ana.usuarioId });
  const vista = async (): Promise<string> => (await dela().first()).vista_em;
  await dela().update({ vista_em: api.dono.raw('NOW(3) - INTERVAL 5 MINUTE') });
  const antes = await vista();
  // The other process has not kept the session.
  const noutro = abrirPainel(api, host, 1);
  const pedir = async (headers: Record<string, string>) =>
    noutro.get('/notificacoes/contadores', { cookie: ana.cookie ?? '', ...headers });
  t.is((await pedir({ 'X-Por-Si': 'sim' })).status, 200);
  t.is((await pedir({ 'X-Por-Si': 'sim' })).status, 200);
  t.is(await vista(), antes);
  await pedir({});
  await ate(async () => (await vista()) !== antes);
  t.not(await vista(), antes);
});

import test from 'ava';
import { TERMINAL } from '../../../src/domain/actor.ts';
import { jsonColumn } from '../../../src/platform/mysql/database.ts';
import { CPF, DE_ONDE } from '../../domain/acessos/apoio.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { camposErrados, errosDe, pedirAoApp } from '../../support/app-api.ts';
import type { PedirAoApp } from '../../support/app-api.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import type { Fabrica } from '../../support/fabrica.ts';
import { SENHA_DO_PAINEL, entrarNoPainel } from '../../support/painel.ts';
import { sessaoDaEquipe } from './apoio.ts';

let api: Api;
let fabrica: Fabrica;
let pedir: PedirAoApp;
let provedor: number;
let chave: string;
let cliente: number;
test.before(async () => {
  api = await criarApi();
  fabrica = criarFabrica(api.dono);
  pedir = pedirAoApp(api);
  provedor = await fabrica.provedor();
  cliente = await fabrica.cliente(provedor);
  ({ texto: chave } = await api.criarChave(provedor));
});
test.after.always(() => api.fechar());

const QUANDO = '2026-12-01T17:00:00.000Z';
const novo = (mais: object = {}) => ({
  cliente_id: cliente,
  assunto: 'Sem conexão',
  descricao: 'Caiu às 8h.',
  ...mais,
});
const abrir = async (mais: object = {}) => pedir('POST', '/chamados', { chave, corpo: novo(mais) });
const mudar = async (id: number, corpo: object) => pedir('PUT', `/chamados/${id}`, { chave, corpo });
const linhaDe = async (id: number) => (await api.dono('chamados').where({ provedor_id: provedor, id }))[0];
const historicoDe = async (id: number): Promise<string[]> =>
  (await api.dono('chamados_historico').where({ provedor_id: provedor, chamado_id: id }).orderBy('id')).map(
    ({ acao }) => acao,
  );

test('POST /chamados: 201 com o chamado, de origem api, e com a visita se for pedida', async (t) => {
  const { status, corpo } = await abrir({ categoria: 'TECNICO', agendado_para: QUANDO });
  t.is(status, 201);
  t.like(corpo.data, {
    cliente_id: cliente,
    contrato_id: null,
    situacao: 'aberto',
    prioridade: 'normal',
    agendado_para: QUANDO,
  });
  t.like(await linhaDe(corpo.data.id), { origem: 'api', agendado_minutos: 60 });
  t.deepEqual(await historicoDe(corpo.data.id), ['aberto', 'agendamento']);
  t.is((await abrir({ agendado_para: null })).corpo.data.agendado_para, null);
  const naPublica = await api.get(`/chamados/${corpo.data.id}`, { chave });
  t.deepEqual(naPublica.corpo.dados, corpo.data, 'é o objeto da API pública');
});

test('POST /chamados: todos os campos errados, e as regras da API pública', async (t) => {
  const errado = await pedir('POST', '/chamados', { chave, corpo: { assunto: 'x', agendado_para: 'amanhã', dono: 1 } });
  t.is(errado.status, 400);
  t.deepEqual(camposErrados(errado), ['agendado_para', 'assunto', 'cliente_id', 'descricao', 'dono']);
  t.deepEqual(errosDe(await abrir({ cliente_id: 999_999 }))[0]?.[0], 'nao_encontrado');
  const dOutro = await fabrica.contrato(provedor, {
    cliente_id: await fabrica.cliente(provedor),
    plano_id: await fabrica.plano(provedor),
  });
  t.deepEqual(errosDe(await abrir({ contrato_id: dOutro })), [['contrato_invalido', 'contrato_id']]);
  const cancelado = await fabrica.cliente(provedor, { situacao: 'cancelado' });
  t.deepEqual(errosDe(await abrir({ cliente_id: cancelado }))[0]?.[0], 'cliente_cancelado');
});

test('PUT /chamados/{id}: marca, muda e desmarca a visita, que fica no histórico; o que já é assim não muda', async (t) => {
  const { id } = (await abrir()).corpo.data as { id: number };
  t.is((await mudar(id, { agendado_para: QUANDO })).corpo.data.agendado_para, QUANDO);
  await mudar(id, { agendado_para: QUANDO });
  t.deepEqual(await historicoDe(id), ['aberto', 'agendamento']);
  t.is((await mudar(id, { agendado_para: null })).corpo.data.agendado_para, null);
  t.like(await linhaDe(id), { agendado_para: null, agendado_minutos: null });
  const feito = await mudar(id, { situacao: 'solucionado', solucao: 'Conector refeito.', comentario: 'Pronto.' });
  t.like(feito.corpo.data, { situacao: 'solucionado', solucao: 'Conector refeito.' });
  const fechado = await mudar(id, { agendado_para: QUANDO });
  t.deepEqual([fechado.status, errosDe(fechado)[0]?.[0]], [422, 'transicao_invalida']);
  t.is((await mudar(id, { situacao: 'reaberto', agendado_para: QUANDO })).status, 200);
  t.deepEqual(errosDe(await mudar(id, {})), [['parametro_invalido', null]]);
});

test('PUT /chamados/{id}: quem atende é um usuário que pode, e só a equipe o vê', async (t) => {
  const tecnico = await entrarNoPainel(api, provedor, 'tecnico');
  const { id } = (await abrir()).corpo.data as { id: number };
  const antes = await linhaDe(id);
  const dado = await mudar(id, { responsavel_id: tecnico.usuarioId });
  t.is(dado.status, 200);
  t.false(dado.texto.includes('responsavel'));
  const depois = await linhaDe(id);
  t.deepEqual([depois.responsavel_id, depois.atualizado_em], [tecnico.usuarioId, antes.atualizado_em]);
  t.deepEqual(await historicoDe(id), ['aberto']);
  const ninguem = await mudar(id, { responsavel_id: 999_999, comentario: 'x' });
  t.deepEqual([ninguem.status, errosDe(ninguem)], [400, [['parametro_invalido', 'responsavel_id']]]);
  t.deepEqual(await historicoDe(id), ['aberto'], 'recusada uma mudança, nenhuma se faz');
  await mudar(id, { responsavel_id: null });
  t.is((await linhaDe(id)).responsavel_id, null);
});

test('PUT /chamados/{id}: o que a equipe comenta é dito como dela, e deixa de esperar por ela', async (t) => {
  const tecnico = await entrarNoPainel(api, provedor, 'tecnico');
  await api.container.usuarios.alterar(TERMINAL, provedor, tecnico.usuarioId, { cpf: CPF });
  const entrada = { cpf: CPF, senha: SENHA_DO_PAINEL, ...DE_ONDE, aparelho: null };
  const { access } = await api.container.app.entrarNoApp({ id: provedor }, entrada);
  const { id } = (await abrir()).corpo.data as { id: number };
  t.is((await linhaDe(id)).espera_equipe, 1);
  const headers = { authorization: `Bearer ${access}` };
  const dito = await pedir('PUT', `/chamados/${id}`, { headers, corpo: { comentario: 'Estou a caminho.' } });
  t.is(dito.status, 200, dito.texto);
  const porQuem = async () => {
    const [evento] = await api
      .dono('eventos')
      .where({ provedor_id: provedor, tipo: 'chamado.atualizado', recurso_id: id })
      .orderBy('id', 'desc');
    return jsonColumn<{ por: string }>(evento.dados).por;
  };
  t.is(await porQuem(), 'equipe');
  t.is((await linhaDe(id)).espera_equipe, 0);
  await mudar(id, { comentario: 'Ainda não chegou.' });
  t.is(await porQuem(), 'api');
  t.is((await linhaDe(id)).espera_equipe, 1);
});

test('PUT /chamados/{id}: quem só atende assume, mas não atribui nem agenda, como no painel', async (t) => {
  const tecnico = await sessaoDaEquipe(api, provedor, 'tecnico');
  const outro = await entrarNoPainel(api, provedor, 'tecnico');
  const { id } = (await abrir()).corpo.data as { id: number };
  const aEquipe = async ({ access }: { readonly access: string }, corpo: object) =>
    pedir('PUT', `/chamados/${id}`, { headers: { authorization: `Bearer ${access}` }, corpo });
  for (const corpo of [
    { responsavel_id: outro.usuarioId },
    { responsavel_id: null },
    { agendado_para: QUANDO },
    { agendado_para: null, comentario: 'Não vou.' },
  ]) {
    const recusado = await aEquipe(tecnico, corpo);
    t.deepEqual([recusado.status, errosDe(recusado)], [403, [['permissao_insuficiente', null]]], JSON.stringify(corpo));
  }
  t.like(await linhaDe(id), { responsavel_id: null, agendado_para: null });
  t.deepEqual(await historicoDe(id), ['aberto']);
  const assumido = await aEquipe(tecnico, { responsavel_id: tecnico.id, comentario: 'É comigo.' });
  t.is(assumido.status, 200, assumido.texto);
  t.is((await linhaDe(id)).responsavel_id, tecnico.id);

  const atende = await sessaoDaEquipe(api, provedor, 'atendimento');
  t.is((await aEquipe(atende, { responsavel_id: outro.usuarioId, agendado_para: QUANDO })).status, 200);
  t.is((await linhaDe(id)).responsavel_id, outro.usuarioId);
});

test('chamados: uma Idempotency-Key é da chave, nas duas APIs', async (t) => {
  const headers = { 'idempotency-key': 'um-chamado' };
  const [um, outro] = [
    await pedir('POST', '/chamados', { chave, corpo: novo(), headers }),
    await pedir('POST', '/chamados', { chave, corpo: novo(), headers }),
  ];
  t.deepEqual([outro.status, outro.texto], [201, um.texto]);
  const { texto } = await api.criarChave(provedor);
  t.not((await pedir('POST', '/chamados', { chave: texto, corpo: novo(), headers })).texto, um.texto);
});

import test from 'ava';
import { atorDoUsuario } from '../../../src/domain/actor.ts';
import type { Dominio, Escritas } from '../../../src/domain/dominio.ts';
import { Recusa } from '../../../src/domain/erros.ts';
import { CATALOGO } from '../../../src/domain/eventos/catalogo.types.ts';
import { untracked } from '../../../src/platform/cache/trail.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { relogioEm } from '../../support/relogio.ts';
import { criarCasa } from '../contratos/apoio.ts';
import { vindoDe } from '../../support/autor.ts';

const relogio = relogioEm('2026-11-20T15:00:00.000Z');
const SEGREDO = 'O cliente grita; mandar o Léo.';
let api: Api;
test.before(async () => {
  api = await criarApi({ relogio });
});
test.after.always(() => api.fechar());

async function cenario() {
  const casa = await criarCasa(api);
  const { provedor, cliente, fabrica } = casa;
  const usuario = async (nome: string, linha: object = {}): Promise<number> => {
    const email = `${nome}@x`;
    const [id = 0] = await api
      .dono('usuarios')
      .insert({ provedor_id: provedor, nome, email, perfil: 'tecnico', ...linha });
    return id;
  };
  const ana = await usuario('Ana');
  const leo = await usuario('Léo');
  const chamado = await fabrica.chamado(provedor, { cliente_id: cliente });
  // Long ago, so that what moves it can be seen.
  await api.dono('chamados').where({ id: chamado }).update({ atualizado_em: '2026-11-01 09:00:00.000' });
  const quem = await api.container.provedores.exigirPorId(provedor);
  const fazer = async <T>(work: (e: Escritas) => Promise<T>, id = ana): Promise<T> =>
    api.container.changeTenant(atorDoUsuario({ id, nome: 'Ana' }, vindoDe('10.0.0.1')), quem, async (_d, e) => work(e));
  const ver = async <T>(work: (d: Dominio) => Promise<T>): Promise<T> =>
    api.container.readTenant(quem, untracked, { reader: 'teste', whole: false }, work);
  const { texto: chave } = await api.criarChave(provedor);
  const lido = async () => (await casa.linhas('chamados', { id: chamado }))[0]!;
  return { ...casa, usuario, ana, leo, chamado, fazer, ver, chave, lido };
}

test('notas, responsável e duração não chegam a ninguém fora da equipe, nem mudam o chamado para a v1', async (t) => {
  const { chamado, fazer, ver, chave, leo, ana, lido, eventos, linhas, cliente } = await cenario();
  await fazer(async ({ atendimento }) => atendimento.comentar(chamado, { texto: 'Estamos vendo.' }));
  await fazer(async ({ atendimento }) => atendimento.agendar(chamado, { agendado_para: '2026-11-25T17:00:00Z' }));
  await api.dono('chamados').where({ id: chamado }).update({ atualizado_em: '2026-11-01 09:00:00.000' });
  const v1 = async () => [
    (await api.get(`/chamados/${chamado}`, { chave })).texto,
    (await api.get(`/chamados/${chamado}/historico`, { chave })).texto,
    (await api.get('/chamados?atualizado_desde=2026-11-02T00:00:00Z', { chave })).corpo.dados.length,
  ];
  const antes = await v1();
  t.is(antes[2], 0);
  const antesDisto = (await eventos()).length;

  await fazer(async ({ atendimento }) => {
    await atendimento.anotar(chamado, { texto: SEGREDO });
    await atendimento.atribuir(chamado, { responsavel_id: leo });
    await atendimento.assumir(chamado, {});
    await atendimento.agendar(chamado, { agendado_para: '2026-11-25T17:00:00Z', duracao_minutos: 90 });
  });
  t.deepEqual(await v1(), antes);
  t.is((await lido())['atualizado_em'], '2026-11-01 09:00:00.000');
  const novos = (await eventos()).slice(antesDisto);
  t.deepEqual(
    novos.map(({ tipo }) => tipo),
    ['chamado.anotado', 'chamado.atribuido', 'chamado.atribuido', 'chamado.visita_alterada'],
  );
  t.false(JSON.stringify([novos, await linhas('auditoria'), await linhas('notificacoes')]).includes('Léo'));
  const exportado = await fazer(async ({ privacidade }) => privacidade.exportar(cliente));
  t.false(JSON.stringify(exportado.secoes).includes('Léo'));
  t.true(JSON.stringify(exportado.secoes).includes('Estamos vendo.'));

  const detalhe = await ver(async ({ filaDeChamados }) => filaDeChamados.buscar(chamado));
  t.deepEqual(
    detalhe?.historico.map(({ acao, interno, usuarioId }) => [acao, interno, usuarioId]),
    [
      ['comentario', false, ana],
      ['agendamento', false, ana],
      ['nota', true, ana],
      ['responsavel', true, ana],
      ['responsavel', true, ana],
    ],
  );
  t.like(detalhe, { responsavel: { id: ana, nome: 'Ana' }, duracaoMinutos: 90, esperaEquipe: false });
});

test('o apagamento do titular leva também as notas da equipe', async (t) => {
  const { chamado, cliente, fazer, lido, linhas } = await cenario();
  await fazer(async ({ atendimento }) => {
    await atendimento.anotar(chamado, { texto: SEGREDO });
    await atendimento.solucionar(chamado, { texto: 'Feito.' });
  });
  await api.dono('chamados').where({ id: chamado }).update({ fechado_em: '2015-01-01', aberto_em: '2015-01-01' });
  await fazer(async ({ clientes, privacidade }) => {
    await clientes.cancelar(cliente);
    await privacidade.apagar(cliente);
  });
  t.is((await lido())['solucao'], null);
  for (const tabela of ['chamados_historico', 'chamados_notas']) {
    t.false(JSON.stringify(await linhas(tabela)).includes('grita'), tabela);
  }
});

test('quem mudou antes é dito a quem lera outra versão, também do que só a equipe vê', async (t) => {
  const { chamado, fazer, ver, leo, lido } = await cenario();
  const lida = (await ver(async ({ filaDeChamados }) => filaDeChamados.buscar(chamado)))!.versao;
  await fazer(async ({ atendimento }) => atendimento.atribuir(chamado, { responsavel_id: leo, atualizado_em: lida }));
  for (const velha of [
    async ({ atendimento }: Escritas) => atendimento.assumir(chamado, { atualizado_em: lida }),
    async ({ atendimento }: Escritas) => atendimento.mudar(chamado, { prioridade: 'alta', atualizado_em: lida }),
  ]) {
    const recusa = await t.throwsAsync(fazer(velha), { instanceOf: Recusa });
    t.is(recusa.motivo, 'versao_divergente');
  }
  const nova = (await ver(async ({ filaDeChamados }) => filaDeChamados.buscar(chamado)))!.versao;
  await fazer(async ({ atendimento }) => atendimento.mudar(chamado, { prioridade: 'alta', atualizado_em: nova }));
  t.like(await lido(), { prioridade: 'alta', responsavel_id: leo });
});

test('só atende quem é da casa e está ativo', async (t) => {
  const { chamado, fazer, usuario, lido } = await cenario();
  const outra = await cenario();
  const saiu = await usuario('Rui', { ativo: 0 });
  for (const responsavel_id of [saiu, outra.leo, 999_999]) {
    const recusa = await t.throwsAsync(
      fazer(async ({ atendimento }) => atendimento.atribuir(chamado, { responsavel_id })),
      { instanceOf: Recusa },
    );
    t.is(recusa.motivo, 'responsavel_indisponivel');
  }
  t.is((await lido())['responsavel_id'], null);
});

test('a quem o perfil não deixa atender não se dá chamado, nem ao abri-lo, e a equipe não o oferece', async (t) => {
  const { chamado, fazer, usuario, lido, cliente, ver, leo, linhas, provedor } = await cenario();
  const permissoes = JSON.stringify(['clientes.ver', 'chamados.ver']);
  const [perfil_id = 0] = await api.dono('perfis').insert({ provedor_id: provedor, nome: 'Só olha', permissoes });
  const iva = await usuario('Iva', { perfil_id });
  const pedido = { cliente_id: cliente, assunto: 'Sem sinal', descricao: 'LOS', responsavel_id: iva };
  const antes = (await linhas('chamados')).length;
  for (const trabalho of [
    async ({ atendimento }: Escritas) => atendimento.atribuir(chamado, { responsavel_id: iva }),
    async ({ atendimento }: Escritas) => void (await atendimento.abrir(pedido)),
  ]) {
    const recusa = await t.throwsAsync(fazer(trabalho), { instanceOf: Recusa });
    t.is(recusa.motivo, 'responsavel_indisponivel');
  }
  const recusa = await t.throwsAsync(
    fazer(async ({ atendimento }) => atendimento.assumir(chamado, {}), iva),
    { instanceOf: Recusa },
  );
  t.is(recusa.motivo, 'responsavel_indisponivel');
  t.is((await lido())['responsavel_id'], null);
  t.is((await linhas('chamados')).length, antes);
  const ids = (await ver(async ({ filaDeChamados }) => filaDeChamados.responsaveis())).map(({ id }) => id);
  t.true(ids.includes(leo));
  t.false(ids.includes(iva));
});

test('abrir, solucionar e reabrir: o que todos veem é dito a todos, sem textos nos eventos', async (t) => {
  const { fazer, cliente, leo, eventos, linhas, ver } = await cenario();
  const id = await fazer(async ({ atendimento }) =>
    atendimento.abrir({ cliente_id: cliente, assunto: 'Sem sinal', descricao: 'LOS', responsavel_id: leo }),
  );
  await fazer(async ({ atendimento }) => atendimento.solucionar(id, { texto: 'Conector trocado.' }));
  const [fechado] = await linhas('chamados', { id });
  t.like(fechado, { origem: 'painel', situacao: 'solucionado', solucao: 'Conector trocado.', espera_equipe: 0 });
  await t.throwsAsync(
    fazer(async ({ atendimento }) => atendimento.mudar(id, { situacao: 'pendente' })),
    { instanceOf: Recusa },
  );
  await fazer(async ({ atendimento }) => atendimento.reabrir(id, {}));
  t.like((await linhas('chamados', { id }))[0], { situacao: 'reaberto', fechado_em: null });
  t.deepEqual(
    (await eventos()).filter(({ recurso_id }) => recurso_id === id).map(({ tipo, dados }) => dados?.campos ?? tipo),
    ['chamado.aberto', 'chamado.atribuido', ['situacao', 'solucao'], ['situacao']],
  );
  t.like(await ver(async ({ filaDeChamados }) => filaDeChamados.buscar(id)), { abertoPor: { nome: 'Ana' } });
  t.false(JSON.stringify(await linhas('auditoria')).includes('Conector'));
});

test('a fila vem por urgência e idade, página a página, e quem falou por último diz quem espera', async (t) => {
  const { fabrica, provedor, cliente, chamado, ver, fazer, chave, ana, contrato, linhas } = await cenario();
  const conectado = await contrato({});
  await fabrica.conexao(provedor, {
    contrato_id: conectado,
    ouvida_em: '2026-11-20 14:59:00',
    intervalo_segundos: 300,
  });
  for (let n = 0; n < 60; n += 1) {
    await fabrica.chamado(provedor, {
      cliente_id: cliente,
      prioridade: (['baixa', 'normal', 'alta', 'urgente'] as const)[n % 4],
      aberto_em: `2026-11-${String(10 + (n % 7)).padStart(2, '0')} 09:00:00.000`,
    });
  }
  await fazer(async ({ atendimento }) => atendimento.comentar(chamado, { texto: 'Vamos hoje.' }));
  const filtro = { visao: 'fila', usuarioId: ana } as const;
  const primeira = await ver(async ({ filaDeChamados }) => filaDeChamados.listar(filtro));
  const segunda = await ver(async ({ filaDeChamados }) => filaDeChamados.listar(filtro, primeira.proxima!));
  t.is(primeira.itens.length, 50);
  t.is(segunda.proxima, null);
  const ordem = ['urgente', 'alta', 'normal', 'baixa'];
  const esperada = (await linhas('chamados')).toSorted(
    (a, b) =>
      ordem.indexOf(a['prioridade']) - ordem.indexOf(b['prioridade']) ||
      (a['aberto_em'] < b['aberto_em'] ? -1 : a['aberto_em'] > b['aberto_em'] ? 1 : a['id'] - b['id']),
  );
  const vistos = [...primeira.itens, ...segunda.itens];
  t.deepEqual(
    vistos.map(({ id }) => id),
    esperada.map(({ id }) => id),
  );
  t.true(vistos.every(({ conexao, origem }) => conexao === 'online' && origem === 'api'));
  t.deepEqual(
    vistos.filter(({ esperaEquipe }) => !esperaEquipe).map(({ id }) => id),
    [chamado],
  );
  const contar = async () => ver(async ({ filaDeChamados }) => filaDeChamados.contar(ana));
  t.like(await contar(), { abertos: 61, meus: 0, semResponsavel: 61, esperando: 60 });
  const corpo = JSON.stringify({ comentario: 'Ainda nada.' });
  await api.pedir('PATCH', `/chamados/${chamado}`, { chave, corpo, headers: { 'content-type': 'application/json' } });
  t.is((await contar()).esperando, 61);

  await fazer(async ({ atendimento }) => {
    await atendimento.assumir(chamado, {});
    for (const { id } of vistos.slice(0, 3)) await atendimento.solucionar(id, { texto: 'ok' });
  });
  const ids = async (f: object, apos?: string) =>
    (await ver(async ({ filaDeChamados }) => filaDeChamados.listar({ ...filtro, ...f }, apos))).itens.map(
      ({ id }) => id,
    );
  t.deepEqual(await ids({ visao: 'meus' }), [chamado]);
  t.deepEqual(
    await ids({ visao: 'fechados' }),
    vistos
      .slice(0, 3)
      .map(({ id }) => id)
      .toSorted((a, b) => b - a),
  );
  t.false((await ids({ responsavel: 'ninguem' })).includes(chamado));
  t.deepEqual(await ids({ responsavel: ana, origem: 'painel' }), []);
});

test('a agenda tem o dia do provedor, por quem faz a visita', async (t) => {
  const { chamado, fazer, ver, leo, cliente } = await cenario();
  const visita = async (quando: string, responsavel_id: number | null) => {
    const id = await fazer(async ({ atendimento }) =>
      atendimento.abrir({ cliente_id: cliente, assunto: 'Visita', descricao: 'x', responsavel_id }),
    );
    await fazer(async ({ atendimento }) => atendimento.agendar(id, { agendado_para: quando }));
    return id;
  };
  await fazer(async ({ atendimento }) => atendimento.agendar(chamado, { agendado_para: '2026-11-25T02:59:00Z' }));
  const cedo = await visita('2026-11-25T03:00:00Z', leo);
  const tarde = await visita('2026-11-26T02:59:00Z', null);
  const agenda = await ver(async ({ filaDeChamados }) => filaDeChamados.agenda('2026-11-25' as never, 1));
  t.deepEqual(
    agenda.porResponsavel.map(({ responsavel, visitas }) => [responsavel?.nome ?? null, visitas.map(({ id }) => id)]),
    [
      ['Léo', [cedo]],
      [null, [tarde]],
    ],
  );
});

test('o sino conta o que veio depois do que se leu, por usuário', async (t) => {
  const { chave, cliente, ana, leo, fazer, ver } = await cenario();
  for (const assunto of ['Um problema', 'Outro problema']) {
    const corpo = JSON.stringify({ cliente_id: cliente, assunto, descricao: 'Caiu a conexão.' });
    const { status } = await api.pedir('POST', '/chamados', {
      chave,
      corpo,
      headers: { 'content-type': 'application/json' },
    });
    t.is(status, 201);
  }
  const ver1 = async (id: number) => ver(async ({ sino }) => sino.ver(id, ['chamado']));
  const { naoLidas, ultimas } = await ver1(ana);
  t.is(naoLidas, 2);
  t.is(ultimas.length, 2);
  await fazer(async ({ notificacoes }) => notificacoes.marcarLidas(ultimas[0]!.id));
  await fazer(async ({ notificacoes }) => notificacoes.marcarLidas(ultimas[1]!.id));
  t.is((await ver1(ana)).naoLidas, 0);
  t.is((await ver1(leo)).naoLidas, 2);
});

test('os eventos que só dizem respeito à equipe não saem', (t) => {
  for (const tipo of ['chamado.anotado', 'chamado.visita_alterada'] as const) {
    t.false(CATALOGO[tipo].sai);
  }
});

import test from 'ava';
import { TERMINAL } from '../../../src/domain/actor.ts';
import type { Escritas } from '../../../src/domain/dominio.ts';
import { jsonColumn } from '../../../src/platform/mysql/database.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { camposErrados, errosDe, pedirAoApp } from '../../support/app-api.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import type { Fabrica } from '../../support/fabrica.ts';
import { quanto } from '../../support/prova.ts';
import { relogioEm } from '../../support/relogio.ts';
import { CPF, criarAssinante } from '../../domain/acessos/apoio.ts';
import { sessaoDaEquipe } from './apoio.ts';

const AGORA = '2026-11-20T15:00:00.000Z';
const DIA = 24 * 3_600_000;
const relogio = relogioEm(AGORA);
let api: Api;
let fabrica: Fabrica;
test.before(async () => {
  api = await criarApi({ relogio });
  fabrica = criarFabrica(api.dono);
});
test.after.always(() => api.fechar());
test.beforeEach(() => relogio.definir(AGORA));

/** A subscriber with one contract, who asks; whatever day it is, in a session of that day. */
async function cenario() {
  const c = await criarAssinante(api);
  const { id: provedor } = c.provedor;
  const plano = await fabrica.plano(provedor);
  const contrato = await fabrica.contrato(provedor, { cliente_id: c.cliente, plano_id: plano });
  const pedir = pedirAoApp(api);
  let { access } = await c.entrar();
  const com = (token: () => string) => async (metodo: string, caminho: string, corpo?: unknown) =>
    pedir(metodo, `/tickets${caminho}`, { corpo, headers: { authorization: `Bearer ${token()}` } });
  const app = com(() => access);
  const abrir = async (mais: object = {}) =>
    app('POST', '', { subject: 'Sem conexão', description: 'Caiu às 8h.', ...mais });
  const passar = async (ms: number): Promise<void> => {
    relogio.avancar(ms);
    ({ access } = await c.entrar());
  };
  const escrever = async <T>(fazer: (escritas: Escritas) => Promise<T>): Promise<T> =>
    api.container.changeTenant(TERMINAL, c.provedor, async (_dominio, escritas) => fazer(escritas));
  const mudar = async (id: number, mudanca: object) =>
    escrever(async ({ chamados }) => chamados.atualizar(id, mudanca));
  const linhaDe = async (id: number) => (await api.dono('chamados').where({ provedor_id: provedor, id }))[0];
  const eventos = async (tipo: string): Promise<Record<string, unknown>[]> =>
    (await api.dono('eventos').where({ provedor_id: provedor, tipo }).orderBy('id')).map(({ dados }) =>
      jsonColumn(dados),
    );
  const daEquipe = async (perfil: 'tecnico' | 'financeiro' = 'tecnico') => {
    const pessoa = await sessaoDaEquipe(api, provedor, perfil);
    return { ...pessoa, pedir: com(() => pessoa.access) };
  };
  return { ...c, provedor, plano, contrato, app, abrir, passar, escrever, mudar, linhaDe, eventos, daEquipe };
}

const idsDe = ({ corpo }: { corpo: { data: { id: number }[] } }): number[] => corpo.data.map(({ id }) => id);

test.serial('POST /tickets: 201 com o chamado, de origem app, do único contrato que não está cancelado', async (t) => {
  const c = await cenario();
  await fabrica.contrato(c.provedor, { cliente_id: c.cliente, plano_id: c.plano, situacao: 'cancelado' });
  const { status, corpo, headers } = await c.abrir();
  t.is(status, 201);
  const { id, ...dito } = corpo.data;
  t.deepEqual(dito, {
    contract_id: c.contrato,
    status: 'aberto',
    priority: 'normal',
    category: 'OUTRO',
    subject: 'Sem conexão',
    description: 'Caiu às 8h.',
    solution: null,
    protocol: '20261120000001',
    opened_at: AGORA,
    closed_at: null,
    scheduled_for: null,
  });
  t.is(headers['location'], `/v1/tickets/${id}`);
  t.like(await c.linhaDe(id), { origem: 'app', cliente_id: c.cliente, espera_equipe: 1 });
  t.deepEqual(await c.eventos('chamado.aberto'), [
    { cliente: c.cliente, contrato: c.contrato, prioridade: 'normal', categoria: 'OUTRO' },
  ]);
  const [avisada] = await api.dono('notificacoes').where({ provedor_id: c.provedor });
  t.like(avisada, { tipo: 'chamado.novo', origem: 'App', recurso_id: id });
  const [auditada] = await api.dono('auditoria').where({ provedor_id: c.provedor, acao: 'chamado.aberto' });
  t.like(auditada, { autor: 'App', ator_tipo: 'assinante', ator_id: c.cliente });
  t.truthy(auditada.ip);
  t.is((await c.abrir({ category: 'TECNICO' })).corpo.data.category, 'TECNICO');
});

test.serial('POST /tickets: de qual contrato, diz quem tem vários; o de outro é contrato_invalido', async (t) => {
  const c = await cenario();
  const errado = await c.app('POST', '', { subject: 'x', description: '', contract_id: 'a', category: 'X', dono: 1 });
  t.deepEqual(
    [errado.status, camposErrados(errado)],
    [400, ['category', 'contract_id', 'description', 'dono', 'subject']],
  );
  const deOutro = await fabrica.contrato(c.provedor, {
    cliente_id: await fabrica.cliente(c.provedor, { cpf_cnpj: '11144477735' }),
    plano_id: c.plano,
  });
  for (const contract_id of [deOutro, 999_999]) {
    const recusado = await c.abrir({ contract_id });
    t.deepEqual([recusado.status, errosDe(recusado)], [422, [['contrato_invalido', 'contract_id']]]);
  }
  const antigo = await fabrica.cliente(c.provedor, { cpf_cnpj: CPF, situacao: 'cancelado' });
  const doAntigo = await fabrica.contrato(c.provedor, { cliente_id: antigo, plano_id: c.plano });
  const semDizer = await c.abrir();
  t.deepEqual([semDizer.status, errosDe(semDizer)], [400, [['parametro_invalido', 'contract_id']]]);
  t.is((await c.abrir({ contract_id: c.contrato })).corpo.data.contract_id, c.contrato);
  t.deepEqual(errosDe(await c.abrir({ contract_id: doAntigo }))[0]?.[0], 'cliente_cancelado');
});

test.serial('POST /tickets: com cinco em aberto, o sexto é limite_de_chamados, ainda que cheguem juntos', async (t) => {
  for (let vez = 0; vez < quanto(2, 30); vez += 1) {
    const c = await cenario();
    // Of another registration of his, and one that is closed.
    const antigo = await fabrica.cliente(c.provedor, { cpf_cnpj: CPF, situacao: 'cancelado' });
    await fabrica.chamado(c.provedor, { cliente_id: antigo, situacao: 'em_andamento' });
    await fabrica.chamado(c.provedor, { cliente_id: c.cliente, situacao: 'solucionado' });
    const respostas = await Promise.all(Array.from({ length: 8 }, async () => c.abrir()));
    const recusadas = respostas.filter(({ status }) => status !== 201);
    t.is(recusadas.length, 4);
    for (const recusada of recusadas) {
      t.deepEqual([recusada.status, errosDe(recusada)[0]?.[0]], [422, 'limite_de_chamados']);
    }
    const { id } = respostas.find(({ status }) => status === 201)!.corpo.data;
    await c.mudar(id, { situacao: 'solucionado' });
    t.is((await c.abrir()).status, 201);
  }
});

test.serial('GET /tickets: do assinante, os seus, do mais novo para o mais antigo, por partes', async (t) => {
  const c = await cenario();
  const em = async (dia: string, linha: object = {}) =>
    fabrica.chamado(c.provedor, { cliente_id: c.cliente, aberto_em: `2026-11-${dia} 09:00:00.000`, ...linha });
  const antigo = await fabrica.cliente(c.provedor, { cpf_cnpj: CPF, situacao: 'cancelado' });
  const seDisse = await fabrica.cliente(c.provedor, { cpf_cnpj: CPF, situacao: 'pre_cadastro' });
  const vizinho = await fabrica.cliente(c.provedor, { cpf_cnpj: '11144477735' });
  const a = await em('05', { contrato_id: c.contrato });
  const b = await em('04', { situacao: 'solucionado' });
  const d = await em('03', { situacao: 'pendente', cliente_id: antigo });
  const alheios = [await em('06', { cliente_id: vizinho }), await em('06', { cliente_id: seDisse })];
  const listar = async (consulta = '') => idsDe(await c.app('GET', consulta));
  t.deepEqual(await listar(), [a, b, d]);
  t.deepEqual(await listar('?status=em_aberto'), [a, d]);
  t.deepEqual(await listar('?status=solucionado'), [b]);
  t.deepEqual(await listar(`?contract_id=${c.contrato}`), [a]);
  const primeira = (await c.app('GET', '?limit=2')).corpo;
  t.like(primeira.meta, { limit: 2, total: 3 });
  t.deepEqual(await listar(`?limit=2&cursor=${primeira.meta.next_cursor}`), [d]);
  const [um] = (await c.app('GET', '')).corpo.data;
  t.false('client' in um || 'assignee' in um);
  const errada = await c.app('GET', '?assigned=all&client_id=1');
  t.deepEqual([errada.status, camposErrados(errada)], [400, ['assigned', 'client_id']]);
  for (const id of [...alheios, 999_999]) {
    t.deepEqual(errosDe(await c.app('GET', `/${id}`)), [['nao_encontrado', null]]);
    const comentado = await c.app('POST', `/${id}/comments`, { comment: 'x' });
    t.deepEqual([comentado.status, errosDe(comentado)], [404, [['nao_encontrado', null]]]);
  }
});

test.serial('GET /tickets: da equipe, os seus, os de ninguém ou todos, com o cliente e quem atende', async (t) => {
  const c = await cenario();
  const eu = await c.daEquipe();
  const outro = await c.daEquipe();
  const vizinho = await fabrica.cliente(c.provedor, { cpf_cnpj: '11144477735', nome: 'Ana', cidade: 'Alfenas' });
  const em = async (dia: string, linha: object = {}) =>
    fabrica.chamado(c.provedor, { cliente_id: vizinho, aberto_em: `2026-11-${dia} 09:00:00.000`, ...linha });
  const meu = await em('01', { responsavel_id: eu.id });
  const fechado = await em('02', { responsavel_id: eu.id, situacao: 'solucionado' });
  const livre = await em('03', { situacao: 'em_andamento' });
  const dele = await em('04', { responsavel_id: outro.id, cliente_id: c.cliente, contrato_id: c.contrato });
  const livreFechado = await em('05', { situacao: 'cancelado' });
  const listar = async (consulta = '') => idsDe(await eu.pedir('GET', consulta));
  t.deepEqual(await listar(), [fechado, meu]);
  t.deepEqual(await listar('?assigned=me&status=em_aberto'), [meu]);
  t.deepEqual(await listar('?status=aberto'), [meu]);
  t.deepEqual(await listar('?status=solucionado'), [fechado]);
  t.deepEqual(await listar('?assigned=none'), [livreFechado, livre]);
  t.deepEqual(await listar('?assigned=none&status=em_aberto'), [livre]);
  t.deepEqual(await listar('?assigned=none&status=cancelado'), [livreFechado]);
  t.deepEqual(await listar('?assigned=all'), [livreFechado, dele, livre, fechado, meu]);
  t.deepEqual(await listar('?assigned=all&status=em_aberto'), [dele, livre, meu]);
  t.deepEqual(await listar('?assigned=all&status=aberto'), [dele, meu]);
  t.deepEqual(await listar(`?assigned=all&client_id=${c.cliente}`), [dele]);
  t.deepEqual(await listar(`?client_id=${c.cliente}`), []);
  t.deepEqual(await listar(`?assigned=all&contract_id=${c.contrato}`), [dele]);
  const { corpo } = await eu.pedir('GET', '?assigned=all&limit=2');
  t.is(corpo.meta.total, 5);
  t.deepEqual(await listar(`?assigned=all&limit=2&cursor=${corpo.meta.next_cursor}`), [livre, fechado]);
  t.like(corpo.data[1], {
    id: dele,
    client: { id: c.cliente, name: 'Maria da Silva', phones: ['35999990001'] },
    assignee: { id: outro.id, name: outro.nome },
  });
  t.like(corpo.data[0], { client: { name: 'Ana', phones: [] }, assignee: null });
  t.is(corpo.data[0].client.address.city, 'Alfenas');
  // Who attends is seen at once, though no write tells of it.
  await outro.pedir('GET', '?assigned=none');
  await c.escrever(async ({ atendimento }) => atendimento.atribuir(livre, { responsavel_id: outro.id }));
  t.deepEqual(idsDe(await outro.pedir('GET', '?assigned=none')), [livreFechado]);
  t.is((await c.daEquipe('financeiro').then(async ({ pedir }) => pedir('GET', ''))).status, 200);
});

test.serial(
  'GET /tickets/{id}: o histórico diz de que espécie é cada autor, e as notas são só da equipe',
  async (t) => {
    const c = await cenario();
    const { id } = (await c.abrir()).corpo.data as { id: number };
    const pessoa = await c.daEquipe();
    const { texto: chave } = await api.criarChave(c.provedor);
    relogio.avancar(1000);
    await pedirAoApp(api)('PUT', `/chamados/${id}`, { chave, corpo: { comentario: 'Do robô.' } });
    relogio.avancar(1000);
    await pessoa.pedir('POST', `/${id}/comments`, { comment: 'Estamos a caminho.' });
    relogio.avancar(1000);
    await c.escrever(async ({ atendimento }) => atendimento.anotar(id, { texto: 'Cliente nervoso.' }));
    // Of the version before, which did not say what kind of author it was.
    const comum = { provedor_id: c.provedor, chamado_id: id, acao: 'comentario', descricao: 'x' };
    await api.dono('chamados_historico').insert([
      { ...comum, autor: 'Chatbot', ocorrido_em: '2026-11-20 15:01:00.000' },
      { ...comum, autor: 'Rosa Prado', usuario_id: pessoa.id, ocorrido_em: '2026-11-20 15:02:00.000' },
    ]);
    const historicoDe = ({ corpo }: { corpo: { data: { history: Record<string, string>[] } } }) =>
      corpo.data.history.map(({ action, author_kind, author }) => [action, author_kind, author]);
    const visto = [
      ['aberto', 'cliente', null],
      ['comentario', 'sistema', null],
      ['comentario', 'equipe', 'Rosa'],
      ['comentario', 'sistema', null],
      ['comentario', 'equipe', 'Rosa'],
    ];
    const lido = await c.app('GET', `/${id}`);
    t.deepEqual(historicoDe(lido), visto);
    t.false(lido.texto.includes('nervoso'));
    const daEquipe = await pessoa.pedir('GET', `/${id}`);
    t.deepEqual(historicoDe(daEquipe), visto.toSpliced(3, 0, ['nota', 'sistema', null]));
    t.like(daEquipe.corpo.data, { id, client: { id: c.cliente }, assignee: null });
    t.deepEqual(errosDe(await pessoa.pedir('GET', '/999999')), [['nao_encontrado', null]]);
  },
);

test.serial('POST /tickets/{id}/comments: o do assinante chama a equipe; o da equipe responde', async (t) => {
  const c = await cenario();
  const { id } = (await c.abrir()).corpo.data as { id: number };
  const pessoa = await c.daEquipe();
  const respondido = await pessoa.pedir('POST', `/${id}/comments`, { comment: 'Estamos a caminho.' });
  t.is(respondido.status, 201);
  t.like(respondido.corpo.data, { action: 'comentario', author_kind: 'equipe', author: 'Rosa' });
  t.like(await c.linhaDe(id), { espera_equipe: 0 });
  await c.app('GET', `/${id}`);
  const { status, corpo } = await c.app('POST', `/${id}/comments`, { comment: ' Voltou a cair. ', reopen: true });
  const { id: entrada, ...dita } = corpo.data;
  t.is(status, 201);
  t.deepEqual(dita, {
    action: 'comentario',
    description: 'Voltou a cair.',
    author_kind: 'cliente',
    author: null,
    occurred_at: AGORA,
  });
  t.like(await c.linhaDe(id), { espera_equipe: 1, situacao: 'aberto' });
  t.is((await c.app('GET', `/${id}`)).corpo.data.history.at(-1).id, entrada);
  const [daEquipe, doCliente] = await c.eventos('chamado.atualizado');
  t.like(daEquipe, { campos: ['comentario'], por: 'equipe' });
  t.like(doCliente, { campos: ['comentario'], por: 'cliente', entrada, de: 'aberto', para: 'aberto' });
  const errado = await c.app('POST', `/${id}/comments`, { comment: '  ', reopen: 1, x: 1 });
  t.deepEqual([errado.status, camposErrados(errado)], [400, ['comment', 'reopen', 'x']]);
});

test.serial(
  'POST /tickets/{id}/comments: o fechado se reabre até 30 dias depois, pedindo-o; se não, transicao_invalida',
  async (t) => {
    const c = await cenario();
    const { id } = (await c.abrir()).corpo.data as { id: number };
    const fechar = async () => c.mudar(id, { situacao: 'solucionado' });
    const comentar = async (reopen?: boolean) => c.app('POST', `/${id}/comments`, { comment: 'De novo.', reopen });
    await fechar();
    for (const recusado of [await comentar(), await comentar(false)]) {
      t.deepEqual([recusado.status, errosDe(recusado)[0]?.[0]], [422, 'transicao_invalida']);
    }
    await c.passar(30 * DIA);
    const aberto = await comentar(true);
    t.deepEqual([aberto.status, aberto.corpo.data.action], [201, 'comentario']);
    t.like(await c.linhaDe(id), { situacao: 'reaberto', fechado_em: null, espera_equipe: 1 });
    t.like((await c.eventos('chamado.atualizado')).at(-1), {
      campos: ['situacao', 'comentario'],
      de: 'solucionado',
      para: 'reaberto',
    });
    await fechar();
    await c.passar(30 * DIA + 1);
    t.deepEqual(errosDe(await comentar(true))[0]?.[0], 'transicao_invalida');
    const pessoa = await c.daEquipe();
    const daEquipe = await pessoa.pedir('POST', `/${id}/comments`, { comment: 'x', reopen: true });
    t.deepEqual(errosDe(daEquipe)[0]?.[0], 'transicao_invalida');
    await api.dono('chamados').where('id', id).update({ fechado_em: '2027-01-15 00:00:00.000' });
    t.is((await pessoa.pedir('POST', `/${id}/comments`, { comment: 'x', reopen: true })).status, 201);
    t.like(await c.linhaDe(id), { situacao: 'reaberto', espera_equipe: 0 });
  },
);

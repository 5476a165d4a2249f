import test from 'ava';
import type { Data } from '../../../src/brazil/calendario/datas.ts';
import { aoVivo } from '../../../src/domain/eventos/ao-vivo.regras.ts';
import { jsonColumn } from '../../../src/platform/mysql/database.ts';
import { createTenantWriter } from '../../../src/platform/mysql/tenant.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { AUTOR } from '../../support/autor.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import { entrarNoPainel } from '../../support/painel.ts';
import { relogioEm } from '../../support/relogio.ts';
import { pastaDe } from '../../domain/extratos/apoio.ts';

const relogio = relogioEm('2026-11-20T15:30:00.000Z');
let api: Api;
test.before(async () => {
  api = await criarApi({ relogio });
});
test.after.always(() => api.fechar());

const limpo = (texto: string): string => texto.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');

async function comDia() {
  const provedor = await criarFabrica(api.dono).provedor();
  await createTenantWriter(api.dono, provedor).insert('tarefas_diarias', {
    tarefa: 'faturas.vencer',
    dia: '2026-11-20',
    linhas: 1234,
    iniciada_em: '2026-11-20 03:05:00.000',
    concluida_em: '2026-11-20 03:05:02.500',
  });
  return { provedor, gente: await entrarNoPainel(api, provedor) };
}

const feitas = (provedor: number) =>
  api.dono('tarefas_diarias').where({ provedor_id: provedor }).whereNotNull('concluida_em');

test('o trabalho do dia diz o que foi feito, quantas linhas mudaram e quanto levou', async (t) => {
  const { gente } = await comDia();
  const { status, texto } = await gente.get('/tarefas');
  t.is(status, 200);
  t.regex(limpo(texto), /Vencer faturas concluída 1\.234 20\/11\/2026 00:05 2,5 s/);
  t.regex(limpo(texto), /Gerar o extrato pendente/);
  t.regex(limpo(texto), /Pedidos esperando nenhum/);
  t.regex(
    limpo((await gente.get('/tarefas?dia=2026-11-19')).texto),
    /Trabalho de 19\/11\/2026 .*Vencer faturas pendente/,
  );
});

test('os painéis abertos ouvem da tarefa que terminou, também da que nada mudou', async (t) => {
  const provedor = await criarFabrica(api.dono).provedor();
  const tarefa = { tarefa: 'faturas.vencer', provedorId: provedor, dia: '2026-11-20' } as const;
  const feito = await api.container.tarefas.executar(AUTOR, tarefa, {
    signal: AbortSignal.timeout(30_000),
    aoAvancar() {},
  });
  t.deepEqual(feito, { desfecho: 'concluida', linhas: 0 });
  const eventos = await api.dono('eventos').where({ provedor_id: provedor }).select('tipo', 'recurso_id', 'dados');
  t.deepEqual(aoVivo(eventos, []), [{ tipo: 'tarefa', id: null }]);
  // It is nobody's act: no line of the audit log says it.
  t.is((await api.dono('auditoria').where({ provedor_id: provedor, acao: eventos[0].tipo })).length, 0);
});

test('o trabalho do dia se renova quando há notícia de uma tarefa, e as importações quando há de uma', async (t) => {
  const { gente } = await comDia();
  const { texto } = await gente.get('/tarefas?dia=2026-11-19');
  for (const [id, tipo] of [
    ['trabalho', 'tarefa'],
    ['importacoes', 'importacao'],
  ]) {
    const parte = new RegExp(`<div id="${id}" data-vive="${tipo}"[^>]*>`).exec(texto)?.[0] ?? '';
    t.regex(parte, /hx-get="\/painel\/tarefas\?dia=2026-11-19"/);
    t.regex(parte, new RegExp(`hx-select="#${id}"`));
    // Thousands of lots of an import are told of one by one.
    t.is(/data-vive-cada="(\d+)"/.exec(parte)?.[1], id === 'importacoes' ? '10' : undefined);
  }
});

test('uma tarefa se faz de novo depois de perguntado, por quem pode', async (t) => {
  const { provedor, gente } = await comDia();
  t.regex((await gente.get('/tarefas')).texto, /\/tarefas\/rodar\?tarefa=faturas\.vencer/);
  t.regex(limpo((await gente.get('/tarefas/rodar?tarefa=faturas.vencer')).texto), /Vencer faturas , de 20\/11\/2026/);
  const financeiro = await entrarNoPainel(api, provedor, 'financeiro');
  t.notRegex((await financeiro.get('/tarefas')).texto, /\/tarefas\/rodar/);
  t.is((await financeiro.post('/tarefas/rodar?tarefa=faturas.vencer', { dia: '2026-11-20' })).status, 403);
  t.is((await feitas(provedor)).length, 1);
  const amanha = await gente.post('/tarefas/rodar?tarefa=faturas.vencer', { dia: '2026-11-21' });
  t.is(amanha.status, 422);
  t.is((await gente.post('/tarefas/rodar?tarefa=faturas.vencer', { dia: '2026-11-20' })).status, 303);
  t.is((await feitas(provedor)).length, 0);
  t.truthy(await api.dono('auditoria').where({ provedor_id: provedor, acao: 'tarefa.reaberta' }).first());
  t.is((await gente.get('/tarefas/rodar?tarefa=inventada')).status, 400);
});

test('quem leva um extrato fica na auditoria e entre quem viu cada cliente', async (t) => {
  const { provedor, gente } = await comDia();
  const cliente = await criarFabrica(api.dono).cliente(provedor);
  const tarefa = { tarefa: 'extratos.gerar', provedorId: provedor, dia: '2026-11-20' as Data } as const;
  await api.container.tarefas.executar(AUTOR, tarefa, { signal: new AbortController().signal, aoAvancar: () => {} });
  const { id } = await pastaDe(api, provedor);
  const quemViu = async (consulta = '') =>
    limpo((await gente.get(`/configuracoes/auditoria/quem-viu${consulta}`)).texto);
  t.regex(await quemViu(), /Ninguém baixou listas/);
  t.is((await gente.post(`/tarefas/extratos/${id}/clientes.ndjson.gz`)).status, 200);
  const [feita] = await api.dono('auditoria').where({ provedor_id: provedor, acao: 'exportacao.feita' });
  t.is(feita?.usuario_id, gente.usuarioId);
  t.deepEqual(jsonColumn(feita?.dados), { o_que: 'extrato', cliente: null, linhas: 1 });
  for (const consulta of ['', `?cliente=${cliente}`]) {
    t.regex(await quemViu(consulta), /Gente \d+ baixou um arquivo do extrato/, consulta);
  }
  t.regex(limpo((await gente.get(`/clientes/${cliente}/quem-viu`)).texto), /Um arquivo do extrato/);
});

test('um arquivo de extrato que não há não se baixa, nem por quem pode', async (t) => {
  const { provedor, gente } = await comDia();
  t.is((await gente.post('/tarefas/extratos/1/clientes.ndjson.gz')).status, 404);
  t.is((await (await entrarNoPainel(api, provedor, 'financeiro')).post('/tarefas/extratos/1/x')).status, 403);
  t.is((await api.dono('acessos_a_dados').where('provedor_id', provedor)).length, 0);
});

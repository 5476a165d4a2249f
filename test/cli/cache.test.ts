import test from 'ava';
import { createDatabase } from '../../src/platform/mysql/database.ts';
import type { Db } from '../../src/platform/mysql/database.ts';
import { criarApi } from '../support/api.ts';
import type { Api } from '../support/api.ts';
import { urlDoDono } from '../support/banco.ts';
import { criarFabrica } from '../support/fabrica.ts';
import { criarTerminal, recusado } from '../support/terminal.ts';
import type { Terminal } from '../support/terminal.ts';

let api: Api;
let terminal: Terminal;
/** Who writes on a connection that says nothing, as one that loads a backup does. */
let calado: Db;
test.before(async () => {
  api = await criarApi({ processos: 2 });
  terminal = criarTerminal(api);
  calado = createDatabase({
    url: urlDoDono(api.databaseUrl),
    pool: 1,
    announces: true,
  });
});
test.after.always(async () => {
  await calado.destroy();
  await api.fechar();
  terminal.fechar();
});

async function cenario() {
  const fabrica = criarFabrica(api.dono);
  const provedor = await fabrica.provedor();
  const cliente = await fabrica.cliente(provedor, { nome: 'Ana' });
  const { texto: chave, id: chaveId } = await api.criarChave(provedor);
  const nomes = async (): Promise<(string | undefined)[]> => {
    const respostas = await Promise.all([0, 1].map((processo) => api.get(`/clientes/${cliente}`, { chave, processo })));
    return respostas.map(({ corpo }) => corpo.dados?.nome as string | undefined);
  };
  return { provedor, cliente, chaveId, nomes };
}

test('o que se guardava de um provedor é esquecido em todos os processos quando o comando responde, e fica na auditoria', async (t) => {
  const [um, outro] = [await cenario(), await cenario()];
  for (const { nomes } of [um, outro]) t.deepEqual(await nomes(), ['Ana', 'Ana']);
  for (const { cliente } of [um, outro]) await calado('clientes').where('id', cliente).update({ nome: 'Bia' });
  t.deepEqual(await um.nomes(), ['Ana', 'Ana']);

  const args = ['cache', 'esquecer', '--provedor', String(um.provedor)];
  t.deepEqual(await terminal.malha(args), {
    codigo: 0,
    stdout: 'Esquecido o que se guardava de 1 provedor.\n',
    stderr: '',
  });
  t.deepEqual(await um.nomes(), ['Bia', 'Bia']);
  t.deepEqual(await outro.nomes(), ['Ana', 'Ana']);
  const auditoria = await api.dono('auditoria').where({ provedor_id: um.provedor, acao: 'cache.esquecido' });
  t.like(auditoria, [{ autor: 'linha de comando', recurso: 'cache' }]);

  const { provedores } = await terminal.json<{ provedores: number }>(['cache', 'esquecer']);
  t.is(provedores, (await api.container.provedores.listar()).length);
  t.deepEqual(await outro.nomes(), ['Bia', 'Bia']);
});

test('uma chave revogada sem aviso é recusada quando o comando responde', async (t) => {
  const { provedor, chaveId, nomes } = await cenario();
  t.deepEqual(await nomes(), ['Ana', 'Ana']);
  await calado('chaves_api').where('id', chaveId).update({ revogada_em: '2026-11-20 00:00:00.000' });
  await terminal.json(['cache', 'esquecer', '--provedor', String(provedor)]);
  t.deepEqual(await nomes(), [undefined, undefined]);
});

for (const [args, dito] of [
  [['cache', 'esquecer', '--provedor', '999999'], /provedor 999999 não existe/],
  [['cache', 'esquecer', '--provedor', 'x'], /não aceita 'x'/],
  [['cache', 'lembrar'], /comando desconhecido 'lembrar'/],
] as const) {
  test(`é recusado em uma linha: malha ${args.join(' ')}`, async (t) => {
    recusado(t, await terminal.malha(args), dito);
  });
}

import test from 'ava';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import type { Fabrica } from '../../support/fabrica.ts';
import { criarTerminal, recusado } from '../../support/terminal.ts';
import type { Terminal } from '../../support/terminal.ts';

let api: Api;
let fabrica: Fabrica;
let terminal: Terminal;
test.before(async () => {
  api = await criarApi();
  fabrica = criarFabrica(api.dono);
  terminal = criarTerminal(api);
});
test.after.always(async () => {
  await api.fechar();
  terminal.fechar();
});

const feriado = (...args: (string | number)[]) => terminal.malha(['provedor', 'feriado', ...args.map(String)]);

test('um dia acrescentado é listado, com os do ano ou só, e some quando é removido', async (t) => {
  const id = await fabrica.provedor();
  const feito = await feriado('adicionar', id, '19/03', '--nome', 'Aniversário de Itajubá');
  t.is(feito.codigo, 0, feito.stderr);
  t.is(feito.stdout, `Provedor ${id}: 03-19, feriado, Aniversário de Itajubá.\n`);
  t.is((await feriado('listar', id)).stdout, '03-19  feriado  Aniversário de Itajubá\n');
  t.deepEqual(await terminal.json(['provedor', 'feriado', 'listar', String(id)]), [
    { dia: '03-19', nome: 'Aniversário de Itajubá', dia_util: false },
  ]);
  const { stdout } = await feriado('listar', id, '--ano', 2027);
  t.regex(stdout, /^2027-01-01 {2}nacional {2}Ano Novo$/m);
  t.regex(stdout, /^2027-03-19 {2}provedor {2}Aniversário de Itajubá$/m);
  t.regex(stdout, /^2027-12-31 {2}nacional {2}Último dia útil do ano, sem atendimento$/m);
  t.is((await feriado('remover', id, '19/03')).stdout, `Provedor ${id}: 03-19 removido.\n`);
  t.is((await feriado('listar', id)).stdout, '');
});

test('o que não serve é recusado em uma linha', async (t) => {
  const id = await fabrica.provedor();
  for (const [args, dito] of [
    [['adicionar', id, '30/02', '--nome', 'x'], /dia: um dia de um ano, como 19\/03\/2027, ou de todos os anos/],
    [['adicionar', id, '19/03'], /falta a opção '--nome <nome>'/],
    [['adicionar', id, '09/07', '--nome', 'x', '--dia-util'], /dia-util: só desfaz um feriado da lista do estado/],
    [['adicionar', 999_999, '19/03', '--nome', 'x'], /provedor 999999 não existe/],
    [['remover', id, '19/03'], /o provedor \d+ não tem de seu o dia 19\/03/],
    [['listar', 999_999], /provedor 999999 não existe/],
    [['listar', id, '--ano', 20_000], /ano: de 1900 a 2199/],
  ] as const) {
    recusado(t, await feriado(...args), dito);
  }
});

import { createHash } from 'node:crypto';
import test from 'ava';
import { criarApi, enviar } from '../support/api.ts';
import type { Api } from '../support/api.ts';
import { criarFabrica } from '../support/fabrica.ts';
import { criarTerminal, recusado } from '../support/terminal.ts';
import type { Terminal } from '../support/terminal.ts';

let api: Api;
let terminal: Terminal;
test.before(async () => {
  api = await criarApi({ processos: 2 });
  terminal = criarTerminal(api);
});
test.after.always(async () => {
  await api.fechar();
  terminal.fechar();
});

interface ReceptorJson {
  readonly id: number;
  readonly provedor_id: number;
  readonly endereco: string;
}

let hosts = 0;
async function criarProvedor(): Promise<{ id: number; host: string }> {
  const host = `p${(hosts += 1)}.receptores.test`;
  return { id: await criarFabrica(api.dono).provedor({ panel_host: host }), host };
}
const criar = (provedor: number, ...mais: string[]): Promise<ReceptorJson> =>
  terminal.json(['receptor', 'criar', '--provedor', String(provedor), '--nome', 'banco', ...mais]);

/** Tells of no PIX at all, as a PSP does to try an address. */
async function avisar(endereco: string, processo: number): Promise<number> {
  const { host, pathname: path } = new URL(endereco);
  const headers = { host, 'content-type': 'application/json' };
  const alvo = { host: '127.0.0.1', port: api.portas[processo]!, method: 'POST', path, headers };
  return (await enviar(alvo, '{"pix":[]}')).status;
}

test('o endereço de um receptor é o do painel do provedor, e só aparece ao criá-lo', async (t) => {
  const { id: provedor, host } = await criarProvedor();
  const args = ['receptor', 'criar', '--provedor', String(provedor), '--nome', 'Banco da Serra'];
  const texto = await terminal.malha([...args, '--ips', '203.0.113.7, 10.0.0.0/8']);
  t.is(texto.codigo, 0, texto.stderr);
  t.regex(texto.stdout, /^Receptor \d+ criado\. Dê ao PSP este endereço agora: ele não será mostrado de novo\.\n/);
  const endereco = texto.stdout.trimEnd().split('\n')[1]!;
  const emJson = await criar(provedor);
  t.deepEqual(Object.keys(emJson), ['id', 'provedor_id', 'endereco']);
  t.is(emJson.provedor_id, provedor);

  const lista = await terminal.malha(['receptor', 'listar', '--provedor', String(provedor)]);
  t.regex(
    lista.stdout,
    /^\d+ {2}Banco da Serra {2}ativo {2}203\.0\.113\.7,10\.0\.0\.0\/8\n\d+ {2}banco {2}ativo {2}de /,
  );
  const todos = await terminal.json<object[]>(['receptor', 'listar', '--provedor', String(provedor)]);
  t.deepEqual(
    todos.map((receptor) => Object.keys(receptor)),
    Array.from({ length: 2 }, () => ['id', 'nome', 'ips_permitidos', 'criado_em', 'revogado_em']),
  );
  t.like(todos[0], { nome: 'Banco da Serra', ips_permitidos: ['203.0.113.7', '10.0.0.0/8'], revogado_em: null });
  t.like(todos[1], { id: emJson.id, ips_permitidos: null });

  const linhas = await api.dono('receptores_pix').where('provedor_id', provedor).select<{ token_hash: Buffer }[]>();
  for (const dito of [endereco, emJson.endereco]) {
    t.regex(dito, new RegExp(`^https://${host.replaceAll('.', '\\.')}/webhooks/pix/[\\w-]{43}$`));
    const segredo = dito.slice(-43);
    t.false(lista.stdout.includes(segredo) || JSON.stringify(todos).includes(segredo));
    const resumo = createHash('sha256').update(segredo).digest();
    t.true(linhas.some(({ token_hash }) => token_hash.equals(resumo)));
  }
});

test('um receptor criado atende na hora, e revogado é desconhecido em todos os processos quando o comando responde', async (t) => {
  const { id: provedor } = await criarProvedor();
  const { id, endereco } = await criar(provedor);
  for (const processo of [0, 1]) t.not(await avisar(endereco, processo), 404);
  const args = ['receptor', 'revogar', String(id), '--provedor', String(provedor)];
  t.deepEqual(await terminal.malha(args), { codigo: 0, stdout: `Receptor ${id} revogado.\n`, stderr: '' });
  for (const processo of [0, 1]) t.is(await avisar(endereco, processo), 404);
  const lista = await terminal.malha(['receptor', 'listar', '--provedor', String(provedor)]);
  t.regex(lista.stdout, /revogado em 20/);
  // There is nothing left to revoke.
  t.is((await terminal.malha(args)).stderr, `erro: o provedor ${provedor} não tem o receptor ${id} ativo\n`);
});

test('o receptor de um provedor não se lista nem se revoga por outro', async (t) => {
  const [um, outro] = [await criarProvedor(), await criarProvedor()];
  const { id, endereco } = await criar(um.id);
  t.deepEqual(await terminal.json(['receptor', 'listar', '--provedor', String(outro.id)]), []);
  const recusa = await terminal.malha(['receptor', 'revogar', String(id), '--provedor', String(outro.id)]);
  t.is(recusa.codigo, 1);
  t.is(recusa.stderr, `erro: o provedor ${outro.id} não tem o receptor ${id} ativo\n`);
  t.not(await avisar(endereco, 0), 404);
});

const CRIAR = ['receptor', 'criar', '--provedor', 'PROVEDOR', '--nome', 'x'];
const ERRADOS: readonly (readonly [args: string[], dito: RegExp])[] = [
  [['receptor', 'criar', '--nome', 'x'], /falta a opção '--provedor <id>'/],
  [CRIAR.slice(0, 4), /falta a opção '--nome <nome>'/],
  [CRIAR.with(5, ' '), /nome: de 1 a 100 caracteres/],
  [CRIAR.with(3, '999999'), /provedor 999999 não existe/],
  [[...CRIAR, '--ips', '10.0.0.0/33'], /ips: 10\.0\.0\.0\/33 não é endereço nem faixa CIDR/],
  [['receptor', 'revogar', 'x', '--provedor', 'PROVEDOR'], /o argumento 'id' não aceita 'x'/],
  [['receptor', 'apagar'], /comando desconhecido 'apagar'/],
];

for (const [args, dito] of ERRADOS) {
  test(`é recusado em uma linha, e nada é gravado: malha ${args.join(' ')}`, async (t) => {
    const { id } = await criarProvedor();
    recusado(t, await terminal.malha(args.map((arg) => (arg === 'PROVEDOR' ? String(id) : arg))), dito);
    t.deepEqual(await api.container.receptores.listar(id), []);
  });
}

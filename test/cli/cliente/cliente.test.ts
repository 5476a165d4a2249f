import { chmodSync, existsSync, readFileSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import type { Fabrica } from '../../support/fabrica.ts';
import { INGLES, criarTerminal, recusado } from '../../support/terminal.ts';
import type { Saida, Terminal } from '../../support/terminal.ts';

const CPF = '52998224725';

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

interface ClienteJson {
  readonly id: number;
  readonly situacao: string;
  readonly atualizado_em: string;
}

const cliente = async (comando: string, provedor: number, ...mais: string[]): Promise<Saida> =>
  terminal.malha(['cliente', ...comando.split(' '), '--provedor', String(provedor), ...mais]);
const json = async <T>(comando: string, provedor: number, ...mais: string[]): Promise<T> =>
  terminal.json<T>(['cliente', ...comando.split(' '), '--provedor', String(provedor), ...mais]);

test('um cliente se cadastra, mostra, altera, cancela e volta pelo terminal', async (t) => {
  const provedor = await fabrica.provedor();
  const quem = ['--nome', 'Maria de Souza', '--cpf-cnpj', '529.982.247-25', '--data-nascimento', '1988-04-12'];
  const onde = ['--email', 'maria@example.com', '--telefones', '(35) 99999-0001, 3532210001', '--uf', 'MG'];
  const criado = await cliente('criar', provedor, ...quem, ...onde);
  t.is(criado.codigo, 0, criado.stderr);
  const id = Number(/^Cliente (\d+) cadastrado: Maria de Souza\.\n$/.exec(criado.stdout)?.[1]);
  const visto = await json<ClienteJson>(`mostrar ${id}`, provedor);
  t.deepEqual(Object.keys(visto), [
    'id',
    'nome',
    'nome_fantasia',
    'tipo',
    'cpf_cnpj',
    'email',
    'telefones',
    'situacao',
    'data_nascimento',
    'codigo_externo',
    'criado_em',
    'atualizado_em',
    'apagado_em',
    'endereco',
    'contratos',
  ]);
  t.like(visto, {
    id,
    nome: 'Maria de Souza',
    tipo: 'pf',
    cpf_cnpj: CPF,
    telefones: ['35999990001', '3532210001'],
    data_nascimento: '1988-04-12',
    endereco: { uf: 'MG', cep: null },
    contratos: [],
  });
  const linhas = await cliente(`mostrar ${id}`, provedor);
  t.regex(linhas.stdout, /^nome {12,}Maria de Souza$/m);
  t.regex(linhas.stdout, /^telefones {2,}35999990001, 3532210001$/m);

  const alterado = await cliente(`alterar ${id}`, provedor, '--telefones', '', '--email', '', '--cidade', 'Alfenas');
  t.is(alterado.stdout, `Cliente ${id} alterado: email, endereco, telefones.\n`);
  t.is((await cliente(`alterar ${id}`, provedor, '--uf', 'mg')).stdout, `Cliente ${id}: nada mudou.\n`);
  const antigo = ['--versao', visto.atualizado_em, '--nome', 'Ana'];
  recusado(t, await cliente(`alterar ${id}`, provedor, ...antigo), /alguém o alterou depois que foi lido/);

  const cancelado = await json<object>(
    `cancelar ${id}`,
    provedor,
    '--motivo',
    'mudou-se',
    '--faturas-futuras',
    'cancelar',
  );
  t.deepEqual(cancelado, { id, mudou: true, contratos: 0, faturas: 0 });
  t.is((await cliente(`cancelar ${id}`, provedor)).stdout, `Cliente ${id}: já estava cancelado.\n`);
  t.is((await json<ClienteJson>(`reativar ${id}`, provedor)).situacao, 'ativo');
});

test('a lista acha por documento, telefone e situação, e diz quantos são', async (t) => {
  const provedor = await fabrica.provedor();
  const ids: number[] = [];
  for (const [n, cpf_cnpj] of [CPF, '12345678909', '11144477735'].entries()) {
    const id = await fabrica.cliente(provedor, {
      cpf_cnpj,
      nome: `Pessoa ${n}`,
      situacao: n === 2 ? 'inativo' : 'ativo',
    });
    await fabrica.telefone(provedor, { cliente_id: id, numero: `3599999000${n}` });
    ids.push(id);
  }
  const achar = async (...filtros: string[]) => {
    const { total, clientes } = await json<{ total: number; clientes: ClienteJson[] }>('listar', provedor, ...filtros);
    return [total, clientes.map(({ id }) => id)];
  };
  t.deepEqual(await achar(), [3, ids]);
  t.deepEqual(await achar('--cpf-cnpj', '529.982.247-25'), [1, [ids[0]]]);
  t.deepEqual(await achar('--telefone', '(35) 99999-0001'), [1, [ids[1]]]);
  t.deepEqual(await achar('--situacao', 'inativo'), [1, [ids[2]]]);
  t.deepEqual(await achar('--limite', '2', '--pagina', '2'), [3, [ids[2]]]);
  await api.dono('clientes').where('id', ids[1]).update({ codigo_externo: 'ixc:55' });
  const doLogin = { cliente_id: ids[2]!, plano_id: await fabrica.plano(provedor), login: `achar${provedor}` };
  await fabrica.contrato(provedor, doLogin);
  t.deepEqual(await achar('--codigo-externo', 'ixc:55'), [1, [ids[1]]]);
  t.deepEqual(await achar('--login', doLogin.login), [1, [ids[2]]]);
  t.deepEqual(await achar('--login', 'ninguem'), [0, []]);
  const texto = await cliente('listar', provedor, '--cpf-cnpj', CPF);
  t.is(texto.stdout, `${ids[0]}  ${CPF}  ativo  35999990000  Pessoa 0\n1 cliente ao todo.\n`);
  const errado = ['--cpf-cnpj', '123', '--telefone', 'x', '--situacao', 'y', '--limite', '0'];
  const recusa = await cliente('listar', provedor, ...errado);
  recusado(t, recusa, /cpf_cnpj: .+; telefone: .+; situacao: .+; limite: /);
});

test('o que não se aceita diz todos os campos, em português, e nada se grava', async (t) => {
  const provedor = await fabrica.provedor();
  const outro = await fabrica.cliente(provedor);
  recusado(
    t,
    await cliente('criar', provedor, '--nome', 'J', '--cpf-cnpj', '111', '--uf', 'XX'),
    /nome: .+; cpf_cnpj: .+; endereco\.uf: /,
  );
  recusado(t, await cliente('criar', provedor), /nome: é obrigatório; cpf_cnpj: é obrigatório/);
  recusado(
    t,
    await cliente('criar', provedor, '--nome', 'Ana', '--cpf-cnpj', CPF),
    /outro cliente que não está cancelado/,
  );
  recusado(t, await cliente(`alterar ${outro}`, provedor), /diga ao menos um de: nome, /);
  recusado(t, await cliente(`alterar ${outro}`, provedor, '--situacao', 'bloqueado'), /da situação em que está/);
  recusado(
    t,
    await cliente(`cancelar ${outro}`, provedor, '--faturas-futuras', 'x'),
    /faturas_futuras: deve ser um de/,
  );
  for (const comando of ['mostrar', 'alterar', 'cancelar', 'reativar', 'apagar', 'exportar']) {
    const mais = {
      alterar: ['--nome', 'Ana'],
      apagar: ['--confirmar', '999999'],
      exportar: ['--saida', join(terminal.pasta, 'nada.json')],
    }[comando];
    recusado(t, await cliente(`${comando} 999999`, provedor, ...(mais ?? [])), /id 999999: o registro não existe/);
    const semProvedor = await terminal.malha(['cliente', comando, '1']);
    t.is(semProvedor.codigo, 1);
    t.regex(semProvedor.stderr, /falta a opção '--provedor <id>'/);
    recusado(
      t,
      await cliente(`${comando} 1`, 999_999, ...(mais ?? []).map((um) => um.replace('999999', '1'))),
      /provedor 999999 não existe/,
    );
  }
  t.is((await api.dono('clientes').where('provedor_id', provedor)).length, 1);
  t.false(existsSync(join(terminal.pasta, 'nada.json')));
});

test('apagar pede o id outra vez, mostra antes o que sairia, e diz o que fica', async (t) => {
  const provedor = await fabrica.provedor();
  const id = await fabrica.cliente(provedor, { email: 'maria@example.com', situacao: 'cancelado' });
  await fabrica.fatura(provedor, { cliente_id: id, situacao: 'paga' });
  recusado(t, await cliente(`apagar ${id}`, provedor), /confirmar: não há volta/);
  recusado(t, await cliente(`apagar ${id}`, provedor, '--confirmar', String(id + 1)), /confirmar: não há volta/);
  const simulado = await cliente(`apagar ${id}`, provedor, '--simular');
  t.regex(simulado.stdout, new RegExp(`^Cliente ${id}: sairia cadastro\\.email\\.\\nFica até 2031-12-31: `));
  t.is((await json<{ email: string }>(`mostrar ${id}`, provedor)).email, 'maria@example.com');
  const feito = await json<object>(`apagar ${id}`, provedor, '--confirmar', String(id));
  t.like(feito, { id, simulado: false, apagados: ['cadastro.email'], outros_cadastros: [] });
  t.is((await json<{ email: string | null }>(`mostrar ${id}`, provedor)).email, null);
});

test('a exportação é um arquivo que só quem grava lê, e que não se troca sem querer', async (t) => {
  const provedor = await fabrica.provedor();
  const id = await fabrica.cliente(provedor, { email: 'maria@example.com' });
  const arquivo = join(terminal.pasta, 'titular.json');
  const feito = await json<{ linhas: number }>(`exportar ${id}`, provedor, '--saida', arquivo);
  t.deepEqual(feito, { id, provedor_id: provedor, arquivo, linhas: 1 } as object);
  t.is(statSync(arquivo).mode & 0o777, 0o600);
  t.like(JSON.parse(readFileSync(arquivo, 'utf8')), {
    formato: 'malha/titular',
    titular: { cpf_cnpj: CPF },
    linhas: 1,
  });

  writeFileSync(arquivo, 'meu');
  chmodSync(arquivo, 0o644);
  const atalho = join(terminal.pasta, 'atalho.json');
  symlinkSync(arquivo, atalho);
  for (const onde of [arquivo, atalho]) {
    recusado(t, await cliente(`exportar ${id}`, provedor, '--saida', onde), /saida: .+ já existe; diga --sobrescrever/);
  }
  t.is(readFileSync(arquivo, 'utf8'), 'meu');
  const longe = join(terminal.pasta, 'nao-ha', 'x.json');
  recusado(t, await cliente(`exportar ${id}`, provedor, '--saida', longe), /saida: não foi possível gravar/);

  const trocado = await cliente(`exportar ${id}`, provedor, '--saida', arquivo, '--sobrescrever');
  t.is(trocado.codigo, 0, trocado.stderr);
  t.is(statSync(arquivo).mode & 0o777, 0o600);
  t.true(readFileSync(arquivo, 'utf8').startsWith('{'));
  t.deepEqual(
    readdirSync(terminal.pasta).filter((nome) => nome.endsWith('.parcial')),
    [],
  );
  // What was refused was not noted as handed out.
  t.is((await api.dono('auditoria').where({ provedor_id: provedor, acao: 'exportacao.feita' })).length, 2);
});

test('a ajuda de cada comando é em português', async (t) => {
  for (const comando of ['', 'criar', 'mostrar', 'listar', 'alterar', 'cancelar', 'reativar', 'apagar', 'exportar']) {
    const { codigo, stdout, stderr } = await terminal.malha([
      'cliente',
      ...comando.split(' ').filter(Boolean),
      '--help',
    ]);
    t.is(codigo, 0, stderr);
    t.regex(stdout, /^Uso: malha cliente/);
    t.notRegex(stdout, INGLES, comando);
  }
});

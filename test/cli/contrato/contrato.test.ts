import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
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

type Json = Record<string, any>;

let titulares = 0;

/** The login that is proposed for a client is nobody else's: who tests it says a name that no other test has. */
async function criarCasa(nome = `Titular ${(titulares += 1)}`) {
  const provedor = await fabrica.provedor();
  const cliente = await fabrica.cliente(provedor, { nome });
  const args = (partes: readonly unknown[]) => [...partes.map(String), '--provedor', String(provedor)];
  return {
    provedor,
    cliente,
    malha: async (...partes: unknown[]) => terminal.malha(args(partes)),
    json: async <T = Json>(...partes: unknown[]): Promise<T> => terminal.json<T>(args(partes)),
  };
}
const PLANO = ['--nome', 'Fibra 500', '--download-mbps', 500, '--upload-mbps', 250, '--valor', '99.90'];

test('do plano ao fim: um contrato é feito, movido, trocado e lido no terminal', async (t) => {
  const casa = await criarCasa('Rita Lima');
  const { id: plano } = await casa.json('plano', 'criar', ...PLANO);
  const texto = await casa.malha(
    'contrato',
    'criar',
    '--cliente',
    casa.cliente,
    '--plano',
    plano,
    '--dia-vencimento',
    10,
  );
  t.is(texto.codigo, 0, texto.stderr);
  t.regex(texto.stdout, /^Contrato \d+ criado, pendente\. Guarde a senha agora.+\nlogin: rita\.lima\nsenha: \w{10}\n$/);
  const [, senha] = /senha: (\w+)/.exec(texto.stdout)!;
  const [{ id }] = (await casa.json<Json[]>('contrato', 'listar')) as [Json];
  t.like(await casa.json<Json[]>('contrato', 'listar', '--login', 'rita.lima'), [{ id }]);
  t.deepEqual(await casa.json<Json[]>('contrato', 'listar', '--codigo-externo', 'ixc:1'), []);
  for (const [comando, situacao, mais] of [
    ['ativar', 'ativo', []],
    ['bloquear', 'bloqueado', ['--motivo', 'antena']],
    ['liberar', 'ativo', []],
    ['suspender', 'inativo', ['--motivo', 'viagem']],
    ['reativar', 'ativo', []],
  ] as const) {
    t.like(await casa.json('contrato', comando, id, ...mais), { id, cliente_id: casa.cliente, situacao }, comando);
  }
  t.deepEqual((await casa.json('contrato', 'alterar', id, '--dia-vencimento', 15, '--cidade', 'Lavras'))['campos'], [
    'dia_vencimento',
    'endereco_instalacao',
  ]);
  const { id: outro } = await casa.json('plano', 'criar', ...PLANO.slice(0, -1), '129.90');
  t.like(await casa.json('contrato', 'trocar-plano', id, '--plano', outro), { plano_id: outro, valor: '129.90' });
  const mostrado = await casa.json('contrato', 'mostrar', id);
  t.like(mostrado, { id, situacao: 'ativo', dia_vencimento: 15, login: 'rita.lima', plano_id: outro });
  t.like(mostrado['endereco'], { cidade: 'Lavras' });
  const titular = await fabrica.cliente(casa.provedor);
  const trocado = await casa.json(
    'contrato',
    'trocar-titular',
    id,
    '--cliente',
    titular,
    '--faturas-futuras',
    'manter',
  );
  t.like(trocado, { anterior: id, cliente_id: titular, login: 'rita.lima' });
  const novo = trocado['id'];
  t.like(await casa.json('contrato', 'cancelar', novo, '--faturas-futuras', 'cancelar'), { situacao: 'cancelado' });
  t.like(await casa.json('contrato', 'encerrar', novo), { situacao: 'cancelado_definitivo' });
  const historico = await casa.malha('contrato', 'historico', id);
  t.regex(historico.stdout, /linha de comando {2}criacao/);
  t.regex(historico.stdout, /troca_de_titular/);
  for (const comando of ['mostrar', 'historico']) {
    t.false((await casa.malha('contrato', comando, id)).stdout.includes(senha!), comando);
  }
});

test('do pré-cadastro de quem já tem outro cadastro só se faz cliente com --confirmado', async (t) => {
  const casa = await criarCasa();
  const { id: plano } = await casa.json('plano', 'criar', ...PLANO);
  const cliente_id = await fabrica.cliente(casa.provedor, { situacao: 'pre_cadastro' });
  const linha = { plano_id: plano, situacao: 'pendente' };
  const pendente = await fabrica.contrato(casa.provedor, { ...linha, cliente_id });
  const ativar = ['contrato', 'ativar', pendente];
  recusado(t, await casa.malha(...ativar), /confirme e-mail|confirm/);
  t.like(await casa.json(...ativar, '--confirmado'), { situacao: 'ativo' });
  const outro = await fabrica.cliente(casa.provedor, { situacao: 'pre_cadastro' });
  const trocar = ['contrato', 'trocar-titular', pendente, '--cliente', outro, '--faturas-futuras', 'manter'];
  recusado(t, await casa.malha(...trocar), /confirm/);
  t.like(await casa.json(...trocar, '--confirmado'), { cliente_id: outro, situacao: 'ativo' });
  const terceiro = await fabrica.cliente(casa.provedor, { situacao: 'pre_cadastro' });
  const reativar = ['contrato', 'reativar', await fabrica.contrato(casa.provedor, { ...linha, cliente_id: terceiro })];
  await casa.json('contrato', 'cancelar', reativar.at(-1)!, '--faturas-futuras', 'manter');
  recusado(t, await casa.malha(...reativar), /confirm/);
  t.like(await casa.json(...reativar, '--confirmado'), { cliente_id: terceiro, situacao: 'ativo' });
});

test('a senha vem da entrada ou de um arquivo, e não da linha de comando', async (t) => {
  const casa = await criarCasa();
  const { id: plano } = await casa.json('plano', 'criar', ...PLANO);
  const arquivo = join(terminal.pasta, 'senha.txt');
  writeFileSync(arquivo, 'Do#Arquivo\n');
  const args = ['contrato', 'criar', '--cliente', casa.cliente, '--plano', plano, '--dia-vencimento', 5];
  t.is((await casa.json(...args, '--senha', arquivo))['senha'], 'Do#Arquivo');
  recusado(t, await casa.malha(...args, '--senha', '/nao/existe'), /senha: não foi possível ler/);
});

test('o que se pediu à rede de um contrato se vê, com o que foi das suas sessões', async (t) => {
  const casa = await criarCasa();
  const { id: plano_id } = await casa.json('plano', 'criar', ...PLANO);
  const contrato = await fabrica.contrato(casa.provedor, { cliente_id: casa.cliente, plano_id });
  t.is((await casa.malha('contrato', 'rede', contrato)).stdout, 'Nada se pediu à rede.\n');
  await casa.json('contrato', 'bloquear', contrato, '--motivo', 'x');
  const [pedido] = await casa.json<Json[]>('contrato', 'rede', contrato);
  t.like(pedido, { acao: 'bloquear', resultado: null, aplicado_em: null, desconexoes: [] });
  const comum = { provedor_id: casa.provedor, pedido_id: pedido!['id'], contrato_id: contrato, radacctid: 1 };
  const em = '2026-11-20 12:00:00.000';
  await api.dono('rede_desconexoes').insert([
    {
      ...comum,
      nasipaddress: '10.0.0.1',
      estado: 'recusada',
      causa_erro: 503,
      tentativas: 1,
      proxima_em: em,
      criado_em: em,
    },
    { ...comum, nasipaddress: '10.0.0.2', alterar_para: 'bloqueado', proxima_em: em, criado_em: em },
  ]);
  t.regex(
    (await casa.malha('contrato', 'rede', contrato)).stdout,
    /^[-\dT:.]+Z {2}bloquear: espera\n {2}NAS 10\.0\.0\.1, encerrar a sessão: recusada, Error-Cause 503, 1 tentativa\n {2}NAS 10\.0\.0\.2, alterar a sessão para bloqueado: pendente, 0 tentativas\n$/,
  );
});

test('um plano muda, e os contratos o acompanham se assim se disser', async (t) => {
  const casa = await criarCasa();
  const { id } = await casa.json('plano', 'criar', ...PLANO);
  const contrato = await fabrica.contrato(casa.provedor, { cliente_id: casa.cliente, plano_id: id });
  recusado(t, await casa.malha('plano', 'alterar', id, '--valor', '109.90'), /contratos: diga se os contratos/);
  await casa.json('plano', 'alterar', id, '--valor', '109.90', '--contratos', 'acompanhar');
  t.is((await casa.json('contrato', 'mostrar', contrato))['valor'], '109.90');
  await casa.json('plano', 'retirar', id);
  t.like(await casa.json<Json[]>('plano', 'listar'), [{ id, ativo: false, valor: '109.90', contratos: 1 }]);
  t.regex((await casa.malha('plano', 'repor', id)).stdout, /^Plano \d+: à venda\.\n$/);
});

test('o que se diz errado é recusado com o nome do campo, e nada se faz', async (t) => {
  const casa = await criarCasa();
  const { id: plano } = await casa.json('plano', 'criar', ...PLANO);
  const contrato = await fabrica.contrato(casa.provedor, { cliente_id: casa.cliente, plano_id: plano });
  for (const [args, dito] of [
    [['plano', 'criar', '--nome', 'X', '--valor', 'caro'], /nome: deve ter no mínimo 2.*download_mbps: é obrigatório/],
    [['plano', 'criar', ...PLANO, '--grupo-radius', 'bloqueado'], /grupo_radius: é o grupo de quem está bloqueado/],
    [['contrato', 'ativar', contrato], /não pode ir/],
    [['contrato', 'ativar', 999_999], /id 999999: o registro não existe/],
    [['contrato', 'mostrar', 999_999], /id 999999: o registro não existe/],
    [['contrato', 'bloquear', contrato], /motivo: é obrigatório/],
    [
      ['contrato', 'cancelar', contrato, '--faturas-futuras', 'talvez'],
      /faturas_futuras: deve ser um de: manter, cancelar/,
    ],
    [['contrato', 'alterar', contrato], /corpo: diga ao menos um de/],
    [['contrato', 'alterar', contrato, '--ip', '300.1.1.1'], /ip: deve ser um IPv4/],
  ] as const) {
    recusado(t, await casa.malha(...args), dito);
  }
  t.is((await casa.json('contrato', 'mostrar', contrato))['situacao'], 'ativo');
});

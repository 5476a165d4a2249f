import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import {
  columns,
  computed,
  expressions,
  nestedRowsOf,
  rowsOf,
  rowsOfSql,
} from '../../../src/platform/mysql/columns.ts';
import { createTenantDb, sameTenant } from '../../../src/platform/mysql/tenant.ts';
import { criarBanco } from '../../support/banco.ts';
import type { Banco } from '../../support/banco.ts';
import { criarFabrica } from '../../support/fabrica.ts';

interface ClienteRow {
  id: number;
  nome: string;
  email: string | null;
}

interface ComContratoRow extends ClienteRow {
  contrato: number;
}

const DO_CLIENTE = columns<ClienteRow>('clientes', { id: true, nome: true, email: true });
const COM_CONTRATO = columns<ComContratoRow>('clientes', { ...DO_CLIENTE.of, contrato: 'contratos.id' });
const QUANTOS = expressions<{ quantos: number }>({ quantos: 'count(*)' });

let banco: Banco;
let provedor: number;
let cliente: number;
let contrato: number;
test.before(async () => {
  banco = await criarBanco();
  const fabrica = criarFabrica(banco.db);
  provedor = await fabrica.provedor();
  cliente = await fabrica.cliente(provedor, { nome: 'Maria', email: null });
  contrato = await fabrica.contrato(provedor, { cliente_id: cliente, plano_id: await fabrica.plano(provedor) });
});
test.after.always(() => banco.fechar());

const clientes = () => createTenantDb(banco.db, provedor).from('clientes');
const comContratos = () => clientes().join('contratos', sameTenant('clientes', 'id', 'contratos', 'cliente_id'));

test('uma coluna esquecida, uma escrita errado e uma de outra linha não compilam', async (t) => {
  // @ts-expect-error -- Property 'email' is missing in type '{ id: true; nome: true; }'
  columns<ClienteRow>('clientes', { id: true, nome: true });
  // @ts-expect-error -- 'emial' does not exist in type 'ColumnsOf<ClienteRow>'
  columns<ClienteRow>('clientes', { id: true, nome: true, email: true, emial: true });
  // @ts-expect-error -- Property 'contrato' is missing: the columns of a narrower row do not make a wider one
  columns<ComContratoRow>('clientes', { ...DO_CLIENTE.of });
  // @ts-expect-error -- an expression is no column of its own name
  expressions<{ quantos: number }>({ quantos: true });
  // @ts-expect-error -- Property 'telefones' is missing in type '{}'
  computed<{ telefones: string }>({});
  const linhas = await rowsOf(clientes(), DO_CLIENTE);
  // @ts-expect-error -- Type 'ClienteRow[]' is not assignable to type 'ComContratoRow[]': what is read is what was chosen
  const outras: ComContratoRow[] = linhas;
  // @ts-expect-error -- Property 'contrato' does not exist on type 'ClienteRow'
  t.is(outras[0]?.contrato, linhas[0]?.contrato);
});

test('a linha tem os campos das colunas, na sua ordem, e nenhum outro', async (t) => {
  t.deepEqual(await rowsOf(clientes(), DO_CLIENTE), [{ id: cliente, nome: 'Maria', email: null }]);
  t.deepEqual(await rowsOf(comContratos(), COM_CONTRATO), [{ id: cliente, nome: 'Maria', email: null, contrato }]);
  t.deepEqual(await rowsOf(clientes(), QUANTOS), [{ quantos: 1 }]);
  t.is(COM_CONTRATO.list, '`clientes`.`id`, `clientes`.`nome`, `clientes`.`email`, contratos.id as `contrato`');
});

test('várias colunas dão uma linha só, com o que se calcula para uma leitura', async (t) => {
  const telefones = banco.db('clientes_telefones').whereRaw('cliente_id = clientes.id').count();
  const valores = computed<{ telefones: number; dito: string }>({ telefones, dito: banco.db.raw('?', ['assim?']) });
  const [linha] = await rowsOf(clientes(), DO_CLIENTE, QUANTOS, valores);
  t.deepEqual(linha, { id: cliente, nome: 'Maria', email: null, quantos: 1, telefones: 0, dito: 'assim?' });
});

test('tabelas juntas vêm cada uma sob o seu nome, e o que se calcula sob o vazio', async (t) => {
  const situacao = columns<{ id: number; situacao: string }>('contratos', { id: true, situacao: true });
  const valores = computed<{ dois: number }>({ dois: banco.db.raw('? + 1', [1]) });
  const linhas = await nestedRowsOf(comContratos(), { clientes: DO_CLIENTE, contratos: situacao }, valores);
  t.deepEqual(linhas, [
    {
      clientes: { id: cliente, nome: 'Maria', email: null },
      contratos: { id: contrato, situacao: 'ativo' },
      '': { dois: 2 },
    },
  ]);
});

test('um comando por extenso leva a mesma lista, e os seus valores', async (t) => {
  const linhas = await rowsOfSql(
    banco.db,
    COM_CONTRATO,
    (lista) =>
      `SELECT ${lista} FROM clientes
         JOIN contratos ON contratos.provedor_id = clientes.provedor_id AND contratos.cliente_id = clientes.id
        WHERE clientes.id = ?`,
    [cliente],
  );
  t.deepEqual(linhas, [{ id: cliente, nome: 'Maria', email: null, contrato }]);
  t.deepEqual(await rowsOfSql(banco.db, DO_CLIENTE, (lista) => `SELECT ${lista} FROM clientes WHERE FALSE`), []);
});

test('uma coluna que a tabela não tem é recusada pelo banco, com o nome dela', async (t) => {
  const errada = columns<{ emial: string }>('clientes', { emial: true });
  await t.throwsAsync(rowsOf(clientes(), errada), { code: 'ER_BAD_FIELD_ERROR', message: /clientes\.emial/ });
});

test('as linhas são travadas como se pediu, na transação em que se leem', async (t) => {
  await banco.db.transaction(async (trx) => {
    const minhas = createTenantDb(trx, provedor).from('clientes').where('clientes.id', cliente).forUpdate();
    t.is((await rowsOf(minhas, DO_CLIENTE)).length, 1);
    t.deepEqual(await rowsOf(clientes().forUpdate().skipLocked(), DO_CLIENTE), []);
  });
});

// Nobody says what a row is but its columns.
const RAIZ = fileURLToPath(new URL('../../../../', import.meta.url));
const DIZ_A_LINHA = [
  /\.(?:select|distinct|first|pluck|count|min|max|sum|avg)</,
  /\.raw<[^(;]*\[\]\[\]>/,
  /\bas [^;\n]*Row\b[^;\n]*\[\]/,
  // A query that is awaited with a selection of its own gives whatever its reader says.
  /\bawait\b[^;]*\.select\(/,
];
const dizALinha = (fonte: string): boolean => DIZ_A_LINHA.some((padrao) => padrao.test(fonte));

test('nenhuma leitura diz por si que linha dá: só as colunas', (t) => {
  const fontes = ['src', 'workers'].flatMap((pasta) =>
    readdirSync(`${RAIZ}${pasta}`, { recursive: true, encoding: 'utf8' })
      .filter((nome) => nome.endsWith('.ts'))
      .map((nome) => `${pasta}/${nome}`),
  );
  t.true(fontes.length > 250);
  t.deepEqual(
    fontes.filter((nome) => dizALinha(readFileSync(RAIZ + nome, 'utf8'))),
    ['src/platform/mysql/columns.ts'],
  );
});

for (const fonte of [
  `return tenant.from('planos').select<PlanoRow[]>(COLUNAS);`,
  `const [row] = (await provedores().where('id', id)) as ProvedorRow[];`,
  `const rows = (await busca) as (Row & TalvezContratoRow)[];`,
  `const rows = await tenant\n  .from('planos')\n  .select('id');`,
  `const [em] = await db('replica_batimento').pluck<string[]>('em');`,
  `await query.count<{ quantas: number }[]>('* as quantas');`,
  `const [rows = []] = await db.raw<{ provedor_id: number }[][]>(sql);`,
]) {
  test(`é recusado: ${fonte.replaceAll(/\s+/g, ' ')}`, (t) => t.true(dizALinha(fonte)));
}

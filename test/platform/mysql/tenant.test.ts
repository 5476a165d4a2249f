import test from 'ava';
import { createTenantDb, createTenantWriter, sameTenant } from '../../../src/platform/mysql/tenant.ts';
import { criarBanco } from '../../support/banco.ts';
import type { Banco } from '../../support/banco.ts';
import { criarFabrica } from '../../support/fabrica.ts';

let banco: Banco;
let a: number;
let b: number;
test.before(async () => {
  banco = await criarBanco();
  const fabrica = criarFabrica(banco.db);
  [a, b] = [await fabrica.provedor(), await fabrica.provedor()];
  for (const [provedor, nomes] of [
    [a, ['Ana', 'Aldo']],
    [b, ['Bia', 'Beto', 'Bruna']],
  ] as const) {
    const plano_id = await fabrica.plano(provedor);
    for (const nome of nomes) {
      const cliente_id = await fabrica.cliente(provedor, { nome });
      await fabrica.contrato(provedor, { cliente_id, plano_id });
    }
  }
});
test.after.always(() => banco.fechar());

const nomes = (linhas: { nome: string }[]): string[] => linhas.map(({ nome }) => nome).toSorted();

test('de uma tabela só se leem as linhas do inquilino', async (t) => {
  const { db } = banco;
  t.deepEqual(nomes(await createTenantDb(db, a).from('clientes').select('nome')), ['Aldo', 'Ana']);
  t.deepEqual(nomes(await createTenantDb(db, b).from('clientes').select('nome')), ['Beto', 'Bia', 'Bruna']);
  t.deepEqual(await createTenantDb(db, 999_999).from('clientes').select('nome'), []);
});

test('um filtro com OR não sai do inquilino quando é agrupado, e um apelido de tabela não solta o filtro', async (t) => {
  const tenant = createTenantDb(banco.db, a);
  const agrupado = tenant.from('clientes as c').where((q) => void q.where('c.nome', 'Ana').orWhere('c.nome', 'Bia'));
  t.deepEqual(nomes(await agrupado.select('c.nome')), ['Ana']);
});

test('o id de uma linha de outro inquilino não a acha, não a muda e não a apaga', async (t) => {
  const { db } = banco;
  const [{ id }] = (await createTenantDb(db, b).from('clientes').where('nome', 'Bia').select('id')) as [{ id: number }];
  const tenant = createTenantDb(db, a);
  t.deepEqual(await tenant.from('clientes').where({ id }).select('id'), []);
  t.is(await tenant.from('clientes').where({ id }).update({ nome: 'Invadida' }), 0);
  t.is(await tenant.from('clientes').where({ id }).delete(), 0);
  t.is(await tenant.from('clientes').update({ email: 'a@a.test' }), 2);
  t.deepEqual(await createTenantDb(db, b).from('clientes').whereNotNull('email').select('id'), []);
});

test('o que se grava é do inquilino, mesmo que a linha diga ser de outro', async (t) => {
  const { db } = banco;
  const fabrica = criarFabrica(db);
  const c = await fabrica.provedor();
  const linha = { nome: 'Carla', tipo: 'pf', cpf_cnpj: '1', situacao: 'ativo' };
  const tenant = createTenantDb(db, c);
  const writer = createTenantWriter(db, c);
  const id = await writer.insert('clientes', { ...linha, provedor_id: a });
  t.is(typeof id, 'number');
  const primeiro = await writer.insert('clientes', [linha, { ...linha, provedor_id: b }]);
  t.true(primeiro > id);
  t.is((await tenant.from('clientes').select('id')).length, 3);
});

test('toda maneira de escrever diz que se escreveu, e ler não diz nada', async (t) => {
  const { db } = banco;
  const fabrica = criarFabrica(db);
  const c = await fabrica.provedor();
  const id = await fabrica.cliente(c);
  let ditas = 0;
  const w = createTenantWriter(db, c, () => {
    ditas += 1;
  });
  t.is((await w.from('clientes')).length, 1);
  t.is(ditas, 0);
  const linha = { nome: 'Carla', tipo: 'pf', cpf_cnpj: '1', situacao: 'ativo' };
  const usos: Record<Exclude<keyof typeof w, 'provedorId' | 'from'>, () => Promise<number>> = {
    insert: async () => w.insert('clientes', linha),
    update: async () => w.update('clientes', (q) => void q.where({ id }), { nome: 'Ana' }),
    updateEach: async () => w.updateEach('clientes', [id], { nome: ['Aldo'] }),
    delete: async () => w.delete('clientes', (q) => void q.where({ id })),
  };
  t.deepEqual(Object.keys(w).toSorted(), ['provedorId', 'from', ...Object.keys(usos)].toSorted());
  for (const [nome, usar] of Object.entries(usos)) {
    const antes = ditas;
    await usar();
    t.is(ditas, antes + 1, nome);
  }
});

test('uma junção é feita pelo inquilino e pelo id', async (t) => {
  const tenant = createTenantDb(banco.db, b);
  const consulta = tenant.from('contratos').join('clientes', sameTenant('contratos', 'cliente_id', 'clientes', 'id'));
  t.deepEqual(nomes(await consulta.select('clientes.nome')), ['Beto', 'Bia', 'Bruna']);
  const { sql } = tenant
    .from('contratos')
    .leftJoin('planos', sameTenant('contratos', 'plano_id', 'planos', 'id'))
    .toSQL();
  t.regex(sql, /`planos`\.`provedor_id` = `contratos`\.`provedor_id` and `planos`\.`id` = `contratos`\.`plano_id`/);
});

test('dentro de uma transação desfeita, nada do inquilino fica', async (t) => {
  const { db } = banco;
  const linha = { nome: 'Zeca', tipo: 'pf', cpf_cnpj: '1', situacao: 'ativo' };
  await t.throwsAsync(
    db.transaction(async (trx) => {
      await createTenantWriter(trx, a).insert('clientes', linha);
      throw new Error('desfaz');
    }),
    { message: 'desfaz' },
  );
  t.deepEqual(await createTenantDb(db, a).from('clientes').where('nome', 'Zeca').select('id'), []);
});

import test from 'ava';
import { readPage } from '../../../src/platform/paging/pages.ts';
import type { Page } from '../../../src/platform/paging/pages.ts';
import { createTenantDb } from '../../../src/platform/mysql/tenant.ts';
import { criarBanco } from '../../support/banco.ts';
import type { Banco } from '../../support/banco.ts';
import { criarFabrica } from '../../support/fabrica.ts';

interface Linha {
  readonly id: number;
  readonly nome: string;
  readonly situacao: string;
}

let banco: Banco;
const ids = new Map<number, number[]>();
let a: number;
let b: number;
test.before(async () => {
  banco = await criarBanco();
  const fabrica = criarFabrica(banco.db);
  [a, b] = [await fabrica.provedor(), await fabrica.provedor()];
  // Row by row in turns, so that ids of the two tenants alternate.
  for (let n = 0; n < 23; n += 1) {
    for (const provedor of [a, b]) {
      const situacao = n % 2 === 0 ? 'ativo' : 'bloqueado';
      const id = await fabrica.cliente(provedor, { nome: `Cliente ${n % 3}`, situacao });
      ids.set(provedor, [...(ids.get(provedor) ?? []), id]);
    }
  }
});
test.after.always(() => banco.fechar());

async function ler(provedor: number, pagina: number, porPagina: number, situacao?: string): Promise<Page<Linha>> {
  return readPage<Linha>(
    createTenantDb(banco.db, provedor),
    {
      table: 'clientes',
      order: [{ column: 'id', order: 'asc' }],
      filter: (query) => void (situacao === undefined || query.where('clientes.situacao', situacao)),
    },
    { pagina, porPagina },
    (rows) => rows.select(['clientes.id', 'clientes.nome', 'clientes.situacao']),
  );
}

for (const porPagina of [1, 2, 5, 11, 12, 22, 23, 24, 100]) {
  test(`de ${porPagina} em ${porPagina}, as páginas juntas são a lista toda, uma vez e em ordem, com o total certo em cada uma`, async (t) => {
    const vistos: number[] = [];
    const paginas = Math.ceil(23 / porPagina);
    for (let pagina = 1; pagina <= paginas; pagina += 1) {
      const { itens, total } = await ler(a, pagina, porPagina);
      t.is(total, 23);
      t.is(itens.length, pagina < paginas ? porPagina : 23 - porPagina * (paginas - 1));
      vistos.push(...itens.map(({ id }) => id));
    }
    t.deepEqual(vistos, ids.get(a));
    t.deepEqual(await ler(a, paginas + 1, porPagina), { itens: [], total: 23 });
  });
}

test('uma página muito além do fim é vazia e tem o total certo', async (t) => {
  t.deepEqual(await ler(a, Number.MAX_SAFE_INTEGER / 100, 100).then(({ total }) => total), 23);
  t.deepEqual(await ler(a, 1_000_000, 100), { itens: [], total: 23 });
});

test('o filtro vale para os itens e para o total', async (t) => {
  const { itens, total } = await ler(a, 2, 5, 'bloqueado');
  t.is(total, 11);
  t.is(itens.length, 5);
  t.true(itens.every(({ situacao }) => situacao === 'bloqueado'));
  t.deepEqual(await ler(a, 1, 20, 'cancelado'), { itens: [], total: 0 });
});

test('linhas de outro inquilino nunca aparecem nem contam', async (t) => {
  for (const [provedor, outro] of [
    [a, b],
    [b, a],
  ] as const) {
    const { itens, total } = await ler(provedor, 1, 100);
    t.is(total, 23);
    t.deepEqual(
      itens.map(({ id }) => id),
      ids.get(provedor),
    );
    t.false(itens.some(({ id }) => ids.get(outro)!.includes(id)));
  }
  t.deepEqual(await ler(999_999, 1, 20), { itens: [], total: 0 });
});

test('a ordem por uma coluna que se repete, desempatada pelo id, é a mesma em todas as páginas', async (t) => {
  const tenant = createTenantDb(banco.db, a);
  const nomes: string[] = [];
  const vistos: number[] = [];
  for (let pagina = 1; pagina <= 6; pagina += 1) {
    const { itens } = await readPage<Linha>(
      tenant,
      {
        table: 'clientes',
        order: [
          { column: 'nome', order: 'desc' },
          { column: 'id', order: 'asc' },
        ],
        filter() {},
      },
      { pagina, porPagina: 4 },
      (rows) => rows.select(['clientes.id', 'clientes.nome']),
    );
    nomes.push(...itens.map(({ nome }) => nome));
    vistos.push(...itens.map(({ id }) => id));
  }
  t.deepEqual(nomes, nomes.toSorted().toReversed());
  t.is(new Set(vistos).size, 23);
});

test('uma ordem por uma coluna que não se lê não compila', async (t) => {
  const { itens } = await readPage<{ id: number }>(
    createTenantDb(banco.db, a),
    // @ts-expect-error -- Type '"nome"' is not assignable to type '"id"'
    { table: 'clientes', order: [{ column: 'nome', order: 'asc' }], filter() {} },
    { pagina: 1, porPagina: 20 },
    (rows) => rows.select('clientes.id'),
  );
  t.is(itens.length, 20);
});

test('só as colunas pedidas vêm', async (t) => {
  const { itens } = await ler(a, 1, 1);
  t.deepEqual(Object.keys(itens[0]!), ['id', 'nome', 'situacao']);
});

test('páginas longe do começo, contadas desde o fim, são as mesmas', async (t) => {
  const fabrica = criarFabrica(banco.db);
  const provedor = await fabrica.provedor();
  const quantos = 2345;
  const linhas = Array.from({ length: quantos }, (_, n) => ({
    provedor_id: provedor,
    nome: `Cliente ${n}`,
    tipo: 'pf',
    cpf_cnpj: '52998224725',
    situacao: 'ativo',
  }));
  await banco.db.batchInsert('clientes', linhas, 500);
  const todos = await banco.db('clientes').where('provedor_id', provedor).orderBy('id').pluck<number[]>('id');
  for (const porPagina of [100, 7]) {
    for (const pagina of [11, 12, 13, 22, 23, 24, 150, 200, 334, 335, 336]) {
      const { itens, total } = await ler(provedor, pagina, porPagina);
      t.is(total, quantos);
      t.deepEqual(
        itens.map(({ id }) => id),
        todos.slice((pagina - 1) * porPagina, pagina * porPagina),
        `${pagina} de ${porPagina}`,
      );
    }
  }
});

import { randomUUID } from 'node:crypto';
import test from 'ava';
import type { ExecutionContext } from 'ava';
import type { Knex } from 'knex';
import { createGate } from '../../../src/platform/gate/gate.ts';
import { tenantSlot } from '../../../src/platform/gate/keys.ts';
import { createPageWalks } from '../../../src/platform/paging/page-walks.ts';
import { readPage } from '../../../src/platform/paging/pages.ts';
import type { Page } from '../../../src/platform/paging/pages.ts';
import { createRedis } from '../../../src/platform/redis/redis.ts';
import { createTenantDb } from '../../../src/platform/mysql/tenant.ts';
import { criarBanco, redisUrl } from '../../support/banco.ts';
import type { Banco } from '../../support/banco.ts';
import { criarFabrica } from '../../support/fabrica.ts';

let banco: Banco;
test.before(async () => {
  banco = await criarBanco();
});
test.after.always(() => banco.fechar());

const ORDENS = {
  nome: [
    { column: 'nome', order: 'desc' },
    { column: 'id', order: 'asc' },
  ],
  instante: [
    { column: 'criado_em', order: 'desc' },
    { column: 'id', order: 'desc' },
  ],
} as const;

/** A provider's clients, many of which share what they are sorted by, and who reads them whole. */
async function lista(t: ExecutionContext, ordem: keyof typeof ORDENS, longCountMs: number) {
  const redis = createRedis(await redisUrl(), 'gate', () => {});
  await new Promise((resolve) => redis.once('ready', resolve));
  const gate = createGate({ redis, onMode: () => {} });
  const walks = createPageWalks({ redis, gate, longCountMs });
  const provedor = await criarFabrica(banco.db).provedor();
  const tenant = createTenantDb(banco.db, provedor);
  const slot = tenantSlot(provedor);
  const order = ORDENS[ordem];
  const filter = (query: Knex.QueryBuilder): void => void query.where('clientes.situacao', 'ativo');
  /** Rows on the way to the page that was read last. */
  let andadas = 0;
  const anotar = ({ sql, bindings = [] }: { sql: string; bindings?: number[] }): void => {
    // The tenant comes last, for the rows that the keys before it lead to.
    if (bindings.at(-1) === provedor && /limit/.test(sql)) andadas = /offset/.test(sql) ? bindings.at(-2)! : 0;
  };
  banco.db.on('query', anotar);
  t.teardown(() => {
    banco.db.removeListener('query', anotar);
    walks.close();
    gate.close();
    redis.disconnect();
  });
  const seguradas: number[] = [];
  return {
    seguradas,
    andadas: () => andadas,
    inserir: async (quantos: number): Promise<unknown> =>
      banco.db.batchInsert(
        'clientes',
        Array.from({ length: quantos }, (_, n) => ({
          provedor_id: provedor,
          nome: `Cliente ${(n * 7919) % 40}`,
          tipo: 'pf',
          cpf_cnpj: '52998224725',
          situacao: n % 3 === 0 ? 'bloqueado' : 'ativo',
          criado_em: `2026-11-20 12:00:00.${String((n * 7919) % 40).padStart(3, '0')}`,
        })),
        500,
      ),
    remover: async (quantos: number): Promise<unknown> =>
      banco.db('clientes').where({ provedor_id: provedor, nome: 'Cliente 39' }).limit(quantos).delete(),
    avisar: async () => gate.bump(slot, ['clientes']),
    todos: async () =>
      tenant
        .from('clientes')
        .modify(filter)
        .orderBy([...order])
        .pluck<number[]>('id'),
    contar: async (onReplica: boolean, count: () => Promise<number>) =>
      walks.readerOf({ slot, name: 'a', onReplica, tags: ['clientes'], holds: () => {} }).total('lista', 0, count),
    /** By a reader that has read nothing before. */
    lerPagina: async (pagina: number, porPagina: number): Promise<Page<{ id: number }>> => {
      const holds = (ms: number): void => void seguradas.push(ms);
      const reader = walks.readerOf({ slot, name: randomUUID(), onReplica: false, tags: ['clientes'], holds });
      return readPage<{ id: number; nome: string; criado_em: string }>(
        tenant,
        { table: 'clientes', order, filter },
        { pagina, porPagina },
        (rows) => rows.select(['clientes.id', ...order.map(({ column }) => `clientes.${column}`)]),
        { list: 'clientes', day: '', reader },
      );
    },
  };
}

for (const ordem of Object.keys(ORDENS) as (keyof typeof ORDENS)[]) {
  test(`páginas ao acaso por ${ordem} são contadas desde a mais próxima que já se leu, exatas, também depois de uma escrita`, async (t) => {
    const { inserir, remover, avisar, todos, lerPagina, andadas, seguradas } = await lista(t, ordem, Infinity);
    async function lerAoAcaso(vezes: number): Promise<number[]> {
      const esperados = await todos();
      const caminhos: number[] = [];
      for (let vez = 0; vez < vezes; vez += 1) {
        const porPagina = [7, 60, 100][vez % 3]!;
        const pagina = 1 + Math.floor((Math.random() * (esperados.length + 200)) / porPagina);
        const { itens, total } = await lerPagina(pagina, porPagina);
        caminhos.push(andadas());
        t.is(total, esperados.length);
        t.deepEqual(
          itens.map(({ id }) => id),
          esperados.slice((pagina - 1) * porPagina, pagina * porPagina),
          `${pagina} de ${porPagina}`,
        );
      }
      return caminhos;
    }

    await inserir(9000);
    const caminhos = await lerAoAcaso(120);
    // Without marks some forty.
    const longos = caminhos.slice(60).filter((linhas) => linhas > 1000);
    t.true(longos.length < 20, `${longos.join()} linhas andadas`);
    await inserir(50);
    await remover(30);
    await avisar();
    await lerAoAcaso(60);
    t.deepEqual(seguradas, []);
  });
}

test('o total de uma lista longa vale por um minuto, dito a quem guarda a resposta; além dele conta-se de novo', async (t) => {
  const { inserir, avisar, todos, lerPagina, seguradas } = await lista(t, 'instante', -1);
  await inserir(3000);
  t.is((await lerPagina(15, 100)).total, 2000);
  t.deepEqual(await lerPagina(21, 100), { itens: [], total: 2000 });
  t.deepEqual(seguradas, []);
  await inserir(300);
  await avisar();
  t.is((await lerPagina(15, 100)).total, 2000);
  t.true(seguradas.length > 0 && seguradas.every((ms) => ms > 0 && ms <= 60_000), seguradas.join());
  const { itens, total } = await lerPagina(22, 100);
  t.is(total, 2200);
  t.deepEqual(
    itens.map(({ id }) => id),
    (await todos()).slice(2100),
  );
});

test('quem lê no banco não espera pela contagem de uma réplica, nem falha com ela', async (t) => {
  const { contar } = await lista(t, 'nome', 100);
  let daReplica!: Promise<unknown>;
  const falhar = await new Promise<(error: Error) => void>((comecou) => {
    daReplica = contar(true, async () => new Promise((_, reject) => comecou(reject)));
  });
  const falha = t.throwsAsync(daReplica, { message: 'caiu' });
  setTimeout(() => falhar(new Error('caiu')), 500);
  t.is((await contar(false, async () => 3)).rows, 3);
  await falha;
});

import test from 'ava';
import { createEscrita } from '../../../src/domain/escrita.ts';
import { createPublicacaoService } from '../../../src/domain/eventos/publicacao.service.ts';
import { relogioDoSistema } from '../../../src/platform/timing/relogio.ts';
import type { Gate } from '../../../src/platform/gate/gate.ts';
import { createConsuming } from '../../../src/platform/mysql/outbox-consumer.ts';
import type { ConsumedEvent, Consumer } from '../../../src/platform/mysql/outbox-consumer.ts';
import { createDatabase } from '../../../src/platform/mysql/database.ts';
import type { Db } from '../../../src/platform/mysql/database.ts';
import { AUTOR } from '../../support/autor.ts';
import { criarBanco } from '../../support/banco.ts';
import type { Banco } from '../../support/banco.ts';
import { criarFabrica } from '../../support/fabrica.ts';

const bump: Gate['bump'] = async () => {};

let banco: Banco;
/** By the application's user: what it may not do shows here. */
let db: Db;
test.before(async () => {
  banco = await criarBanco();
  db = createDatabase({ url: banco.url, pool: 10, announces: true });
});
test.after.always(async () => {
  await db.destroy();
  await banco.fechar();
});

interface Anotador extends Consumer {
  readonly vistos: (ConsumedEvent & { readonly provedorId: number })[];
  /** Of whom it takes nothing. */
  readonly falhaCom: Set<number>;
}

let consumidores = 0;

/** One that wants all of an invite's events; what it takes, it notes in a row of its own and in memory. */
function anotador(): Anotador {
  const falhaCom = new Set<number>();
  const vistos: Anotador['vistos'] = [];
  const name = `anotador_${(consumidores += 1)}`;
  return {
    name,
    falhaCom,
    vistos,
    wants: (tipo) => tipo.startsWith('convite.'),
    async consume(w, events) {
      await w.insert(
        'notificacoes',
        events.map(({ id }) => ({
          tipo: name,
          origem: 'testes',
          recurso: 'evento',
          recurso_id: id,
          criado_em: '2026-11-20 15:00:00.000',
        })),
      );
      if (falhaCom.has(w.provedorId)) throw new Error('não hoje');
      vistos.push(...events.map((event) => ({ ...event, provedorId: w.provedorId })));
    },
  };
}

const escritaPara = (...consumers: readonly Consumer[]) =>
  createEscrita({ db, gate: { bump }, consumers, onUnconfirmed: () => {} });

function consumo(consumer: Consumer) {
  const falhas: [number, string][] = [];
  const { consume } = createConsuming({
    db,
    consumer,
    onFailure: (id, error) => falhas.push([id, (error as Error).message]),
  });
  return { consume, falhas };
}

async function tudo(consume: () => Promise<number>): Promise<void> {
  while ((await consume()) > 0);
}

const esperam = async ({ name }: Consumer): Promise<number[]> =>
  (await db('eventos_pendentes').where({ consumidor: name }).orderBy('evento_id').select('evento_id')).map(
    ({ evento_id }) => evento_id as number,
  );

const anotados = async ({ name }: Consumer): Promise<number[]> =>
  (await db('notificacoes').where({ tipo: name }).orderBy('recurso_id').select('recurso_id')).map(
    ({ recurso_id }) => recurso_id as number,
  );

test.serial('cada consumidor é avisado, uma vez, do que quer, na ordem, e o que o aviso disse vai junto', async (t) => {
  const provedor = await criarFabrica(banco.db).provedor();
  const um = anotador();
  await escritaPara(um)(AUTOR, provedor, async (w) => {
    w.emit('convite.criado', 7, { plano: null, dia_vencimento: 10, expira_em: '2026-11-30T15:00:00.000Z' });
    w.emit('chave.criada', 3);
    w.emit('convite.expirado', 8);
  });
  const linhas = await db('eventos').where({ provedor_id: provedor }).orderBy('id').select('id', 'tipo', 'etiquetas');
  t.deepEqual(
    linhas.map(({ tipo }) => tipo),
    ['convite.criado', 'chave.criada', 'convite.expirado'],
  );
  t.deepEqual(await esperam(um), [linhas[0].id, linhas[2].id]);
  const { consume, falhas } = consumo(um);
  t.is(await consume(), 2);
  t.like(um.vistos, [
    {
      id: linhas[0].id,
      provedorId: provedor,
      tipo: 'convite.criado',
      recursoId: 7,
      dados: { plano: null, dia_vencimento: 10, expira_em: '2026-11-30T15:00:00.000Z' },
    },
    { id: linhas[2].id, provedorId: provedor, tipo: 'convite.expirado', recursoId: 8, dados: null },
  ]);
  t.is(await consume(), 0);
  t.is(um.vistos.length, 2);
  t.deepEqual(falhas, []);
});

test.serial('um que falha não detém o outro, nem o cache; quando volta, recebe tudo, uma vez', async (t) => {
  const provedor = await criarFabrica(banco.db).provedor();
  const [falho, outro] = [anotador(), anotador()];
  falho.falhaCom.add(provedor);
  const write = escritaPara(falho, outro);
  const doFalho = consumo(falho);
  const doOutro = consumo(outro);
  let marcas = 0;
  const publicacao = createPublicacaoService({
    db,
    relogio: relogioDoSistema,
    gate: { bump: async () => void (marcas += 1) },
  });
  for (let n = 1; n <= 3; n += 1) {
    await write(AUTOR, provedor, async (w) => {
      w.touch('convites');
      w.emit('convite.expirado', n);
    });
    t.is(await doFalho.consume(), 0);
    t.is(await doOutro.consume(), 1);
    t.is(await publicacao.publicar(), n === 1 ? 4 : 1);
  }
  t.true(marcas >= 3);
  t.is(doFalho.falhas.length, 3);
  t.deepEqual(doFalho.falhas[0], [provedor, 'não hoje']);
  // What it wrote before it failed is not there, and what waited for it is.
  t.deepEqual(await anotados(falho), []);
  t.is((await esperam(falho)).length, 3);
  falho.falhaCom.clear();
  await tudo(doFalho.consume);
  t.deepEqual(
    falho.vistos.map(({ recursoId }) => recursoId),
    [1, 2, 3],
  );
  t.deepEqual(await anotados(falho), await anotados(outro));
  t.deepEqual([await esperam(falho), await esperam(outro)], [[], []]);
});

test.serial('o provedor com que ele falha não detém os outros', async (t) => {
  const fabrica = criarFabrica(banco.db);
  const provedores = [await fabrica.provedor(), await fabrica.provedor(), await fabrica.provedor()];
  const um = anotador();
  um.falhaCom.add(provedores[1]!);
  const write = escritaPara(um);
  for (const provedor of provedores) await write(AUTOR, provedor, async (w) => w.emit('convite.expirado', provedor));
  const { consume, falhas } = consumo(um);
  await tudo(consume);
  t.deepEqual(
    um.vistos.map(({ provedorId }) => provedorId),
    [provedores[0], provedores[2]],
  );
  t.true(falhas.length > 0 && falhas.every(([id]) => id === provedores[1]));
});

test.serial('o que se grava depois de outro mais novo não é passado por cima', async (t) => {
  const provedor = await criarFabrica(banco.db).provedor();
  const um = anotador();
  const write = escritaPara(um);
  const { consume } = consumo(um);
  // The way a write goes, held up just before its commit.
  const lenta = await banco.db.transaction();
  const [antigo] = await lenta('eventos').insert({
    provedor_id: provedor,
    tipo: 'convite.expirado',
    recurso_id: 1,
    etiquetas: '[]',
  });
  await lenta('eventos_pendentes').insert({ provedor_id: provedor, consumidor: um.name, evento_id: antigo });
  await write(AUTOR, provedor, async (w) => w.emit('convite.expirado', 2));
  t.is(await consume(), 1);
  t.is(um.vistos[0]!.recursoId, 2);
  await lenta.commit();
  await tudo(consume);
  t.deepEqual(
    um.vistos.map(({ recursoId }) => recursoId),
    [2, 1],
  );
  t.true(um.vistos[1]!.id < um.vistos[0]!.id);
});

test.serial('o que se desfaz não espera por ninguém', async (t) => {
  const provedor = await criarFabrica(banco.db).provedor();
  const um = anotador();
  await t.throwsAsync(
    escritaPara(um)(AUTOR, provedor, async (w) => {
      w.emit('convite.expirado', 1);
      // Too long for its column: the write fails after all has been said.
      await w.insert('notificacoes', { tipo: 'x'.repeat(500) });
    }),
  );
  t.deepEqual(await esperam(um), []);
});

test.serial('vários ao mesmo tempo levam cada evento uma vez', async (t) => {
  const fabrica = criarFabrica(banco.db);
  const provedores = [await fabrica.provedor(), await fabrica.provedor()];
  const um = anotador();
  const write = escritaPara(um);
  for (const provedor of provedores) {
    await write(AUTOR, provedor, async (w) => {
      for (let n = 1; n <= 40; n += 1) w.emit('convite.expirado', n);
    });
  }
  const todos = await esperam(um);
  t.is(todos.length, 80);
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      const { consume } = consumo(um);
      for (let n = 0; n < 40; n += 1) await consume(3);
    }),
  );
  await tudo(consumo(um).consume);
  t.deepEqual(
    um.vistos.map(({ id }) => id).toSorted((a, b) => a - b),
    todos,
  );
  t.deepEqual(await anotados(um), todos);
});

test.serial('o que já não se guarda deixa de esperar', async (t) => {
  const provedor = await criarFabrica(banco.db).provedor();
  const um = anotador();
  await escritaPara(um)(AUTOR, provedor, async (w) => w.emit('convite.expirado', 1));
  await banco.db('eventos').where({ provedor_id: provedor }).delete();
  await tudo(consumo(um).consume);
  t.deepEqual([um.vistos, await esperam(um)], [[], []]);
});

test.serial('enquanto um tem eventos de um provedor nas mãos, outro tira os seus', async (t) => {
  const provedor = await criarFabrica(banco.db).provedor();
  const [lento, outro] = [anotador(), anotador()];
  const doOutro = consumo(outro);
  const doLento = consumo({
    ...lento,
    async consume() {
      t.is(await doOutro.consume(), 4);
    },
  });
  await escritaPara(lento, outro)(AUTOR, provedor, async (w) => {
    for (let n = 1; n <= 4; n += 1) w.emit('convite.expirado', n);
  });
  t.is(await doLento.consume(), 4);
  t.deepEqual([...doLento.falhas, ...doOutro.falhas], []);
  t.deepEqual([...(await esperam(lento)), ...(await esperam(outro))], []);
});

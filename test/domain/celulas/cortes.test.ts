import test from 'ava';
import type { ExecutionContext } from 'ava';
import { createDatabase } from '../../../src/platform/mysql/database.ts';
import type { Db } from '../../../src/platform/mysql/database.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import { criarCelula, entre, estados } from './apoio.ts';
import type { Celula } from './apoio.ts';

let a: Celula;
let b: Celula;

test.before(async () => {
  [a, b] = [await criarCelula(0), await criarCelula(5_000_000)];
});
test.after.always(async () => {
  await a?.fechar();
  await b?.fechar();
});

const criarProvedor = async (): Promise<number> => {
  const fabrica = criarFabrica(a.api.dono);
  const id = await fabrica.provedor();
  await fabrica.plano(id);
  await fabrica.cliente(id);
  return id;
};

/** The command dies when it writes into a table of a cell what its last step leaves for others. */
async function morrendoEm(db: Db, tabela: string, id: number, fazer: () => Promise<void>): Promise<void> {
  await db.raw(
    `CREATE TRIGGER cortes_teste BEFORE INSERT ON ${tabela} FOR EACH ROW IF NEW.provedor_id = ${id} THEN
     SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'caiu'; END IF`,
  );
  try {
    await fazer();
  } finally {
    await db.raw('DROP TRIGGER cortes_teste');
  }
}

const pedidosEm = async (t: ExecutionContext, { db }: Celula, id: number): Promise<void> => {
  const deles = await db('eventos_pendentes').where({ provedor_id: id }).orderBy('consumidor').pluck('consumidor');
  t.deepEqual(deles, ['faturamento', 'importacoes']);
};

test.serial('quem morre no último passo da mudança começa de novo, e lá se faz o que se tinha pedido', async (t) => {
  const id = await criarProvedor();
  await morrendoEm(b.db, 'eventos_pendentes', id, async () => {
    await t.throwsAsync(entre(a, b).mover(id), { message: /caiu/ });
  });
  t.deepEqual(await estados(id, a, b), ['foi', 'chegou']);
  await entre(a, b).mover(id);
  t.deepEqual(await estados(id, a, b), ['foi', null]);
  await pedidosEm(t, b, id);
});

test.serial('quem perde a célula antiga de vista diz o que fazer, e o que falhou; repetido, termina', async (t) => {
  for (const [falha, dita, como] of [
    [null, /^Os pedidos vão, ou podem ir, para a outra célula/, ['saindo', 'chegou']],
    ['não', /^Talvez só se leia aqui: .*malha provedor ficar \d+/, ['saindo', 'chegou']],
  ] as const) {
    const id = await criarProvedor();
    const db = createDatabase({ url: a.url, pool: 4, announces: true });
    const ditas: string[] = [];
    const trocar = async (): Promise<void> => {
      await db.destroy();
      if (falha !== null) throw new Error(falha);
    };
    const dizer = (linha: string) => void ditas.push(linha);
    await t.throwsAsync(
      entre({ ...a, db }, b, { trocar, dizer }).mover(id),
      falha === null ? undefined : { message: falha },
    );
    t.regex(ditas.at(-1) ?? '', dita);
    t.deepEqual(await estados(id, a, b), como);
    // Its place here is given up by nobody else than time.
    await a
      .db('arrendamentos')
      .where({ nome: `mudanca_${id}` })
      .update({ vence_em: '2026-01-01 00:00:00' });
    await entre(a, b).mover(id);
    t.deepEqual(await estados(id, a, b), ['foi', null]);
  }
});

test.serial('quem morre ao ficar, ao largar ou ao assumir não deixa meio passo dado', async (t) => {
  const id = await criarProvedor();
  const malha = async (comando: string, ...mais: string[]) =>
    a.terminal.malha(['provedor', comando, String(id), ...mais]);
  const dizer = async (mudanca: string | null) => a.db('provedores').where({ id }).update({ mudanca });
  for (const [de, tabela, comando, ...mais] of [
    ['saindo', 'eventos_pendentes', 'ficar'],
    ['saindo', 'eventos', 'largar', '--sem-conferir'],
    [null, 'eventos', 'largar', '--sem-conferir'],
  ] as const) {
    await dizer(de);
    await morrendoEm(a.db, tabela, id, async () => {
      t.is((await malha(comando, ...mais)).codigo, 1, comando);
    });
    t.deepEqual(await estados(id, a), [de], comando);
    const { codigo, stderr } = await malha(comando, ...mais);
    t.is(codigo, 0, stderr);
  }
  t.deepEqual(await estados(id, a), ['foi']);
  await morrendoEm(a.db, 'eventos_pendentes', id, async () => {
    t.is((await a.terminal.malha(['provedor', 'ficar', String(id)], { MALHA_DESTINO: b.url })).codigo, 1);
  });
  t.deepEqual(await estados(id, a), ['foi']);
});

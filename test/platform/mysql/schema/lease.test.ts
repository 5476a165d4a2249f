import test from 'ava';
import { createDatabase } from '../../../../src/platform/mysql/database.ts';
import type { Db } from '../../../../src/platform/mysql/database.ts';
import { LeaseLost, createLeases, withLease } from '../../../../src/platform/mysql/schema/lease.ts';
import type { LeaseOptions } from '../../../../src/platform/mysql/schema/lease.ts';
import { withNamedLock } from '../../../../src/platform/mysql/schema/named-lock.ts';
import { migrate } from '../../../../src/platform/mysql/schema/migrations.ts';
import { criarBanco, urlDoDono } from '../../../support/banco.ts';
import type { Banco } from '../../../support/banco.ts';
import { ate } from '../../../support/espera.ts';

let banco: Banco;
/** As another process has it. */
let outro: Db;
test.before(async () => {
  banco = await criarBanco();
  outro = createDatabase({ url: urlDoDono(banco.url), pool: 3 });
});
test.after.always(async () => {
  await outro.destroy();
  await banco.fechar();
});

const LATE = 'outro a tem';
const lease = (name: string, more: Partial<LeaseOptions> = {}): LeaseOptions => ({
  name,
  waitSeconds: 0,
  late: LATE,
  ...more,
});
/** 0: nobody has had it yet. */
const ficha = async (nome: string): Promise<number> =>
  Number((await banco.db('arrendamentos').where({ nome }).first('ficha'))?.ficha ?? 0);
/** As if its holder had stood still for all of its term. */
const vencer = async (nome: string) =>
  banco.db('arrendamentos').where({ nome }).update({ vence_em: '2026-01-01 00:00:00' });

test.serial('o seguinte o tem quando o trabalho terminou, também o que falhou, e com outra ficha', async (t) => {
  const ordem: string[] = [];
  let abrir = (): void => undefined;
  const aberto = new Promise<void>((resolve) => (abrir = resolve));
  let comecou = (): void => undefined;
  const comecado = new Promise<void>((resolve) => (comecou = resolve));
  const primeiro = withLease(banco.db, lease('fila'), async () => {
    comecou();
    await aberto;
    ordem.push('primeiro');
    throw new Error('falhou');
  });
  await comecado;
  const antes = await ficha('fila');
  await t.throwsAsync(
    withLease(outro, lease('fila'), async () => t.fail()),
    { message: LATE },
  );
  const segundo = withLease(outro, lease('fila', { waitSeconds: 30 }), async () => ordem.push('segundo'));
  t.is(await withLease(outro, lease('outra'), async () => 'livre'), 'livre');
  abrir();
  await t.throwsAsync(primeiro, { message: 'falhou' });
  await segundo;
  t.deepEqual(ordem, ['primeiro', 'segundo']);
  t.is(await ficha('fila'), antes + 1);
});

test.serial('muitos ao mesmo tempo: um de cada vez, cada um com a sua ficha', async (t) => {
  let dentro = 0;
  const fichas: number[] = [];
  await Promise.all(
    Array.from({ length: 12 }, async (_, n) =>
      withLease(n % 2 === 0 ? banco.db : outro, lease('muitos', { waitSeconds: 60 }), async () => {
        t.is((dentro += 1), 1);
        fichas.push(await ficha('muitos'));
        dentro -= 1;
      }),
    ),
  );
  t.deepEqual(
    fichas,
    Array.from({ length: 12 }, (_, n) => n + 1),
  );
});

test.serial('enquanto o trabalho dura, é renovado; o de quem morreu termina por si', async (t) => {
  const venceEm = async (): Promise<string> =>
    (await banco.db('arrendamentos').where({ nome: 'longo' }).first('vence_em')).vence_em as string;
  await withLease(banco.db, lease('longo', { termSeconds: 2 }), async () => {
    for (let renovacoes = 0; renovacoes < 3; renovacoes += 1) {
      const antes = await venceEm();
      await ate(async () => (await venceEm()) > antes);
    }
    await t.throwsAsync(
      withLease(outro, lease('longo'), async () => t.fail()),
      { message: LATE },
    );
  });
  // What a process that died leaves.
  await banco.db.raw('UPDATE arrendamentos SET vence_em = UTC_TIMESTAMP(3) + INTERVAL 2 SECOND WHERE nome = ?', [
    'longo',
  ]);
  await t.throwsAsync(
    withLease(outro, lease('longo'), async () => t.fail()),
    { message: LATE },
  );
  t.is(await withLease(outro, lease('longo', { waitSeconds: 30 }), async () => 'meu'), 'meu');
});

test.serial('quem ficou parado e perdeu o seu lugar não grava mais nada', async (t) => {
  const perdida = withLease(banco.db, lease('parado'), async (meu) =>
    banco.db.transaction(async (trx) => {
      await meu.confirm(banco.db);
      await vencer('parado');
      await withLease(outro, lease('parado', { waitSeconds: 10 }), async (seu) => {
        await trx('replica_batimento').insert({ id: 7, em: '2026-01-01 00:00:00' });
        await t.throwsAsync(meu.confirm(banco.db), { instanceOf: LeaseLost });
        await t.notThrowsAsync(seu.confirm(outro));
      });
      await meu.confirm(trx);
    }),
  );
  await t.throwsAsync(perdida, { instanceOf: LeaseLost, message: /parado por tempo demais/ });
  t.deepEqual(await banco.db('replica_batimento').where('id', 7), []);
});

test.serial('a tabela se faz igual antes da primeira migração e por ela', async (t) => {
  const feita = async () => (await banco.db.raw('SHOW CREATE TABLE arrendamentos'))[0][0]['Create Table'] as string;
  const antes = await feita();
  await banco.db.schema.renameTable('arrendamentos', 'arrendamentos_de_antes');
  const { up } = await import('../../../../migrations/20261201100101_arrendamentos.ts');
  await up(banco.db);
  t.is(await feita(), antes);
  await banco.db.schema.dropTable('arrendamentos');
  await createLeases(banco.db);
  t.is(await feita(), antes);
  await banco.db.schema.dropTable('arrendamentos');
  await banco.db.schema.renameTable('arrendamentos_de_antes', 'arrendamentos');
});

test.serial('uma migração espera por um processo da versão de antes, que só toma a trava nomeada', async (t) => {
  const ultima = await banco.db('migracoes').orderBy('id', 'desc').first<{ id: number; name: string }>('id', 'name');
  await banco.db('migracoes').where('id', ultima.id).delete();
  const fichaDeAntes = await ficha('malha_migracoes');
  const ordem: string[] = [];
  let migrando: Promise<unknown> | undefined;
  await outro.transaction((trx) =>
    withNamedLock(trx, { name: 'malha_migracoes', waitSeconds: 0, late: LATE }, async () => {
      migrando = migrate(banco.db).then((nomes) => ordem.push(...nomes));
      await ate(async () => (await ficha('malha_migracoes')) > fichaDeAntes);
      await t.throwsAsync(
        withLease(outro, lease('malha_migracoes'), async () => t.fail()),
        { message: LATE },
      );
      ordem.push('a de antes');
    }),
  );
  await migrando;
  t.deepEqual(ordem, ['a de antes', ultima.name]);
});

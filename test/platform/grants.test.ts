import { randomBytes } from 'node:crypto';
import test from 'ava';
import { createDatabase } from '../../src/platform/database.ts';
import { grantApplication } from '../../src/platform/grants.ts';
import { criarBanco } from '../support/banco.ts';
import type { Banco } from '../support/banco.ts';
import { criarFabrica } from '../support/fabrica.ts';

let banco: Banco;
test.before(async () => {
  banco = await criarBanco();
});
test.after.always(() => banco.fechar());

/** A database user of the test's own, without a right to anything. */
async function criarUsuario(t: { teardown: (fn: () => Promise<void>) => void }): Promise<string> {
  const usuario = `malha_${randomBytes(6).toString('hex')}`;
  const senha = randomBytes(12).toString('hex');
  await banco.db.raw(`CREATE USER ?@'%' IDENTIFIED BY ?`, [usuario, senha]);
  t.teardown(async () => void (await banco.db.raw(`DROP USER ?@'%'`, [usuario])));
  const url = new URL(banco.url);
  url.username = usuario;
  url.password = senha;
  return url.href;
}

test('o usuário da aplicação acrescenta à auditoria e não muda nem apaga o que está nela', async (t) => {
  const url = await criarUsuario(t);
  const db = createDatabase({ url, pool: 1 });
  t.teardown(() => db.destroy());
  await t.throwsAsync(db.raw('SELECT 1'), { message: /Access denied/ });

  await grantApplication(banco.db, url);
  const provedor = await criarFabrica(banco.db).provedor();
  await db('auditoria').insert({ provedor_id: provedor, acao: 'x.y', recurso: 'x', autor: 'testes' });
  t.is((await db('auditoria').where({ provedor_id: provedor })).length, 1);
  for (const mudar of [
    db('auditoria').where({ provedor_id: provedor }).update({ autor: 'outro' }),
    db('auditoria').where({ provedor_id: provedor }).delete(),
    db.raw('TRUNCATE auditoria'),
    db.raw('DROP TABLE auditoria'),
    db.raw('REPLACE INTO auditoria SELECT * FROM auditoria'),
  ]) {
    await t.throwsAsync(mudar, { message: /denied to user/ });
  }
  t.is((await banco.db('auditoria').where({ provedor_id: provedor }))[0].autor, 'testes');
});

test('nas outras tabelas ele lê e escreve, e não muda o esquema de nenhuma', async (t) => {
  const url = await criarUsuario(t);
  await grantApplication(banco.db, url);
  // What is new in the schema is granted with the next migration; what was granted is granted again without harm.
  await grantApplication(banco.db, url);
  const db = createDatabase({ url, pool: 1 });
  t.teardown(() => db.destroy());
  const provedor = await criarFabrica(banco.db).provedor();
  await criarFabrica(db).plano(provedor, { nome: 'Fibra' });
  await db('planos').where({ provedor_id: provedor }).update({ nome: 'Rádio' });
  t.is((await db('planos').where({ provedor_id: provedor }))[0].nome, 'Rádio');
  await db('planos').where({ provedor_id: provedor }).delete();
  await t.throwsAsync(db.raw('ALTER TABLE planos ADD x INT'), { message: /denied to user/ });
  await t.throwsAsync(db.raw('CREATE TABLE x (y INT)'), { message: /denied to user/ });
});

test('com um usuário só, nada se concede', async (t) => {
  const dono = new URL(banco.url);
  const { user, password } = banco.db.client.config.connection as { user: string; password: string };
  dono.username = user;
  dono.password = password;
  await t.notThrowsAsync(grantApplication(banco.db, dono.href));
});

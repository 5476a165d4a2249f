import { randomBytes } from 'node:crypto';
import test from 'ava';
import { DIREITOS } from '../../../src/domain/direitos.ts';
import { updateSchema } from '../../../src/app/servers.ts';
import { createDatabase } from '../../../src/platform/mysql/database.ts';
import type { Db } from '../../../src/platform/mysql/database.ts';
import { grantApplication } from '../../../src/platform/mysql/grants.ts';
import { migrate } from '../../../src/platform/mysql/schema/migrations.ts';
import { criarBanco } from '../../support/banco.ts';
import type { Banco } from '../../support/banco.ts';
import { criarFabrica } from '../../support/fabrica.ts';

const TODOS = ['SELECT', 'INSERT', 'UPDATE', 'DELETE'] as const;
type Direito = (typeof TODOS)[number];

let banco: Banco;
/** The tables of the schema, each with a column of it. */
const tabelas = new Map<string, string>();
test.before(async () => {
  banco = await criarBanco();
  const [linhas = []] = await banco.db.raw<{ tabela: string; coluna: string }[][]>(`
    SELECT table_name AS tabela, column_name AS coluna FROM information_schema.columns
     WHERE table_schema = DATABASE() AND ordinal_position = 1`);
  for (const { tabela, coluna } of linhas) tabelas.set(tabela, coluna);
});
test.after.always(() => banco.fechar());

/** A database user of the test's own, without a right to anything. */
async function criarUsuario(t: { teardown: (fn: () => Promise<void>) => void }) {
  const nome = `malha_${randomBytes(6).toString('hex')}`;
  const senha = randomBytes(12).toString('hex');
  await banco.db.raw(`CREATE USER ?@'%' IDENTIFIED BY ?`, [nome, senha]);
  t.teardown(async () => void (await banco.db.raw(`DROP USER ?@'%'`, [nome])));
  const url = new URL(banco.url);
  url.username = nome;
  url.password = senha;
  const db = createDatabase({ url: url.href, pool: 1 });
  t.teardown(() => db.destroy());
  return { nome, url: url.href, db };
}

/** Does nothing, where it may be done. */
function tentar(db: Db, tabela: string, direito: Direito): Promise<unknown> {
  const coluna = tabelas.get(tabela)!;
  const comandos: Record<Direito, string> = {
    SELECT: 'SELECT ?? FROM ?? LIMIT 0',
    INSERT: 'INSERT INTO ?? (??) SELECT 1 FROM DUAL WHERE 1 = 0',
    UPDATE: 'UPDATE ?? SET ?? = 1 WHERE 1 = 0',
    DELETE: 'DELETE FROM ?? WHERE 1 = 0',
  };
  const nomes = { SELECT: [coluna, tabela], INSERT: [tabela, coluna], UPDATE: [tabela, coluna], DELETE: [tabela] };
  return Promise.resolve(db.raw(comandos[direito], nomes[direito]));
}

const NEGADO = 1142;
const FALTA_VALOR = 1364;

/** What a user may do, found out by doing it. */
async function podeFazer(db: Db): Promise<Record<string, Direito[]>> {
  const pode: Record<string, Direito[]> = {};
  for (const tabela of tabelas.keys()) {
    pode[tabela] = [];
    for (const direito of TODOS) {
      const erro = await tentar(db, tabela, direito).then(
        () => 0,
        (error: { errno: number }) => error.errno,
      );
      // Who is told that a row lacks a value may write one.
      if (erro === 0 || erro === FALTA_VALOR) pode[tabela].push(direito);
      else if (erro !== NEGADO) throw new Error(`${direito} em ${tabela}: erro ${erro}`);
    }
  }
  return pode;
}

const declarados = (): Record<string, Direito[]> =>
  Object.fromEntries(Object.entries(DIREITOS).map(([tabela, direitos]) => [tabela, [...direitos]]));

test('de cada tabela está declarado o que o serviço pode fazer com ela', (t) => {
  t.deepEqual(Object.keys(DIREITOS).toSorted(), [...tabelas.keys()].toSorted());
});

test('o usuário do serviço pode em cada tabela o que está declarado, e nada mais', async (t) => {
  const { db, url } = await criarUsuario(t);
  await t.throwsAsync(db.raw('SELECT 1'), { message: /Access denied/ });
  t.deepEqual(await grantApplication(banco.db, url, DIREITOS), []);
  const pode = await podeFazer(db);
  t.deepEqual(pode, declarados());
  for (const tabela of ['radpostauth', 'nasreload', 'migracoes_lock']) t.deepEqual(pode[tabela], []);
  for (const tabela of ['radacct', 'migracoes']) t.deepEqual(pode[tabela], ['SELECT']);
  for (const tabela of ['radcheck', 'radreply', 'radusergroup'])
    t.deepEqual(pode[tabela], ['SELECT', 'INSERT', 'DELETE']);
  for (const comando of [
    'ALTER TABLE planos ADD x INT',
    'CREATE TABLE x (y INT)',
    'TRUNCATE eventos',
    'DROP TABLE eventos',
  ]) {
    await t.throwsAsync(db.raw(comando), { message: /denied to user/ }, comando);
  }
});

test('o que uma versão anterior concedeu a mais é tirado, e de novo nada muda', async (t) => {
  const { db, url, nome } = await criarUsuario(t);
  for (const tabela of tabelas.keys()) {
    await banco.db.raw(`GRANT SELECT, INSERT, UPDATE, DELETE ON ?? TO ?@'%'`, [tabela, nome]);
  }
  t.deepEqual((await podeFazer(db))['radpostauth'], [...TODOS]);
  // Processes that start at the same time do the same.
  await Promise.all(Array.from({ length: 3 }, () => grantApplication(banco.db, url, DIREITOS)));
  t.deepEqual(await podeFazer(db), declarados());

  const feitos: string[] = [];
  const ouvir = ({ sql }: { sql: string }): void => void feitos.push(sql);
  banco.db.on('query', ouvir);
  await grantApplication(banco.db, url, DIREITOS);
  banco.db.off('query', ouvir);
  t.deepEqual(
    feitos.filter((sql) => /^(?:GRANT|REVOKE)/.test(sql)),
    [],
  );
});

test('uma tabela sem declaração não é do serviço, e a que ele já tinha deixa de ser', async (t) => {
  const { db, url, nome } = await criarUsuario(t);
  const tabela = `alheia_${nome}`;
  await banco.db.raw('CREATE TABLE ?? (a INT)', [tabela]);
  t.teardown(async () => void (await banco.db.raw('DROP TABLE ??', [tabela])));
  await banco.db.raw(`GRANT SELECT, DELETE ON ?? TO ?@'%'`, [tabela, nome]);
  await grantApplication(banco.db, url, DIREITOS);
  await t.throwsAsync(db(tabela).select('a'), { message: /denied to user/ });
});

test('o usuário da aplicação acrescenta à auditoria e não muda nem apaga o que está nela', async (t) => {
  const { db, url } = await criarUsuario(t);
  await grantApplication(banco.db, url, DIREITOS);
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

test('de direitos que não são de tabelas avisa-se a quem inicia o serviço', async (t) => {
  const { url, nome } = await criarUsuario(t);
  const donoUrl = new URL(banco.url);
  const { user, password, database } = banco.db.client.config.connection as Record<string, string>;
  [donoUrl.username, donoUrl.password] = [user!, password ?? ''];
  await banco.db.raw(`GRANT CREATE, DROP ON ??.* TO ?@'%'`, [database!, nome]);
  const ditos: string[] = [];
  const avisar = (linha: string): void => void ditos.push(linha);
  await updateSchema({ databaseUrl: url, ownerUrl: donoUrl.href }, avisar);
  await banco.db.raw(`REVOKE CREATE, DROP ON ??.* FROM ?@'%'`, [database!, nome]);
  await updateSchema({ databaseUrl: url, ownerUrl: donoUrl.href }, avisar);
  t.is(ditos.length, 1);
  t.regex(ditos[0]!, /direitos que não são de tabelas \(CREATE, DROP\); tire-os com REVOKE/);
});

test('só com o usuário do serviço, um esquema em dia inicia, e um atrasado diz quem o atualiza', async (t) => {
  const { db, url } = await criarUsuario(t);
  await grantApplication(banco.db, url, DIREITOS);
  t.deepEqual(await migrate(db), []);
  const [ultima] = await banco.db('migracoes').orderBy('id', 'desc').limit(1);
  await banco.db('migracoes').where('id', ultima.id).delete();
  t.teardown(async () => void (await banco.db('migracoes').insert(ultima)));
  const pool = createDatabase({ url, pool: 2 });
  t.teardown(() => pool.destroy());
  await t.throwsAsync(migrate(pool), { message: /\(falta-lhe [A-Z]+\): rode malha migrate pelo dono/ });
});

test('a um dono sem direito de conceder diz-se que direito lhe falta', async (t) => {
  const { url } = await criarUsuario(t);
  const { nome, url: donoUrl } = await criarUsuario(t);
  const { database } = banco.db.client.config.connection as { database: string };
  await banco.db.raw(`GRANT ALL ON ??.* TO ?@'%'`, [database, nome]);
  const subir = updateSchema({ databaseUrl: url, ownerUrl: donoUrl }, (linha) => t.fail(linha));
  await t.throwsAsync(subir, { message: /^O esquema do banco .+ \(falta-lhe GRANT\): .+ WITH GRANT OPTION\.$/ });
});

test('com um usuário só, nada se concede', async (t) => {
  const dono = new URL(banco.url);
  const { user, password } = banco.db.client.config.connection as { user: string; password: string };
  dono.username = user;
  dono.password = password;
  t.deepEqual(await grantApplication(banco.db, dono.href, {}), []);
});

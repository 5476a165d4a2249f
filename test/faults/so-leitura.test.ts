import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import test from 'ava';
import { DIREITOS } from '../../src/domain/direitos.ts';
import { startPrivateServers } from '../../src/local/private-servers.ts';
import { createDatabase } from '../../src/platform/mysql/database.ts';
import type { Db } from '../../src/platform/mysql/database.ts';
import { grantApplication } from '../../src/platform/mysql/grants.ts';
import { migrate } from '../../src/platform/mysql/schema/migrations.ts';
import { criarApi } from '../support/api.ts';
import type { Api } from '../support/api.ts';
import { ate } from '../support/espera.ts';
import { cliente, escrever } from './apoio.ts';

let api: Api;
/** Who may do everything, on the server of which the service's user may not. */
let administrador: Db;
/** Who owns the schema and nothing else of the server. */
let dono: Db;
let fechar = async (): Promise<void> => {};

test.before(async (t) => {
  t.timeout(240_000);
  const pasta = mkdtempSync(path.join(tmpdir(), 'malha-leitura-'));
  const which = { database: true, redis: false };
  const databaseArgs = ['--log-bin=bin', '--server-id=1'];
  const servidor = await startPrivateServers({ dataDir: pasta, which, durable: false, databaseArgs, log: () => {} });
  administrador = createDatabase({ url: servidor.ownerUrl!, pool: 2 });
  await administrador.raw("CREATE USER 'dono'@'localhost'");
  await administrador.raw("GRANT ALL ON malha.* TO 'dono'@'localhost' WITH GRANT OPTION");
  await administrador.raw('SET GLOBAL log_bin_trust_function_creators = 0');
  dono = createDatabase({ url: servidor.ownerUrl!.replace('root@', 'dono@'), pool: 4, announces: true });
  fechar = async () => {
    await api?.fechar();
    for (const db of [dono, administrador]) await db.destroy();
    await servidor.stop();
    rmSync(pasta, { recursive: true, force: true });
  };

  // What the server lacks is said in one line, and then it goes on from where it was.
  const { message } = await t.throwsAsync(migrate(dono));
  t.regex(
    message,
    /^O servidor do banco só deixa um administrador criar gatilhos: .*log_bin_trust_function_creators.*$/,
  );
  await administrador.raw('SET GLOBAL log_bin_trust_function_creators = 1');
  await administrador.raw('SET GLOBAL read_only = 1');
  await t.throwsAsync(migrate(dono), { message: /^Este servidor do banco só aceita leituras \(read_only\): .*$/ });
  await administrador.raw('SET GLOBAL read_only = 0');
  await migrate(dono);
  await grantApplication(dono, servidor.applicationUrl!, DIREITOS);
  api = await criarApi({ bancoDe: { databaseUrl: servidor.applicationUrl!, dono } });
});
test.after.always(async () => fechar());

const prontidao = async () => (await (await fetch(`http://127.0.0.1:${api.porta}/readyz`)).json()) as { banco: string };

test.serial(
  'enquanto o servidor só aceita leituras, lê-se, /readyz o diz, e uma escrita espera que aceite',
  async (t) => {
    t.timeout(120_000);
    const c = await cliente(api);
    t.is((await prontidao()).banco, 'ok');
    await administrador.raw('SET GLOBAL read_only = 1');
    let recusas = 0;
    api.container.db.on('query-error', () => (recusas += 1));
    const escrita = escrever(api, c);
    await ate(async () => recusas > 1);
    await ate(async () => (await prontidao()).banco === 'so_leitura');
    t.deepEqual(await prontidao(), { pronto: true, degradado: true, banco: 'so_leitura', redis: 'ok' } as object);
    const medida = (await api.container.metrics.snapshot()).find(({ name }) => name === 'malha_database');
    t.deepEqual(
      medida?.values.flatMap(({ labels, value }) => (value === 1 ? labels['state'] : [])),
      ['so_leitura'],
    );
    await administrador.raw('SET GLOBAL read_only = 0');
    await escrita;
    t.is(c.mostrado(await api.get(c.caminho, { chave: c.algumaChave() })), 1);
    t.is((await dono('auditoria').where('provedor_id', c.provedor)).length, 1);
    await ate(async () => (await prontidao()).banco === 'ok');
  },
);

test.serial('uma escrita não espera sem fim, e o que se lê continua a responder-se', async (t) => {
  t.timeout(120_000);
  const c = await cliente(api);
  await administrador.raw('SET GLOBAL read_only = 1');
  t.teardown(async () => administrador.raw('SET GLOBAL read_only = 0'));
  await t.throwsAsync(escrever(api, c), { message: /read-only/ });
  const resposta = await api.get(c.caminho, { chave: c.algumaChave() });
  t.deepEqual([resposta.status, c.mostrado(resposta)], [200, 0]);
});

test.serial('uma conexão com quem deixou de aceitar escritas não volta a ser usada', async (t) => {
  t.timeout(120_000);
  const c = await cliente(api);
  const conexao = async (): Promise<number> =>
    (await api.container.db.raw<{ id: number }[][]>('SELECT CONNECTION_ID() AS id'))[0]![0]!.id;
  const antes = new Set<number>();
  for (let n = 0; n < 50; n += 1) antes.add(await conexao());
  await administrador.raw('SET GLOBAL read_only = 1');
  const escrita = t.throwsAsync(escrever(api, c));
  await escrita;
  await administrador.raw('SET GLOBAL read_only = 0');
  t.false(antes.has(await conexao()));
});

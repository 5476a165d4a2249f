import { randomBytes } from 'node:crypto';
import { Redis } from 'ioredis';
import { DIREITOS } from '../../src/domain/direitos.ts';
import { createDatabase } from '../../src/platform/mysql/database.ts';
import type { Db } from '../../src/platform/mysql/database.ts';
import { grantApplication } from '../../src/platform/mysql/grants.ts';
import { migrate } from '../../src/platform/mysql/schema/migrations.ts';
import { devolverBanco, lembrarBancoVazio, tomarBancoVazio } from './banco-reaproveitado.ts';
import { conferirEventos } from './eventos.ts';

/** A migrated database of the test file's own, on the real server that `npm test` started. It is empty, whoever had it before. */
export interface Banco {
  /** As the schema's owner. */
  readonly db: Db;
  /** For the application, with its rights and no more. */
  readonly url: string;
  /** Rejects where an event in it is not as the catalogue has it. */
  fechar(): Promise<void>;
}

export async function criarBanco(): Promise<Banco> {
  const servidor = createDatabase({ url: urlDoBanco('', 'dono'), pool: 1 });
  const redis = variavel('MALHA_TEST_REDIS_URL');
  const livre = await tomarBancoVazio(redis);
  const nome = livre?.nome ?? `malha_teste_${randomBytes(6).toString('hex')}`;
  if (livre === null) {
    await servidor.raw('CREATE DATABASE ?? CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci', [nome]);
  }
  const db = createDatabase({ url: urlDoBanco(nome, 'dono'), pool: 10, announces: true });
  const url = urlDoBanco(nome, 'aplicacao');
  if (livre === null) {
    await migrate(db);
    await grantApplication(db, url, DIREITOS);
  }
  const vazio = livre ?? (await lembrarBancoVazio(db, nome));
  return {
    db,
    url,
    async fechar() {
      try {
        await conferirEventos(db);
      } finally {
        await db.destroy();
        if (!(await devolverBanco(servidor, vazio, redis))) await largarBanco(servidor, nome);
        await servidor.destroy();
      }
    },
  };
}

const ER_DB_DROP_RMDIR = 1010;

/**
 * Drops a database with all that is in it.
 *
 * MariaDB (10.11.19) does it and says that it did not, now and then: a CREATE or DROP TRIGGER beside the DDL of another
 * database leaves its backup `tabela.TRG-` in the folder, which then cannot be removed. The folder goes with the tests' own server; on another
 * it stays, an empty database.
 */
export async function largarBanco(servidor: Db, nome: string): Promise<void> {
  try {
    await servidor.raw('DROP DATABASE ??', [nome]);
  } catch (error) {
    if ((error as { errno?: number }).errno !== ER_DB_DROP_RMDIR) throw error;
    const [tabelas] = await servidor.raw<unknown[][]>('SHOW TABLES FROM ??', [nome]);
    if (tabelas?.length !== 0) throw error;
  }
}

/** An empty logical Redis database of the test file's own. */
export async function redisUrl(): Promise<string> {
  const url = new URL(variavel('MALHA_TEST_REDIS_URL'));
  const servidor = new Redis(url.href);
  url.pathname = `/${1 + ((await servidor.incr('malha_teste:proximo')) % 63)}`;
  servidor.disconnect();
  const proprio = new Redis(url.href);
  await proprio.flushdb('ASYNC');
  proprio.disconnect();
  return url.href;
}

/** A database of the tests' server, by the schema's owner or by the application's user. */
export function urlDoBanco(nome: string, usuario: 'dono' | 'aplicacao'): string {
  const url = new URL(variavel(usuario === 'dono' ? 'MALHA_TEST_DATABASE_URL' : 'MALHA_TEST_APPLICATION_URL'));
  url.pathname = `/${nome}`;
  return url.href;
}

/** The same database as the application's, by the schema's owner. */
export function urlDoDono(urlDaAplicacao: string): string {
  return urlDoBanco(new URL(urlDaAplicacao).pathname.slice(1), 'dono');
}

function variavel(nome: string): string {
  const valor = process.env[nome];
  if (valor === undefined) throw new Error(`${nome} não está definida: rode os testes com npm test.`);
  return valor;
}

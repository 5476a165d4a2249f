import { randomBytes } from 'node:crypto';
import { Redis } from 'ioredis';
import { createDatabase } from '../../src/platform/database.ts';
import type { Db } from '../../src/platform/database.ts';
import { migrate } from '../../src/platform/migrations.ts';

/** A migrated database of the test file's own, on the real server that `npm test` started. */
export interface Banco {
  readonly db: Db;
  readonly url: string;
  fechar(): Promise<void>;
}

export async function criarBanco(): Promise<Banco> {
  const nome = `malha_teste_${randomBytes(6).toString('hex')}`;
  const servidor = createDatabase({ url: comBanco(''), pool: 1 });
  await servidor.raw('CREATE DATABASE ?? CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci', [nome]);
  const url = comBanco(nome);
  const db = createDatabase({ url, pool: 10 });
  await migrate(db);
  return {
    db,
    url,
    async fechar() {
      await db.destroy();
      await servidor.raw('DROP DATABASE ??', [nome]);
      await servidor.destroy();
    },
  };
}

/** An empty logical Redis database of the test file's own. */
export async function redisUrl(): Promise<string> {
  const url = new URL(variavel('MALHA_TEST_REDIS_URL'));
  const servidor = new Redis(url.href);
  url.pathname = `/${1 + ((await servidor.incr('malha_teste:proximo')) % 63)}`;
  servidor.disconnect();
  const proprio = new Redis(url.href);
  await proprio.flushdb();
  proprio.disconnect();
  return url.href;
}

function comBanco(nome: string): string {
  const url = new URL(variavel('MALHA_TEST_DATABASE_URL'));
  url.pathname = `/${nome}`;
  return url.href;
}

function variavel(nome: string): string {
  const valor = process.env[nome];
  if (valor === undefined) throw new Error(`${nome} não está definida: rode os testes com npm test.`);
  return valor;
}

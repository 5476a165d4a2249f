import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createDatabase } from '../../src/platform/mysql/database.ts';
import type { Db } from '../../src/platform/mysql/database.ts';
import { largarBanco, urlDoBanco } from './banco.ts';

/**
 * Rows of every table of release 1.0, as it left them: of its demonstration 66 clients with what is theirs, and what came of requests,
 * payments and jobs. A statement a table, in an order that foreign keys take.
 */
const COMANDOS = readFileSync(new URL('../../../test/support/lancamento-1.0.sql', import.meta.url), 'utf8')
  .split(';\n')
  .filter((comando) => comando !== '');

/** The day after the last row was written. */
export const NO_DIA_SEGUINTE = '2026-11-23T15:00:00.000Z';

export interface BancoSemTabelas {
  readonly db: Db;
  readonly nome: string;
}

/** Makes databases without tables, and drops them in the end. */
export function criarBancosSemTabelas() {
  const servidor = createDatabase({ url: urlDoBanco('', 'dono'), pool: 1 });
  const abertos: BancoSemTabelas[] = [];
  return {
    async criar(): Promise<BancoSemTabelas> {
      const nome = `malha_teste_${randomBytes(6).toString('hex')}`;
      await servidor.raw('CREATE DATABASE ?? CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci', [nome]);
      const aberto = { db: createDatabase({ url: urlDoBanco(nome, 'dono'), pool: 3 }), nome };
      abertos.push(aberto);
      return aberto;
    },
    async fechar(): Promise<void> {
      for (const { db, nome } of abertos) {
        await db.destroy();
        await largarBanco(servidor, nome);
      }
      await servidor.destroy();
    },
  };
}

/** Runs the migrations up to one, and no further. */
export async function migrarAte(db: Db, migracao: string): Promise<void> {
  for (let ultima = ''; ultima !== migracao;) {
    const [, feitas] = (await db.migrate.up()) as [number, string[]];
    const [feita] = feitas;
    if (feita === undefined) throw new Error(`${migracao} não está entre as migrações`);
    // The name is a path where knex finds it by one.
    ultima = feita.split('/').at(-1) ?? '';
  }
}

/** Writes the rows of release 1.0 by its statements. */
export async function encher(db: Db): Promise<void> {
  await db.transaction(async (trx) => {
    for (const comando of COMANDOS) {
      // In place of what triggers have written by now.
      await trx(/^INSERT INTO (\w+)/.exec(comando)![1]!).delete();
      await trx.raw(comando.replaceAll('?', '\\?')).catch((error: { sqlMessage?: string }) => {
        // Without the rows.
        throw new Error(`${comando.split(' (')[0]}: ${error.sqlMessage}`);
      });
    }
  });
}

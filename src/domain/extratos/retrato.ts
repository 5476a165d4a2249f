import { hojeEm } from '../../brazil/calendario/datas.ts';
import { expressions, rowsOfSql } from '../../platform/mysql/columns.ts';
import type { SnapshotSource } from '../../platform/mysql/replica.ts';
import { createTenantDb } from '../../platform/mysql/tenant.ts';
import type { Provedor } from '../provedores/provedores.types.ts';
import type { Retrato } from './tabelas.queries.ts';

export interface RetratoDeps {
  /** Where extracts are read, which may be another server than the one that is written to. */
  readonly fonte: SnapshotSource;
  readonly agora: () => Date;
  readonly intervaloPadraoSegundos: number;
}

const NOME_DA_COLUNA = expressions<{ nome: string }>({ nome: "CONCAT(table_name, '.', column_name)" });

/**
 * Reads what a provider's tables held at one instant, on one connection. `agora` is that instant: all that was committed by then is seen.
 * Whatever is written meanwhile is not held up.
 */
export async function fotografar<T>(
  { fonte, agora, intervaloPadraoSegundos }: RetratoDeps,
  { id, fusoHorario }: Provedor,
  ler: (retrato: Retrato) => Promise<T>,
): Promise<T> {
  return fonte.db.transaction(async (trx) => {
    // knex has no way of its own to say this; the transaction it began has seen nothing yet.
    await trx.raw('ROLLBACK');
    await trx.raw('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ');
    const antes = agora();
    await trx.raw('START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY');
    const instante = await fonte.asOf(trx, antes);
    // To convert every text, whatever it is kept in, would cost a tenth of what the server takes.
    const colunas = await rowsOfSql(
      trx,
      NOME_DA_COLUNA,
      (lista) =>
        `SELECT ${lista} FROM information_schema.columns
          WHERE table_schema = DATABASE() AND character_set_name NOT IN ('utf8mb4', 'utf8mb3', 'utf8', 'ascii')`,
    );
    return ler({
      tenant: createTenantDb(trx, id),
      agora: instante,
      hoje: hojeEm(fusoHorario, instante),
      intervaloPadraoSegundos,
      foraDeUtf8: new Set(colunas.map(({ nome }) => nome)),
    });
  });
}

import type { Knex } from 'knex';

/** Each statement is committed by itself, and each can be run again. */
export const config = { transaction: false };

/** Contracts that one statement marks: for its locks recomputings wait. */
const LOTE = 5000;

/**
 * Marks what was recomputed last before connections had a server (20261126000004): the next aggregations of any worker tell it, in lots. Without
 * this a line that changes no more would be at no server, and one with an open session at none until its next sign of life.
 */
export async function up(knex: Knex): Promise<void> {
  const provedores: { id: number }[] = await knex('provedores').select('id');
  for (const { id: provedor } of provedores) {
    for (let depois = 0; ;) {
      const conexoes: { contrato_id: number }[] = await knex('conexoes')
        .where('provedor_id', provedor)
        .where('contrato_id', '>', depois)
        .orderBy('contrato_id')
        .limit(LOTE)
        .select('contrato_id', 'nas');
      const ultima = conexoes.at(-1);
      if (ultima === undefined) break;
      await knex.raw(
        `INSERT IGNORE INTO conexoes_pendentes (provedor_id, contrato_id)
         SELECT provedor_id, contrato_id FROM conexoes
          WHERE provedor_id = ? AND contrato_id > ? AND contrato_id <= ? AND nas IS NULL
          ORDER BY contrato_id`,
        [provedor, depois, ultima.contrato_id],
      );
      depois = ultima.contrato_id;
    }
  }
}

/** Marks that are left are recomputed, and change nothing. */
export async function down(): Promise<void> {}

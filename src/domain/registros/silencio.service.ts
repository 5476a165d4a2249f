import type { Db } from '../../platform/mysql/database.ts';
import { toDatabaseTime } from '../../platform/mysql/database.ts';

const DIA_MS = 86_400_000;
/** No interval between two signs of life is nearly as long. */
const DIAS_DE_SILENCIO = 7;
/** Records looked at in one statement. */
const POR_LOTE = 1000;

/**
 * Ends records of sessions that nobody said had ended, such as those of a NAS that lost its power, with their last sign of life: an open
 * record would be kept for ever. Crosses tenants, by name and on purpose, as what deletes the old ones does.
 *
 * @returns how many
 */
export async function encerrarSilenciosos(db: Db, agora: Date, signal: AbortSignal): Promise<number> {
  const limite = toDatabaseTime(new Date(agora.getTime() - DIAS_DE_SILENCIO * DIA_MS));
  let encerrados = 0;
  for (let inicio = '1000-01-01', id = 0; !signal.aborted;) {
    const [rows = []] = await db.raw<{ id: number; inicio: string; visto: string | null }[][]>(
      `SELECT r.id, r.inicio, o.dita_em AS visto
         FROM registros_conexao r FORCE INDEX (registros_conexao_idade)
         LEFT JOIN sessoes_ouvidas o ON o.radacctid = r.radacctid
        WHERE r.fim IS NULL AND r.inicio < ? AND (r.inicio > ? OR (r.inicio = ? AND r.id > ?))
        ORDER BY r.inicio, r.id LIMIT ?`,
      [limite, inicio, inicio, id, POR_LOTE],
    );
    const mudos = rows.filter(({ visto }) => visto === null || visto < limite);
    if (mudos.length > 0) {
      await db.raw(
        `UPDATE JSON_TABLE(?, '$[*]' COLUMNS (id BIGINT UNSIGNED PATH '$[0]', visto VARCHAR(30) PATH '$[1]')) AS mudos
           STRAIGHT_JOIN registros_conexao r FORCE INDEX FOR JOIN (registros_conexao_id) ON r.id = mudos.id
            SET r.fim = GREATEST(r.inicio, COALESCE(CAST(mudos.visto AS DATETIME), r.inicio)) WHERE r.fim IS NULL`,
        [JSON.stringify(mudos.map((mudo) => [mudo.id, mudo.visto]))],
      );
      encerrados += mudos.length;
    }
    const ultimo = rows.at(-1);
    if (ultimo === undefined || rows.length < POR_LOTE) break;
    [inicio, id] = [ultimo.inicio, ultimo.id];
  }
  return encerrados;
}

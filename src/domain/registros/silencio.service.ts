import { columns, rowsOfSql } from '../../platform/mysql/columns.ts';
import type { Db } from '../../platform/mysql/database.ts';
import { toDatabaseTime } from '../../platform/mysql/database.ts';

const DIA_MS = 86_400_000;
/**
 * No interval between two signs of life is nearly as long, where there are any. Of a NAS that tells none between a Start and a Stop, what is
 * ended here is taken back when the Stop comes (migrations/20261125000001, which must wait for less than this).
 */
const DIAS_DE_SILENCIO = 7;
/** Records looked at in one statement. */
const POR_LOTE = 1000;

interface Aberto {
  id: number;
  inicio: string;
  /** The session's last sign of life, as its row has it: by it an end that was made here is known again. */
  visto: string | null;
  /** When the session ended, where it did. */
  parou: string | null;
}

/** What is open of a table, and its session. A range of ports may be told after its session's end, which then has not closed it. */
const ABERTOS = {
  registros_conexao: {
    sessao: 'LEFT JOIN radacct r ON r.radacctid = t.radacctid',
    parou: 'NULL',
    radacctid: 't.radacctid',
  },
  registros_portas: {
    sessao: 'LEFT JOIN radacct r ON r.acctuniqueid = t.sessao',
    parou: `IF(TO_SECONDS(r.acctstoptime) IS NOT NULL AND COALESCE(r.acctstarttime > r.acctstoptime, 0) = 0, r.acctstoptime, NULL)`,
    radacctid: 'r.radacctid',
  },
} as const;

/** Of a session from before its signs were written down, what `radacct` has. */
const VISTO = 'COALESCE(o.dita_em, GREATEST(COALESCE(r.acctupdatetime, r.acctstarttime), r.acctstarttime))';

/**
 * Ends records of sessions that nobody said had ended, such as those of a NAS that lost its power, with their last sign of life, and ports
 * of sessions that are over: an open record would be kept for ever. Crosses tenants, by name and on purpose, as what deletes the old
 * ones does.
 *
 * @returns how many
 */
export async function encerrarSilenciosos(db: Db, agora: Date, signal: AbortSignal): Promise<number> {
  const limite = toDatabaseTime(new Date(agora.getTime() - DIAS_DE_SILENCIO * DIA_MS));
  const deSessoes = await encerrarDe(db, 'registros_conexao', { ate: limite, limite, signal });
  return deSessoes + (await encerrarDe(db, 'registros_portas', { ate: toDatabaseTime(agora), limite, signal }));
}

/** `ate`: of records that began before it. `limite`: who was last heard of before it is silent. */
async function encerrarDe(
  db: Db,
  tabela: keyof typeof ABERTOS,
  { ate, limite, signal }: { readonly ate: string; readonly limite: string; readonly signal: AbortSignal },
): Promise<number> {
  const { sessao, parou, radacctid } = ABERTOS[tabela];
  let encerrados = 0;
  for (let inicio = '1000-01-01', id = 0; !signal.aborted;) {
    const rows = await rowsOfSql(
      db,
      columns<Aberto>('t', { id: true, inicio: true, visto: VISTO, parou }),
      (colunas) => `SELECT ${colunas}
         FROM ${tabela} t FORCE INDEX (${tabela}_idade) ${sessao}
         LEFT JOIN sessoes_ouvidas o ON o.radacctid = ${radacctid}
        WHERE t.fim IS NULL AND t.inicio < ? AND (t.inicio > ? OR (t.inicio = ? AND t.id > ?))
        ORDER BY t.inicio, t.id LIMIT ?`,
      [ate, inicio, inicio, id, POR_LOTE],
    );
    const mudos = rows.filter((row) => row.parou !== null || (row.visto ?? row.inicio) < limite);
    if (mudos.length > 0) {
      await db.raw(
        `UPDATE JSON_TABLE(?, '$[*]' COLUMNS (id BIGINT UNSIGNED PATH '$[0]', visto VARCHAR(30) PATH '$[1]')) AS mudos
           STRAIGHT_JOIN ${tabela} t FORCE INDEX FOR JOIN (${tabela}_id) ON t.id = mudos.id
            SET t.fim = GREATEST(t.inicio, COALESCE(CAST(mudos.visto AS DATETIME), t.inicio)) WHERE t.fim IS NULL`,
        [JSON.stringify(mudos.map((mudo) => [mudo.id, mudo.parou ?? mudo.visto]))],
      );
      encerrados += mudos.length;
    }
    const ultimo = rows.at(-1);
    if (ultimo === undefined || rows.length < POR_LOTE) break;
    [inicio, id] = [ultimo.inicio, ultimo.id];
  }
  return encerrados;
}

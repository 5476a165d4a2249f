import { columns, expressions, rowsOf, rowsOfSql } from '../../../platform/mysql/columns.ts';
import { fromDatabaseTime, toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Db } from '../../../platform/mysql/database.ts';
import { READ_TIMEOUT_MS } from '../../../platform/mysql/tenant.ts';
import { MENOR_INTERVALO_SEGUNDOS, maiorIntervalo } from '../../conexoes/estado.regras.ts';
import { ABERTA, JUNTAR_OUVIDAS } from '../../conexoes/radacct.regras.ts';

const ULTIMA = expressions<{ ultima: string | null }>({ ultima: 'MAX(ouvida_em)' });
const DA_ESCUTA = columns<{ desde: string }>('rede_escuta', { desde: true });
const DO_NAS = expressions<{ nas: string; vozes: number }>({ nas: 's.nas', vozes: 's.vozes' });

/**
 * When any session of the cell was heard of last, by an index. What a wrong clock says of the time after `agora` is no sign of life. Crosses
 * tenants, on purpose.
 */
export async function ultimaOuvida(db: Db, agora: Date): Promise<Date | null> {
  const [achada] = await rowsOf(db('sessoes_ouvidas').where('ouvida_em', '<=', toDatabaseTime(agora)), ULTIMA);
  const ultima = achada?.ultima ?? null;
  return ultima === null ? null : fromDatabaseTime(ultima);
}

/**
 * Notes when any session of the cell was heard of last. Where that is more than `falhaSegundos` after what was known, nothing was heard, or
 * nobody listened: from then on it is heard anew.
 */
export async function anotarEscuta(db: Db, ultima: Date, falhaSegundos: number): Promise<void> {
  const em = toDatabaseTime(ultima);
  // Assignments are made from left to right: the first one still sees until when it was known.
  await db.raw(
    `INSERT INTO rede_escuta (id, desde, ate) VALUES (1, ?, ?)
       ON DUPLICATE KEY UPDATE desde = IF(VALUES(ate) > ate + INTERVAL ? SECOND, VALUES(ate), desde),
                               ate = GREATEST(ate, VALUES(ate))`,
    [em, em, falhaSegundos],
  );
}

/** Since when sessions of the cell are heard of without a gap; null where nobody has listened yet. */
export async function escutaDesde(db: Db): Promise<Date | null> {
  const [row] = await rowsOf(db('rede_escuta').where({ id: 1 }), DA_ESCUTA);
  return row === undefined ? null : fromDatabaseTime(row.desde);
}

/** Sessions of a server that are looked at, by the newest ids. */
const SESSOES_OLHADAS = 200;

/** The interim interval of a session in seconds, as `intervaloDaSessao` has it; takes the default twice, and the longest. */
const INTERVALO = `IF(COALESCE(r.acctinterval, 0) < ${MENOR_INTERVALO_SEGUNDOS}, ?,
                      LEAST(r.acctinterval, GREATEST(?, LEAST(COALESCE(o.intervalo_anterior, 0), ?))))`;

/**
 * Servers that are to be heard of: a session of theirs is open that has told something since it began, and had not fallen silent by itself
 * when the server was last heard of, as one whose Stop was lost. One statement, of some rows a server.
 *
 * @param noticias - by address, when each was heard of last
 */
export async function servidoresComVoz(
  db: Db,
  noticias: ReadonlyMap<string, string | null>,
  intervaloPadraoSegundos: number,
): Promise<ReadonlySet<string>> {
  const ouvidos = [...noticias].flatMap(([nas, ouvida]) => (ouvida === null ? [] : [{ nas, ouvida }]));
  if (ouvidos.length === 0) return new Set();
  const intervalo = [intervaloPadraoSegundos, intervaloPadraoSegundos, maiorIntervalo(intervaloPadraoSegundos)];
  const rows = await rowsOfSql(
    db,
    DO_NAS,
    (colunas) =>
      `SELECT /*+ MAX_EXECUTION_TIME(${READ_TIMEOUT_MS}) */ ${colunas} FROM (${ouvidos
        .map(
          () =>
            `SELECT ? AS nas, COUNT(*) AS vozes
               FROM (SELECT radacctid, acctstarttime, acctupdatetime, acctstoptime, acctinterval
                       FROM radacct FORCE INDEX (nasipaddress)
                      WHERE nasipaddress = ? ORDER BY radacctid DESC LIMIT ${SESSOES_OLHADAS}) AS r
               ${JUNTAR_OUVIDAS}
              WHERE ${ABERTA} AND r.acctupdatetime > r.acctstarttime
                AND COALESCE(o.ouvida_em, r.acctupdatetime) + INTERVAL 2 * ${INTERVALO} SECOND >= CAST(? AS DATETIME)`,
        )
        .join(' UNION ALL ')}) AS s WHERE s.vozes > 0`,
    ouvidos.flatMap(({ nas, ouvida }) => [nas, nas, ...intervalo, ouvida]),
  );
  return new Set(rows.map(({ nas }) => nas));
}

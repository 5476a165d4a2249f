import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Db } from '../../../platform/mysql/database.ts';
import { valueLists } from '../../../platform/mysql/bulk/value-lists.ts';
import type { ConexaoRow, HoraDoNasRow, MinutoDoNasRow } from '../agregacao.types.ts';

/** Columns of `conexoes` that are recomputed. */
const DA_CONEXAO = [
  'ouvida_em',
  'intervalo_segundos',
  'nas',
  'porta',
  'sessao_desde',
  'queda_em',
  'queda_nas',
  'queda_causa',
] as const;

/** Values of a row of a server, its key's three parts first. */
type LinhaDoNas = readonly [provedorId: number, string, string, ...(number | string)[]];

/** By code units, as the key's columns of ASCII are: `localeCompare` takes five times as long. */
function porChave(a: LinhaDoNas, b: LinhaDoNas): number {
  if (a[0] !== b[0]) return a[0] - b[0];
  if (a[1] !== b[1]) return a[1] < b[1] ? -1 : 1;
  return a[2] < b[2] ? -1 : Number(a[2] > b[2]);
}

/** SQL of where connections are, and of what servers had by the hour, of all providers: each row says by its provedor_id whose it is. */
export function createHorasDoNasQueries(trx: Db) {
  return {
    async gravarConexoes(rows: readonly ConexaoRow[]): Promise<void> {
      if (rows.length === 0) return;
      await trx.raw(
        `INSERT INTO conexoes (provedor_id, contrato_id, ${DA_CONEXAO.join(', ')}) VALUES ?
         ON DUPLICATE KEY UPDATE ${DA_CONEXAO.map((coluna) => `${coluna} = VALUES(${coluna})`).join(', ')}`,
        [valueLists(rows.map((row) => [row.provedor_id, row.contrato_id, ...DA_CONEXAO.map((coluna) => row[coluna])]))],
      );
    },

    /** Adds to what servers had by the hour; by the key, so that who waits for another waits in the same order. */
    async somarHoras(rows: readonly HoraDoNasRow[]): Promise<void> {
      if (rows.length === 0) return;
      const emOrdem = rows
        .map(({ provedor_id, hora, nas, quedas }): LinhaDoNas => [provedor_id, hora, nas, quedas])
        .toSorted(porChave);
      await trx.raw(
        `INSERT INTO rede_horas (provedor_id, hora, nas, quedas) VALUES ?
         ON DUPLICATE KEY UPDATE quedas = quedas + VALUES(quedas)`,
        [valueLists(emOrdem)],
      );
    },

    /** Adds to the drops of servers by the minute, for who detects outages; by the key, too. @param agora when they were heard of */
    async somarMinutos(rows: readonly MinutoDoNasRow[], agora: Date): Promise<void> {
      if (rows.length === 0) return;
      const vista = toDatabaseTime(agora);
      const emOrdem = rows
        .map(({ provedor_id, nas, minuto, quedas }): LinhaDoNas => [provedor_id, nas, minuto, quedas, vista])
        .toSorted(porChave);
      await trx.raw(
        `INSERT INTO rede_quedas (provedor_id, nas, minuto, quedas, vista_em) VALUES ?
         ON DUPLICATE KEY UPDATE quedas = quedas + VALUES(quedas), vista_em = VALUES(vista_em)`,
        [valueLists(emOrdem)],
      );
    },

    /** Writes down how many are online at each server of all providers in this hour, in the place of what was measured before. */
    async medirOnline(hora: string): Promise<void> {
      await trx.raw(
        `INSERT INTO rede_horas (provedor_id, hora, nas, online)
         SELECT n.provedor_id, ?, n.nasipaddress, COALESCE(x.online, 0)
           FROM provedores_nas n
           LEFT JOIN (SELECT provedor_id, nas, SUM(aberta) AS online FROM conexoes FORCE INDEX (conexoes_nas)
                       WHERE nas IS NOT NULL GROUP BY provedor_id, nas) AS x
             ON x.provedor_id = n.provedor_id AND x.nas = n.nasipaddress
          ORDER BY 1, 3
         ON DUPLICATE KEY UPDATE online = VALUES(online)`,
        [hora],
      );
    },
  };
}

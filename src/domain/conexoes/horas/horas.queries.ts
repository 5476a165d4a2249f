import type { Db } from '../../../platform/mysql/database.ts';
import { valueLists } from '../../../platform/mysql/bulk/value-lists.ts';
import type { ConexaoRow, HoraDoNasRow } from '../agregacao.types.ts';

/** Columns of `conexoes` that are recomputed. */
const DA_CONEXAO = [
  'ouvida_em',
  'intervalo_segundos',
  'nas',
  'sessao_desde',
  'queda_em',
  'queda_nas',
  'queda_causa',
] as const;

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
        .map(({ provedor_id, hora, nas, quedas }) => [provedor_id, hora, nas, quedas])
        .toSorted((a, b) => Number(a[0]) - Number(b[0]) || `${a[1]} ${a[2]}`.localeCompare(`${b[1]} ${b[2]}`));
      await trx.raw(
        `INSERT INTO rede_horas (provedor_id, hora, nas, quedas) VALUES ?
         ON DUPLICATE KEY UPDATE quedas = quedas + VALUES(quedas)`,
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

import { expressions, rowsOfSql } from '../../platform/mysql/columns.ts';
import { fromDatabaseTime } from '../../platform/mysql/database.ts';
import type { Db } from '../../platform/mysql/database.ts';

/**
 * What waits in the queues that MySQL keeps, of all providers that live here. Nobody works here for those that move to another cell or have
 * gone there.
 */
export interface Esperas {
  /** How long ago the first e-mail was due; null where none is due. The next two likewise. */
  readonly correioMs: number | null;
  /** How long the first event that no cache has been told of has been there. */
  readonly eventosMs: number | null;
  /** How long ago the first call of a PSP was due. */
  readonly pspMs: number | null;
  /** Files of banks that are not done, and those of them whose last try failed. */
  readonly retornos: number;
  readonly retornosComFalha: number;
}

interface EsperasRow {
  correio: string | null;
  eventos: string | null;
  psp: string | null;
  retornos: number;
  com_falha: number;
}

// The index begins with the files that are not done, and no other is read.
const RETORNOS = `FROM retornos r FORCE INDEX (retornos_por_fazer)
      STRAIGHT_JOIN provedores p ON p.id = r.provedor_id AND p.mudanca IS NULL
      WHERE r.concluido_em IS NULL`;

const ESPERAS = expressions<EsperasRow>({
  // The index gives the first of each provider in one step, however many wait.
  correio: `(SELECT MIN(c.desde) FROM (
      SELECT provedor_id, MIN(proxima_em) AS desde FROM correio_pedidos FORCE INDEX (correio_pedidos_fila)
        WHERE estado IN ('em_andamento', 'pendente') GROUP BY estado, provedor_id) c
      INNER JOIN provedores p ON p.id = c.provedor_id AND p.mudanca IS NULL)`,
  eventos: `(SELECT MIN(e.criado_em) FROM (
      SELECT provedor_id, MIN(id) AS id FROM eventos FORCE INDEX (eventos_a_publicar)
        WHERE publicado_em IS NULL GROUP BY publicado_em, provedor_id) v
      INNER JOIN provedores p ON p.id = v.provedor_id AND p.mudanca IS NULL
      INNER JOIN eventos e ON e.provedor_id = v.provedor_id AND e.id = v.id)`,
  psp: `(SELECT MIN(c.desde) FROM (
      SELECT provedor_id, MIN(proxima_em) AS desde FROM psp_cobrancas FORCE INDEX (psp_cobrancas_fila)
        GROUP BY convenio_id, provedor_id) c
      INNER JOIN provedores p ON p.id = c.provedor_id AND p.mudanca IS NULL)`,
  retornos: `(SELECT COUNT(*) ${RETORNOS})`,
  com_falha: `(SELECT COUNT(*) ${RETORNOS} AND r.falhas > 0)`,
});

/**
 * What of all providers waits longer than it should, by name and on purpose: a queue that nobody works on shows in none of the jobs' own
 * numbers.
 */
export async function situacaoDasEsperas(db: Db, agora: Date): Promise<Esperas> {
  const [row] = await rowsOfSql(db, ESPERAS, (colunas) => `SELECT ${colunas}`);
  const desde = (instante: string | null = null): number | null => {
    const ms = instante === null ? -1 : agora.getTime() - fromDatabaseTime(instante).getTime();
    return ms < 0 ? null : ms;
  };
  return {
    correioMs: desde(row?.correio),
    eventosMs: desde(row?.eventos),
    pspMs: desde(row?.psp),
    retornos: row?.retornos ?? 0,
    retornosComFalha: row?.com_falha ?? 0,
  };
}

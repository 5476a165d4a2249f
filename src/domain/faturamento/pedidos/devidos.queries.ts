import { toDatabaseTime } from '../../../platform/mysql/database.ts';

/** The longest that an order waits after a failure. */
export const MAIOR_PAUSA_MS = 4 * 3_600_000;

/**
 * Whether something is to be done now of an open order, as SQL of its table or alias, and with what. One that waits after a failure is none,
 * unless its time is so far ahead that only a wrong clock can have written it, or it has gone on since: a worker of a release that knows
 * no failures leaves them as they are. Nor is a month while a run is being undone, whichever was asked for first: it would leave out all
 * contracts of the run, and end. An undoing waits for no month.
 */
export function porFazer(o: string, agora: Date): readonly [sql: string, bindings: readonly string[]] {
  return [
    `(${o}.proxima_em IS NULL OR ${o}.proxima_em <= ? OR ${o}.proxima_em > ? OR ${o}.andou_em > ${o}.falhou_em)
     AND (${o}.tipo = 'desfazer' OR NOT EXISTS (
           SELECT 1 FROM faturamento_pedidos d FORCE INDEX (faturamento_pedidos_um)
            WHERE d.provedor_id = ${o}.provedor_id AND d.aberto = 1 AND d.tipo = 'desfazer'))`,
    [toDatabaseTime(agora), toDatabaseTime(new Date(agora.getTime() + MAIOR_PAUSA_MS))],
  ];
}

import type { Db } from '../../platform/mysql/database.ts';

/** How many of each were ended without being sent. */
export interface Encerrados {
  readonly emails: number;
  readonly webhooks: number;
  readonly push: number;
  /** Events of which nobody outside has been told yet. */
  readonly eventos: number;
}

const ESPERA = "estado IN ('pendente', 'em_andamento')";

/**
 * Ends, of all providers, by name and on purpose, all that waits to be sent: in a database that was restored to an earlier moment it has
 * been sent since. `consumidores`: by what names events wait for those who send.
 */
export async function encerrarPorEnviar(db: Db, consumidores: readonly string[]): Promise<Encerrados> {
  return db.transaction(async (trx) => {
    const fazer = async (sql: string, valores: readonly string[] = []): Promise<number> => {
      const [feito] = await trx.raw<[{ affectedRows: number }?]>(sql, [...valores]);
      return feito?.affectedRows ?? 0;
    };
    const encerrados = {
      emails: await fazer(`UPDATE correio_pedidos SET estado = 'dispensada', erro = 'restaurado' WHERE ${ESPERA}`),
      webhooks: await fazer(`UPDATE webhook_entregas SET estado = 'cancelada' WHERE ${ESPERA}`),
      push: await fazer(`UPDATE push_envios SET estado = 'esgotada', erro = 'restaurado' WHERE ${ESPERA}`),
      eventos: await fazer(
        `DELETE FROM eventos_pendentes WHERE consumidor IN (${consumidores.map(() => '?').join(', ')})`,
        consumidores,
      ),
    };
    // The ladder's own record of its e-mails. That a notice went out is known to nobody here, and without one that was delivered nobody
    // is blocked: as one that failed it can be given again.
    await fazer(
      "UPDATE regua_passos SET email_estado = IF(passo = 'aviso', 'falhou', 'dispensado') WHERE email_estado = 'a_enviar'",
    );
    return encerrados;
  });
}

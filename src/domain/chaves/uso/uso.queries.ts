import type { Data } from '../../../brazil/calendario/datas.ts';
import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Db } from '../../../platform/mysql/database.ts';
import { READ_TIMEOUT_MS } from '../../../platform/mysql/tenant.ts';

/** Requests of a key, to be added to those of a day. */
export interface UsoDoDia {
  readonly provedorId: number;
  readonly chaveId: number;
  readonly dia: Data;
  readonly pedidos: number;
  readonly ultimoEm: Date;
}

/**
 * Adds to what is stored, in one statement for keys of all providers; what belongs to a key that is gone is dropped. Crosses tenants, by
 * name and on purpose. It touches nothing and is no line of the audit log: no answer is made of it.
 */
export async function somarUso(db: Db, usos: readonly UsoDoDia[]): Promise<void> {
  const linhas = usos.map(({ provedorId, chaveId, dia, pedidos, ultimoEm }) => ({
    provedor_id: provedorId,
    chave_id: chaveId,
    dia,
    pedidos,
    ultimo_em: toDatabaseTime(ultimoEm),
  }));
  await db
    .raw(
      `INSERT INTO chaves_uso (provedor_id, chave_id, dia, pedidos, ultimo_em)
       SELECT k.provedor_id, k.id, n.dia, n.pedidos, n.ultimo_em
         FROM JSON_TABLE(?, '$[*]' COLUMNS (
                provedor_id BIGINT UNSIGNED PATH '$.provedor_id', chave_id BIGINT UNSIGNED PATH '$.chave_id',
                dia DATE PATH '$.dia', pedidos BIGINT UNSIGNED PATH '$.pedidos', ultimo_em DATETIME(3) PATH '$.ultimo_em')) AS n
         STRAIGHT_JOIN chaves_api k ON k.provedor_id = n.provedor_id AND k.id = n.chave_id
           ON DUPLICATE KEY UPDATE pedidos = chaves_uso.pedidos + VALUES(pedidos),
                                   ultimo_em = GREATEST(chaves_uso.ultimo_em, VALUES(ultimo_em))`,
      [JSON.stringify(linhas)],
    )
    .timeout(READ_TIMEOUT_MS);
}

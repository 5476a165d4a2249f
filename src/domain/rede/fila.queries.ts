import { toDatabaseTime } from '../../platform/mysql/database.ts';
import type { Db } from '../../platform/mysql/database.ts';
import { READ_TIMEOUT_MS } from '../../platform/mysql/tenant.ts';

/** Another provider's contract with the same login. */
export interface OutroDonoRow {
  /** Of ours. */
  contrato_id: number;
  provedor_id: number;
  situacao: string;
}

/**
 * What is asked of all tenants: who has work waiting, and who else has a login, because FreeRADIUS's tables know a login by its
 * name only.
 */
export function createFilaQueries(db: Db) {
  return {
    async provedoresComPedidos(): Promise<number[]> {
      const rows = await db('rede_pedidos')
        .whereNull('aplicado_em')
        .distinct<{ provedor_id: number }[]>('provedor_id')
        .timeout(READ_TIMEOUT_MS);
      return rows.map(({ provedor_id }) => provedor_id);
    },

    async provedoresComDesconexoes(agora: Date): Promise<number[]> {
      const rows = await db('rede_desconexoes')
        .where('estado', 'pendente')
        .where('proxima_em', '<=', toDatabaseTime(agora))
        .distinct<{ provedor_id: number }[]>('provedor_id')
        .timeout(READ_TIMEOUT_MS);
      return rows.map(({ provedor_id }) => provedor_id);
    },

    /** Contracts of other providers that have the login of one of these and were not cancelled. */
    async outrosDonos(provedorId: number, contratoIds: readonly number[]): Promise<OutroDonoRow[]> {
      const [rows = []] = await db.raw<OutroDonoRow[][]>(
        `SELECT c.id AS contrato_id, o.provedor_id, o.situacao
           FROM contratos c
           STRAIGHT_JOIN contratos o FORCE INDEX (contratos_de_login)
             ON o.login = c.login AND o.provedor_id <> c.provedor_id
          WHERE c.provedor_id = ? AND c.id IN (?) AND c.login <> ''
            AND o.situacao NOT IN ('cancelado', 'cancelado_definitivo')`,
        [provedorId, [...contratoIds]],
      );
      return rows;
    },

    /** The provider that a NAS address is of; null when it is nobody's. */
    async donoDoNas(nasipaddress: string): Promise<number | null> {
      const [row] = await db('provedores_nas').where({ nasipaddress }).select<{ provedor_id: number }[]>('provedor_id');
      return row?.provedor_id ?? null;
    },

    /** NAS addresses of some providers. */
    async nasDe(provedorIds: readonly number[]): Promise<{ provedor_id: number; nasipaddress: string }[]> {
      return db('provedores_nas')
        .whereIn('provedor_id', provedorIds)
        .select<{ provedor_id: number; nasipaddress: string }[]>('provedor_id', 'nasipaddress');
    },
  };
}

import { columns, expressions, rowsOf, rowsOfSql } from '../../../platform/mysql/columns.ts';
import type { Db } from '../../../platform/mysql/database.ts';

/** A contract that holds a login. */
export interface DonoDoLogin {
  id: number;
  provedor_id: number;
  login: string;
}

const DO_DONO = columns<DonoDoLogin>('contratos', { id: true, provedor_id: true, login: true });
/** Rows of FreeRADIUS's tables that are a login's. */
export const DO_LOGIN = ['radcheck', 'radreply', 'radusergroup'] as const;

const NOSSO = expressions<{ id: number }>({ id: 'c.id' });

/** Whose logins are, of all tenants: FreeRADIUS's tables know a login by its name only. */
export function createDonosQueries(db: Db) {
  return {
    /** Of some logins, those that a contract holds, of whatever provider, by the index of logins, as its collation compares. */
    async donos(logins: readonly string[], menos: number | null): Promise<DonoDoLogin[]> {
      const deles = db(db.raw('contratos FORCE INDEX (contratos_de_login)'))
        .whereIn('login', logins)
        .whereNot('situacao', 'cancelado_definitivo')
        .modify((query) => void (menos !== null && query.whereNot('id', menos)));
      return rowsOf(deles, DO_DONO);
    },

    /**
     * Of some logins, those that FreeRADIUS has. Where no contract holds one it is another's who is not here yet: what contracts leave goes
     * at their end.
     */
    async noRadius(logins: readonly string[]): Promise<string[]> {
      const achados: string[] = [];
      for (const tabela of DO_LOGIN) {
        const nomes = columns<{ username: string }>(tabela, { username: true });
        const deles = await rowsOf(db(tabela).whereIn('username', logins).distinct(), nomes);
        achados.push(...deles.map(({ username }) => username));
      }
      return achados;
    },

    /** Those of a provider's contracts whose login another's contract holds, too: from before that was refused. */
    async compartilhados(provedorId: number, contratoIds: readonly number[]): Promise<Set<number>> {
      const rows = await rowsOfSql(
        db,
        NOSSO,
        (colunas) =>
          `SELECT DISTINCT ${colunas}
             FROM contratos c
             STRAIGHT_JOIN contratos o FORCE INDEX (contratos_de_login) ON o.login = c.login AND o.id <> c.id
            WHERE c.provedor_id = ? AND c.id IN (?) AND c.login <> '' AND o.situacao <> 'cancelado_definitivo'`,
        [provedorId, [...contratoIds]],
      );
      return new Set(rows.map(({ id }) => id));
    },
  };
}

import { ID, columns, expressions, rowsOf } from '../../../platform/mysql/columns.ts';
import type { Write } from '../../escrita.ts';
import { GRUPO_RETIRADO } from '../grupos.regras.ts';
import { travaDoLogin } from './acesso.regras.ts';
import { DO_LOGIN } from './donos.queries.ts';

/** Makes the group of who must not get in mean that, where nobody said so yet. */
export async function garantirRetirado(w: Write): Promise<void> {
  const { db } = w.tenant;
  const recusa = { groupname: GRUPO_RETIRADO, attribute: 'Auth-Type', op: ':=', value: 'Reject' };
  if ((await rowsOf(db('radgroupcheck').where('groupname', GRUPO_RETIRADO).limit(1), ID)).length > 0) return;
  await db('radgroupcheck').insert(recusa);
}

/** What a login may do, in FreeRADIUS's own tables, which know it by its name alone. */
export function createAcessoQueries(w: Write) {
  const { db } = w.tenant;

  return {
    /** Waits for whoever asks for one of these logins, of whatever provider, and keeps others waiting until the transaction ends. */
    async travarLogins(logins: readonly string[]): Promise<void> {
      const linhas = [...new Set(logins.map(travaDoLogin))];
      await rowsOf(
        db('rede_travas_de_login').whereIn('n', linhas).orderBy('n').forUpdate(),
        expressions<{ n: number }>({ n: 'n' }),
      );
    },

    /** Takes away all that FreeRADIUS knows of these logins. */
    async apagar(logins: readonly string[]): Promise<void> {
      if (logins.length === 0) return;
      for (const tabela of DO_LOGIN) await db(tabela).whereIn('username', logins).delete();
    },

    /** Writes a login that gets nobody in yet, in the group of those who must not: what the network makes of it comes by a request. */
    async inserir(logins: readonly { readonly username: string; readonly senha: string }[]): Promise<void> {
      if (logins.length === 0) return;
      await db('radusergroup').insert(
        logins.map(({ username }) => ({ username, groupname: GRUPO_RETIRADO, priority: 0 })),
      );
      await db('radcheck').insert(
        logins.map(({ username, senha }) => ({ username, attribute: 'Cleartext-Password', op: ':=', value: senha })),
      );
    },

    /** Gives a login all that another has; the password of a line that sends its name for one is its new name. */
    async copiar(de: string, para: string): Promise<void> {
      await db.raw(
        `INSERT INTO radcheck (username, attribute, op, value)
         SELECT ?, attribute, op, IF(attribute = 'Cleartext-Password' AND value = username, ?, value)
           FROM radcheck WHERE username = ? ORDER BY id`,
        [para, para, de],
      );
      await db.raw(
        `INSERT INTO radreply (username, attribute, op, value)
         SELECT ?, attribute, op, value FROM radreply WHERE username = ? ORDER BY id`,
        [para, de],
      );
      await db.raw(
        `INSERT INTO radusergroup (username, groupname, priority)
         SELECT ?, groupname, priority FROM radusergroup WHERE username = ? ORDER BY id`,
        [para, de],
      );
    },

    /** Replaces logins' passwords, of whatever form they were. */
    async trocarSenhas(logins: readonly { readonly username: string; readonly senha: string }[]): Promise<void> {
      const nomes = logins.map(({ username }) => username);
      await db('radcheck').whereIn('username', nomes).where('attribute', 'like', '%-Password').delete();
      await db('radcheck').insert(
        logins.map(({ username, senha }) => ({ username, attribute: 'Cleartext-Password', op: ':=', value: senha })),
      );
    },

    /** Puts logins among those who are refused, before any other group that they are in. */
    async recusar(logins: readonly string[]): Promise<void> {
      const grupos = await rowsOf(
        db('radusergroup').whereIn('username', logins).groupBy('username'),
        columns<{ username: string; priority: number }>('radusergroup', { username: true, priority: 'MIN(priority)' }),
      );
      const primeiros = new Map(grupos.map(({ username, priority }) => [username.toLowerCase(), priority]));
      await db('radusergroup').insert(
        logins.map((username) => ({
          username,
          groupname: GRUPO_RETIRADO,
          priority: Math.min(0, (primeiros.get(username.toLowerCase()) ?? 1) - 1),
        })),
      );
    },
  };
}

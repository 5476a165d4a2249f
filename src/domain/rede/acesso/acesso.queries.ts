import { ID, columns, expressions, rowsOf } from '../../../platform/mysql/columns.ts';
import type { Db } from '../../../platform/mysql/database.ts';
import { groupBy } from '../../../platform/group-by.ts';
import type { Write } from '../../escrita.ts';
import { GRUPO_RETIRADO, negadoEmTodos } from '../grupos.regras.ts';
import type { Pertencimento } from '../grupos.regras.ts';
import { SEM_PPP, condicoesDeEntrada, travaDoLogin } from './acesso.regras.ts';
import { DO_LOGIN } from './donos.queries.ts';

/** A login with its password; null: it gets in without one. */
export interface ComSenha {
  readonly username: string;
  readonly senha: string | null;
}

const itensDe = (logins: readonly ComSenha[]) =>
  logins.flatMap(({ username, senha }) => condicoesDeEntrada(senha).map((item) => ({ username, ...item })));

const DO_GRUPO = columns<Pertencimento & { username: string }>('radusergroup', {
  username: true,
  groupname: true,
  priority: true,
});
const DE_QUEM = columns<{ username: string }>('radcheck', { username: true });

/** Makes the group of who must not get in mean that, where nobody said so yet. */
export async function garantirRetirado(w: Write): Promise<void> {
  const { db } = w.tenant;
  const recusa = { groupname: GRUPO_RETIRADO, attribute: 'Auth-Type', op: ':=', value: 'Reject' };
  if ((await rowsOf(db('radgroupcheck').where('groupname', GRUPO_RETIRADO).limit(1), ID)).length > 0) return;
  await db('radgroupcheck').insert(recusa);
}

export async function travar(db: Db, logins: readonly string[]): Promise<void> {
  const linhas = [...new Set(logins.map(travaDoLogin))];
  await rowsOf(
    db('rede_travas_de_login').whereIn('n', linhas).orderBy('n').forUpdate(),
    expressions<{ n: number }>({ n: 'n' }),
  );
}

/** What a login may do, in FreeRADIUS's own tables, which know it by its name alone. */
export function createAcessoQueries(w: Write) {
  const { db } = w.tenant;

  return {
    /** Takes away all that FreeRADIUS knows of these logins; resolves to how many rows that were. */
    async apagar(logins: readonly string[]): Promise<number> {
      if (logins.length === 0) return 0;
      let foram = 0;
      for (const tabela of DO_LOGIN) foram += await db(tabela).whereIn('username', logins).delete();
      return foram;
    },

    /** Writes a login that gets nobody in yet, in the group of those who must not: what the network makes of it comes by a request. */
    async inserir(logins: readonly ComSenha[]): Promise<void> {
      if (logins.length === 0) return;
      await db('radusergroup').insert(
        logins.map(({ username }) => ({ username, groupname: GRUPO_RETIRADO, priority: 0 })),
      );
      await db('radcheck').insert(itensDe(logins));
    },

    /** Gives a login all that another has. */
    async copiar(de: string, para: string): Promise<void> {
      await db.raw(
        `INSERT INTO radcheck (username, attribute, op, value)
         SELECT ?, attribute, op, value FROM radcheck WHERE username = ? ORDER BY id`,
        [para, de],
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

    /** Replaces logins' passwords, of whatever form they were, and what let them in without one. */
    async trocarSenhas(logins: readonly ComSenha[]): Promise<void> {
      const nomes = logins.map(({ username }) => username);
      await db('radcheck')
        .whereIn('username', nomes)
        .where(
          (q) =>
            void q
              .where('attribute', 'like', '%-Password')
              .orWhere({ attribute: 'Auth-Type', value: 'Accept' })
              .orWhere(SEM_PPP),
        )
        .delete();
      await db('radcheck').insert(itensDe(logins));
    },

    /** Lets logins in without a password of which nobody said how they get in. */
    async abrirSemSenha(logins: readonly string[]): Promise<void> {
      if (logins.length === 0) return;
      const ditos = db('radcheck')
        .whereIn('username', logins)
        .where((q) => void q.where('attribute', 'like', '%-Password').orWhere('attribute', 'Auth-Type'));
      const com = new Set((await rowsOf(ditos, DE_QUEM)).map(({ username }) => username.toLowerCase()));
      const sem = logins.filter((login) => !com.has(login.toLowerCase()));
      if (sem.length > 0) await db('radcheck').insert(itensDe(sem.map((username) => ({ username, senha: null }))));
    },

    /** Puts logins among those who are refused, before any other group that they are in; those who are kept out already stay as they are. */
    async recusar(logins: readonly string[]): Promise<void> {
      const linhas = await rowsOf(db('radusergroup').whereIn('username', logins), DO_GRUPO);
      const grupos = groupBy(linhas, ({ username }) => username.toLowerCase());
      const fora = logins
        .map((username) => ({ username, dele: grupos.get(username.toLowerCase()) ?? [] }))
        .filter(({ dele }) => !negadoEmTodos(dele));
      if (fora.length === 0) return;
      await db('radusergroup').insert(
        fora.map(({ username, dele }) => ({
          username,
          groupname: GRUPO_RETIRADO,
          priority: Math.min(0, ...dele.map(({ priority }) => priority - 1)),
        })),
      );
    },
  };
}

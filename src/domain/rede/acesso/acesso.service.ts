import type { Write } from '../../escrita.ts';

/** A login with its password, of a contract that the caller holds the lock of. */
export interface LinhaDeAcesso {
  readonly contratoId: number;
  readonly login: string;
  /** Null where it has none of its own. */
  readonly senha: string | null;
}

const SENHA = { attribute: 'Cleartext-Password', op: ':=' } as const;

/** Writes passwords where FreeRADIUS looks for them, in place of those that the logins had. */
export async function gravarAcessos(w: Write, linhas: readonly LinhaDeAcesso[]): Promise<void> {
  if (linhas.length === 0) return;
  const { db } = w.tenant;
  const logins = linhas.map(({ login }) => login);
  await db('radcheck').whereIn('username', logins).where('attribute', SENHA.attribute).delete();
  const novas = linhas.flatMap(({ login, senha }) =>
    senha === null ? [] : [{ username: login, ...SENHA, value: senha }],
  );
  if (novas.length > 0) await db('radcheck').insert(novas);
}

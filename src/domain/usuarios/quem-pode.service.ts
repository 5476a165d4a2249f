import { columns, rowsOf } from '../../platform/mysql/columns.ts';
import type { Db } from '../../platform/mysql/database.ts';
import { createTenantDb } from '../../platform/mysql/tenant.ts';
import type { TenantDb } from '../../platform/mysql/tenant.ts';
import type { PermissaoPainel } from './permissoes.regras.ts';
import { depoisDaSenha } from './sessoes/sessoes.regras.ts';
import { lerPolitica, lerUsuario, listarUsuarios } from './usuarios.queries.ts';

/** The name of an active user whose profile lets him do something; null where there is none of that id, or he may not. */
export async function quemPode(
  de: Pick<TenantDb, 'from'>,
  usuarioId: number,
  permissao: PermissaoPainel,
): Promise<string | null> {
  const usuario = await lerUsuario(de, { id: usuarioId });
  return usuario !== null && usuario.ativo && usuario.perfil.permissoes.includes(permissao) ? usuario.nome : null;
}

/** What each of some people may do, of those who are active. */
export async function permissoesDosUsuarios(
  de: Pick<TenantDb, 'from'>,
  ids: readonly number[],
): Promise<ReadonlyMap<number, readonly PermissaoPainel[]>> {
  const usuarios = await Promise.all(ids.map(async (id) => lerUsuario(de, { id })));
  return new Map(usuarios.flatMap((um) => (um?.ativo === true ? [[um.id, um.perfil.permissoes] as const] : [])));
}

/** Somebody of the staff, as a session of the app has him. */
export interface PessoaDaEquipe {
  readonly id: number;
  readonly nome: string;
  readonly permissoes: readonly PermissaoPainel[];
  /** Whether the profile needs a second factor, and he has none. */
  readonly faltaFator: boolean;
  readonly ativo: boolean;
}

export async function equipePorId(db: Db, provedorId: number, usuarioId: number): Promise<PessoaDaEquipe | null> {
  const usuario = await lerUsuario(createTenantDb(db, provedorId), { id: usuarioId });
  if (usuario === null) return null;
  const { id, nome, ativo, temFator } = usuario;
  const { permissoes } = usuario.perfil;
  const falta = depoisDaSenha(temFator, permissoes, await lerPolitica(db, provedorId));
  return { id, nome, permissoes, faltaFator: falta === 'cadastrar_fator', ativo };
}

const EMAIL = columns<{ email: string }>('usuarios', { email: true });

/** Addresses of somebody of the staff, and of those who may do all. */
export async function emailsDaEquipe(de: Pick<TenantDb, 'from'>, usuarioId: number): Promise<string[]> {
  const administradores = de.from('perfis').where('de_fabrica', 'administrador').select('id');
  const deles = de
    .from('usuarios')
    .where('ativo', 1)
    .where((um) => void um.where('id', usuarioId).orWhereIn('perfil_id', administradores));
  return (await rowsOf(deles, EMAIL)).map(({ email }) => email);
}

/** Addresses of the active users whose profile lets them do something: whom to write to about it. */
export async function enderecosDeQuemPode(
  db: Db,
  provedorId: number,
  permissao: PermissaoPainel,
): Promise<readonly string[]> {
  const usuarios = await listarUsuarios(db, provedorId);
  const ativos = await Promise.all(
    usuarios.map(async ({ id, email }) =>
      (await quemPode(createTenantDb(db, provedorId), id, permissao)) === null ? [] : [email],
    ),
  );
  return ativos.flat();
}

import type { TenantDb } from '../../platform/mysql/tenant.ts';
import type { PermissaoPainel } from './permissoes.regras.ts';
import { lerUsuario } from './usuarios.queries.ts';

/** The name of an active user whose profile lets him do something; null where there is none of that id, or he may not. */
export async function quemPode(
  de: Pick<TenantDb, 'from'>,
  usuarioId: number,
  permissao: PermissaoPainel,
): Promise<string | null> {
  const usuario = await lerUsuario(de, { id: usuarioId });
  return usuario !== null && usuario.ativo && usuario.perfil.permissoes.includes(permissao) ? usuario.nome : null;
}

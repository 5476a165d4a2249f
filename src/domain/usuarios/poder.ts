import type { Actor } from '../actor.ts';
import { Recusa } from '../erros.ts';
import type { TenantDb } from '../../platform/mysql/tenant.ts';
import { NOMES_DE_PERMISSAO } from './permissoes.regras.ts';
import type { PermissaoPainel } from './permissoes.regras.ts';
import { lerUsuario } from './usuarios.queries.ts';

/** What whoever asks may give to others: at the terminal everything, at the panel what his profile says at this moment. */
async function poderesDe(actor: Actor, de: Pick<TenantDb, 'from'>): Promise<readonly PermissaoPainel[]> {
  if (actor.tipo === 'terminal') return NOMES_DE_PERMISSAO;
  if (actor.tipo !== 'usuario') return [];
  const usuario = await lerUsuario(de, { id: actor.id });
  return usuario?.ativo === true ? usuario.perfil.permissoes : [];
}

/**
 * Nobody grants what he lacks: a profile, another's password or factors.
 *
 * @throws Recusa `permissao_que_falta`, which names what he lacks
 */
export async function exigirPoder(
  actor: Actor,
  de: Pick<TenantDb, 'from'>,
  pedidas: readonly PermissaoPainel[],
): Promise<void> {
  const tem = await poderesDe(actor, de);
  const faltam = pedidas.filter((uma) => !tem.includes(uma));
  if (faltam.length === 0) return;
  throw new Recusa('permissao_que_falta', {
    dito: `ninguém dá a outro o que ele mesmo não pode: ${faltam.join(', ')}`,
  });
}

import type { AppSession } from '../../../access/callers.ts';
import type { Dominio } from '../../../domain/dominio.ts';
import { exigir } from '../erros.ts';

type DoAssinante = Extract<AppSession, { readonly kind: 'cliente' }>;

/** Nobody else is let in by these routes. @throws Failure */
export function exigirAssinante(session: AppSession): DoAssinante {
  exigir(session.kind === 'cliente', 'permissao_insuficiente');
  return session;
}

/** The client of a contract that a subscriber reaches; any other is not found. @throws Failure */
export async function exigirContrato(
  { assinantes }: Pick<Dominio, 'assinantes'>,
  session: AppSession,
  contratoId: number,
): Promise<number> {
  const dono = await assinantes.donoDoContrato(exigirAssinante(session).quem.cpfCnpj, contratoId);
  exigir(dono, 'nao_encontrado');
  return dono;
}

/** Whoever is in a session reaches a registration, unless it went this very moment. @throws Failure */
export async function exigirTudo({ assinantes }: Pick<Dominio, 'assinantes'>, session: AppSession) {
  const tudo = await assinantes.buscar(exigirAssinante(session).quem.cpfCnpj);
  exigir(tudo, 'nao_encontrado');
  return tudo;
}

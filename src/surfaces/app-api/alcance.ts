import type { AppSession } from '../../access/callers.ts';
import type { Dominio } from '../../domain/dominio.ts';
import { exigir } from './erros.ts';

type Assinante = Extract<AppSession, { readonly kind: 'cliente' }>;

/** The subscriber who calls; of routes that let in subscribers alone. @throws Failure */
export function exigirAssinante(session: AppSession): Assinante['quem'] {
  const assinante = session.kind === 'cliente' ? session : null;
  exigir(assinante, 'permissao_insuficiente');
  return assinante.quem;
}

/** The registrations whose records a caller may see; null: those of all clients. */
export async function clientesDe(session: AppSession, { alcance }: Dominio): Promise<readonly number[] | null> {
  if (session.kind !== 'cliente') return null;
  return (await alcance.doDocumento(session.quem.cpfCnpj)).clienteIds;
}

/** Ends the request as if the record were not there when it is of a client whom the caller does not reach. @throws Failure */
export function exigirAlcance(clientes: readonly number[] | null, clienteId: number | undefined): void {
  exigir(clienteId !== undefined && (clientes?.includes(clienteId) ?? true), 'nao_encontrado');
}

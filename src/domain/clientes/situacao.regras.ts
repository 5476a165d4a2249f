import type { SituacaoContrato } from '../contratos/contratos.types.ts';
import type { SituacaoCliente } from './clientes.types.ts';

/** How many of a client's contracts were not cancelled, and how many of those are blocked. */
export interface ContagemDeContratos {
  readonly vigentes: number;
  readonly bloqueados: number;
}

/** States of a contract that counts. */
export const NAO_CANCELADOS = [
  'pendente',
  'ativo',
  'bloqueado',
  'inativo',
] as const satisfies readonly SituacaoContrato[];

/**
 * What a client is by its contracts: `bloqueado` while all that were not cancelled are blocked, and back as soon as one is not, or none is left. Of
 * the other states none follows from contracts: people set them, and they stay.
 */
export function situacaoPelosContratos(
  atual: SituacaoCliente,
  { vigentes, bloqueados }: ContagemDeContratos,
): SituacaoCliente {
  if (atual !== 'ativo' && atual !== 'bloqueado') return atual;
  return vigentes > 0 && bloqueados === vigentes ? 'bloqueado' : 'ativo';
}

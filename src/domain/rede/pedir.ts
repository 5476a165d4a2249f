import { toDatabaseTime } from '../../platform/mysql/database.ts';
import type { SituacaoContrato } from '../contratos/contratos.types.ts';
import type { Write } from '../escrita.ts';
import type { AcaoDeRede } from './grupos.regras.ts';

/** What each state is to the network: only who is `ativo` gets through. */
const acaoDa = (situacao: SituacaoContrato): AcaoDeRede => (situacao === 'ativo' ? 'liberar' : 'bloquear');

/**
 * Asks the network to follow contracts that now are in these states; the caller holds their locks. What a state means on the network is
 * decided when it is carried out: a worker of the release before, which knows two actions, blocks whatever is not active.
 */
export async function pedirRede(
  w: Write,
  contratos: readonly { readonly id: number; readonly situacao: SituacaoContrato }[],
  agora: Date,
): Promise<void> {
  if (contratos.length === 0) return;
  const pedido_em = toDatabaseTime(agora);
  await w.insert(
    'rede_pedidos',
    contratos.map(({ id, situacao }) => ({ contrato_id: id, acao: acaoDa(situacao), pedido_em })),
  );
}

import { columns, rowsOf } from '../../platform/mysql/columns.ts';
import { toDatabaseTime } from '../../platform/mysql/database.ts';
import type { SituacaoContrato } from '../contratos/contratos.types.ts';
import type { Write } from '../escrita.ts';
import type { AcaoDeRede } from './grupos.regras.ts';
import type { SessoesDoPedido } from './rede.types.ts';
import { createMuitosPedidosQueries } from './muitos-pedidos.queries.ts';
import type { Quais } from './muitos-pedidos.queries.ts';
import { createGruposQueries } from './radius/grupos.queries.ts';
import { pedirSessoes } from './sessoes/pedir-sessoes.ts';

/** What each state is to the network: only who is `ativo` gets through. */
const acaoDa = (situacao: SituacaoContrato): AcaoDeRede => (situacao === 'ativo' ? 'liberar' : 'bloquear');

/**
 * Asks the network to follow contracts that now are in these states; the caller holds their locks. What a state means on the network is
 * decided when it is carried out: a worker of the release before, which knows two actions, blocks whatever is not active.
 *
 * @param sessoes what becomes of open sessions; `se_mudar` is for requests that may be made again without a reason in the contract.
 */
export async function pedirRede(
  w: Write,
  contratos: readonly { readonly id: number; readonly situacao: SituacaoContrato }[],
  agora: Date,
  sessoes: SessoesDoPedido = 'seguir',
): Promise<void> {
  if (contratos.length === 0) return;
  const pedido_em = toDatabaseTime(agora);
  await w.insert(
    'rede_pedidos',
    contratos.map(({ id, situacao }) => ({ contrato_id: id, acao: acaoDa(situacao), sessoes, pedido_em })),
  );
}

/**
 * Has the open sessions of contracts ended that are about to give up their logins, or to have others; the caller holds their locks, and has
 * not taken the logins away yet: by them the sessions are found.
 *
 * @param pedidos the requests by which this is done; null: one each is made, and is done hereby, since nothing is left to be moved.
 */
export async function encerrarSessoesDe(
  w: Write,
  contratoIds: readonly number[],
  agora: Date,
  pedidos: ReadonlyMap<number, number> | null = null,
): Promise<void> {
  if (contratoIds.length === 0) return;
  const feitos = pedidos ?? (await pedidosFeitos(w, contratoIds, agora));
  const contratos = [...feitos].map(([id, pedidoId]) => ({
    id,
    pedidoId,
    estado: 'retirado' as const,
    grupoDoPlano: '',
    antes: [],
    depois: [],
    doLogin: [],
    encerrar: true,
    soAlterar: false,
    mudanca: null,
  }));
  await pedirSessoes(w, contratos, [], agora);
}

/** Requests of those that have open sessions. */
async function pedidosFeitos(w: Write, contratoIds: readonly number[], agora: Date): Promise<Map<number, number>> {
  const sessoes = await createGruposQueries(w).sessoesAbertas(contratoIds, agora);
  const ids = [...new Set(sessoes.map(({ contrato_id }) => contrato_id))];
  if (ids.length === 0) return new Map();
  const instante = toDatabaseTime(agora);
  await w.insert(
    'rede_pedidos',
    ids.map((contrato_id) => ({
      contrato_id,
      acao: 'bloquear',
      sessoes: 'encerrar',
      pedido_em: instante,
      aplicado_em: instante,
      resultado: 'aplicado',
    })),
  );
  return ultimosPedidos(w, ids);
}

const ULTIMO_PEDIDO = columns<{ contrato_id: number; pedido_id: number }>('rede_pedidos', {
  contrato_id: true,
  pedido_id: 'MAX(id)',
});

/** The latest request of each contract. */
export async function ultimosPedidos(w: Write, contratoIds: readonly number[]): Promise<Map<number, number>> {
  const pedidos = w.from('rede_pedidos').whereIn('contrato_id', contratoIds).groupBy('contrato_id');
  return new Map((await rowsOf(pedidos, ULTIMO_PEDIDO)).map(({ contrato_id, pedido_id }) => [contrato_id, pedido_id]));
}

/**
 * Asks for all contracts with a login that have something in common, however many, in one statement and without their locks: the
 * request says nothing of their states.
 *
 * @returns how many they are.
 */
export async function pedirRedeDeTodos(w: Write, quais: Quais, agora: Date, sessoes: SessoesDoPedido): Promise<number> {
  return createMuitosPedidosQueries(w).pedir(quais, toDatabaseTime(agora), sessoes);
}

import type { Actor } from '../../actor.ts';
import type { Provedor } from '../../provedores/provedores.types.ts';
import type { PedidoDeFaturamento } from './pedidos.queries.ts';

/** How a worker goes through what was asked for. */
export interface OpcoesDaExecucao {
  readonly signal: AbortSignal;
  readonly aoAvancar: (progresso: { readonly feitas: number; readonly total: number }) => void;
}

/** An order that is being done, in whose name, and how. */
export interface Caso extends OpcoesDaExecucao {
  readonly actor: Actor;
  readonly provedor: Provedor;
  readonly pedido: PedidoDeFaturamento;
}

/** Another run of the same has gone further, or has ended it. */
export class DeOutro extends Error {}

/** A run is being undone since it began, or was: what it has left out is made once that is over, from the first contract on. */
export class Espera extends Error {}

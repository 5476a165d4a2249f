import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import type { SituacaoCliente } from '../../clientes/clientes.types.ts';
import type { Write } from '../../escrita.ts';
import type { SituacaoContrato } from '../contratos.types.ts';

/** A contract that is locked until the transaction ends, and its client with it. */
export interface ContratoTravado {
  id: number;
  cliente_id: number;
  plano_id: number;
  situacao: SituacaoContrato;
  bloqueio_origem: 'financeiro' | 'manual' | null;
  login: string | null;
  cancelado_em: string | null;
  atualizado_em: string;
}

const DO_TRAVADO = columns<ContratoTravado>('contratos', {
  id: true,
  cliente_id: true,
  plano_id: true,
  situacao: true,
  bloqueio_origem: true,
  login: true,
  cancelado_em: true,
  atualizado_em: true,
});

export interface ClienteTravado {
  id: number;
  situacao: SituacaoCliente;
  nome: string;
}

const DO_CLIENTE = columns<ClienteTravado>('clientes', { id: true, situacao: true, nome: true });
const DONO = columns<{ cliente_id: number }>('contratos', { cliente_id: true });

interface Como {
  /** Leaves out what somebody else holds, instead of waiting for it. */
  readonly pular?: boolean;
}

/** Locks clients, by id; whoever locks contracts, too, does this before. */
export async function travarClientes(
  w: Write,
  ids: readonly number[],
  { pular = false }: Como = {},
): Promise<ReadonlyMap<number, ClienteTravado>> {
  if (ids.length === 0) return new Map();
  const clientes = w
    .from('clientes')
    .whereIn('id', [...new Set(ids)])
    .orderBy('id')
    .forUpdate()
    .modify((query) => void (pular && query.skipLocked()));
  return new Map((await rowsOf(clientes, DO_CLIENTE)).map((cliente) => [cliente.id, cliente]));
}

/** The clients of some contracts, without a lock: whose a contract is never changes. */
export async function donosDosContratos(w: Write, ids: readonly number[]): Promise<number[]> {
  if (ids.length === 0) return [];
  const rows = await rowsOf(w.from('contratos').whereIn('id', ids).distinct(), DONO);
  return rows.map(({ cliente_id }) => cliente_id);
}

/**
 * Locks contracts and, before them, their clients, whose state follows from theirs; both by id, which is the order of all. Three statements,
 * however many they are.
 */
export async function travarContratos(
  w: Write,
  ids: readonly number[],
  como: Como = {},
): Promise<{ contratos: ContratoTravado[]; clientes: ReadonlyMap<number, ClienteTravado> }> {
  const clientes = await travarClientes(w, await donosDosContratos(w, ids), como);
  if (clientes.size === 0) return { contratos: [], clientes };
  const contratos = w
    .from('contratos')
    .whereIn('id', ids)
    .whereIn('cliente_id', [...clientes.keys()])
    .orderBy('id')
    .forUpdate()
    .modify((query) => void (como.pular === true && query.skipLocked()));
  return { contratos: await rowsOf(contratos, DO_TRAVADO), clientes };
}

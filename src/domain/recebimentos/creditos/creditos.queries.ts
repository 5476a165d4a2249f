import { lerDinheiro } from '../../../brazil/dinheiro/dinheiro.ts';
import type { Centavos } from '../../../brazil/dinheiro/dinheiro.ts';
import { columns, expressions, rowsOf } from '../../../platform/mysql/columns.ts';
import { sameTenant } from '../../../platform/mysql/tenant.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import type { Alvo } from '../recebimentos.types.ts';

/** An invoice that may give a credit, or take one. The account says whose money it is. */
export interface Candidata extends Alvo {
  readonly conta: number;
  readonly vencimento: string;
}

const DA_CANDIDATA = columns<Candidata>('faturas', {
  id: true,
  cliente_id: true,
  contrato_id: true,
  conta: 'COALESCE(faturas.cobrador_id, 0)',
  vencimento: true,
});
const CLIENTE = columns<{ cliente_id: number }>('faturas', { cliente_id: true });
const QUANTOS = expressions<{ total: number }>({ total: 'COUNT(DISTINCT faturas.cliente_id)' });
const LIVRE = columns<{ fatura_id: number; valor: string }>('faturas_lancamentos', {
  fatura_id: true,
  valor: 'faturas_lancamentos.valor - faturas_lancamentos.usado',
});

/** Surplus of which no credit was made, by the index of what is booked: few invoices have any. */
function comSobra(tenant: Pick<TenantDb, 'from'>) {
  return tenant
    .from('faturas')
    .join('faturas_lancamentos', sameTenant('faturas', 'id', 'faturas_lancamentos', 'fatura_id'))
    .where('faturas_lancamentos.tipo', 'excedente')
    .where('faturas_lancamentos.valor', '>', 0)
    .whereRaw('faturas_lancamentos.valor > faturas_lancamentos.usado');
}

/** Clients with surplus and an open invoice, by id, after one of them. */
function comOsDois(tenant: TenantDb, depoisDe: number) {
  const abertas = tenant
    .from('faturas as aberta')
    .whereRaw('aberta.cliente_id = faturas.cliente_id')
    .where('aberta.grupo', 'aberta')
    .select(tenant.db.raw('1'));
  return comSobra(tenant).where('faturas.cliente_id', '>', depoisDe).whereExists(abertas);
}

export async function contarClientes(tenant: TenantDb, depoisDe: number): Promise<number> {
  const [contagem] = await rowsOf(comOsDois(tenant, depoisDe), QUANTOS);
  return contagem?.total ?? 0;
}

export async function proximosClientes(tenant: TenantDb, depoisDe: number, limite: number): Promise<number[]> {
  const deles = comOsDois(tenant, depoisDe).distinct().orderBy('faturas.cliente_id').limit(limite);
  return (await rowsOf(deles, CLIENTE)).map(({ cliente_id }) => cliente_id);
}

/** Invoices of some clients that have surplus, and those that are open; the oldest due first, without locks. */
export async function candidatas(
  tenant: TenantDb,
  clientes: readonly number[],
): Promise<{ readonly origens: readonly Candidata[]; readonly abertas: readonly Candidata[] }> {
  const ordem = ['faturas.vencimento', 'faturas.id'];
  const origens = await rowsOf(comSobra(tenant).whereIn('faturas.cliente_id', clientes).orderBy(ordem), DA_CANDIDATA);
  if (origens.length === 0) return { origens, abertas: [] };
  const abertas = tenant.from('faturas').whereIn('cliente_id', clientes).where('grupo', 'aberta').orderBy(ordem);
  return { origens, abertas: await rowsOf(abertas, DA_CANDIDATA) };
}

/** What of the surplus of some invoices no credit was made of, locked. */
export async function travarSobras(
  w: Pick<TenantDb, 'from'>,
  faturaIds: readonly number[],
): Promise<ReadonlyMap<number, Centavos>> {
  const deles = w.from('faturas_lancamentos').whereIn('fatura_id', faturaIds).where('tipo', 'excedente');
  const rows = await rowsOf(deles.orderBy('id').forUpdate(), LIVRE);
  return new Map(rows.map(({ fatura_id, valor }) => [fatura_id, lerDinheiro(valor)]));
}

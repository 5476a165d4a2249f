import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import { fromDatabaseTime } from '../../../platform/mysql/database.ts';
import { sameTenant } from '../../../platform/mysql/tenant.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import type { FiltroDeOnline, LinhaOnline } from './panorama.types.ts';

interface OnlineRow extends Omit<LinhaOnline, 'desde'> {
  sessao_desde: string | null;
}

const DA_LINHA = columns<OnlineRow>('x', {
  contratoId: 'x.contrato_id',
  clienteId: 'contratos.cliente_id',
  cliente: 'clientes.nome',
  login: 'contratos.login',
  planoId: 'contratos.plano_id',
  plano: 'planos.nome',
  cidade: 'contratos.cidade',
  bairro: 'contratos.bairro',
  nas: true,
  sessao_desde: true,
});

/**
 * Up to so many lines that are online, by the contract's id. Of a server by its index; else by the key, where nearly all are online, or, of
 * a plan or a city, by that index of the contracts.
 */
export async function listarOnline(tenant: TenantDb, filtro: FiltroDeOnline, limite: number): Promise<LinhaOnline[]> {
  const { nas, planoId, cidade, depoisDe = 0 } = filtro;
  const linhas = tenant
    .from('conexoes as x', nas === undefined ? 'PRIMARY' : ['PRIMARY', 'conexoes_nas'])
    .join('contratos', sameTenant('x', 'contrato_id', 'contratos', 'id'))
    .join('clientes', sameTenant('contratos', 'cliente_id', 'clientes', 'id'))
    .join('planos', sameTenant('contratos', 'plano_id', 'planos', 'id'))
    .where('x.aberta', 1)
    .where('x.contrato_id', '>', depoisDe)
    .orderBy('x.contrato_id')
    .limit(limite);
  if (nas !== undefined) void linhas.where('x.nas', nas);
  if (planoId !== undefined) void linhas.where('contratos.plano_id', planoId);
  if (cidade !== undefined) void linhas.where('contratos.cidade', cidade);
  const rows = await rowsOf(linhas, DA_LINHA);
  return rows.map(({ sessao_desde, ...linha }) => ({
    ...linha,
    desde: sessao_desde === null ? null : fromDatabaseTime(sessao_desde),
  }));
}

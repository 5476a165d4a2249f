import type { Knex } from 'knex';
import type { Data } from '../../../brazil/calendario/datas.ts';
import { centavos, lerDinheiro } from '../../../brazil/dinheiro/dinheiro.ts';
import type { Centavos } from '../../../brazil/dinheiro/dinheiro.ts';
import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import { fromDatabaseTime, jsonColumn, toDatabaseTime } from '../../../platform/mysql/database.ts';
import { sameTenant } from '../../../platform/mysql/tenant.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import { SITUACOES_DE_CANCELADO } from '../../contratos/contratos.types.ts';
import type { ItemDaCobranca } from '../faturamento.types.ts';

const POR_PAGINA = 50;

interface CreditoRow {
  contrato_id: number;
  cliente_id: number;
  cliente: string;
  cancelado_em: string | null;
  competencia: Data;
  valor: string;
  itens: string | readonly ItemDaCobranca[];
}

const DO_CREDITO = columns<CreditoRow>('f', {
  contrato_id: true,
  cliente_id: 'c.cliente_id',
  cliente: 'cl.nome',
  cancelado_em: 'c.cancelado_em',
  competencia: true,
  valor: true,
  itens: true,
});

/** What a contract that is over has left to its client. */
export interface CreditoDeContrato {
  readonly contratoId: number;
  readonly clienteId: number;
  readonly cliente: string;
  readonly canceladoEm: Date | null;
  /** The month of the charge that left it. */
  readonly competencia: Data;
  /** Above nothing. */
  readonly valor: Centavos;
  /** Of that charge. */
  readonly itens: readonly ItemDaCobranca[];
}

/** Of each of some contracts that is over its last charge, where that is below nothing: it has taken over what earlier ones had left. */
function creditos(tenant: TenantDb, contratos: Knex.QueryBuilder): Knex.QueryBuilder {
  const depois = tenant
    .from('faturamento_cobrancas as g')
    .whereRaw('g.contrato_id = f.contrato_id AND g.competencia > f.competencia')
    .where({ 'g.tipo': 'mensalidade', 'g.isenta': 0 });
  return contratos
    .join('faturamento_cobrancas as f', sameTenant('c', 'id', 'f', 'contrato_id'))
    .join('clientes as cl', sameTenant('c', 'cliente_id', 'cl', 'id'))
    .whereIn('c.situacao', SITUACOES_DE_CANCELADO)
    .where({ 'f.tipo': 'mensalidade', 'f.isenta': 0 })
    .where('f.valor', '<', 0)
    .whereNotExists(depois.select('g.contrato_id'));
}

const lerCredito = ({
  contrato_id,
  cliente_id,
  cancelado_em,
  valor,
  itens,
  ...row
}: CreditoRow): CreditoDeContrato => ({
  ...row,
  contratoId: contrato_id,
  clienteId: cliente_id,
  canceladoEm: cancelado_em === null ? null : fromDatabaseTime(cancelado_em),
  valor: centavos(0 - lerDinheiro(valor)),
  itens: jsonColumn<readonly ItemDaCobranca[]>(itens),
});

/** What a contract that is over has left to its client; null where it has left nothing, or goes on. */
export async function creditoDoContrato(tenant: TenantDb, contratoId: number): Promise<CreditoDeContrato | null> {
  const [row] = await rowsOf(creditos(tenant, tenant.from('contratos as c').where('c.id', contratoId)), DO_CREDITO);
  return row === undefined ? null : lerCredito(row);
}

/** A page of such credits; `proxima` is the contract after which the next one begins, null where there is none. */
export interface CreditosDeContratos {
  readonly itens: readonly CreditoDeContrato[];
  readonly proxima: number | null;
}

/** Those of contracts that were cancelled since a time, the newest contracts first. */
export async function creditosDesde(
  tenant: TenantDb,
  { desde, antesDe }: { readonly desde: Date; readonly antesDe: number | undefined },
): Promise<CreditosDeContratos> {
  // The other way round, all charges of that time would be gone through: of 80,000 contracts, a million.
  const contratos = tenant
    .from('contratos as c', 'contratos_encerrar')
    .where('c.cancelado_em', '>=', toDatabaseTime(desde));
  if (antesDe !== undefined) void contratos.where('c.id', '<', antesDe);
  const query = creditos(tenant, contratos).orderBy('c.id', 'desc');
  const rows = await rowsOf(query.limit(POR_PAGINA + 1), DO_CREDITO);
  const itens = rows.slice(0, POR_PAGINA).map(lerCredito);
  return { itens, proxima: rows.length > POR_PAGINA ? (itens.at(-1)?.contratoId ?? null) : null };
}

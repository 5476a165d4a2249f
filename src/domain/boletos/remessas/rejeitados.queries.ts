import type { Knex } from 'knex';
import { columns, expressions, rowsOf } from '../../../platform/mysql/columns.ts';
import { sameTenant } from '../../../platform/mysql/tenant.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import { COLUNAS_DO_BOLETO } from '../boletos.types.ts';
import type { BoletoRow, Motivo } from '../boletos.types.ts';

export interface RejeitadoRow extends BoletoRow {
  cliente_id: number;
  cliente_nome: string;
}

const REJEITADO = columns<RejeitadoRow>('boletos', {
  ...COLUNAS_DO_BOLETO.of,
  cliente_id: 'f.cliente_id',
  cliente_nome: 'c.nome',
});

/** A short name for the reasons of a refusal: refusals with the same reasons are mended in the same way. */
const CHAVE = "LEFT(SHA2(COALESCE(CAST(boletos.motivos AS CHAR(4000)), ''), 256), 16)";

interface PorMotivoRow {
  chave: string;
  motivos: string | readonly Motivo[] | null;
  quantos: number;
}

const POR_MOTIVO = expressions<PorMotivoRow>({
  chave: CHAVE,
  motivos: 'MIN(CAST(boletos.motivos AS CHAR(4000)))',
  quantos: 'COUNT(*)',
});
const DA_FATURA = columns<{ id: number; cliente_id: number }>('f', { id: true, cliente_id: true });

/** Open invoices whose last boleto a bank refused, by the reason. */
export function createRejeitadosQueries(tenant: Pick<TenantDb, 'db' | 'from'>) {
  const { db } = tenant;
  const todos = (motivo: string | undefined): Knex.QueryBuilder => {
    const ultimo = tenant.from('boletos as u').whereRaw('u.fatura_id = f.id').select(db.raw('MAX(u.id)'));
    const query = tenant
      .from('faturas as f', 'faturas_boleto')
      .join('boletos', sameTenant('f', 'id', 'boletos', 'fatura_id'))
      .where('f.boleto_situacao', 'rejeitado')
      .where('f.grupo', 'aberta')
      .where('boletos.id', ultimo);
    return motivo === undefined ? query : query.whereRaw(`${CHAVE} = ?`, [motivo]);
  };
  return {
    /** How many were refused for each reason, the most frequent first. */
    async porMotivo(limite: number): Promise<PorMotivoRow[]> {
      const query = todos(undefined).groupByRaw(CHAVE).orderByRaw('COUNT(*) DESC').limit(limite);
      return rowsOf(query, POR_MOTIVO);
    },

    /** Those after an id, by the ids of their invoices. */
    async pagina(motivo: string | undefined, depoisDe: number, limite: number): Promise<RejeitadoRow[]> {
      const query = todos(motivo).join('clientes as c', sameTenant('f', 'cliente_id', 'c', 'id'));
      return rowsOf(query.where('f.id', '>', depoisDe).orderBy('f.id').limit(limite), REJEITADO);
    },

    /** The invoices of some of them. */
    async faturas(motivo: string, limite: number): Promise<{ id: number; cliente_id: number }[]> {
      return rowsOf(todos(motivo).orderBy('f.id').limit(limite), DA_FATURA);
    },
  };
}

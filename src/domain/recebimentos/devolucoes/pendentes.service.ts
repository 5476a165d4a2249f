import { lerDinheiro } from '../../../brazil/dinheiro/dinheiro.ts';
import { columns, rowsOf, rowsOfSql } from '../../../platform/mysql/columns.ts';
import { fromDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Db } from '../../../platform/mysql/database.ts';
import { sameTenant } from '../../../platform/mysql/tenant.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import { EM_CURSO } from './devolucoes.types.ts';
import type { DevolucaoPendente } from './devolucoes.types.ts';

const DE_QUEM = columns<{ provedor_id: number }>('devolucoes_pedidas', { provedor_id: true });

interface PendenteRow {
  id: number;
  devolucao: string;
  end_to_end_id: string;
  txid: string | null;
  valor: string;
  situacao: (typeof EM_CURSO)[number];
  pedida_em: string;
  enviada_em: string | null;
}
const DO_PENDENTE = columns<PendenteRow>('devolucoes_pedidas', {
  id: true,
  devolucao: true,
  end_to_end_id: 'pix_recebidos.end_to_end_id',
  txid: 'pix_recebidos.txid',
  valor: true,
  situacao: true,
  pedida_em: true,
  enviada_em: true,
});

export type DevolucoesPendentesService = ReturnType<typeof createDevolucoesPendentesService>;

/** Returns of PIX that PSPs have still to be asked for, or about. */
export function createDevolucoesPendentesService({ db }: { readonly db: Db }) {
  return {
    /** Providers that have any, by name and on purpose. */
    async provedores(): Promise<number[]> {
      const rows = await rowsOfSql(
        db,
        DE_QUEM,
        (colunas) =>
          `SELECT DISTINCT ${colunas} FROM devolucoes_pedidas FORCE INDEX (devolucoes_pedidas_fila)
            WHERE situacao IN ('pedida', 'enviada')`,
        [],
      );
      return rows.map(({ provedor_id }) => provedor_id);
    },

    /** Those of a provider, the longest waiting first, after one of them. */
    async listar(tenant: TenantDb, limite: number, depoisDe = 0): Promise<DevolucaoPendente[]> {
      const emCurso = tenant
        .from('devolucoes_pedidas')
        .join('pix_recebidos', sameTenant('devolucoes_pedidas', 'pix_id', 'pix_recebidos', 'id'))
        .whereIn('devolucoes_pedidas.situacao', EM_CURSO)
        .where('devolucoes_pedidas.id', '>', depoisDe)
        .orderBy('devolucoes_pedidas.id')
        .limit(limite);
      return (await rowsOf(emCurso, DO_PENDENTE)).map((row) => ({
        id: row.id,
        devolucao: row.devolucao,
        endToEndId: row.end_to_end_id,
        txid: row.txid,
        valor: lerDinheiro(row.valor),
        situacao: row.situacao,
        pedidaEm: fromDatabaseTime(row.pedida_em),
        enviadaEm: row.enviada_em === null ? null : fromDatabaseTime(row.enviada_em),
      }));
    },
  };
}

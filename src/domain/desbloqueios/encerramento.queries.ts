import type { Knex } from 'knex';
import { columns, rowsOf } from '../../platform/mysql/columns.ts';
import { toDatabaseTime } from '../../platform/mysql/database.ts';
import type { Write } from '../escrita.ts';

interface DesbloqueioPassadoRow {
  id: number;
  contrato_id: number;
}

const CONTRATO = columns<{ contrato_id: number }>('desbloqueios_confianca', { contrato_id: true });
const DO_DESBLOQUEIO = columns<DesbloqueioPassadoRow>('desbloqueios_confianca', { id: true, contrato_id: true });

/** @param semEspera leaves out those whose end has to wait */
export function createEncerramentoQueries(w: Write, semEspera: (query: Knex.QueryBuilder) => void) {
  const passados = (agora: Date) =>
    w
      .from('desbloqueios_confianca')
      .whereNull('encerrado_em')
      .where('ate', '<', toDatabaseTime(agora))
      .modify(semEspera);

  return {
    /** Contracts whose unblock is over, the longest ago first, without a lock. */
    async contratos(agora: Date, limite: number): Promise<number[]> {
      const rows = await rowsOf(passados(agora).orderBy('ate').limit(limite), CONTRATO);
      return rows.map(({ contrato_id }) => contrato_id);
    },

    /** Of locked contracts, the unblocks that are over: contract → unblock. A contract has one that was not ended, at most. */
    async desbloqueios(contratoIds: readonly number[], agora: Date): Promise<Map<number, number>> {
      const rows = await rowsOf(passados(agora).whereIn('contrato_id', contratoIds), DO_DESBLOQUEIO);
      return new Map(rows.map(({ id, contrato_id }) => [contrato_id, id]));
    },

    /** Ends unblocks, as of the end of their time. */
    async encerrar(ids: readonly number[]): Promise<void> {
      await w.update('desbloqueios_confianca', (q) => void q.whereIn('id', ids).whereNull('encerrado_em'), {
        encerrado_em: w.tenant.db.ref('ate'),
      });
    },

    /** Remembers of contracts that are suspended that they owe, as of those that were blocked for it; see `reativar`. */
    async lembrarDebito(contratoIds: readonly number[]): Promise<void> {
      if (contratoIds.length === 0) return;
      await w.update('contratos', (q) => void q.whereIn('id', contratoIds), { bloqueio_origem: 'financeiro' });
    },

    async historico(contratoIds: readonly number[], descricao: string, agora: Date): Promise<void> {
      if (contratoIds.length === 0) return;
      await w.insert(
        'contratos_historico',
        contratoIds.map((contrato_id) => ({
          contrato_id,
          acao: 'fim_do_desbloqueio',
          descricao,
          autor: w.author.name,
          ocorrido_em: toDatabaseTime(agora),
        })),
      );
    },
  };
}

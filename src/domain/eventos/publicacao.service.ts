import { jsonColumn } from '../../platform/database.ts';
import type { Db } from '../../platform/database.ts';
import type { Gate } from '../../platform/gate/gate.ts';
import { tenantSlot } from '../../platform/gate/keys.ts';
import { groupBy } from '../../platform/group-by.ts';
import { SO_DE_ETIQUETAS } from './eventos.types.ts';

export type PublicacaoService = ReturnType<typeof createPublicacaoService>;

interface EventoRow {
  id: number;
  provedor_id: number;
  tipo: string;
  etiquetas: string | string[];
}

/**
 * Publishes the outbox: bumps again what every committed write touched, so that a process which died between its commit and its
 * bump leaves nothing stale behind. Crosses tenants, by name and on purpose.
 */
export function createPublicacaoService({ db, gate }: { db: Db; gate: Pick<Gate, 'bump'> }) {
  return {
    /**
     * Publishes up to `limite` events, oldest first; several at once take different ones. Resolves to how many. Rejects, and
     * leaves them unpublished, when Redis is away.
     */
    async publicar(limite = 500): Promise<number> {
      return db.transaction(
        async (trx) => {
          const eventos = await trx('eventos')
            .whereNull('publicado_em')
            .orderBy('id')
            .limit(limite)
            .forUpdate()
            .skipLocked()
            .select<EventoRow[]>('id', 'provedor_id', 'tipo', 'etiquetas');
          if (eventos.length === 0) return 0;
          for (const [provedorId, doProvedor] of groupBy(eventos, (evento) => evento.provedor_id)) {
            const etiquetas = new Set(doProvedor.flatMap((evento) => jsonColumn<string[]>(evento.etiquetas)));
            await gate.bump(tenantSlot(provedorId), [...etiquetas]);
          }
          const grupos = groupBy(eventos, ({ tipo }) => SO_DE_ETIQUETAS.has(tipo));
          for (const [apagar, doGrupo] of grupos) {
            const linhas = trx('eventos').whereIn(
              'id',
              doGrupo.map(({ id }) => id),
            );
            await (apagar ? linhas.delete() : linhas.update({ publicado_em: trx.raw('CURRENT_TIMESTAMP(3)') }));
          }
          return eventos.length;
        },
        { isolationLevel: 'read committed' },
      );
    },
  };
}

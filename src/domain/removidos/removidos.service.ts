import { columns, rowsOf } from '../../platform/mysql/columns.ts';
import { fromDatabaseTime } from '../../platform/mysql/database.ts';
import { readPage } from '../../platform/paging/pages.ts';
import type { Page, PageRequest } from '../../platform/paging/pages.ts';
import type { TenantDb } from '../../platform/mysql/tenant.ts';
import { inicioNoBanco } from '../leituras.ts';

export type RemovidosService = ReturnType<typeof createRemovidosService>;

/** Lists whose rows may cease to exist. */
export type Lista = 'clientes' | 'faturas' | 'chamados';

/** A row that is gone. */
export interface Removido {
  readonly id: number;
  readonly removidoEm: Date;
}

interface RemovidoRow {
  readonly id: number;
  readonly registro_id: number;
  readonly removido_em: string;
}

const DO_REMOVIDO = columns<RemovidoRow>('registros_removidos', { id: true, registro_id: true, removido_em: true });

/** What an incremental reader cannot see in a list, because it is no longer there. */
export function createRemovidosService(tenant: TenantDb) {
  return {
    /** One page of what a list has lost since an instant, oldest first. What was removed up to five minutes before may come again. */
    async listar(lista: Lista, desde: Date, pagina: PageRequest): Promise<Page<Removido>> {
      const { itens, total } = await readPage<RemovidoRow>(
        tenant,
        {
          table: 'registros_removidos',
          indexes: ['registros_removidos_lista'],
          order: [
            { column: 'removido_em', order: 'asc' },
            { column: 'id', order: 'asc' },
          ],
          filter: (query) =>
            void query
              .where('registros_removidos.lista', lista)
              .where('registros_removidos.removido_em', '>=', inicioNoBanco(desde)),
        },
        pagina,
        async (rows) => rowsOf(rows, DO_REMOVIDO),
      );
      return {
        itens: itens.map((row) => ({ id: row.registro_id, removidoEm: fromDatabaseTime(row.removido_em) })),
        total,
      };
    },
  };
}

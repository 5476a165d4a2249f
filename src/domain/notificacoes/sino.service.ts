import { columns, expressions, rowsOf } from '../../platform/mysql/columns.ts';
import { fromDatabaseTime } from '../../platform/mysql/database.ts';
import type { TenantDb } from '../../platform/mysql/tenant.ts';

export type SinoService = ReturnType<typeof createSinoService>;

/** Something that the staff was told of. */
export interface Notificacao {
  readonly id: number;
  /** What happened, such as `chamado.novo`. */
  readonly tipo: string;
  readonly origem: string;
  readonly recurso: string;
  readonly recursoId: number;
  readonly criadoEm: Date;
  readonly lida: boolean;
}

export interface Sino {
  /** At most 100, which then means "100 or more". */
  readonly naoLidas: number;
  /** Newest first. */
  readonly ultimas: readonly Notificacao[];
}

interface NotificacaoRow {
  id: number;
  tipo: string;
  origem: string;
  recurso: string;
  recurso_id: number;
  criado_em: string;
}

const DA_NOTIFICACAO = columns<NotificacaoRow>('notificacoes', {
  id: true,
  tipo: true,
  origem: true,
  recurso: true,
  recurso_id: true,
  criado_em: true,
});
const ATE = columns<{ ate_id: number }>('notificacoes_lidas', { ate_id: true });
const TOTAL = expressions<{ total: number }>({ total: 'COUNT(*)' });

const ULTIMAS = 20;
const CONTA_ATE = 100;

/** What the bell of the panel shows: notices are the provider's, and each of the staff has read them up to one. */
export function createSinoService(tenant: TenantDb) {
  return {
    async ver(usuarioId: number): Promise<Sino> {
      const doUsuario = tenant.from('notificacoes_lidas').where('usuario_id', usuarioId);
      const [lidas] = await rowsOf(doUsuario, ATE);
      const ate = lidas?.ate_id ?? 0;
      const novas = tenant.from('notificacoes', 'PRIMARY').where('id', '>', ate).select('id').limit(CONTA_ATE);
      const todas = tenant.from('notificacoes', 'PRIMARY').orderBy('id', 'desc').limit(ULTIMAS);
      const [[conta], ultimas] = await Promise.all([
        rowsOf(tenant.db.from(novas.as('novas')), TOTAL),
        rowsOf(todas, DA_NOTIFICACAO),
      ]);
      return {
        naoLidas: conta?.total ?? 0,
        ultimas: ultimas.map(({ recurso_id: recursoId, criado_em, ...notificacao }) => ({
          ...notificacao,
          recursoId,
          criadoEm: fromDatabaseTime(criado_em),
          lida: notificacao.id <= ate,
        })),
      };
    },
  };
}

import type { Knex } from 'knex';
import { columns, computed, expressions, rowsOf } from '../../platform/mysql/columns.ts';
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
const TOTAL = expressions<{ total: number }>({ total: 'COUNT(*)' });

const COLUNAS = ['id', 'tipo', 'origem', 'recurso', 'recurso_id', 'criado_em'];
const ULTIMAS = 50;
const CONTA_ATE = 100;
/** Of what was not read, and of what there is, the newest that are looked at: whoever may see little of it makes no statement long. */
const OLHA = 500;

/** What the bell of the panel shows: notices are the provider's, and each of the staff has read them up to one. */
export function createSinoService(tenant: TenantDb) {
  const recentes = (recursos: readonly string[]): Knex.QueryBuilder => {
    const ultimas = tenant.from('notificacoes', 'PRIMARY').orderBy('id', 'desc').limit(OLHA);
    return tenant.db.from(ultimas.select(COLUNAS).as('notificacoes')).whereIn('notificacoes.recurso', [...recursos]);
  };
  const lidoPor = (usuarioId: number): Knex.QueryBuilder =>
    tenant.from('notificacoes_lidas').where('usuario_id', usuarioId).select('ate_id');

  /** At most 100, which then means "100 or more". `recursos`: the kinds of things of which he may know. */
  async function contar(usuarioId: number, recursos: readonly string[]): Promise<number> {
    const novas = tenant
      .from('notificacoes', 'PRIMARY')
      .where('id', '>', tenant.db.raw('COALESCE((?), 0)', [lidoPor(usuarioId)]))
      .orderBy('id', 'desc')
      .limit(OLHA)
      .select('recurso');
    const [row] = await rowsOf(tenant.db.from(novas.as('novas')).whereIn('recurso', [...recursos]), TOTAL);
    return Math.min(row?.total ?? 0, CONTA_ATE);
  }

  return {
    contar,

    async ver(usuarioId: number, recursos: readonly string[]): Promise<Sino> {
      const [naoLidas, ultimas] = await Promise.all([
        contar(usuarioId, recursos),
        rowsOf(
          recentes(recursos).orderBy('notificacoes.id', 'desc').limit(ULTIMAS),
          DA_NOTIFICACAO,
          computed<{ lida: number }>({
            lida: tenant.db.raw('notificacoes.id <= COALESCE((?), 0)', [lidoPor(usuarioId)]),
          }),
        ),
      ]);
      return {
        naoLidas,
        ultimas: ultimas.map(({ recurso_id: recursoId, criado_em, lida, ...notificacao }) => ({
          ...notificacao,
          recursoId,
          criadoEm: fromDatabaseTime(criado_em),
          lida: lida === 1,
        })),
      };
    },
  };
}

import type { Knex } from 'knex';
import { columns, rowsOf } from '../../platform/mysql/columns.ts';
import { fromDatabaseTime, toDatabaseTime } from '../../platform/mysql/database.ts';
import { sameTenant } from '../../platform/mysql/tenant.ts';
import type { TenantDb } from '../../platform/mysql/tenant.ts';
import { readPage } from '../../platform/paging/pages.ts';
import type { Page, PageRequest } from '../../platform/paging/pages.ts';
import type { Relogio } from '../../platform/timing/relogio.ts';
import { COLUNAS_DE_CONVITE, estadoDoConvite } from './convites.types.ts';
import type { ConviteRow, EstadoDeConvite } from './convites.types.ts';

export type LeituraDeConvitesService = ReturnType<typeof createLeituraDeConvitesService>;

/** An invite as staff see it; its link is nowhere any more. */
export interface ConviteDaEquipe {
  readonly id: number;
  readonly estado: EstadoDeConvite;
  readonly plano: { readonly id: number; readonly nome: string } | null;
  readonly diaVencimento: number | null;
  readonly criadoEm: Date;
  readonly expiraEm: Date | null;
  readonly usadoEm: Date | null;
  readonly revogadoEm: Date | null;
  /** Whom it made a client of. */
  readonly clienteId: number | null;
  /** A user of the panel, or a key of the API; null: nobody knows. */
  readonly criadoPor: { readonly tipo: 'usuario' | 'chave'; readonly id: number; readonly nome: string } | null;
}

interface DaEquipeRow {
  cliente_id: number | null;
  chave_id: number | null;
  usuario_id: number | null;
  criado_em: string;
  usado_em: string | null;
  plano_nome: string | null;
  chave_nome: string | null;
  usuario_nome: string | null;
}

const DA_EQUIPE = columns<DaEquipeRow>('convites', {
  cliente_id: true,
  chave_id: true,
  usuario_id: true,
  criado_em: true,
  usado_em: true,
  plano_nome: 'planos.nome',
  chave_nome: 'chaves_api.nome',
  usuario_nome: 'usuarios.nome',
});

const comNomes = (query: Knex.QueryBuilder): Knex.QueryBuilder =>
  query
    .leftJoin('planos', sameTenant('convites', 'plano_id', 'planos', 'id'))
    .leftJoin('chaves_api', sameTenant('convites', 'chave_id', 'chaves_api', 'id'))
    .leftJoin('usuarios', sameTenant('convites', 'usuario_id', 'usuarios', 'id'));

/** Invites, for staff. */
export function createLeituraDeConvitesService({ tenant, relogio }: { tenant: TenantDb; relogio: Relogio }) {
  return {
    /** One page of invites, newest first: of all, or of those in one state. */
    async listar(
      { estado = null }: { readonly estado?: EstadoDeConvite | null },
      pagina: PageRequest,
    ): Promise<Page<ConviteDaEquipe>> {
      const agora = relogio.agora();
      const { itens, total } = await readPage<ConviteRow & DaEquipeRow>(
        tenant,
        {
          table: 'convites',
          ...(estado === null ? { whole: true } : { indexes: ['convites_situacao'] }),
          order: [{ column: 'id', order: 'desc' }],
          filter: (query) => void (estado === null || DO_ESTADO[estado](query, toDatabaseTime(agora))),
        },
        pagina,
        async (rows) => rowsOf(comNomes(rows), COLUNAS_DE_CONVITE, DA_EQUIPE),
      );
      return { itens: itens.map((row) => paraConvite(row, agora)), total };
    },

    async buscarPorId(id: number): Promise<ConviteDaEquipe | null> {
      const convite = comNomes(tenant.from('convites').where('convites.id', id));
      const [row] = await rowsOf(convite, COLUNAS_DE_CONVITE, DA_EQUIPE);
      return row === undefined ? null : paraConvite(row, relogio.agora());
    },
  };
}

/** As `estadoDoConvite` judges it: one that is past its time may not have been marked yet. */
const DO_ESTADO: Readonly<Record<EstadoDeConvite, (query: Knex.QueryBuilder, agora: string) => void>> = {
  aberto: (query, agora) =>
    void query
      .where('convites.situacao', 'aberto')
      .where((vale) => void vale.whereNull('convites.expira_em').orWhere('convites.expira_em', '>', agora)),
  usado: (query) => void query.where('convites.situacao', 'usado'),
  expirado: (query, agora) =>
    void query
      .whereIn('convites.situacao', ['aberto', 'expirado'])
      .whereNull('convites.revogado_em')
      .where((passou) => void passou.where('convites.situacao', 'expirado').orWhere('convites.expira_em', '<=', agora)),
  revogado: (query) => void query.where('convites.situacao', 'expirado').whereNotNull('convites.revogado_em'),
};

function paraConvite(row: ConviteRow & DaEquipeRow, agora: Date): ConviteDaEquipe {
  const instante = (texto: string | null): Date | null => (texto === null ? null : fromDatabaseTime(texto));
  return {
    id: row.id,
    estado: estadoDoConvite(row, agora),
    plano: row.plano_id === null ? null : { id: row.plano_id, nome: row.plano_nome ?? '' },
    diaVencimento: row.dia_vencimento,
    criadoEm: fromDatabaseTime(row.criado_em),
    expiraEm: instante(row.expira_em),
    usadoEm: instante(row.usado_em),
    revogadoEm: instante(row.revogado_em),
    clienteId: row.cliente_id,
    criadoPor: autorDe(row),
  };
}

function autorDe({ usuario_id, usuario_nome, chave_id, chave_nome }: DaEquipeRow): ConviteDaEquipe['criadoPor'] {
  if (usuario_id !== null) return { tipo: 'usuario', id: usuario_id, nome: usuario_nome ?? '' };
  return chave_id === null ? null : { tipo: 'chave', id: chave_id, nome: chave_nome ?? '' };
}

import type { Knex } from 'knex';
import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import { sameTenant } from '../../../platform/mysql/tenant.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import { readAfter } from '../../../platform/paging/pages.ts';
import type { ListWalk, PageQuery, Slice, SliceRequest } from '../../../platform/paging/pages.ts';
import { COLUNAS_DO_CHAMADO } from '../chamados.types.ts';
import type { ChamadoRow, TipoDeAutor } from '../chamados.types.ts';
import { estaFechado } from '../transicoes.regras.ts';
import { COLUNAS_COM_NOMES } from './app.types.ts';
import type { ChamadoComNomesRow, FiltroDoApp } from './app.types.ts';

export interface EntradaRow {
  id: number;
  acao: string;
  descricao: string | null;
  autor: string | null;
  autor_tipo: TipoDeAutor | null;
  usuario_id: number | null;
  ocorrido_em: string;
}

const DO_HISTORICO = columns<EntradaRow>('chamados_historico', {
  id: true,
  acao: true,
  descricao: true,
  autor: true,
  autor_tipo: true,
  usuario_id: true,
  ocorrido_em: true,
});
const DAS_NOTAS = columns<EntradaRow>('chamados_notas', { ...DO_HISTORICO.of, autor_tipo: 'NULL' });

/** Indexes of which one finds what a filter leaves: in the order of the list, or few rows to be sorted. */
function indicesDe({ clienteIds, contratoId, situacao, responsavelId }: FiltroDoApp): string[] {
  if (contratoId !== undefined) return ['chamados_contrato'];
  if (clienteIds !== null) return ['chamados_cliente'];
  const fechados = situacao !== undefined && situacao !== 'em_aberto' && estaFechado(situacao);
  if (responsavelId !== undefined) {
    // Of the closed ones, somebody has few of some state, or the provider has.
    if (fechados) return ['chamados_responsavel_abertura', 'chamados_situacao'];
    return [situacao === undefined ? 'chamados_responsavel_abertura' : 'chamados_responsavel'];
  }
  if (situacao === undefined) return ['chamados_abertura'];
  return [situacao === 'em_aberto' ? 'chamados_em_aberto' : 'chamados_situacao'];
}

function filtrar(query: Knex.QueryBuilder, { clienteIds, contratoId, situacao, responsavelId }: FiltroDoApp): void {
  if (clienteIds !== null) query.whereIn('chamados.cliente_id', [...clienteIds]);
  if (contratoId !== undefined) query.where('chamados.contrato_id', contratoId);
  if (responsavelId !== undefined) query.where('chamados.responsavel_id', responsavelId);
  if (situacao === undefined) return;
  if (situacao !== 'em_aberto') query.where('chamados.situacao', situacao);
  // Said of each open state as well: the index of who attends begins with it.
  if (situacao === 'em_aberto' || !estaFechado(situacao)) query.where('chamados.em_aberto', 1);
}

export function createLeituraDoAppQueries(tenant: TenantDb) {
  const pagina = (filtro: FiltroDoApp): PageQuery<'aberto_em' | 'id'> => {
    const indexes = indicesDe(filtro);
    return {
      table: 'chamados',
      indexes,
      whole: indexes.join() === 'chamados_abertura',
      order: [
        { column: 'aberto_em', order: 'desc' },
        { column: 'id', order: 'desc' },
      ],
      filter: (query) => filtrar(query, filtro),
    };
  };
  const comNomes = (query: Knex.QueryBuilder): Knex.QueryBuilder =>
    query
      .leftJoin('clientes', sameTenant('chamados', 'cliente_id', 'clientes', 'id'))
      .leftJoin('usuarios', sameTenant('chamados', 'responsavel_id', 'usuarios', 'id'));

  return {
    /** Tickets after a place, newest first. */
    listar: async (filtro: FiltroDoApp, pedida: SliceRequest): Promise<Slice<ChamadoRow>> =>
      readAfter(tenant, pagina(filtro), pedida, async (rows) => rowsOf(rows, COLUNAS_DO_CHAMADO)),

    /** The same with the names of clients and of who attends. */
    listarComNomes: async (
      filtro: FiltroDoApp,
      pedida: SliceRequest,
      leitura: ListWalk | null,
    ): Promise<Slice<ChamadoComNomesRow>> =>
      readAfter(tenant, pagina(filtro), pedida, async (rows) => rowsOf(comNomes(rows), COLUNAS_COM_NOMES), leitura),

    async buscarComNomes(id: number): Promise<ChamadoComNomesRow | undefined> {
      const [row] = await rowsOf(comNomes(tenant.from('chamados').where('chamados.id', id)), COLUNAS_COM_NOMES);
      return row;
    },

    /** What everybody may see happened, oldest first. */
    async historico(chamadoId: number): Promise<EntradaRow[]> {
      const dele = tenant.from('chamados_historico').where('chamado_id', chamadoId);
      return rowsOf(dele.orderBy(['ocorrido_em', 'id']), DO_HISTORICO);
    },

    /** What is for the staff alone, oldest first. */
    async notas(chamadoId: number): Promise<EntradaRow[]> {
      const dele = tenant.from('chamados_notas').where('chamado_id', chamadoId);
      return rowsOf(dele.orderBy(['ocorrido_em', 'id']), DAS_NOTAS);
    },

    async entrada(id: number): Promise<EntradaRow | undefined> {
      const [row] = await rowsOf(tenant.from('chamados_historico').where('chamados_historico.id', id), DO_HISTORICO);
      return row;
    },
  };
}

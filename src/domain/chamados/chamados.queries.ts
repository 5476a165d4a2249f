import type { Knex } from 'knex';
import { rowsOf } from '../../platform/mysql/columns.ts';
import { readPage } from '../../platform/paging/pages.ts';
import type { Page, PageRequest, ListWalk } from '../../platform/paging/pages.ts';
import type { TenantDb } from '../../platform/mysql/tenant.ts';
import { inicioNoBanco } from '../leituras.ts';
import { COLUNAS_DO_CHAMADO, COLUNAS_DO_HISTORICO } from './chamados.types.ts';
import type { ChamadoRow, EntradaHistoricoRow, FiltroChamados } from './chamados.types.ts';

export function createChamadosQueries(tenant: TenantDb) {
  return {
    /** One page of tickets, newest first. */
    async listar(filtro: FiltroChamados, pagina: PageRequest, leitura: ListWalk | null): Promise<Page<ChamadoRow>> {
      const { protocolo, clienteId, contratoId, situacao, atualizadoDesde } = filtro;
      function filter(query: Knex.QueryBuilder): void {
        if (protocolo !== undefined) query.where('chamados.protocolo', protocolo);
        if (clienteId !== undefined) query.where('chamados.cliente_id', clienteId);
        if (contratoId !== undefined) query.where('chamados.contrato_id', contratoId);
        if (situacao === 'em_aberto') query.where('chamados.em_aberto', 1);
        else if (situacao !== undefined) query.where('chamados.situacao', situacao);
        if (atualizadoDesde !== undefined) query.where('chamados.atualizado_em', '>=', inicioNoBanco(atualizadoDesde));
      }
      const doTempo =
        atualizadoDesde !== undefined && [protocolo, clienteId, contratoId].every((um) => um === undefined);
      const parts = [{ index: 'chamados_atualizado', filter }];
      const indexes = indicesDe(filtro);
      return readPage(
        tenant,
        {
          table: 'chamados',
          indexes,
          whole: indexes.join() === 'chamados_abertura',
          order: [
            { column: 'aberto_em', order: 'desc' },
            { column: 'id', order: 'desc' },
          ],
          filter,
          ...(doTempo ? { parts } : {}),
        },
        pagina,
        async (rows) => rowsOf(rows, COLUNAS_DO_CHAMADO),
        leitura,
      );
    },

    /** Open tickets of some clients, of each at most `limite`, newest first. */
    async emAbertoDosClientes(clienteIds: readonly number[], limite: number): Promise<ChamadoRow[]> {
      const doMaisNovo = ['chamados.aberto_em', 'chamados.id'].map((column) => ({ column, order: 'desc' }));
      const deCada = clienteIds.map((clienteId) =>
        tenant
          .from('chamados', 'chamados_cliente')
          .where({ 'chamados.cliente_id': clienteId, 'chamados.em_aberto': 1 })
          .orderBy(doMaisNovo)
          .limit(limite),
      );
      // Most who call have one registration, and its rows need not be found by their ids first.
      const [unico, ...outros] = deCada;
      if (unico === undefined) return [];
      if (outros.length === 0) return rowsOf(unico, COLUNAS_DO_CHAMADO);
      const ids = deCada.map((dele) => dele.select('chamados.id'));
      const achados = tenant.db.unionAll(ids, true).as('achados');
      const todos = tenant.from('chamados').join(achados, 'achados.id', 'chamados.id');
      return rowsOf(todos.orderBy(doMaisNovo), COLUNAS_DO_CHAMADO);
    },

    async buscarPorId(id: number): Promise<ChamadoRow | undefined> {
      const [row] = await rowsOf(tenant.from('chamados').where('chamados.id', id), COLUNAS_DO_CHAMADO);
      return row;
    },

    /** What happened to a ticket, oldest first. */
    async listarHistorico(chamadoId: number): Promise<EntradaHistoricoRow[]> {
      const dele = tenant.from('chamados_historico').where('chamado_id', chamadoId);
      return rowsOf(dele.orderBy(['ocorrido_em', 'id']), COLUNAS_DO_HISTORICO);
    },
  };
}

/** Indexes of which one finds what a filter leaves. */
function indicesDe({ protocolo, clienteId, contratoId, situacao }: FiltroChamados): string[] {
  if (protocolo !== undefined) return ['chamados_protocolo'];
  if (clienteId !== undefined || contratoId !== undefined) {
    return [
      ...(clienteId === undefined ? [] : ['chamados_cliente']),
      ...(contratoId === undefined ? [] : ['chamados_contrato']),
    ];
  }
  if (situacao === undefined) return ['chamados_abertura'];
  return [situacao === 'em_aberto' ? 'chamados_em_aberto' : 'chamados_situacao'];
}

import type { Knex } from 'knex';
import { computed, rowsOf } from '../../platform/mysql/columns.ts';
import type { Computed } from '../../platform/mysql/columns.ts';
import { readAfter, readPage } from '../../platform/paging/pages.ts';
import type { ListWalk, Page, PageQuery, PageRequest, Slice, SliceRequest } from '../../platform/paging/pages.ts';
import type { TenantDb } from '../../platform/mysql/tenant.ts';
import { inicioNoBanco } from '../leituras.ts';
import { COLUNAS_DO_CLIENTE, buscaUmaPessoa } from './clientes.types.ts';
import type { ClienteRow, FiltroClientes, TelefonesRow } from './clientes.types.ts';

const POR_ID = [{ column: 'id', order: 'asc' }] as const;

export function createClientesQueries(tenant: TenantDb) {
  function filtrar(
    query: Knex.QueryBuilder,
    { cpfCnpj, ultimosOito, telefones: formas, situacao, codigoExterno, login, atualizadoDesde }: FiltroClientes,
  ): void {
    if (cpfCnpj !== undefined) query.where('clientes.cpf_cnpj', cpfCnpj);
    if (situacao !== undefined) query.where('clientes.situacao', situacao);
    if (codigoExterno !== undefined) query.where('clientes.codigo_externo', codigoExterno);
    if (login !== undefined) {
      query.whereIn('clientes.id', tenant.from('contratos').where('login', login).select('cliente_id'));
    }
    if (ultimosOito !== undefined) {
      const donos = tenant.from('clientes_telefones').where('ultimos_oito', ultimosOito).select('cliente_id');
      if (formas !== undefined) donos.whereIn('numero', formas);
      query.whereIn('clientes.id', donos);
    }
    if (atualizadoDesde !== undefined) {
      const alterados = tenant.from('clientes_alteracoes').where('alterado_em', '>=', inicioNoBanco(atualizadoDesde));
      query.whereExists(alterados.whereRaw('clientes_alteracoes.id = clientes.id').select(tenant.db.raw('1')));
    }
  }

  /** All clients, or those that changed since, in the narrow table that has a row of each. */
  function deTodos({ situacao, atualizadoDesde }: FiltroClientes): PageQuery<'id'> {
    function filter(query: Knex.QueryBuilder): void {
      if (atualizadoDesde !== undefined) {
        query.where('clientes_alteracoes.alterado_em', '>=', inicioNoBanco(atualizadoDesde));
      }
      if (situacao !== undefined) {
        const deles = tenant.from('clientes').where('clientes.situacao', situacao);
        query.whereExists(deles.whereRaw('clientes.id = clientes_alteracoes.id').select(tenant.db.raw('1')));
      }
    }
    const parts = [{ index: 'clientes_alteracoes_quando', filter }];
    return {
      table: 'clientes',
      keys: 'clientes_alteracoes',
      order: POR_ID,
      indexes: ['PRIMARY'],
      filter,
      ...(atualizadoDesde === undefined ? {} : { parts }),
    };
  }

  function pagina(filtro: FiltroClientes): PageQuery<'id'> {
    const { situacao, atualizadoDesde } = filtro;
    const deUmaPessoa = buscaUmaPessoa(filtro);
    if (!deUmaPessoa && (situacao === undefined || atualizadoDesde !== undefined)) return deTodos(filtro);
    return { table: 'clientes', order: POR_ID, filter: (query) => filtrar(query, filtro) };
  }

  /** Of clients that are read; their own table has no phones. */
  function telefones(): Computed<TelefonesRow> {
    const deles = tenant.from('clientes_telefones as t').whereRaw('t.cliente_id = clientes.id');
    return computed<TelefonesRow>({ telefones: deles.select(tenant.db.raw('GROUP_CONCAT(t.numero ORDER BY t.id)')) });
  }

  const ler = async (rows: Knex.QueryBuilder) => rowsOf(rows, COLUNAS_DO_CLIENTE, telefones());

  return {
    /** One page of clients, by id. */
    listar: async (filtro: FiltroClientes, pedida: PageRequest, leitura: ListWalk | null): Promise<Page<ClienteRow>> =>
      readPage(tenant, pagina(filtro), pedida, ler, leitura),

    /** Clients after a place, by id. */
    listarApos: async (
      filtro: FiltroClientes,
      pedida: SliceRequest,
      leitura: ListWalk | null,
    ): Promise<Slice<ClienteRow>> => readAfter(tenant, pagina(filtro), pedida, ler, leitura),

    /** All clients that a filter finds, in no order, for other tables to be joined to them. */
    achados: (filtro: FiltroClientes): Knex.QueryBuilder =>
      tenant.from('clientes').modify((query) => filtrar(query, filtro)),

    /** Those whom a filter finds, the newest first. */
    maisNovos: async (filtro: FiltroClientes, limite: number): Promise<ClienteRow[]> =>
      ler(
        tenant
          .from('clientes')
          .modify((query) => filtrar(query, filtro))
          .orderBy('clientes.id', 'desc')
          .limit(limite),
      ),

    /** The holder of a contract, for other tables to be joined to it. */
    doContrato: (contratoId: number): Knex.QueryBuilder =>
      tenant
        .from('clientes')
        .where('clientes.id', tenant.from('contratos as c').where('c.id', contratoId).select('c.cliente_id')),

    /** One client, for other tables to be joined to it. */
    deId: (id: number): Knex.QueryBuilder => tenant.from('clientes').where('clientes.id', id),

    /** What a `ClienteRow` holds, for a query of `clientes`. */
    colunas: () => ({ proprias: COLUNAS_DO_CLIENTE, calculadas: telefones() }),
  };
}

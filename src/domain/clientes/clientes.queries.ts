import type { Knex } from 'knex';
import { pageRows, totalOf } from '../../platform/pages.ts';
import type { Page, PageQuery, PageRequest } from '../../platform/pages.ts';
import type { TenantDb } from '../../platform/tenant.ts';
import type { ClienteRow, FiltroClientes } from './clientes.types.ts';
import { COLUNAS_DE_ENDERECO } from '../enderecos/enderecos.types.ts';

const COLUNAS = [
  'id',
  'nome',
  'nome_fantasia',
  'tipo',
  'cpf_cnpj',
  'email',
  'situacao',
  'data_nascimento',
  'criado_em',
  ...COLUNAS_DE_ENDERECO,
].map((coluna) => `clientes.${coluna}`);

export function createClientesQueries(tenant: TenantDb) {
  function pagina({ cpfCnpj, ultimosOito, situacao }: FiltroClientes): PageQuery {
    return {
      table: 'clientes',
      order: [{ column: 'clientes.id', order: 'asc' }],
      filter(query) {
        if (cpfCnpj !== undefined) query.where('clientes.cpf_cnpj', cpfCnpj);
        if (situacao !== undefined) query.where('clientes.situacao', situacao);
        if (ultimosOito !== undefined) {
          const donos = tenant.from('clientes_telefones').where('ultimos_oito', ultimosOito).select('cliente_id');
          query.whereIn('clientes.id', donos);
        }
      },
    };
  }

  /** Adds to clients all that a `ClienteRow` holds. */
  function completar(clientes: Knex.QueryBuilder): Knex.QueryBuilder {
    const telefones = tenant
      .from('clientes_telefones as t')
      .whereRaw('t.cliente_id = clientes.id')
      .select(tenant.db.raw('GROUP_CONCAT(t.numero ORDER BY t.id)'));
    return clientes.select(COLUNAS).select({ telefones });
  }

  return {
    /** One page of clients, by id. */
    async listar(filtro: FiltroClientes, pedida: PageRequest): Promise<Page<ClienteRow>> {
      const query = pagina(filtro);
      const itens = (await completar(pageRows(tenant, query, pedida))) as ClienteRow[];
      return { itens, total: await totalOf(tenant, query, pedida, itens.length) };
    },

    /** All clients that a filter finds, in no order, for other tables to be joined to them. */
    achados: (filtro: FiltroClientes): Knex.QueryBuilder =>
      completar(tenant.from('clientes').modify(pagina(filtro).filter)),

    /** One client, for other tables to be joined to it. */
    deId: (id: number): Knex.QueryBuilder => completar(tenant.from('clientes').where('clientes.id', id)),
  };
}

import { readPage } from '../../platform/pages.ts';
import type { Page, PageRequest } from '../../platform/pages.ts';
import type { TenantDb } from '../../platform/tenant.ts';
import type { ClienteRow, FiltroClientes } from './clientes.types.ts';
import { COLUNAS_DE_ENDERECO } from './endereco.ts';

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
];

export function createClientesQueries(tenant: TenantDb) {
  return {
    /** One page of clients, by id. */
    async listar(filtro: FiltroClientes, pagina: PageRequest): Promise<Page<ClienteRow>> {
      const { cpfCnpj, ultimosOito, situacao } = filtro;
      return readPage<ClienteRow>(
        tenant,
        {
          table: 'clientes',
          columns: COLUNAS,
          order: [{ column: 'clientes.id', order: 'asc' }],
          filter(query) {
            if (cpfCnpj !== undefined) query.where('clientes.cpf_cnpj', cpfCnpj);
            if (situacao !== undefined) query.where('clientes.situacao', situacao);
            if (ultimosOito !== undefined) {
              const donos = tenant.from('clientes_telefones').where('ultimos_oito', ultimosOito).select('cliente_id');
              query.whereIn('clientes.id', donos);
            }
          },
        },
        pagina,
      );
    },

    async buscarPorId(id: number): Promise<ClienteRow | undefined> {
      const [row] = await tenant.from('clientes').where('clientes.id', id).select<ClienteRow[]>(COLUNAS);
      return row;
    },

    /** Phones of several clients, in the order they were registered. */
    async listarTelefones(clienteIds: readonly number[]): Promise<{ cliente_id: number; numero: string }[]> {
      return (await tenant
        .from('clientes_telefones')
        .whereIn('cliente_id', clienteIds)
        .select('cliente_id', 'numero')
        .orderBy(['cliente_id', 'id'])) as { cliente_id: number; numero: string }[];
    },
  };
}

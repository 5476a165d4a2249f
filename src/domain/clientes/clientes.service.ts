import { fromDatabaseTime } from '../../platform/database.ts';
import { groupBy } from '../../platform/group-by.ts';
import type { Page, PageRequest } from '../../platform/pages.ts';
import type { TenantDb } from '../../platform/tenant.ts';
import type { ContratosService } from '../contratos/contratos.service.ts';
import { createClientesQueries } from './clientes.queries.ts';
import type { Cliente, ClienteRow, FiltroClientes } from './clientes.types.ts';
import { paraEndereco } from './endereco.ts';

export type ClientesService = ReturnType<typeof createClientesService>;

export function createClientesService({ tenant, contratos }: { tenant: TenantDb; contratos: ContratosService }) {
  const queries = createClientesQueries(tenant);

  /** Adds phones and contracts to any number of clients, in two statements. */
  async function completar(rows: readonly ClienteRow[]): Promise<Cliente[]> {
    if (rows.length === 0) return [];
    const ids = rows.map((row) => row.id);
    const [telefones, contratosPorCliente] = await Promise.all([
      queries.listarTelefones(ids),
      contratos.listarPorClientes(ids),
    ]);
    const telefonesPorCliente = groupBy(telefones, (telefone) => telefone.cliente_id);
    return rows.map((row) => ({
      id: row.id,
      nome: row.nome,
      nomeFantasia: row.nome_fantasia,
      tipo: row.tipo,
      cpfCnpj: row.cpf_cnpj,
      email: row.email,
      telefones: (telefonesPorCliente.get(row.id) ?? []).map((telefone) => telefone.numero),
      situacao: row.situacao,
      dataNascimento: row.data_nascimento,
      criadoEm: fromDatabaseTime(row.criado_em),
      endereco: paraEndereco(row),
      contratos: contratosPorCliente.get(row.id) ?? [],
    }));
  }

  return {
    /** One page of clients, by id, each with its contracts. */
    async listar(filtro: FiltroClientes, pagina: PageRequest): Promise<Page<Cliente>> {
      const { itens, total } = await queries.listar(filtro, pagina);
      return { itens: await completar(itens), total };
    },

    /** The client with its contracts, or null when this tenant has none of that id. */
    async buscarPorId(id: number): Promise<Cliente | null> {
      const row = await queries.buscarPorId(id);
      if (row === undefined) return null;
      const [cliente] = await completar([row]);
      return cliente ?? null;
    },
  };
}

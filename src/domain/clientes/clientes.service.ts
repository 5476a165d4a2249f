import { fromDatabaseTime } from '../../platform/database.ts';
import { groupBy } from '../../platform/group-by.ts';
import type { Page, PageRequest } from '../../platform/pages.ts';
import type { Trail } from '../../platform/response-cache/trail.ts';
import type { TenantDb } from '../../platform/tenant.ts';
import type { ContratosService } from '../contratos/contratos.service.ts';
import { BUSCA_DE_CLIENTES_TAG, CLIENTES_TAG, clienteTag } from '../tags.ts';
import { createClientesQueries } from './clientes.queries.ts';
import type { Cliente, ClienteRow, FiltroClientes } from './clientes.types.ts';
import { paraEndereco } from '../enderecos/enderecos.types.ts';

export type ClientesService = ReturnType<typeof createClientesService>;

export interface ClientesDeps {
  readonly tenant: TenantDb;
  readonly contratos: ContratosService;
  readonly trail: Trail;
}

export function createClientesService({ tenant, contratos, trail }: ClientesDeps) {
  const queries = createClientesQueries(tenant);

  /** Clients with phones and contracts: three statements at the same time, however many clients. */
  async function carregar(ids: readonly number[], lidos?: ClienteRow[]): Promise<Cliente[]> {
    if (ids.length === 0) return [];
    const [rows, telefones, contratosPorCliente] = await Promise.all([
      lidos ?? queries.buscarPorIds(ids),
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
      const pessoa = filtro.cpfCnpj !== undefined || filtro.ultimosOito !== undefined;
      if (!pessoa || filtro.situacao !== undefined) {
        await trail.dependsOn(CLIENTES_TAG);
        const { itens, total } = await queries.listar(filtro, pagina);
        return {
          itens: await carregar(
            itens.map(({ id }) => id),
            itens,
          ),
          total,
        };
      }
      // A person's answer outlives what happens to everyone else: first who it is, then only their own tags.
      await trail.dependsOn(BUSCA_DE_CLIENTES_TAG);
      const { itens: ids, total } = await queries.listarIds(filtro, pagina);
      await trail.dependsOn(...ids.map(clienteTag));
      return { itens: await carregar(ids), total };
    },

    /** The client with its contracts, or null when this tenant has none of that id. */
    async buscarPorId(id: number): Promise<Cliente | null> {
      await trail.dependsOn(clienteTag(id));
      const [cliente] = await carregar([id]);
      return cliente ?? null;
    },
  };
}
